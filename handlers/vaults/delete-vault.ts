// Removes a vault, with its entries where that is asked for.
import * as v from 'valibot';
import { deleteOperation } from '../../shared/platform/units/collection-operations.ts';
import { vaults } from '../../shared/platform/vaults/vault-store.ts';

export const operation = deleteOperation(vaults, {
  id: 'deleteVault',
  summary: 'Delete a vault',
  description:
    'Changes application state immediately. A vault that has entries is only removed with `with_entries=true`; their values are lost then. Refused while a Kickstart in use names the vault.',
  query: {
    with_entries: v.optional(
      v.pipe(
        v.picklist(['true', 'false'], 'Expected true or false.'),
        v.description('true: its entries are removed as well. Default false.'),
      ),
    ),
  },
  conflicts: ['still_referenced'],
});
