// Vault values in Kickstart texts: who may save a text with them, which are missing, and the values themselves, which
// are opened for one retrieval, in the transaction that consumes its authorization.

import type { Database, Transaction } from '../../ground/store/database.ts';
import { type Actor, systemActor } from '../../kernel/access/actor.ts';
import type { AuditEvent } from '../../kernel/audit/audit.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { findNamed, lackOf, readVaultName } from '../../platform/vaults/kickstart-names.ts';
import { useEntryIn } from '../../platform/vaults/use.ts';
import type { Attempt } from './boot/attempt-store.ts';
import { CONTROL_IN_VALUE, markersOf, type TextFault } from './kickstart-text.ts';

/**
 * Faults of a text by line: names without a value. An actor who may not read vaults gets a fault for each line with
 * one, which does not show what exists.
 */
export async function vaultFaults(db: Database, actor: Actor | undefined, text: string): Promise<TextFault[]> {
  const markers = markersOf(text).filter(({ kind, name }) => kind === 'vault' && readVaultName(name) !== null);
  const reaches = actor?.scopes.has('read:vaults') === true;
  const found = reaches ? await findNamed(db, [...new Set(markers.map(({ name }) => name))]) : null;
  const faults = new Map(
    markers.flatMap(({ line, name }): [string, TextFault][] => {
      const detail = found ? lackOf(name, found.get(name)) : NOT_FOR_YOU;
      return detail === null ? [] : [[`${line} ${detail}`, { line, severity: 'error', detail }]];
    }),
  );
  return [...faults.values()];
}

const NOT_FOR_YOU = 'Saving a text with vault values needs read:vaults: ask an administrator.';

export interface OpenedValues {
  values: Readonly<Record<string, string>>;
  /** An event for each value that was opened or could not be. */
  uses: AuditEvent[];
  /** Name of the first value that is not available; null: all are. */
  lacking: string | null;
}

/** Opens the values of a text. Never throws for a missing one: the caller has to commit the end of the attempt. */
export async function openVaultValues(
  tx: Transaction,
  shell: Pick<Services, 'keyring' | 'clock'>,
  text: string,
  { id, hostname, authorized_by }: Attempt,
): Promise<OpenedValues> {
  const names = [...new Set(markersOf(text).flatMap(({ kind, name }) => (kind === 'vault' ? name : [])))];
  const found = await findNamed(tx, names);
  const uses: AuditEvent[] = [];
  const without = (lacking: string): OpenedValues => ({ values: {}, uses, lacking });
  // When one value is missing, none is opened.
  for (const name of names) if (lackOf(name, found.get(name)) !== null) return without(name);
  const about = { host: hostname, attempt: id, authorized_by };
  const record = (event: AuditEvent) => void uses.push({ ...event, detail: { ...event.detail, ...about } });
  const values: Record<string, string> = {};
  for (const name of names) {
    const { vault_id, entry_id } = found.get(name)!;
    const ref = { vault_id: vault_id!, entry_id: entry_id! };
    const used = await useEntryIn(tx, shell, { actor: APPLIANCE, record }, ref, 'kickstart');
    // After a line feed the value would be another command.
    if ('refuse' in used || CONTROL_IN_VALUE.test(used.value)) return without(name);
    values[name] = used.value;
  }
  return { values, uses, lacking: null };
}

/**
 * The actor: a machine that boots has no rights of its own. An administrator saved the text, an operator authorized.
 */
const APPLIANCE = systemActor('network boot');

/** The same events for a text that was not served after all. */
export const notHandedOut = (uses: readonly AuditEvent[]): AuditEvent[] =>
  uses.map((event) => ({ ...event, detail: { ...event.detail, handed_out: false } }));
