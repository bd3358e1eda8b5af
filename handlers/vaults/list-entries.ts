// Lists the entries of a vault, without their values.
import * as v from 'valibot';
import { idParam, PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { listEntries } from '../../shared/platform/vaults/entry-store.ts';
import { ENTRY_SOURCES, entryListSchema } from '../../shared/platform/vaults/schemas.ts';

export const operation = defineOperation({
  id: 'listVaultEntries',
  method: 'GET',
  path: '/api/v1/vaults/{vault_id}/entries',
  plane: 'api',
  access: { scope: 'read:vaults' },
  effect: 'read',
  tag: 'Vaults',
  summary: 'List the entries of a vault',
  description: 'By key. Values are never part of an answer.',
  params: idParam('vault_id', 'Id of the vault.'),
  query: v.strictObject({
    ...PAGE_QUERY,
    key: v.optional(v.pipe(v.string(), v.maxLength(255), v.description('Only the entry with exactly this key.'))),
    source: v.optional(v.pipe(v.picklist(ENTRY_SOURCES), v.description('Only entries of this source.'))),
  }),
  answers: { 200: { description: 'A page of the entries; `next_cursor` leads to the next.', schema: entryListSchema } },
  problems: ['resource_not_found', 'invalid_cursor'],
  async run({ db, params, query }) {
    return { body: await listEntries(db, params.vault_id, { ...query, limit: pageLimit(query.limit) }) };
  },
});
