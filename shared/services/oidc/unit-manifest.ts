// What the appliance knows of the unit "OpenID Connect".
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'oidc',
  order: 80,
  name: 'OpenID Connect',
  resources: { oidc: 'service-admin' },
  enforces: [],
  listeners: [
    {
      key: 'oidc',
      label: 'OpenID Connect',
      page: '/ui/management/oidc',
      lastBinding: 'refuse',
      hostname: 'hostname',
      urls: ['issuer'],
      opens: [{ protocol: 'tcp', ports: 'port', why: 'Sign-in for browsers and tokens for programs.' }],
    },
  ],
};
