// The values of vaults that Kickstarts name: a text has `{{ vault.<vault>.<key> }}`, and its row also stores the names
// `<vault>.<key>`. Looking a name up opens no value.
import { pagePath } from '../../ground/page-paths.ts';
import { type Blocker, Problem } from '../../ground/problems.ts';
import type { Database } from '../../ground/store/database.ts';
import { TAKE_VALUES } from '../../kernel/generated/units.ts';
import { ENTRY_KEY, ENTRY_KEY_MOST, VAULT_NAME } from './schemas.ts';

/** Vault and key of a name; null for what can't be one. A vault's name has no dots, a key may have some. */
export function readVaultName(name: string): { vault: string; key: string } | null {
  const cut = name.indexOf('.');
  const [vault, key] = [name.slice(0, Math.max(cut, 0)), name.slice(cut + 1)];
  return VAULT_NAME.test(vault) && ENTRY_KEY.test(key) && key.length <= ENTRY_KEY_MOST ? { vault, key } : null;
}

/** What a name refers to now. */
export interface Named {
  name: string;
  /** Null: there is no such vault. */
  vault_id: string | null;
  /** Null: the vault has no such key. */
  entry_id: string | null;
  has_value: number;
}

const FIND = `SELECT n.value AS name, v.id AS vault_id, e.id AS entry_id, e.sealed_value IS NOT NULL AS has_value
  FROM json_each(?) n LEFT JOIN vault v ON v.name = substr(n.value, 1, instr(n.value, '.') - 1)
    LEFT JOIN vault_entry e ON e.vault_id = v.id AND e.key = substr(n.value, instr(n.value, '.') + 1)`;

/** By name, in one statement. */
export async function findNamed(db: Database, names: readonly string[]): Promise<ReadonlyMap<string, Named>> {
  const rows = names.length === 0 ? [] : await db.all<Named>(FIND, [JSON.stringify(names)]);
  return new Map(rows.map((row) => [row.name, row]));
}

/** Why a name can't be used, after its vault and key; null when it can. */
export function lackOf(name: string, found: Named | undefined): string | null {
  const { vault, key } = readVaultName(name) ?? { vault: name, key: name };
  if (!found?.vault_id) return `There is no vault ${vault}.`;
  if (!found.entry_id) return `The vault ${vault} has no key ${key}.`;
  return found.has_value ? null : `The key ${key} of the vault ${vault} has no value.`;
}

/** Kickstarts that a refusal names. */
export const NAMED_MOST = 50;

const NAMING = TAKE_VALUES.map(
  ({ table, column }) => `SELECT DISTINCT k.id, k.name FROM ${table} k, json_each(k.${column}) n
    WHERE k.enabled = 1 AND (n.value = ?1 OR substr(n.value, 1, ?2) = ?3)`,
).join(' UNION ');

/** Kickstarts in use that name the vault, or with a key this entry of it. */
export async function kickstartBlockers(
  db: Database,
  { vault, key }: { vault: string; key?: string },
): Promise<Blocker[]> {
  const [one, start] = key === undefined ? ['', `${vault}.`] : [`${vault}.${key}`, '.'];
  const rows = await db.all<{ id: string; name: string }>(`${NAMING} ORDER BY name`, [one, start.length, start]);
  return rows.map(({ id, name }) => ({
    subject: `Kickstart ${name}`,
    reason: key === undefined ? 'Its text takes a value of this vault.' : 'Its text takes the value of this key.',
    page: pagePath('kickstart', id),
    unblock: 'Save its text without it and apply network boot, or take the Kickstart out of use.',
  }));
}

/** @throws Problem 409 naming the Kickstarts. */
export async function refuseWhileNamed(...asked: Parameters<typeof kickstartBlockers>): Promise<void> {
  const blockers = await kickstartBlockers(...asked);
  if (blockers.length > 0) throw namedByKickstarts(asked[1].key === undefined ? 'vault' : 'key', blockers);
}

export function namedByKickstarts(what: 'vault' | 'key', blockers: readonly Blocker[]): Problem {
  const more = blockers.length - NAMED_MOST;
  const detail = `Kickstarts take values by the name of this ${what}.`;
  return new Problem('still_referenced', more > 0 ? `${detail} ${more} more are not named here.` : detail, {
    blockers: blockers.slice(0, NAMED_MOST),
  });
}
