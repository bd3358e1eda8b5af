// What the appliance knows of the unit "Certificate authority".
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitManifest } from '../units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'certificate-authority',
  order: 50,
  name: 'Certificate authority',
  resources: { ca: 'service-admin', 'ca-requests': 'service-admin' },
  group: 'Trust and identity',
  tags: {
    'Certificate authority': 'Custody of the authority’s keys, what it issues, and its portal.',
  },
  pages: [{ page: 'certificate-authority', label: 'Certificate authority', resource: 'ca' }],
  enforces: ['certificate-authority'],
  listeners: [
    {
      key: 'certificate-authority',
      label: 'Certificate authority',
      page: pagePath('certificate-authority-settings'),
      // Custody needs no address, so the portal just goes.
      lastBinding: 'clear',
      hostname: 'portal_hostname',
      opens: [{ protocol: 'tcp', ports: [80], why: 'The portal with the root certificate and what was revoked.' }],
    },
  ],
  comes_back: null,
  seals: ['certificate_authority', 'issued_certificate', 'ocsp_signer'],
  tables: [],
};
