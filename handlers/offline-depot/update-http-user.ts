// Sets the password of a depot user.
import { hashPassword } from '../../shared/kernel/access/password.ts';
import { updateOperation } from '../../shared/platform/units/collection-operations.ts';
import { depotUsers } from '../../shared/services/offline-depot/users.ts';

export const operation = updateOperation(depotUsers, {
  id: 'updateDepotUser',
  summary: 'Set the password of a depot user',
  description:
    'Changes application state immediately: the next request to the depot needs the new password, and appliances that were configured with the old one are refused until they are configured again. The name can’t be changed.',
  conflicts: [],
  // A new password ends the access of whoever has the old one, which must be possible at any moment.
  guarded: false,
  prepare: async ({ body }) => ({ password_hash: await hashPassword(body.password) }),
});
