// The unit "Management TLS": the certificate that the management listener of this service shows.
import { remembered } from '../../platform/certificate-authority/daemon-certificate.ts';
import type { UnitDefinition } from '../../platform/units/unit.ts';
import { activate } from './activate.ts';
import { check } from './check.ts';
import { load, type ManagementTlsDesired, NO_CERTIFICATE, wantedCertificate } from './desired.ts';
import { drift } from './drift.ts';
import { facts } from './facts.ts';
import { impact } from './impact.ts';
import { probe } from './probe.ts';
import { render } from './render.ts';
import { words } from './words.ts';

export const managementTlsUnit: UnitDefinition<ManagementTlsDesired> = {
  id: 'management-tls',
  load,
  facts,
  words,
  certificate: wantedCertificate,
  render,
  impact,
  check,
  activate,
  remember: (desired) => ({ ...desired, certificate: remembered(desired.certificate) }),
  nothing: NO_CERTIFICATE,
  probe: (host, desired) => probe(host, desired),
  drift,
  onlyRuns: true,
};
