// The form that creates a vault.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import type { Vault } from '../../shared/platform/vaults/vault-store.ts';
import { operation as createVault } from './create-vault.ts';

export const operation = defineForm(
  { of: createVault, path: `${pagePath('vaults')}/new`, access: { session: 'write:vaults' } },
  {
    page: `${pagePath('vaults')}/new`,
    decode: (fields) => ({ name: fields.text('name'), description: fields.text('description') }),
    done: ({ body }) => {
      const { id, name } = body as Vault;
      return { location: pagePath('vault', id), flash: `Vault ${name} is created.` };
    },
  },
);
