// One depot user.
import { getOperation } from '../../shared/platform/units/collection-operations.ts';
import { depotUsers } from '../../shared/services/offline-depot/users.ts';

export const operation = getOperation(depotUsers, {
  id: 'getDepotUser',
  summary: 'Get a depot user',
  description: 'Its name, and whether the saved settings name it. The password can’t be read by anybody.',
});
