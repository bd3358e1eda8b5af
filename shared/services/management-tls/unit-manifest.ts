// What the appliance knows of the unit "Management TLS".
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'management-tls',
  order: 55,
  name: 'Management TLS',
  resources: { 'management-tls': 'network-admin' },
  group: 'Trust and identity',
  tags: {
    'Management TLS': 'The certificate that the management UI shows.',
  },
  pages: [{ page: 'management-tls', label: 'Management TLS', resource: 'management-tls' }],
  enforces: ['management-tls'],
  listeners: [],
  certified_by_plan: true,
  comes_back: 'rows',
  seals: ['management_certificate'],
  tables: [],
};
