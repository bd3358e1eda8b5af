// The form that creates a vault.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { vaults } from '../../shared/platform/vaults/vault-store.ts';
import { createForm } from '../forms/collection-form.ts';
import { operation as createVault } from './create-vault.ts';

export const operation = createForm(vaults, createVault, {
  decode: (fields) => ({ name: fields.text('name'), description: fields.text('description') }),
  done: ({ id, name }) => ({ location: pagePath('vault', id), flash: `Vault ${name} is created.` }),
});
