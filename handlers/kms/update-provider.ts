// Changes a key provider.
import { updateOperation } from '../../shared/platform/units/collection-operations.ts';
import { providers } from '../../shared/services/kms/trust/providers.ts';

export const operation = updateOperation(providers, {
  id: 'updateKeyProvider',
  summary: 'Update a key provider',
  description:
    'Changes application state immediately. Omitted properties keep their value; values equal to the saved ones change nothing and keep the revision. Keys that are there keep their state.',
  conflicts: ['already_exists'],
});
