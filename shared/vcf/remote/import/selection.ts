// Which of the passwords that were found are to be imported, under which keys and into which vault: checked against the
// candidates that were shown and against what the vault has.
import { type FieldError, invalid } from '../../../ground/problems.ts';
import type { Database } from '../../../ground/store/database.ts';
import { listItems } from '../../../platform/units/collection-store.ts';
import { type PresentEntry, presentEntries } from '../../../platform/vaults/entry-store.ts';
import { ENTRY_KEY, VAULT_NAME } from '../../../platform/vaults/schemas.ts';
import { vaults as allVaults } from '../../../platform/vaults/vault-store.ts';
import type { CredentialCandidate } from '../../vcf-api/credential.ts';

export interface Pick {
  ref: string;
  key: string;
}

/** The selection, and what importing it would do. */
export interface Chosen {
  /** Null: a new vault of this name. */
  vault_id: string | null;
  vault: string;
  picks: Pick[];
  /** Keys among them that an earlier import stored. */
  present: string[];
  /** Those of them from another server: replaced only when that is confirmed. */
  foreign: { key: string; from: string }[];
  take_over: boolean;
}

export interface ImportResult {
  vault_id: string;
  vault: string;
  created: string[];
  rotated: string[];
  unchanged: string[];
  /** Keys that were chosen and not imported, each with its reason. */
  missing: { key: string; detail: string }[];
}

export interface Selection {
  into: string;
  new_vault: string;
  picks: readonly Pick[];
  take_over: boolean;
}

/** What decides whether an import may take an entry over. */
export interface Taking {
  /** Server that is imported from. */
  endpoint: string;
  take_over: boolean;
}

/** Rows of the form: each has two fields, and a form has a thousand at most. */
export const SELECT_MOST = 450;
const KEY_RULE = 'Lower-case letters, digits and underscores, in parts with dots between them, at most 180 characters.';
export const keyField = (ref: string): string => `key.${ref}`;

/**
 * A selection as stored for the review. Two statements at most.
 * @throws Problem 422 at the fields `picks`, `into`, `new_vault` and `key.<ref>`
 */
export async function checkSelection(
  db: Database,
  candidates: readonly CredentialCandidate[],
  { into, new_vault, picks, take_over }: Selection,
  endpoint: string,
): Promise<Chosen> {
  const errors: FieldError[] = [];
  const known = new Map(candidates.map((candidate) => [candidate.ref, candidate]));
  const keys = new Set<string>();
  if (picks.length === 0) errors.push({ pointer: '/picks', detail: 'Choose at least one password.' });
  for (const { ref, key } of picks) {
    const candidate = known.get(ref);
    if (!candidate || candidate.skip) {
      errors.push({
        pointer: '/picks',
        detail: candidate?.skip?.detail ?? 'One that was chosen is not among those found.',
      });
    } else if (key.length > 180 || !ENTRY_KEY.test(key))
      errors.push({ pointer: `/${keyField(ref)}`, detail: KEY_RULE });
    else if (keys.has(key)) errors.push({ pointer: `/${keyField(ref)}`, detail: 'Another one has this key.' });
    keys.add(key);
  }
  const vaults = (await listItems(db, allVaults, { limit: 1000 })).items;
  const vault = vaults.find(({ id }) => id === into) ?? null;
  if (into !== '' && !vault) errors.push({ pointer: '/into', detail: 'This vault does not exist any more.' });
  if (into === '') errors.push(...newVaultFaults(new_vault, vaults));
  const present = vault ? await presentEntries(db, vault.id, [...keys]) : new Map<string, PresentEntry>();
  errors.push(...conflicts(present, picks, known, { endpoint, take_over }));
  if (errors.length > 0) throw invalid(...errors);
  const names = { vault_id: vault?.id ?? null, vault: vault?.name ?? new_vault };
  const foreign = [...present.values()].flatMap(({ key, source_endpoint: from }) =>
    from === null || from === endpoint ? [] : [{ key, from }],
  );
  return { ...names, picks: [...picks], present: [...present.keys()], foreign, take_over };
}

function newVaultFaults(name: string, vaults: readonly { name: string }[]): FieldError[] {
  const pointer = '/new_vault';
  if (name === '') return [{ pointer, detail: 'Choose a vault, or name a new one.' }];
  if (!VAULT_NAME.test(name)) {
    return [{ pointer, detail: 'Lower-case letters, digits and hyphens; 1 to 63, beginning with a letter or digit.' }];
  }
  return vaults.some((vault) => vault.name === name)
    ? [{ pointer, detail: 'There is a vault of this name already.' }]
    : [];
}

/** An entry that somebody typed, or that is of another user or server, is not overwritten. */
function conflicts(
  present: ReadonlyMap<string, PresentEntry>,
  picks: readonly Pick[],
  known: ReadonlyMap<string, CredentialCandidate>,
  taking: Taking,
): FieldError[] {
  return picks.flatMap(({ ref, key }) => {
    const entry = present.get(key);
    const fault = entry && conflictOf(entry, known.get(ref)?.username ?? '', taking);
    return fault ? [{ pointer: `/${keyField(ref)}`, detail: fault }] : [];
  });
}

/** Why an import may not take an entry over; null when it may. */
export function conflictOf(entry: PresentEntry, username: string, { endpoint, take_over }: Taking): string | null {
  if (entry.source === 'manual')
    return 'The vault has an entry of this key that was typed by hand. Choose another key.';
  if (entry.username !== username) return 'The vault has an entry of this key for another user. Choose another key.';
  if (entry.source_endpoint !== endpoint && !take_over)
    return `An import from ${entry.source_endpoint ?? 'another server'} stored this key. Choose another one, or have it taken over.`;
  return null;
}
