// The groups of the list as a CSV file.
import { groups } from '../../shared/services/ldap/groups.ts';
import { downloadOf } from '../forms/collection-list.ts';

export const operation = downloadOf(groups, { of: 'directoryGroup', filters: ['organization_id'] });
