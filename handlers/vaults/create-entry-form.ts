// The form that adds an entry to a vault; an empty value field stores none.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import type { VaultEntry } from '../../shared/platform/vaults/entry-store.ts';
import { entryFields } from '../../shared/platform/vaults/form-fields.ts';
import { operation as createVaultEntry } from './create-entry.ts';

export const operation = defineForm(
  {
    of: createVaultEntry,
    path: `${pageRoute('vault-entries')}/new`,
    access: { session: 'write:vaults' },
  },
  {
    page: `${pageRoute('vault-entries')}/new`,
    secret: ['value'],
    decode: entryFields,
    done: ({ body }) => {
      const { vault_id, key } = body as VaultEntry;
      return { location: pagePath('vault', vault_id), flash: `Entry ${key} is added.` };
    },
  },
);
