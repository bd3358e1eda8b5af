// Removes a key provider with its clients.
import { deleteOperation } from '../../shared/platform/units/collection-operations.ts';
import { providers } from '../../shared/services/kms/trust/providers.ts';

export const operation = deleteOperation(providers, {
  id: 'deleteKeyProvider',
  summary: 'Delete a key provider',
  description:
    'Changes application state immediately: its clients lose access and are remembered as removed, and so is which keys were erased. Refused while it has a key whose material is kept, a destroyed one too; the refusal names keys.',
  conflicts: ['still_referenced'],
});
