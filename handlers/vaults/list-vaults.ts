// Lists the vaults.
import * as v from 'valibot';
import { PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { vaultListSchema } from '../../shared/platform/vaults/schemas.ts';
import { listVaults } from '../../shared/platform/vaults/vault-store.ts';

export const operation = defineOperation({
  id: 'listVaults',
  method: 'GET',
  path: '/api/v1/vaults',
  plane: 'api',
  access: { scope: 'read:vaults' },
  effect: 'read',
  tag: 'Vaults',
  summary: 'List vaults',
  description: 'All vaults by name, with the number of their entries. Vaults are for administrators only.',
  query: v.strictObject({
    ...PAGE_QUERY,
    name: v.optional(v.pipe(v.string(), v.maxLength(255), v.description('Only the vault of exactly this name.'))),
  }),
  answers: { 200: { description: 'A page of the vaults; `next_cursor` leads to the next.', schema: vaultListSchema } },
  problems: ['invalid_cursor'],
  async run({ db, query }) {
    return { body: await listVaults(db, { ...query, limit: pageLimit(query.limit) }) };
  },
});
