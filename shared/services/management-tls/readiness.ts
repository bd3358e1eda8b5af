// What the certificate of the management UI still needs: nothing, while the service keeps its own.
import type { UnitReadiness } from '../../platform/units/readiness.ts';
import { managementTls } from './facts.ts';
import { managementTlsSettings } from './settings.ts';

export const readiness: UnitReadiness<'certificate' | 'applied'> = {
  settings: managementTlsSettings,
  order: [['certificate'], ['applied', 'certificate']],
  set: ({ source }) => ({ certificate: source !== 'self_signed' }),
  inForce: (facts) => ({ certificate: managementTls.get(facts, 'replaced') === true }),
};
