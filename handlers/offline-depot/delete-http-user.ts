// Removes a depot user.
import { deleteOperation } from '../../shared/platform/units/collection-operations.ts';
import { depotUsers } from '../../shared/services/offline-depot/users.ts';

export const operation = deleteOperation(depotUsers, {
  id: 'deleteDepotUser',
  summary: 'Delete a depot user',
  description:
    'Changes application state immediately. Refused while the saved settings of the depot name it. A user that is still in force without being saved can no longer log in.',
  conflicts: ['still_referenced'],
  // It ends access, which must be possible at any moment.
  guarded: false,
});
