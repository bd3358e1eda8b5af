// The form that creates a vault.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import type { Vault } from '../../shared/platform/vaults/vault-store.ts';
import { operation as createVault } from './create-vault.ts';

export const operation = defineForm(
  { of: createVault, path: '/ui/management/vaults/new', access: { session: 'write:vaults' } },
  {
    page: '/ui/management/vaults/new',
    decode: (fields) => ({ name: fields.text('name'), description: fields.text('description') }),
    done: ({ body }) => {
      const { id, name } = body as Vault;
      return { location: `/ui/management/vaults/${id}`, flash: `Vault ${name} is created.` };
    },
  },
);
