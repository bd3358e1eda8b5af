// What the appliance knows of the unit "Certificate authority".
import type { UnitManifest } from '../units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'certificate-authority',
  order: 50,
  name: 'Certificate authority',
  resources: { ca: 'service-admin' },
};
