// Adds a depot user.
import { hashPassword } from '../../shared/kernel/access/password.ts';
import { createOperation } from '../../shared/platform/units/collection-operations.ts';
import { depotUsers } from '../../shared/services/offline-depot/users.ts';

export const operation = createOperation(depotUsers, {
  id: 'createDepotUser',
  summary: 'Create a depot user',
  description:
    'Changes application state immediately. The account opens the offline depot and nothing else. It can log in once the settings of the depot name it and are applied.',
  conflicts: ['already_exists'],
  async prepare({ actor, body: { name, password } }) {
    return { name, password_hash: await hashPassword(password), created_by: actor.name };
  },
});
