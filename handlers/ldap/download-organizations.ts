// The organizations of the list as a CSV file.
import { organizations } from '../../shared/services/ldap/organizations.ts';
import { downloadOf } from '../forms/collection-list.ts';

export const operation = downloadOf(organizations, { of: 'organization' });
