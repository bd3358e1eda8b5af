// The button that deletes an entry, on the page that asks for confirmation.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as deleteVaultEntry } from './delete-entry.ts';

const PATH = '/ui/management/vaults/{vault_id}/entries/{entry_id}/delete';

export const operation = defineForm(
  { of: deleteVaultEntry, path: PATH, access: { session: 'write:vaults' } },
  {
    page: PATH,
    decode: () => undefined,
    done: (_answer, _fields, { vault_id }) => ({
      location: `/ui/management/vaults/${vault_id}`,
      flash: 'The entry is deleted.',
    }),
  },
);
