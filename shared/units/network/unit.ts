// The network unit: addresses, gateways, VLANs and MTU of the appliance's interfaces.
import type { UnitDefinition } from '../unit.ts';
import { activate, probe } from './activate.ts';
import { check } from './check.ts';
import { entries, load, type NetworkDesired } from './desired.ts';
import { drift } from './drift.ts';
import { impact } from './impact.ts';
import { render } from './render.ts';

export const networkUnit: UnitDefinition<NetworkDesired> = {
  id: 'network',
  label: 'Network',
  load,
  entries,
  render,
  impact,
  check,
  activate,
  remember: (desired) => desired,
  // Links had their addresses before the first apply; taking those away would cut off whoever is looking.
  nothing: null,
  probe,
  drift,
};
