// What the appliance knows of the unit "Network".
import type { UnitManifest } from '../units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'network',
  order: 10,
  name: 'Network',
  resources: { interfaces: 'network-admin', vlans: 'network-admin' },
  // The appliance's own name and resolvers are only saved yet.
  enforces: [],
  listeners: [],
};
