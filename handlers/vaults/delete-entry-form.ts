// The button that deletes an entry, on the page that asks for confirmation.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as deleteVaultEntry } from './delete-entry.ts';

const PATH = `${pageRoute('vault-entry')}/delete`;

export const operation = defineForm(
  { of: deleteVaultEntry, path: PATH, access: { session: 'write:vaults' } },
  {
    page: PATH,
    decode: () => undefined,
    done: (_answer, _fields, { vault_id }) => ({
      location: pagePath('vault', vault_id!),
      flash: 'The entry is deleted.',
    }),
  },
);
