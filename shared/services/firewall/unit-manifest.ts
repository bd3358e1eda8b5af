// What the appliance knows of the unit "Firewall".
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'firewall',
  order: 20,
  name: 'Firewall',
  resources: { firewall: 'network-admin' },
  group: 'Network',
  tags: {
    Firewall: 'The appliance’s packet filter.',
  },
  pages: [{ page: 'firewall', label: 'Firewall', resource: 'firewall' }],
  enforces: ['firewall'],
  listeners: [],
  comes_back: 'rows',
  tables: [
    {
      name: 'firewall_rule',
      kept: {
        label: 'Firewall rules',
        columns: 'name position action direction interface source_cidr destination_cidr protocol ports log',
        unique: 'name',
      },
      found: {
        kind: 'rule',
        label: 'Firewall rules',
        resource: 'firewall',
        page: 'firewall-rule',
        columns: ['name', 'source_cidr', 'destination_cidr', 'ports'],
        fact: "action || ' ' || direction || ' ' || protocol || ' ' || ports",
      },
      archive: {
        as: 'desired',
        label: 'Firewall rules',
        columns:
          'name position action direction interface source_cidr destination_cidr protocol ports log description enabled',
        key: 'name',
        unique: 'name',
        booleans: 'log enabled',
        interfaces: 'interface',
      },
    },
  ],
};
