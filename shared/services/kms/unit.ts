// The unit "Key management": the applied manifest that the KMIP listeners of this service follow.
import { remembered } from '../../platform/certificate-authority/daemon-certificate.ts';
import type { UnitDefinition } from '../../platform/units/unit.ts';
import { activate } from './activate.ts';
import { check } from './check.ts';
import { type KmsDesired, load, NO_KMS, wantedCertificate } from './desired.ts';
import { drift } from './drift.ts';
import { facts, follows } from './facts.ts';
import { impact } from './impact.ts';
import { NO_KEYS } from './keys/held.ts';
import { probe } from './probe.ts';
import { render } from './render.ts';
import { words } from './words.ts';

export const kmsUnit: UnitDefinition<KmsDesired> = {
  id: 'kms',
  load,
  facts,
  words,
  follows,
  certificate: wantedCertificate,
  render,
  impact,
  check,
  activate,
  remember: (desired) => ({ ...desired, keys: NO_KEYS, certificate: remembered(desired.certificate) }),
  nothing: NO_KMS,
  probe: (host, desired) => probe(host, desired),
  drift,
  onlyRuns: true,
};
