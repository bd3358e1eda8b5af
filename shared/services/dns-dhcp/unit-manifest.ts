// What the appliance knows of the unit "DNS and DHCP".
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'dns-dhcp',
  order: 30,
  name: 'DNS and DHCP',
  resources: { dns: 'service-admin', dhcp: 'service-admin' },
};
