// The unit "Offline depot": the applied manifest that the depot listeners of this service follow.
import type { UnitDefinition } from '../../platform/units/unit.ts';
import { activate } from './activate.ts';
import { check } from './check.ts';
import { type DepotDesired, load } from './desired.ts';
import { drift } from './drift.ts';
import { facts, follows } from './facts.ts';
import { impact } from './impact.ts';
import { probe } from './probe.ts';
import { render } from './render.ts';
import { privateCloudServicesSettings } from './settings.ts';
import { words } from './words.ts';

export const privateCloudServicesUnit: UnitDefinition<DepotDesired> = {
  id: 'private-cloud-services',
  load,
  facts,
  words,
  follows,
  render,
  impact,
  check,
  activate,
  remember: (desired) => desired,
  nothing: {
    settings: privateCloudServicesSettings.defaults,
    listen: [],
    taken: {},
    clashes: [],
    authority: null,
    user_known: false,
  },
  probe: (host, desired) => probe(host, desired),
  drift,
  onlyRuns: true,
};
