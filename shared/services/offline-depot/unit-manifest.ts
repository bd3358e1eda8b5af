// What the appliance knows of the unit "Offline depot".
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'private-cloud-services',
  order: 90,
  name: 'Offline depot',
  resources: { depot: 'service-admin' },
};
