// Lists the key providers.

import { listOperation } from '../../shared/platform/units/collection-operations.ts';
import { providers } from '../../shared/services/kms/trust/providers.ts';

export const operation = listOperation(providers, {
  id: 'listKeyProviders',
  summary: 'List key providers',
  description: 'All providers by name, with the number of their clients and keys.',
});
