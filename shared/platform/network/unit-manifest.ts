// What the appliance knows of the unit "Network".
import type { UnitManifest } from '../units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'network',
  order: 10,
  name: 'Network',
  resources: { interfaces: 'network-admin', vlans: 'network-admin' },
  group: 'Network',
  tags: {
    Interfaces: 'Physical interfaces: what the host shows of them, and what they shall be.',
    VLANs: 'VLAN interfaces on physical trunks.',
    Network: 'The appliance’s own name and the servers that it asks for names.',
  },
  pages: [
    { page: 'interfaces', label: 'Interfaces', resource: 'interfaces' },
    { page: 'vlans', label: 'VLANs', resource: 'vlans' },
  ],
  // The appliance's own name and DNS servers are only saved so far.
  enforces: [],
  listeners: [],
  comes_back: 'interfaces',
  tables: [],
};
