// Creates a vault.
import { createOperation } from '../../shared/platform/units/collection-operations.ts';
import { vaults } from '../../shared/platform/vaults/vault-store.ts';

export const operation = createOperation(vaults, {
  id: 'createVault',
  summary: 'Create a vault',
  description: 'Creates an empty vault. Changes application state immediately.',
  conflicts: ['already_exists'],
});
