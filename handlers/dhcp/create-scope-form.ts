// The form that creates a DHCP scope.
import { createForm } from '../../shared/units/collection-operations.ts';
import { scopeFields } from '../../shared/units/dns-dhcp/dhcp/fields.ts';
import { dhcpScopes } from '../../shared/units/dns-dhcp/dhcp/scopes.ts';
import { operation as createDhcpScope } from './create-scope.ts';

export const operation = createForm(dhcpScopes, createDhcpScope, {
  path: '/ui/management/dhcp/scopes/new',
  decode: scopeFields,
  done: () => ({ location: '/ui/management/dhcp' }),
});
