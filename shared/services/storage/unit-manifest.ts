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
  pages: [{ page: 'storage', label: 'Storage', resource: 'storage' }],
  enforces: [],
  listeners: [],
  comes_back: null,
  tables: [
    {
      name: 'storage_volume',
      found: {
        kind: 'volume',
        label: 'Storage volumes',
        resource: 'storage',
        page: 'storage-volume',
        columns: ['name', 'device', 'mount_path'],
        fact: 'mount_path',
      },
    },
    {
      name: 'storage_datastore',
      found: {
        kind: 'datastore',
        label: 'Datastores',
        resource: 'storage',
        page: 'datastore',
        columns: ['name'],
        fact: 'interface',
      },
    },
  ],
};
