// What the appliance knows of the unit "Key management".
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'kms',
  order: 60,
  name: 'Key management',
  resources: { kms: 'service-admin' },
  group: 'Trust and identity',
  tags: {
    'Key management': 'The KMIP server for vSphere’s encryption.',
  },
  pages: [{ page: 'kms', label: 'Key management', resource: 'kms' }],
  enforces: ['kms'],
  listeners: [
    {
      key: 'kms',
      label: 'Key management',
      page: pagePath('kms-settings'),
      lastBinding: 'refuse',
      hostname: 'hostname',
      opens: [{ protocol: 'tcp', ports: 'port', why: 'KMIP for vCenter.' }],
    },
  ],
  certified_by_plan: true,
  comes_back: 'rows',
  tables: [],
};
