// What the appliance knows of the unit "DNS and DHCP".
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'dns-dhcp',
  order: 30,
  name: 'DNS and DHCP',
  resources: { dns: 'service-admin', dhcp: 'service-admin' },
  group: 'Core services',
  tags: {
    DNS: 'Zones and records that the appliance answers for.',
    DHCP: 'Address scopes and reservations.',
    'DNS/DHCP': 'Settings that the DNS and the DHCP service share.',
  },
  pages: [
    { path: '/dns', label: 'DNS', resource: 'dns' },
    { path: '/dhcp', label: 'DHCP', resource: 'dhcp' },
  ],
  enforces: ['dns-dhcp', 'dhcp'],
  listeners: [
    {
      key: 'dns-dhcp',
      label: 'DNS',
      page: '/ui/management/dns/settings',
      lastBinding: 'refuse',
      clients: ['allowed_clients'],
      opens: [
        {
          protocol: 'udp',
          ports: [53],
          why: 'Questions to the name service.',
          clients: 'allowed_clients',
          unnamed: 'own',
        },
        {
          protocol: 'tcp',
          ports: [53],
          why: 'Questions whose answers are too long for UDP (RFC 7766).',
          clients: 'allowed_clients',
          unnamed: 'own',
        },
      ],
    },
  ],
};
