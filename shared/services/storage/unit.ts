// The unit "Storage": disks of the appliance, and NFS datastores on them.
import type { UnitDefinition } from '../../platform/units/unit.ts';
import { activate } from './activate.ts';
import { check } from './check.ts';
import { cuts } from './cuts.ts';
import { load, type StorageDesired } from './desired.ts';
import { bindOrders, endOrders } from './disk-orders.ts';
import { SEEN } from './disks.ts';
import { drift } from './drift.ts';
import { facts, follows } from './facts.ts';
import { impact } from './impact.ts';
import { forgetLooks } from './look.ts';
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
  impact: (change, desired) => impact(change, desired),
  cuts: (host, change, namesOf) => cuts(host, change, namesOf),
  check: (host, desired) => check(host, desired),
  activate: (host, desired, change, plan_id) => activate(host, desired, change, SEEN, { plan_id }),
  // An order ends with its plan: whoever goes back to this state does no work on a disk.
  remember: ({ volumes, ...rest }) => ({ ...rest, volumes: volumes.map(({ ordered: _, ...volume }) => volume) }),
  nothing: { settings: storageSettings.defaults, volumes: [], datastores: [] },
  probe: (host, desired, change) => probe(host, desired, change),
  probeInForce: (host, inForce) => probeInForce(host, inForce),
  drift: (host, inForce, how) => drift(host, inForce, how),
  forgets: forgetLooks,
  onlyRuns: true,
  submitted: (tx, plan_id) => bindOrders(tx, plan_id),
  ended: (tx, plan_id) => endOrders(tx, plan_id),
};
