// Reads directory users from CSV.
import { importOperation } from '../../shared/platform/units/import-operation.ts';
import { users } from '../../shared/services/ldap/users.ts';

export const operation = importOperation(users);
