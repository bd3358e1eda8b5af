// The form that creates a vault.
import { createForm } from '../../shared/platform/units/collection-operations.ts';
import { vaults } from '../../shared/platform/vaults/vault-store.ts';
import { operation as createVault } from './create-vault.ts';

export const operation = createForm(vaults, createVault, {
  path: '/ui/management/vaults/new',
  decode: (fields) => ({ name: fields.text('name'), description: fields.text('description') }),
  done: ({ id, name }) => ({ location: `/ui/management/vaults/${id}`, flash: `Vault ${name} is created.` }),
});
