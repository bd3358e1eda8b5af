// Changes the name or the description of a vault.
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { vaultSchema, vaultUpdateSchema } from '../../shared/platform/vaults/schemas.ts';
import { updateVault } from '../../shared/platform/vaults/vault-store.ts';

export const operation = defineOperation({
  id: 'updateVault',
  method: 'PATCH',
  path: '/api/v1/vaults/{vault_id}',
  plane: 'api',
  access: { scope: 'write:vaults' },
  effect: 'immediate',
  tag: 'Vaults',
  summary: 'Update a vault',
  description:
    'Changes application state immediately. Omitted properties keep their value; values equal to the saved ones change nothing and keep the revision. A vault that a Kickstart in use names keeps its name.',
  params: idParam('vault_id', 'Id of the vault.'),
  body: vaultUpdateSchema,
  answers: { 200: { description: 'The vault as saved now.', schema: vaultSchema, tagged: true } },
  problems: ['resource_not_found', 'already_exists', 'still_referenced', 'revision_stale', 'malformed_precondition'],
  audit: ['vault.update'],
  async run({ tx, services, params, body, request, audit }) {
    const { vault, changed } = await updateVault(tx, services, params.vault_id, body, request.if_match);
    const { id, name, revision } = vault;
    audit({ action: 'vault.update', resource_type: 'vault', resource_id: id, detail: { name, changed } });
    return { body: vault, revision };
  },
});
