// The form that changes the name and the description of a vault.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import type { Vault } from '../../shared/platform/vaults/vault-store.ts';
import { operation as updateVault } from './update-vault.ts';

export const operation = defineForm(
  { of: updateVault, path: `${pageRoute('vault')}/edit`, access: { session: 'write:vaults' } },
  {
    page: `${pageRoute('vault')}/edit`,
    decode: (fields) => ({ name: fields.text('name'), description: fields.text('description') }),
    done: ({ body }) => {
      const { id, name } = body as Vault;
      return { location: pagePath('vault', id), flash: `Vault ${name} is saved.` };
    },
  },
);
