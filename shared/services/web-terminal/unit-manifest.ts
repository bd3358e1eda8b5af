// What the appliance knows of the unit "Web terminal".
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'web-terminal',
  order: 120,
  name: 'Web terminal',
  resources: { terminal: 'service-admin' },
};
