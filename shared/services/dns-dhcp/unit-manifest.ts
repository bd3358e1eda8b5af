// What the appliance knows of the unit "DNS and DHCP".
import { pagePath } from '../../ground/page-paths.ts';
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
    { page: 'dns', label: 'DNS', resource: 'dns' },
    { page: 'dhcp', label: 'DHCP', resource: 'dhcp' },
  ],
  enforces: ['dns-dhcp', 'dhcp'],
  listeners: [
    {
      key: 'dns-dhcp',
      label: 'DNS',
      page: pagePath('dns-settings'),
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
  comes_back: 'rows',
  tables: [
    {
      name: 'dns_zone',
      kept: { label: 'Zones', columns: 'name', unique: 'name' },
      found: {
        kind: 'zone',
        label: 'DNS zones',
        resource: 'dns',
        page: 'dns-zone',
        columns: ['name'],
        fact: 'description',
        indexed: true,
      },
      archive: {
        as: 'desired',
        label: 'DNS zones',
        columns: 'name description enabled',
        key: 'name',
        unique: 'name',
        booleans: 'enabled',
      },
    },
    {
      name: 'dns_record',
      kept: {
        label: 'DNS records',
        columns: 'fqdn type value owner_source owner_ref owner_component zone_id',
        unique: 'value',
      },
      found: {
        kind: 'record',
        label: 'DNS records',
        resource: 'dns',
        page: 'dns-record',
        columns: ['fqdn', 'value'],
        fact: "type || ' ' || value",
        indexed: true,
      },
      archive: {
        as: 'desired',
        label: 'DNS records',
        columns: 'fqdn type value owner_source owner_ref owner_component zone_id description enabled',
        key: 'fqdn type value',
        unique: 'value',
        booleans: 'enabled',
        refers: { zone_id: 'dns_zone' },
        owners: { dhcp_reservation: 'dhcp_reservation' },
        many: true,
      },
    },
    {
      name: 'dhcp_scope',
      kept: {
        label: 'DHCP scopes',
        columns:
          'name address_family interface subnet_cidr ranges gateway dns_servers ntp_servers lease_time domain boot_listener',
        unique: 'name',
      },
      found: {
        kind: 'scope',
        label: 'DHCP scopes',
        resource: 'dhcp',
        page: 'dhcp-scope',
        columns: ['name', 'subnet_cidr'],
        fact: 'subnet_cidr',
      },
      archive: {
        as: 'desired',
        label: 'DHCP scopes',
        columns:
          'name address_family interface subnet_cidr ranges gateway dns_servers ntp_servers lease_time domain boot_listener description enabled',
        key: 'name',
        unique: 'name',
        booleans: 'enabled',
        json: 'ranges dns_servers ntp_servers',
        interfaces: 'interface boot_listener',
      },
    },
    {
      name: 'dhcp_option',
      kept: { label: 'DHCP options', columns: 'scope_id code address_family value', unique: 'address_family' },
      archive: {
        as: 'desired',
        label: 'DHCP options',
        columns: 'scope_id code address_family value description enabled',
        key: 'scope_id address_family code',
        unique: 'address_family',
        booleans: 'enabled',
        refers: { scope_id: 'dhcp_scope' },
      },
    },
    {
      name: 'dhcp_reservation',
      kept: {
        label: 'DHCP reservations',
        columns: 'hostname mac_address address_family ip_address register_dns owner_source owner_ref owner_component',
        unique: 'mac_address ip_address',
      },
      found: {
        kind: 'reservation',
        label: 'DHCP reservations',
        resource: 'dhcp',
        page: 'dhcp-reservation',
        columns: ['hostname', 'ip_address', 'mac_address'],
        fact: "ip_address || ' ' || mac_address",
        indexed: true,
      },
      archive: {
        as: 'desired',
        label: 'DHCP reservations',
        columns:
          'hostname mac_address address_family ip_address register_dns owner_source owner_ref owner_component description enabled',
        key: 'mac_address address_family',
        unique: 'mac_address ip_address',
        booleans: 'register_dns enabled',
        owners: { network_boot_host: 'network_boot_host' },
      },
    },
  ],
};
