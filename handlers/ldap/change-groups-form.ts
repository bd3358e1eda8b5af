// The buttons below the list of groups, for those that were chosen.
import { groups } from '../../shared/services/ldap/groups.ts';
import { chosenForm } from '../forms/collection-list.ts';

export const operation = chosenForm(groups);
