// What the appliance knows of the unit "NTP".
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'ntp',
  order: 40,
  name: 'NTP',
  resources: { ntp: 'service-admin' },
  group: 'Core services',
  tags: {
    NTP: 'The time service and where it takes the time from.',
  },
  pages: [{ page: 'ntp', label: 'NTP', resource: 'ntp' }],
  enforces: ['ntp'],
  listeners: [
    {
      key: 'ntp',
      label: 'NTP',
      page: pagePath('ntp-settings'),
      lastBinding: 'refuse',
      hostname: 'hostname',
      clients: ['allowed_clients'],
      opens: [
        { protocol: 'udp', ports: [123], why: 'Questions to the time service.', clients: 'allowed_clients' },
        {
          protocol: 'tcp',
          ports: [4460],
          why: 'Keys for Network Time Security (RFC 8915).',
          clients: 'allowed_clients',
          when: 'nts_enabled',
        },
      ],
    },
  ],
  certified_by_plan: true,
  comes_back: 'rows',
  tables: [
    {
      name: 'ntp_source',
      kept: { label: 'Time sources', columns: 'address kind nts prefer', unique: 'address' },
      found: {
        kind: 'source',
        label: 'Time sources',
        resource: 'ntp',
        page: 'ntp-source',
        columns: ['address'],
        fact: "kind || ' ' || description",
      },
      archive: {
        as: 'desired',
        label: 'Time sources',
        columns: 'address kind nts prefer description enabled',
        key: 'address',
        unique: 'address',
        booleans: 'nts prefer enabled',
      },
    },
  ],
};
