// One key provider.
import { getOperation } from '../../shared/platform/units/collection-operations.ts';
import { providers } from '../../shared/services/kms/trust/providers.ts';

export const operation = getOperation(providers, {
  id: 'getKeyProvider',
  summary: 'Get a key provider',
  description: 'One provider. The entity tag covers neither the number of its clients nor that of its keys.',
});
