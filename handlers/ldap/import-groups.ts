// Reads directory groups from CSV.
import { importOperation } from '../../shared/platform/units/import-operation.ts';
import { groups } from '../../shared/services/ldap/groups.ts';

export const operation = importOperation(groups);
