// The form that creates a DHCP option.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { optionFields } from '../../../shared/services/dns-dhcp/dhcp/fields.ts';
import { dhcpOptions } from '../../../shared/services/dns-dhcp/dhcp/options.ts';
import { createForm } from '../../forms/collection-form.ts';
import { operation as createDhcpOption } from './create-option.ts';

export const operation = createForm(dhcpOptions, createDhcpOption, {
  decode: optionFields,
  done: ({ scope_id }) => ({ location: scope_id ? pagePath('dhcp-scope', scope_id) : pagePath('dhcp') }),
});
