// The button that deletes a DHCP scope, on the page that asks for confirmation.
import { dhcpScopes } from '../../../shared/services/dns-dhcp/dhcp/scopes.ts';
import { deleteForm } from '../../forms/collection-form.ts';
import { operation as deleteDhcpScope } from './delete-scope.ts';

export const operation = deleteForm(dhcpScopes, deleteDhcpScope);
