// The buttons below the list of datastores, for those that were chosen.
import { namedDatastores } from '../../shared/appliance/named-datastores.ts';
import { chosenForm } from '../forms/collection-list.ts';

export const operation = chosenForm(namedDatastores);
