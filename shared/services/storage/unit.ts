// The unit "Storage": disks of the appliance, and NFS datastores on them.
import type { UnitDefinition } from '../../platform/units/unit.ts';
import { activate } from './activate.ts';
import { check } from './check.ts';
import { cuts } from './cuts.ts';
import { load, type StorageDesired } from './desired.ts';
import { drift } from './drift.ts';
import { facts, follows } from './facts.ts';
import { impact } from './impact.ts';
import { probe, probeInForce } from './probe.ts';
import { render } from './render.ts';
import { storageSettings } from './settings.ts';
import { words } from './words.ts';

export const storageUnit: UnitDefinition<StorageDesired> = {
  id: 'storage',
  load: (db) => load(db),
  facts,
  words,
  follows,
  render,
  impact,
  cuts: (host, change, namesOf) => cuts(host, change, namesOf),
  check: (host, desired) => check(host, desired),
  activate: (host, desired, change) => activate(host, desired, change),
  remember: (desired) => desired,
  nothing: { settings: storageSettings.defaults, volumes: [], datastores: [] },
  probe: (host, desired) => probe(host, desired),
  probeInForce: (host, inForce) => probeInForce(host, inForce),
  drift: (host, inForce) => drift(host, inForce),
  onlyRuns: true,
};
