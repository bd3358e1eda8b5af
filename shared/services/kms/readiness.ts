// What key management still needs before vCenter can keep its keys here.
import { validFor } from '../../platform/certificate-authority/certificate-store.ts';
import { listening, type UnitReadiness } from '../../platform/units/readiness.ts';
import { kms } from './facts.ts';
import { SERVER_PURPOSE } from './manifest.ts';
import { kmsSettings } from './settings.ts';

type KmsStep = 'root' | 'provider' | 'client' | 'enabled' | 'applied' | 'certificate';

/** `root` is of the certificate authority. */
export const readiness: UnitReadiness<KmsStep> = {
  settings: kmsSettings,
  order: [
    ['root'],
    ['provider'],
    ['client', 'provider'],
    ['enabled'],
    ['applied', 'enabled'],
    ['certificate', 'root', 'enabled'],
  ],
  rows: {
    provider: 'SELECT 1 FROM kms_provider',
    client: 'SELECT 1 FROM kms_client WHERE not_before <= ?1 AND not_after >= ?1',
    certificate: validFor(SERVER_PURPOSE, '?1'),
  },
  set: (saved) => ({ enabled: listening(saved) }),
  inForce: (facts) => ({ enabled: kms.get(facts, 'enabled') === true }),
  atOnce: ['provider', 'client', 'certificate'],
};
