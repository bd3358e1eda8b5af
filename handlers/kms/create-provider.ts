// Adds a key provider.
import { createOperation } from '../../shared/platform/units/collection-operations.ts';
import { providers } from '../../shared/services/kms/trust/providers.ts';

export const operation = createOperation(providers, {
  id: 'createKeyProvider',
  summary: 'Create a key provider',
  description:
    'Changes application state immediately. A provider owns keys: the clients that are trusted for it see them, and no others do.',
  conflicts: ['already_exists'],
});
