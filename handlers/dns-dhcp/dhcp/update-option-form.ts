// The form that changes a DHCP option.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { optionFields } from '../../../shared/services/dns-dhcp/dhcp/fields.ts';
import { dhcpOptions } from '../../../shared/services/dns-dhcp/dhcp/options.ts';
import { updateForm } from '../../forms/collection-form.ts';
import { operation as updateDhcpOption } from './update-option.ts';

export const operation = updateForm(dhcpOptions, updateDhcpOption, {
  decode: optionFields,
  done: ({ scope_id }) => ({ location: scope_id ? pagePath('dhcp-scope', scope_id) : pagePath('dhcp') }),
});
