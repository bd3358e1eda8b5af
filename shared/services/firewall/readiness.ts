// What the firewall still needs; the operator's own rules are optional.
import type { UnitReadiness } from '../../platform/units/readiness.ts';
import { firewall } from './facts.ts';
import { firewallSettings } from './settings.ts';

export const readiness: UnitReadiness<'enabled' | 'applied'> = {
  settings: firewallSettings,
  order: [['enabled'], ['applied', 'enabled']],
  set: ({ enabled }) => ({ enabled: enabled === true }),
  inForce: (facts) => ({ enabled: firewall.get(facts, 'enabled') === true }),
};
