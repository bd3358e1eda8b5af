// The direct apply of the earlier contract.
import { legacyApply } from '../../../shared/appliance/apply/legacy-apply.ts';

export const operation = legacyApply('dhcp', 'DHCP', 'dns-dhcp');
