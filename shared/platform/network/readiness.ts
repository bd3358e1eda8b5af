// What the network still needs: an address at which the management UI answers.
import { MANAGED } from '../interfaces/interface-store.ts';
import type { UnitReadiness } from '../units/readiness.ts';
import { network } from './facts.ts';
import { networkSettings } from './settings.ts';

export const readiness: UnitReadiness<'address' | 'applied'> = {
  settings: networkSettings,
  order: [['address'], ['applied', 'address']],
  rows: {
    address: MANAGED,
  },
  set: () => ({}),
  inForce: (facts) => ({ address: !network.all(facts, 'management_ui').next().done }),
};
