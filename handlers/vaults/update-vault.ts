// Changes the name or the description of a vault.
import { updateOperation } from '../../shared/platform/units/collection-operations.ts';
import { vaults } from '../../shared/platform/vaults/vault-store.ts';

export const operation = updateOperation(vaults, {
  id: 'updateVault',
  summary: 'Update a vault',
  description:
    'Changes application state immediately. Omitted properties keep their value; values equal to the saved ones change nothing and keep the revision. A vault that a Kickstart in use names keeps its name.',
  conflicts: ['already_exists', 'still_referenced'],
});
