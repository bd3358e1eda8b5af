// The buttons below the list of scopes, for those that were chosen.
import { dhcpScopes } from '../../../shared/services/dns-dhcp/dhcp/scopes.ts';
import { chosenForm } from '../../forms/collection-list.ts';

export const operation = chosenForm(dhcpScopes);
