// One entry of a vault, without its value.
import { getOperation } from '../../shared/platform/units/collection-operations.ts';
import { vaultEntries } from '../../shared/platform/vaults/entries.ts';

export const operation = getOperation(vaultEntries, {
  id: 'getVaultEntry',
  summary: 'Get an entry of a vault',
  description:
    'The entry, and whether it has a value; the value itself is never part of an answer. The entity tag does not cover when it was last used.',
});
