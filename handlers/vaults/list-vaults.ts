// Lists the vaults.
import { listOperation } from '../../shared/platform/units/collection-operations.ts';
import { vaults } from '../../shared/platform/vaults/vault-store.ts';

export const operation = listOperation(vaults, {
  id: 'listVaults',
  summary: 'List vaults',
  description: 'All vaults by name, with the number of their entries. Vaults are for administrators only.',
});
