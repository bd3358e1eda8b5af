// What the appliance knows of the unit "OpenID Connect".
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'oidc',
  order: 80,
  name: 'OpenID Connect',
  resources: { oidc: 'service-admin' },
  group: 'Trust and identity',
  tags: {
    'OpenID Connect': 'The identity provider: its settings, its clients and its signing keys.',
  },
  pages: [{ page: 'oidc', label: 'OpenID Connect', resource: 'oidc' }],
  enforces: ['oidc'],
  listeners: [
    {
      key: 'oidc',
      label: 'OpenID Connect',
      page: pagePath('oidc'),
      lastBinding: 'refuse',
      hostname: 'hostname',
      urls: ['issuer'],
      opens: [{ protocol: 'tcp', ports: 'port', why: 'Sign-in for browsers and tokens for programs.' }],
    },
  ],
  certified_by_plan: true,
  comes_back: 'rows',
  seals: ['oidc_signing_key'],
  tables: [],
};
