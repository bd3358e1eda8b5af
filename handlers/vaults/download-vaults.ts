// The vaults of the list as a CSV file: what each is for and how much it keeps, and nothing of its entries.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { VAULTS_LIST } from '../../shared/platform/vaults/list-words.ts';
import { listVaultLines, vaultFilter } from '../../shared/platform/vaults/vault-list.ts';
import { rowsFile } from '../forms/row-list.ts';

export const operation = rowsFile({
  words: VAULTS_LIST,
  path: pagePath('vaults'),
  scope: 'read:vaults',
  by: ['search', 'sort', 'state'],
  head: [
    'id',
    'name',
    'description',
    'entry_count',
    'without_value',
    'last_used_at',
    'created_by',
    'created_at',
    'updated_at',
  ],
  async rows({ db, query }, page) {
    const found = await listVaultLines(db, { ...vaultFilter(query), ...page });
    return {
      ...found,
      items: found.items.map((vault) => [
        vault.id,
        vault.name,
        vault.description,
        vault.entry_count,
        vault.without_value,
        vault.last_used_at,
        vault.created_by,
        vault.created_at,
        vault.updated_at,
      ]),
    };
  },
});
