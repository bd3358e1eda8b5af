// The buttons below the list of options, for those that were chosen.
import { dhcpOptions } from '../../../shared/services/dns-dhcp/dhcp/options.ts';
import { chosenForm } from '../../forms/collection-list.ts';

export const operation = chosenForm(dhcpOptions);
