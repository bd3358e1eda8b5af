// One vault.
import { getOperation } from '../../shared/platform/units/collection-operations.ts';
import { vaults } from '../../shared/platform/vaults/vault-store.ts';

export const operation = getOperation(vaults, {
  id: 'getVault',
  summary: 'Get a vault',
  description: 'One vault, without its entries. The entity tag does not cover their number.',
});
