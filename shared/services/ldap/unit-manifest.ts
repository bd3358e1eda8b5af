// What the appliance knows of the unit "LDAP".
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'ldap',
  order: 70,
  name: 'LDAP',
  resources: { ldap: 'service-admin' },
};
