// A Kickstart text while somebody writes it: its faults, and its preview for a host. Nothing is stored.
import type { Database } from '../../ground/store/database.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { findItem } from '../../platform/units/collection-store.ts';
import { hosts } from './hosts.ts';
import { type PreviewLine, previewKickstart } from './kickstart-preview.ts';
import { hostValues, type TextFault, textFaults } from './kickstart-text.ts';
import { canonicalText } from './revision.ts';
import { vaultFaults } from './vault-values.ts';

export interface TypedText {
  faults: TextFault[];
  /** Redacted, like every preview. */
  lines: PreviewLine[];
}

/**
 * Errors and warnings of a text in the order of its lines; those about vault values show only what the actor may know.
 */
export async function faultsOfText(db: Database, actor: Actor, text: string): Promise<TextFault[]> {
  const own = textFaults(text);
  return [...own, ...(await vaultFaults(db, actor, text))].sort((one, other) => one.line - other.line);
}

/** `host_id`: the host whose fields are filled in. @throws Problem 404 */
export async function lookAtText(
  db: Database,
  actor: Actor,
  typed: string,
  host_id: string | null,
): Promise<TypedText> {
  const text = canonicalText(typed);
  const host = host_id === null ? null : await findItem(db, hosts, host_id);
  const lines = previewKickstart(text, host && hostValues(host, {}));
  return { faults: await faultsOfText(db, actor, text), lines };
}
