// The buttons below the list of organizations, for those that were chosen.
import { organizations } from '../../shared/services/ldap/organizations.ts';
import { chosenForm } from '../forms/collection-list.ts';

export const operation = chosenForm(organizations);
