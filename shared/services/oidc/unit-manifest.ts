// What the appliance knows of the unit "OpenID Connect".
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'oidc',
  order: 80,
  name: 'OpenID Connect',
  resources: { oidc: 'service-admin' },
};
