// The unit "Certificate authority": the applied manifest that the portal's listeners follow. Custody and certificates need no
// apply.
import type { UnitDefinition } from '../units/unit.ts';
import { activate } from './portal/activate.ts';
import { check } from './portal/check.ts';
import { load, NO_PORTAL, type PortalDesired } from './portal/desired.ts';
import { drift } from './portal/drift.ts';
import { facts, follows } from './portal/facts.ts';
import { impact } from './portal/impact.ts';
import { probe } from './portal/probe.ts';
import { render } from './portal/render.ts';
import { words } from './portal/words.ts';

export const certificateAuthorityUnit: UnitDefinition<PortalDesired> = {
  id: 'certificate-authority',
  load,
  facts,
  words,
  follows,
  render,
  impact,
  check,
  activate,
  remember: (desired) => desired,
  nothing: NO_PORTAL,
  probe: (host, desired) => probe(host, desired),
  drift,
  onlyRuns: true,
};
