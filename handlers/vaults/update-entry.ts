// Changes an entry of a vault, including its value.
import { updateOperation } from '../../shared/platform/units/collection-operations.ts';
import { vaultEntries } from '../../shared/platform/vaults/entries.ts';

export const operation = updateOperation(vaultEntries, {
  id: 'updateVaultEntry',
  summary: 'Update an entry of a vault',
  description:
    'Changes application state immediately. Omitted properties keep their value, the secret among them; null removes it. A secret that is named counts as a change, also when it is the one that is stored: it is not opened to be compared. A key that a Kickstart in use names keeps its name.',
  conflicts: ['already_exists', 'still_referenced'],
  problems: ['vault_keys_unusable'],
});
