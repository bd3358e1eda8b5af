// One vault.
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { vaultSchema } from '../../shared/platform/vaults/schemas.ts';
import { findVault } from '../../shared/platform/vaults/vault-store.ts';

export const operation = defineOperation({
  id: 'getVault',
  method: 'GET',
  path: '/api/v1/vaults/{vault_id}',
  plane: 'api',
  access: { scope: 'read:vaults' },
  effect: 'read',
  tag: 'Vaults',
  summary: 'Get a vault',
  description: 'One vault, without its entries. The entity tag does not cover their number.',
  params: idParam('vault_id', 'Id of the vault.'),
  answers: {
    200: {
      description: 'The vault, with the entity tag that If-Match takes.',
      schema: vaultSchema,
      tagged: true,
      live: true,
    },
  },
  problems: ['resource_not_found'],
  async run({ db, params }) {
    const vault = await findVault(db, params.vault_id);
    return { body: vault, revision: vault.revision };
  },
});
