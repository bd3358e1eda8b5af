// The form that adds a depot user.
import { depotUsers } from '../../shared/services/offline-depot/users.ts';
import { createForm } from '../forms/collection-form.ts';
import { operation as createDepotUser } from './create-http-user.ts';

export const operation = createForm(depotUsers, createDepotUser, {
  secret: ['password'],
  decode: (fields) => ({ name: fields.text('name'), password: fields.values.get('password') ?? '' }),
  done: ({ name }) => ({ flash: `The depot user ${name} is added. Choose it in the settings to give it access.` }),
});
