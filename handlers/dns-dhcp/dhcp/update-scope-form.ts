// The form that changes a DHCP scope.
import { scopeFields } from '../../../shared/services/dns-dhcp/dhcp/fields.ts';
import { dhcpScopes } from '../../../shared/services/dns-dhcp/dhcp/scopes.ts';
import { updateForm } from '../../forms/collection-form.ts';
import { operation as updateDhcpScope } from './update-scope.ts';

export const operation = updateForm(dhcpScopes, updateDhcpScope, {
  decode: scopeFields,
});
