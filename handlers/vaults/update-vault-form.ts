// The form that changes the name and the description of a vault.
import { updateForm } from '../../shared/platform/units/collection-operations.ts';
import { vaults } from '../../shared/platform/vaults/vault-store.ts';
import { operation as updateVault } from './update-vault.ts';

export const operation = updateForm(vaults, updateVault, {
  path: '/ui/management/vaults/{vault_id}/edit',
  decode: (fields) => ({ name: fields.text('name'), description: fields.text('description') }),
  done: ({ id }) => ({ location: `/ui/management/vaults/${id}` }),
});
