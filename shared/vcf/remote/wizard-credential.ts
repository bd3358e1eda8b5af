// The login of a step: a vault credential, for administrators, whose value is opened on the server at the login; or the
// values typed into this form.

import { type FieldError, invalid, Problem } from '../../ground/problems.ts';
import type { Database } from '../../ground/store/database.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/audit/audit.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { findItem, listItems } from '../../platform/units/collection-store.ts';
import { findCredential, listCredentials, type VaultCredential } from '../../platform/vaults/credentials.ts';
import { requireReach, useEntry, type VaultPurpose } from '../../platform/vaults/use.ts';
import { vaults as allVaults } from '../../platform/vaults/vault-store.ts';
import { parseServer, serverText, type Target } from '../connection/target.ts';
import type { ApplianceCredential } from '../vcf-api/session.ts';

export interface Choice {
  vault_id: string;
  choice_id: string;
}

export interface StoredCredential extends Choice {
  vault: string;
  credential: VaultCredential;
  /** The server that the credential is for: its value goes there only. */
  target: Target;
}

/**
 * The chosen credential as it is now; null for a login that is typed.
 * @throws Problem 403 for who may not read vaults, 404 for what does not belong together or is gone
 */
export async function storedCredential(
  db: Database,
  actor: Actor,
  { vault_id, choice_id }: Choice,
): Promise<StoredCredential | null> {
  if (vault_id === '' && choice_id === '') return null;
  requireReach(actor);
  const { name } = await findItem(db, allVaults, vault_id);
  const credential = await findCredential(db, vault_id, choice_id);
  return { vault_id, choice_id, vault: name, credential, target: parseServer(credential.server) };
}

export interface OfferedVault {
  id: string;
  name: string;
  entry_count: number;
}

export interface Offered {
  vaults: OfferedVault[];
  /** Of the named vault; null while none is named. */
  choices: VaultCredential[] | null;
  /** There are more than are listed: a search narrows them. */
  more: boolean;
  /** The vault that was named and has nothing usable. */
  unusable: string | null;
}

const CHOICES_MOST = 500;
const VAULTS_MOST = 1000;

/** What the picker shows; null for who may not read vaults. */
export async function offeredCredentials(
  db: Database,
  actor: Actor,
  vault_id: string,
  search: string,
): Promise<Offered | null> {
  if (!actor.scopes.has('read:vaults')) return null;
  const vaults = (await listItems(db, allVaults, { limit: VAULTS_MOST })).items.map(({ id, name, entry_count }) => ({
    id,
    name,
    entry_count,
  }));
  const named = vaults.find(({ id }) => id === vault_id);
  if (!named) return { vaults, choices: null, more: false, unusable: null };
  const page = await listCredentials(db, vault_id, { limit: CHOICES_MOST, search: search || undefined });
  const none = page.items.length === 0 && search === '';
  return {
    vaults,
    choices: none ? null : page.items,
    more: page.next_cursor !== null,
    unusable: none ? named.name : null,
  };
}

/** A typed login as a step got it. @throws Problem 422 */
export function typedLogin({ username, password }: { username: string; password: string }): ApplianceCredential {
  const missing: FieldError[] = [];
  if (username === '') missing.push({ pointer: '/username', detail: 'Enter the user name.' });
  if (password === '') missing.push({ pointer: '/password', detail: 'Enter the password.' });
  if (missing.length > 0) throw invalid(...missing);
  return { username, password };
}

/**
 * Opens a stored credential for one machine and records it, before anything of it leaves.
 * @throws Problem 409 when its address is another machine's, and as useEntry does
 */
export async function openStored(
  services: Services,
  who: AuditContext,
  stored: StoredCredential,
  target: Target,
  purpose: VaultPurpose,
): Promise<ApplianceCredential> {
  const server = serverText(target);
  if (serverText(stored.target) !== server) {
    throw new Problem('trust_missing', `The chosen credential is for ${serverText(stored.target)}, not for ${server}.`);
  }
  const { vault_id, credential } = stored;
  const ref = { vault_id, entry_id: credential.entry_id };
  const used = await useEntry(services, who, ref, purpose, { target: server });
  return { username: used.username, password: used.value };
}
