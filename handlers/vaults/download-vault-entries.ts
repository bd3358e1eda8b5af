// The entries of a vault as a CSV file, without their values.
import { pageRoute } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { requireVault } from '../../shared/platform/vaults/entry-store.ts';
import { ENTRIES_LIST } from '../../shared/platform/vaults/list-words.ts';
import { entryFilter, findEntries } from '../../shared/platform/vaults/overview.ts';
import { rowsFile } from '../forms/row-list.ts';

export const operation = rowsFile({
  words: ENTRIES_LIST,
  path: pageRoute('vault-entries'),
  params: idParam('vault_id', 'Id of the vault.'),
  scope: 'read:vaults',
  within: (db, { vault_id }) => requireVault(db, vault_id!),
  by: ['search', 'sort', 'state', 'source'],
  head: [
    'id',
    'key',
    'username',
    'description',
    'uris',
    'source',
    'source_endpoint',
    'has_value',
    'value_changed_at',
    'last_used_at',
    'created_at',
    'updated_at',
  ],
  async rows({ db, params, query }, page) {
    const asked = { ...entryFilter(query), cursor: page.cursor };
    const found = await findEntries(db, params.vault_id!, asked, page.limit);
    return {
      next_cursor: found.next,
      items: found.items.map((entry) => [
        entry.id,
        entry.key,
        entry.username,
        entry.description,
        entry.uris.join(' '),
        entry.source,
        entry.source_endpoint,
        entry.has_value,
        entry.value_changed_at,
        entry.last_used_at,
        entry.created_at,
        entry.updated_at,
      ]),
    };
  },
});
