// One entry of a vault, without its value.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findEntry } from '../../shared/platform/vaults/entry-store.ts';
import { entryParams, entrySchema } from '../../shared/platform/vaults/schemas.ts';

export const operation = defineOperation({
  id: 'getVaultEntry',
  method: 'GET',
  path: '/api/v1/vaults/{vault_id}/entries/{entry_id}',
  plane: 'api',
  access: { scope: 'read:vaults' },
  effect: 'read',
  tag: 'Vaults',
  summary: 'Get an entry of a vault',
  description:
    'The entry, and whether it has a value; the value itself is never part of an answer. The entity tag does not cover when it was last used.',
  params: entryParams,
  answers: {
    200: {
      description: 'The entry, with the entity tag that If-Match takes.',
      schema: entrySchema,
      tagged: true,
      live: true,
    },
  },
  problems: ['resource_not_found'],
  async run({ db, params }) {
    const { entry } = await findEntry(db, params.vault_id, params.entry_id);
    return { body: entry, revision: entry.revision };
  },
});
