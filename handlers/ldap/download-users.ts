// The users of the list as a CSV file.
import { users } from '../../shared/services/ldap/users.ts';
import { downloadOf } from '../forms/collection-list.ts';

export const operation = downloadOf(users, { of: 'directoryUser', filters: ['organization_id'] });
