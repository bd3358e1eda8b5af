// Creates an entry of a vault; its value is sealed and never read back.
import { createOperation } from '../../shared/platform/units/collection-operations.ts';
import { vaultEntries } from '../../shared/platform/vaults/entries.ts';

export const operation = createOperation(vaultEntries, {
  id: 'createVaultEntry',
  summary: 'Create an entry of a vault',
  description:
    'Changes application state immediately. The value is sealed under a key of its own and is never part of an answer; without one the entry holds a user name and addresses only. A vault holds at most 2,000 entries.',
  problems: ['resource_not_found', 'vault_keys_unusable'],
});
