// What the appliance knows of the unit "NTP".
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'ntp',
  order: 40,
  name: 'NTP',
  resources: { ntp: 'service-admin' },
};
