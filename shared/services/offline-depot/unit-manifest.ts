// What the appliance knows of the unit "Offline depot".
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'private-cloud-services',
  order: 90,
  name: 'Offline depot',
  resources: { depot: 'service-admin' },
  group: 'VCF',
  tags: {
    'Offline depot': 'Software of VMware Cloud Foundation for sites without internet access.',
  },
  pages: [{ page: 'offline-depot', label: 'Offline depot', resource: 'depot' }],
  enforces: ['private-cloud-services'],
  listeners: [
    {
      key: 'private-cloud-services',
      label: 'Offline depot',
      page: pagePath('offline-depot-settings'),
      lastBinding: 'refuse',
      hostname: 'hostname',
      opens: [{ protocol: 'tcp', ports: 'port', why: 'Software for VMware Cloud Foundation.' }],
    },
  ],
  certified_by_plan: true,
  comes_back: 'rows',
  tables: [
    // No desired state: a password takes effect at once.
    {
      name: 'depot_user',
      archive: {
        as: 'sealed',
        label: 'Depot users',
        columns: 'name password_hash created_by',
        key: 'name',
        unique: 'name',
      },
    },
  ],
};
