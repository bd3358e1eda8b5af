// The list of vaults: how many entries each has, how many of them lack a value, and when one was last used. Found in indices, so
// that no entry is read. No value is opened here.
import { build } from '../../ground/store/builder.ts';
import type { Database } from '../../ground/store/database.ts';
import type { Page } from '../../ground/store/pagination.ts';
import { searchIn, sortedPage } from '../../ground/store/sorted-page.ts';
import type { Vault } from './vault-store.ts';

/** A vault in the list of all. */
export interface VaultLine extends Vault {
  without_value: number;
  /** When a value of it was last opened. */
  last_used_at: string | null;
}

export interface VaultFilter {
  /** Part of name, description or who made it, in any case. */
  search: string;
  /** Only vaults with entries that lack a value, or those of which nothing was ever used. */
  show: 'without-value' | 'unused' | '';
  /** One of VAULT_SORTS, `-` before it for descending; else by name. */
  sort: string;
}

const OF_IT = 'FROM vault_entry e WHERE e.vault_id = vault.id';
// An entry has a key exactly when it has a value. Each of the two is counted in its own part of the index: no entry twice.
const WITH_VALUE = `${OF_IT} AND e.kek_id IS NOT NULL`;
const WITHOUT_VALUE = `${OF_IT} AND e.kek_id IS NULL`;
const USED = `${OF_IT} AND e.last_used_at IS NOT NULL`;
const LINE = `id, name, description, created_by, created_at, updated_at, revision,
  (SELECT count(*) ${WITH_VALUE}) AS with_value, (SELECT count(*) ${WITHOUT_VALUE}) AS without_value,
  (SELECT max(e.last_used_at) ${USED}) AS last_used_at`;

const SORTS = {
  name: 'name',
  entry_count: `(SELECT count(*) ${OF_IT})`,
  last_used_at: `coalesce((SELECT max(e.last_used_at) ${USED}), '')`,
  created_at: 'created_at',
};
export const VAULT_SORTS = Object.keys(SORTS);

const SHOWN: Record<VaultFilter['show'], string> = {
  '': '1',
  'without-value': `EXISTS (SELECT 1 ${WITHOUT_VALUE})`,
  unused: `NOT EXISTS (SELECT 1 ${USED})`,
};

/** The list that its page shows, by the texts of the page's query. */
export const vaultFilter = ({ search = '', sort = '', state }: Partial<Record<string, string>>): VaultFilter => ({
  search,
  sort,
  show: state === 'without-value' || state === 'unused' ? state : '',
});

/** By name, unless another order is asked for. One statement. @throws Problem 400 for a cursor of another list or order */
export function listVaultLines(
  db: Database,
  { search, show, sort, ...page }: VaultFilter & { limit: number; cursor: string | undefined },
): Promise<Page<VaultLine>> {
  const list = build('vault').select(build.raw(LINE));
  if (show !== '') list.whereRaw(SHOWN[show]);
  searchIn(list, ['name', 'description', 'created_by'], search.trim());
  return sortedPage(db, list, { sorts: SORTS, own: ['name'] }, { sort, ...page }, lineOf);
}

/** Without the places in the order. */
const lineOf = (row: Omit<VaultLine, 'entry_count'> & { with_value: number }): VaultLine => ({
  id: row.id,
  name: row.name,
  description: row.description,
  entry_count: row.with_value + row.without_value,
  without_value: row.without_value,
  last_used_at: row.last_used_at,
  created_by: row.created_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
  revision: row.revision,
});
