// What the appliance knows of the unit "Network boot".
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'network-boot',
  order: 110,
  name: 'Network boot',
  resources: { pxe: 'service-admin' },
};
