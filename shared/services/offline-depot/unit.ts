// The unit "Offline depot": the applied manifest that the depot listeners of this service follow.
import { remembered } from '../../platform/certificate-authority/daemon-certificate.ts';
import type { UnitDefinition } from '../../platform/units/unit.ts';
import { activate } from './activate.ts';
import { check } from './check.ts';
import { type DepotDesired, load, NO_DEPOT, wantedCertificate } from './desired.ts';
import { drift } from './drift.ts';
import { facts, follows } from './facts.ts';
import { impact } from './impact.ts';
import { probe } from './probe.ts';
import { render } from './render.ts';
import { words } from './words.ts';

export const privateCloudServicesUnit: UnitDefinition<DepotDesired> = {
  id: 'private-cloud-services',
  load,
  facts,
  words,
  follows,
  certificate: wantedCertificate,
  render,
  impact,
  check,
  activate,
  remember: (desired) => ({ ...desired, certificate: remembered(desired.certificate) }),
  nothing: NO_DEPOT,
  probe: (host, desired) => probe(host, desired),
  drift,
  onlyRuns: true,
};
