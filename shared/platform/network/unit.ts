// The network unit: addresses, gateways, VLANs and MTU of the appliance's interfaces.
import type { UnitDefinition } from '../units/unit.ts';
import { activate } from './activate.ts';
import { adopt } from './adopt.ts';
import { check } from './check.ts';
import { load, type NetworkDesired } from './desired.ts';
import { drift } from './drift.ts';
import { facts, fromWords } from './facts.ts';
import { comeBack, found, isFound } from './found.ts';
import { impact } from './impact.ts';
import { probe } from './probe.ts';
import { render } from './render.ts';
import { words } from './words.ts';

export const networkUnit: UnitDefinition<NetworkDesired> = {
  id: 'network',
  load,
  facts,
  words,
  fromWords,
  render,
  impact,
  check,
  activate: (host, desired, change) =>
    isFound(desired) ? comeBack(host, desired, change) : activate(host, desired, change),
  remember: (desired) => desired,
  // Links had addresses before the first apply; removing those would cut off the operator.
  nothing: null,
  found,
  probe,
  drift,
  adopt,
};
