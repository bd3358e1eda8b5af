// The form that changes an entry; an empty value field keeps the stored value, which is never part of the form.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import type { VaultEntry } from '../../shared/platform/vaults/entry-store.ts';
import { entryChanges } from '../../shared/platform/vaults/form-fields.ts';
import { operation as updateVaultEntry } from './update-entry.ts';

const PATH = pageRoute('vault-entry');

export const operation = defineForm(
  { of: updateVaultEntry, path: PATH, access: { session: 'write:vaults' } },
  {
    page: PATH,
    secret: ['value'],
    decode: entryChanges,
    done: ({ body }) => {
      const { id, vault_id, key } = body as VaultEntry;
      return { location: pagePath('vault-entry', vault_id, id), flash: `Entry ${key} is saved.` };
    },
  },
);
