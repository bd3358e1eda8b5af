// Stores passwords of an appliance in a vault, in one transaction: new ones become entries, changed ones replace those
// of an earlier import. Finding changes opens the stored values, which is recorded like every use.

import { Problem } from '../../../ground/problems.ts';
import type { Transaction } from '../../../ground/store/database.ts';
import type { Actor } from '../../../kernel/access/actor.ts';
import type { AuditEvent } from '../../../kernel/audit/audit.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { findItem } from '../../../platform/units/collection-store.ts';
import { createEntry, type PresentEntry, presentEntries, updateEntry } from '../../../platform/vaults/entry-store.ts';
import { useEntryIn } from '../../../platform/vaults/use.ts';
import { createVault, vaults } from '../../../platform/vaults/vault-store.ts';
import type { ApplianceRole } from '../../vcf-api/appliance.ts';
import type { CredentialCandidate } from '../../vcf-api/credential.ts';
import type { ReadValues } from '../../vcf-api/read-credentials.ts';
import { type Chosen, conflictOf, type ImportResult } from './selection.ts';

export interface Imported {
  chosen: Chosen;
  read: ReadValues;
  source: ApplianceRole;
  /** Server that it was read from. */
  endpoint: string;
}

interface Shell {
  services: Pick<Services, 'keyring' | 'clock' | 'entropy'>;
  actor: Actor;
  audit(event: AuditEvent): void;
}

/**
 * @throws Problem 404 for a vault that is gone, 409 for a key that was taken meanwhile, 409 for a vault that is full.
 */
export async function storeImported(
  tx: Transaction,
  shell: Shell,
  { chosen, read, source, endpoint }: Imported,
): Promise<ImportResult> {
  const { id: vault_id, name: vault } = await vaultFor(tx, shell, chosen);
  const keyOf = new Map(chosen.picks.map(({ ref, key }) => [ref, key]));
  const present = await presentEntries(tx, vault_id, [...keyOf.values()]);
  const missing = read.missing.map(({ ref, detail }) => ({ key: keyOf.get(ref) ?? '', detail }));
  const result: ImportResult = { vault_id, vault, created: [], rotated: [], unchanged: [], missing };
  const imported = { source, endpoint };
  for (const { candidate, value } of read.values) {
    const key = keyOf.get(candidate.ref)!;
    const { username, uris } = candidate;
    const entry = present.get(key);
    if (!entry) {
      const draft = { key, username, uris, value, description: descriptionOf(candidate), imported };
      await createEntry(tx, shell.services, vault_id, draft);
      result.created.push(key);
      continue;
    }
    const conflict = conflictOf(entry, username, { endpoint, take_over: chosen.take_over });
    if (conflict !== null) throw new Problem('state_conflict', `${key}: ${conflict}`);
    const same = (await storedValue(tx, shell, vault_id, entry, endpoint)) === value;
    const place = { vault_id, entry_id: entry.id };
    await updateEntry(tx, shell.services, place, { uris, imported, ...(!same && { value }) }, null);
    result[same ? 'unchanged' : 'rotated'].push(key);
  }
  const { created, rotated, unchanged } = result;
  const counts = {
    created: created.length,
    rotated: rotated.length,
    unchanged: unchanged.length,
    missing: missing.length,
  };
  shell.audit({
    action: 'vault.import',
    resource_type: 'vault',
    resource_id: vault_id,
    detail: { vault, source, server: endpoint, ...counts, keys: { created, rotated, unchanged } },
  });
  return result;
}

async function vaultFor(
  tx: Transaction,
  shell: Shell,
  { vault_id, vault }: Chosen,
): Promise<{ id: string; name: string }> {
  if (vault_id !== null) return findItem(tx, vaults, vault_id);
  const made = await createVault(tx, shell.services, { name: vault }, shell.actor.name);
  shell.audit({ action: 'vault.create', resource_type: 'vault', resource_id: made.id, detail: { name: made.name } });
  return made;
}

/** Null when there is none, or when it can't be opened: then the new value replaces it. */
async function storedValue(
  tx: Transaction,
  { services, actor, audit }: Shell,
  vault_id: string,
  entry: PresentEntry,
  target: string,
): Promise<string | null> {
  try {
    const ref = { vault_id, entry_id: entry.id };
    const used = await useEntryIn(tx, services, { actor, record: audit }, ref, 'password-import', { target });
    return 'refuse' in used ? null : used.value;
  } catch (error) {
    if (error instanceof Problem && error.code === 'state_conflict') return null;
    throw error;
  }
}

function descriptionOf({ resource_type, resource_name, credential_type, auto_rotated }: CredentialCandidate): string {
  const rotates = auto_rotated ? '; the appliance changes it by itself' : '';
  return `${resource_type} ${resource_name}, ${credential_type}${rotates}`.slice(0, 500);
}
