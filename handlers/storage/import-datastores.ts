// Reads datastores from CSV.
import { namedDatastores } from '../../shared/appliance/named-datastores.ts';
import { importOperation } from '../../shared/platform/units/import-operation.ts';

export const operation = importOperation(namedDatastores);
