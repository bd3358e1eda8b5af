// Lists the depot users.
import { listOperation } from '../../shared/platform/units/collection-operations.ts';
import { depotUsers } from '../../shared/services/offline-depot/users.ts';

export const operation = listOperation(depotUsers, {
  id: 'listDepotUsers',
  summary: 'List depot users',
  description:
    'All depot users by name. A depot user opens the offline depot and nothing else: never the management UI, never this API. Only the user that the applied settings name can log in.',
});
