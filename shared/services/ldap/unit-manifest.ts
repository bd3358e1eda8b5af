// What the appliance knows of the unit "LDAP".
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'ldap',
  order: 70,
  name: 'LDAP',
  resources: { ldap: 'service-admin' },
  group: 'Trust and identity',
  tags: {
    LDAP: 'The directory of users and groups.',
  },
  pages: [{ page: 'ldap', label: 'LDAP', resource: 'ldap' }],
  enforces: [],
  listeners: [
    {
      key: 'ldap',
      label: 'LDAP',
      page: pagePath('ldap'),
      lastBinding: 'refuse',
      hostname: 'hostname',
      opens: [
        { protocol: 'tcp', ports: 'ldaps_port', why: 'The directory over TLS.', when: 'ldaps_enabled' },
        { protocol: 'tcp', ports: 'ldap_port', why: 'The directory in the clear.', when: 'ldap_enabled' },
      ],
    },
  ],
  comes_back: null,
  tables: [],
};
