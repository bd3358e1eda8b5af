// What the certificate authority still needs. All of it takes effect at once.
import type { UnitReadiness } from '../units/readiness.ts';
import { certificateAuthoritySettings } from './settings.ts';

export const readiness: UnitReadiness<'root' | 'custody'> = {
  settings: certificateAuthoritySettings,
  order: [['root'], ['custody', 'root']],
  rows: { root: 'SELECT 1 FROM certificate_authority WHERE not_before <= ?1 AND not_after > ?1' },
  set: ({ enabled }) => ({ custody: enabled === true }),
  atOnce: ['root', 'custody'],
};
