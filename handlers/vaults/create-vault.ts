// Creates a vault.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { vaultCreateSchema, vaultSchema } from '../../shared/platform/vaults/schemas.ts';
import { createVault } from '../../shared/platform/vaults/vault-store.ts';

export const operation = defineOperation({
  id: 'createVault',
  method: 'POST',
  path: '/api/v1/vaults',
  plane: 'api',
  access: { scope: 'write:vaults' },
  effect: 'immediate',
  tag: 'Vaults',
  summary: 'Create a vault',
  description: 'Creates an empty vault. Changes application state immediately.',
  body: vaultCreateSchema,
  answers: { 201: { description: 'The vault that was created.', schema: vaultSchema, tagged: true } },
  problems: ['already_exists'],
  audit: ['vault.create'],
  async run({ tx, services, body, actor, audit }) {
    const vault = await createVault(tx, services, body, actor.name);
    const { id, name, revision } = vault;
    audit({ action: 'vault.create', resource_type: 'vault', resource_id: id, detail: { name } });
    return { status: 201, body: vault, revision };
  },
});
