// Lists the entries of a vault, without their values.
import { listOperation } from '../../shared/platform/units/collection-operations.ts';
import { vaultEntries } from '../../shared/platform/vaults/entries.ts';

export const operation = listOperation(vaultEntries, {
  id: 'listVaultEntries',
  summary: 'List the entries of a vault',
  description: 'By key. Values are never part of an answer.',
  problems: ['resource_not_found'],
});
