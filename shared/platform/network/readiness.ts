// What the network still needs: an address that the application answers at.
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
