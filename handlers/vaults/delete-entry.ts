// Removes an entry of a vault with its value.
import { deleteOperation } from '../../shared/platform/units/collection-operations.ts';
import { vaultEntries } from '../../shared/platform/vaults/entries.ts';

export const operation = deleteOperation(vaultEntries, {
  id: 'deleteVaultEntry',
  summary: 'Delete an entry of a vault',
  description:
    'Changes application state immediately. The value is lost. Refused while a Kickstart in use names the key.',
  conflicts: ['still_referenced'],
});
