// The button that deletes a DHCP option, on the page that asks for confirmation.
import { dhcpOptions } from '../../../shared/services/dns-dhcp/dhcp/options.ts';
import { deleteForm } from '../../forms/collection-form.ts';
import { operation as deleteDhcpOption } from './delete-option.ts';

export const operation = deleteForm(dhcpOptions, deleteDhcpOption);
