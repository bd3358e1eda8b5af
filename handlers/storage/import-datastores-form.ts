// The form that reads datastores from CSV.
import { namedDatastores } from '../../shared/appliance/named-datastores.ts';
import { importForm } from '../forms/import-form.ts';
import { operation as importStorageDatastores } from './import-datastores.ts';

export const operation = importForm(namedDatastores, importStorageDatastores);
