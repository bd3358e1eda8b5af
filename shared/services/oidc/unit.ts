// The unit "OpenID Connect": the applied manifest that the provider of this service follows.
import { remembered } from '../../platform/certificate-authority/daemon-certificate.ts';
import type { UnitDefinition } from '../../platform/units/unit.ts';
import { activate } from './activate.ts';
import { check } from './check.ts';
import { load, NO_OIDC, type OidcDesired, wantedCertificate } from './desired.ts';
import { drift } from './drift.ts';
import { facts, follows } from './facts.ts';
import { impact } from './impact.ts';
import { probe } from './probe.ts';
import { render } from './render.ts';
import { words } from './words.ts';

export const oidcUnit: UnitDefinition<OidcDesired> = {
  id: 'oidc',
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
  nothing: NO_OIDC,
  probe: (host, desired) => probe(host, desired),
  drift,
  onlyRuns: true,
};
