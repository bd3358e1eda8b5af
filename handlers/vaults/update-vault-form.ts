// The form that changes the name and the description of a vault.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { vaults } from '../../shared/platform/vaults/vault-store.ts';
import { updateForm } from '../forms/collection-form.ts';
import { operation as updateVault } from './update-vault.ts';

export const operation = updateForm(vaults, updateVault, {
  path: `${pageRoute('vault')}/edit`,
  decode: (fields) => ({ name: fields.text('name'), description: fields.text('description') }),
  done: ({ id }) => ({ location: pagePath('vault', id) }),
});
