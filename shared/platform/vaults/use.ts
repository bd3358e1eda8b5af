// The only way to a value. It is opened in the transaction that records the use, and answered after the commit: every
// use is recorded.

import { type Clock, instant } from '../../ground/clock.ts';
import { notFound, Problem } from '../../ground/problems.ts';
import { openEntry, VaultFault } from '../../ground/sealing/envelope.ts';
import { isKeyringFault, type Keyring } from '../../ground/sealing/keyring.ts';
import type { Transaction } from '../../ground/store/database.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { missingScope } from '../../kernel/access/missing-scope.ts';
import { type AuditContext, type AuditEvent, appendAudit } from '../../kernel/audit/audit.ts';
import type { Services } from '../../kernel/operation/services.ts';

/** Purposes of opening a value. */
export const VAULT_PURPOSES = [
  'reveal',
  'kickstart',
  'remote-login',
  'password-import',
  'certificate-trust',
  'depot-configuration',
  'appliance-deployment',
  'key-provider-registration',
  'automation-ldap',
  'web-terminal',
  'datastore-mount',
] as const;
export type VaultPurpose = (typeof VAULT_PURPOSES)[number];

export interface EntryRef {
  vault_id: string;
  entry_id: string;
}

export interface UseOptions {
  /** The machine that the value is for, for the audit log: `vcf01.lab.example:443`. */
  target?: string;
}

/** An opened entry. Printing it, or its JSON, shows no value. */
export class UsedEntry {
  readonly key: string;
  readonly username: string;
  readonly uris: readonly string[];
  readonly #value: string;

  constructor(entry: { key: string; username: string; uris: readonly string[]; value: string }) {
    this.key = entry.key;
    this.username = entry.username;
    this.uris = entry.uris;
    this.#value = entry.value;
  }

  get value(): string {
    return this.#value;
  }
}

/** Who uses the value, and where the event is written: `audit` of an operation, or the log itself. */
export interface VaultUser {
  actor: Actor;
  record(event: AuditEvent): void | Promise<void>;
}

interface Row {
  key: string;
  username: string;
  uris: string;
  kek_id: string | null;
  sealed_key: string;
  sealed_value: string;
  vault: string;
}

const ONE = `SELECT e.key, e.username, e.uris, e.kek_id, e.sealed_key, e.sealed_value, v.name AS vault
  FROM vault_entry e JOIN vault v ON v.id = e.vault_id WHERE e.id = ? AND e.vault_id = ?`;

/**
 * Opens a value in a transaction of its own.
 * @throws Problem 403 without the right to read vaults, 404 for an entry that is not in this vault, 409 for one without
 * a value, 409 `vault_value_unreadable`, which is recorded as a failure, 423 while other work owns all mutations.
 */
export async function useEntry(
  services: Pick<Services, 'store' | 'keys' | 'keyring' | 'clock'>,
  who: AuditContext,
  ref: EntryRef,
  purpose: VaultPurpose,
  options: UseOptions = {},
): Promise<UsedEntry> {
  const { store, keys } = services;
  const used = await store.write((tx) => {
    const record = (event: AuditEvent) => appendAudit(tx, keys, who, event);
    return useEntryIn(tx, services, { actor: who.actor, record }, ref, purpose, options);
  });
  if ('refuse' in used) throw used.refuse;
  return used;
}

/**
 * The same in the caller's transaction: the value must not be answered before the commit. `refuse`: the value can't be
 * opened. The caller commits first, so that the event is recorded, and refuses then.
 */
export async function useEntryIn(
  tx: Transaction,
  { keyring, clock }: { keyring: Keyring; clock: Clock },
  { actor, record }: VaultUser,
  { vault_id, entry_id }: EntryRef,
  purpose: VaultPurpose,
  { target }: UseOptions = {},
): Promise<UsedEntry | { refuse: Problem }> {
  requireReach(actor);
  const row = await tx.one<Row>(ONE, [entry_id, vault_id]);
  if (!row) throw notFound('This vault entry');
  const { key, vault, kek_id } = row;
  if (kek_id === null) throw new Problem('state_conflict', `The entry ${key} of the vault ${vault} has no value.`);
  const value = await opened(keyring, { vault_id, entry_id }, { ...row, kek_id });
  if (value !== null) {
    await tx.run('UPDATE vault_entry SET last_used_at = ? WHERE id = ?', [instant(clock.now()), entry_id]);
  }
  await record({
    action: purpose === 'reveal' ? 'vault.entry.reveal' : 'vault.entry.use',
    resource_type: 'vault_entry',
    resource_id: entry_id,
    outcome: value === null ? 'failure' : 'success',
    detail: { purpose, vault, key, ...(target !== undefined && { target }), ...(value === null && { kek_id }) },
  });
  if (value === null) return { refuse: unreadable(vault, key) };
  return new UsedEntry({ key, username: row.username, uris: JSON.parse(row.uris) as string[], value });
}

/**
 * Requires read:vaults; the system itself may, since it does what an administrator saved or queued.
 * @throws Problem 403
 */
export function requireReach(actor: Actor): void {
  if (actor.kind === 'system' || actor.scopes.has('read:vaults')) return;
  throw missingScope(actor, 'read:vaults', 'Vaults are for administrators: this needs read:vaults.');
}

async function opened(
  keyring: Keyring,
  { vault_id, entry_id }: EntryRef,
  sealed: Pick<Row, 'sealed_key' | 'sealed_value'> & { kek_id: string },
): Promise<string | null> {
  try {
    const key = await keyring.find(sealed.kek_id);
    return key && openEntry({ id: sealed.kek_id, key }, { vault_id, entry_id, field: 'value' }, sealed);
  } catch (error) {
    // The attempt is recorded, even when the keys file is missing or damaged.
    if (error instanceof VaultFault || isKeyringFault(error)) return null;
    throw error;
  }
}

function unreadable(vault: string, key: string): Problem {
  return new Problem(
    'vault_value_unreadable',
    `The value of ${key} in the vault ${vault} can’t be opened: it was damaged or moved, or the keys file is missing, damaged or the wrong one. Restore the keys file that belongs to this database, or store the value again.`,
  );
}
