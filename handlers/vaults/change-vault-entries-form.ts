// The button below the entries of a vault, for those that were chosen.
import { pageRoute } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { findEntry, requireVault } from '../../shared/platform/vaults/entry-store.ts';
import { ENTRIES_LIST } from '../../shared/platform/vaults/list-words.ts';
import { rowsForm } from '../forms/row-list.ts';
import { operation as deleteVaultEntry } from './delete-entry.ts';

export const operation = rowsForm({
  words: ENTRIES_LIST,
  param: 'entry_id',
  verbs: { delete: deleteVaultEntry },
  name: async (db, id, { vault_id }) => (await findEntry(db, vault_id!, id)).entry.key,
  page: pageRoute('vault'),
  path: `${pageRoute('vault-entries')}/chosen`,
  params: idParam('vault_id', 'Id of the vault.'),
  within: (db, { vault_id }) => requireVault(db, vault_id!),
  kept: ['search', 'sort', 'state', 'source', 'cursor'],
});
