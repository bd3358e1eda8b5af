// What the appliance knows of the unit "Storage".
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'storage',
  order: 100,
  name: 'Storage',
  resources: { storage: 'service-admin' },
  group: 'Storage',
  tags: {
    Storage: 'NFS datastores for ESX hosts.',
  },
  pages: [{ path: '/storage', label: 'Storage', resource: 'storage' }],
  enforces: [],
  listeners: [],
};
