// The form that sets the password of a depot user.
import { depotUsers } from '../../shared/services/offline-depot/users.ts';
import { updateForm } from '../forms/collection-form.ts';
import { operation as updateDepotUser } from './update-http-user.ts';

export const operation = updateForm(depotUsers, updateDepotUser, {
  secret: ['password'],
  decode: (fields) => ({ password: fields.values.get('password') ?? '' }),
  done: ({ name }) => ({ flash: `The password of the depot user ${name} is set.` }),
});
