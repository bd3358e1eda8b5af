// Reads organizations from CSV.
import { importOperation } from '../../shared/platform/units/import-operation.ts';
import { organizations } from '../../shared/services/ldap/organizations.ts';

export const operation = importOperation(organizations);
