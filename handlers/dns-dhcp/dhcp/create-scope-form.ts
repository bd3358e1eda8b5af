// The form that creates a DHCP scope.
import { scopeFields } from '../../../shared/services/dns-dhcp/dhcp/fields.ts';
import { dhcpScopes } from '../../../shared/services/dns-dhcp/dhcp/scopes.ts';
import { createForm } from '../../forms/collection-form.ts';
import { operation as createDhcpScope } from './create-scope.ts';

export const operation = createForm(dhcpScopes, createDhcpScope, {
  decode: scopeFields,
});
