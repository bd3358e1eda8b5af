// The form that creates a DHCP scope.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { createForm } from '../../../shared/platform/units/collection-operations.ts';
import { scopeFields } from '../../../shared/services/dns-dhcp/dhcp/fields.ts';
import { dhcpScopes } from '../../../shared/services/dns-dhcp/dhcp/scopes.ts';
import { operation as createDhcpScope } from './create-scope.ts';

export const operation = createForm(dhcpScopes, createDhcpScope, {
  path: `${pagePath('dhcp-scopes')}/new`,
  decode: scopeFields,
  done: () => ({ location: pagePath('dhcp') }),
});
