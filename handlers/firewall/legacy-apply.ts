// The direct apply of the earlier contract.
import { legacyApply } from '../../shared/appliance/apply/legacy-apply.ts';

export const operation = legacyApply('firewall', 'Firewall', 'firewall');
