// The datastores of the list as a CSV file.
import { namedDatastores } from '../../shared/appliance/named-datastores.ts';
import { downloadOf } from '../forms/collection-list.ts';

export const operation = downloadOf(namedDatastores, { of: 'datastore' });
