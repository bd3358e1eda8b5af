// What one edit leads to, whole: everything that is written, and everything that is told of it, in its order. An address of
// a lab moves while all kinds of things depend on it.
import { expect, test } from '@jest/globals';
import { OWNER } from '../../../../../shared/platform/interfaces/refresh/snapshot.ts';
import { datastore, follow, RENUMBER, record, reservation, scope, service } from './rows.ts';

test('an interface is renumbered from 10.0.0.1 to 10.9.0.7', () => {
  const owned = (ref: string) => ({ source: OWNER.service, ref });
  const told = follow(RENUMBER, {
    appliance: { dns_servers: ['10.0.0.1', '9.9.9.9'], management_networks: ['10.0.0.0/24', '192.168.10.0/24'] },
    services: [
      service('ntp', ['ens20', 'ens10'], { hostname: 'time.lab.test', allowed: ['10.0.0.0/24', '172.16.0.0/12'] }),
      service('oidc', ['ens20'], { hostname: 'id.lab.test', issuer: 'https://10.0.0.1:8443/realm' }),
      service('certificate-authority', ['ens10'], { portal_hostname: 'ca.lab.test' }),
    ],
    scopes: [
      scope(),
      scope({
        id: 'scope_b',
        name: 'far',
        interface: 'ens30.7',
        subnet_cidr: '10.30.7.0/24',
        gateway: '10.30.7.1',
        ranges: [],
        dns_servers: [],
        ntp_servers: ['10.0.0.1'],
      }),
    ],
    options: [
      { id: 'opt_a', code: 42, value: '10.0.0.1, 8.8.8.8', enabled: true },
      { id: 'opt_b', code: 114, value: 'https://10.0.0.1/portal', enabled: true },
      { id: 'opt_c', code: 15, value: 'lab.test', enabled: true },
    ],
    reservations: [
      reservation('10.0.0.20'),
      reservation('10.0.0.21', { hostname: '', owner: { source: OWNER.host, ref: 'host_a' } }),
      reservation('10.30.7.9'),
    ],
    boot_hosts: [
      { id: 'host_a', hostname: 'esx01', mac_address: '00:50:56:01:02:03', ip_address: '10.0.0.21', enabled: true },
    ],
    records: [
      record('time.lab.test', '10.0.0.1', owned('ntp')),
      record('time.lab.test', 'fd20::1', owned('ntp'), 'AAAA'),
      record('time.lab.test', '192.168.10.2', owned('ntp')),
      record('id.lab.test', '10.0.0.1', owned('oidc')),
      record('old.lab.test', '10.0.0.1', owned('oidc')),
      record('vc01.lab.test', '10.0.0.20', { source: OWNER.reservation, ref: 'res_10.0.0.20' }),
      record('vc.lab.test', '10.0.0.20', { source: OWNER.reservation, ref: 'res_10.0.0.20' }),
      record('hand.lab.test', '10.0.0.20'),
    ],
    operators: [{ fqdn: 'www.lab.test', value: '10.0.0.1' }],
    datastores: [
      datastore({ clients: ['10.0.0.0/24'] }),
      datastore({ id: 'ds_b', name: 'both', address_families: ['ipv4', 'ipv6'], addresses: ['10.0.0.1', 'fd20::1'] }),
    ],
  });
  expect(told.writes).toEqual({
    dns_servers: ['10.9.0.7', '9.9.9.9'],
    services: [
      {
        key: 'ntp',
        document: {
          enabled: true,
          listen_interfaces: ['ens20', 'ens10'],
          listen_addresses: ['10.9.0.7', 'fd20::1', '192.168.10.2'],
          hostname: 'time.lab.test',
          allowed: ['10.0.0.0/24', '172.16.0.0/12'],
        },
      },
      {
        key: 'oidc',
        document: {
          enabled: true,
          listen_interfaces: ['ens20'],
          listen_addresses: ['10.9.0.7', 'fd20::1'],
          hostname: 'id.lab.test',
          issuer: 'https://10.9.0.7:8443/realm',
        },
      },
    ],
    scopes: [
      {
        id: 'scope_a',
        name: 'lab',
        address_family: 'ipv4',
        interface: 'ens20',
        subnet_cidr: '10.9.0.0/24',
        ranges: [{ start: '10.9.0.100', end: '10.9.0.200' }],
        gateway: '10.9.0.7',
        dns_servers: ['10.9.0.7', '8.8.8.8'],
        ntp_servers: [],
        enabled: true,
      },
      {
        id: 'scope_b',
        name: 'far',
        address_family: 'ipv4',
        interface: 'ens30.7',
        subnet_cidr: '10.30.7.0/24',
        ranges: [],
        gateway: '10.30.7.1',
        dns_servers: [],
        ntp_servers: ['10.9.0.7'],
        enabled: true,
      },
    ],
    legacy: null,
    options: [
      { id: 'opt_a', code: 42, value: '10.9.0.7,8.8.8.8', enabled: true },
      { id: 'opt_b', code: 114, value: 'https://10.9.0.7/portal', enabled: true },
    ],
    reservations: [
      { id: 'res_10.0.0.20', ip_address: '10.9.0.20' },
      { id: 'res_10.0.0.21', ip_address: '10.9.0.21' },
    ],
    boot_hosts: [{ id: 'host_a', ip_address: '10.9.0.21' }],
    records: {
      updated: [
        { id: 'rec_time.lab.test_10.0.0.1', value: '10.9.0.7' },
        { id: 'rec_id.lab.test_10.0.0.1', value: '10.9.0.7' },
        { id: 'rec_vc01.lab.test_10.0.0.20', value: '10.9.0.20' },
        { id: 'rec_vc.lab.test_10.0.0.20', value: '10.9.0.20' },
      ],
      added: [
        {
          fqdn: 'ca.lab.test',
          type: 'A',
          value: '192.168.10.2',
          zone_id: 'zone_a',
          owner: { source: 'service', ref: 'certificate-authority' },
        },
        {
          fqdn: 'id.lab.test',
          type: 'AAAA',
          value: 'fd20::1',
          zone_id: 'zone_a',
          owner: { source: 'service', ref: 'oidc' },
        },
      ],
      removed: ['rec_old.lab.test_10.0.0.1'],
    },
    datastores: [
      {
        id: 'ds_a',
        name: 'iso',
        interface: 'ens20',
        address_families: ['ipv4'],
        addresses: ['10.9.0.7'],
        clients: ['10.0.0.0/24'],
        nfs_version: '4.1',
        enabled: true,
      },
      {
        id: 'ds_b',
        name: 'both',
        interface: 'ens20',
        address_families: ['ipv4', 'ipv6'],
        addresses: ['10.9.0.7', 'fd20::1'],
        clients: [],
        nfs_version: '4.1',
        enabled: true,
      },
    ],
  });
  expect(
    told.moves.map(({ unit, subject, page, property, from, to }) => [unit, subject, page, property, from, to]),
  ).toEqual([
    ['network', 'Name resolution', '/ui/management/settings', 'dns_servers', '10.0.0.1, 9.9.9.9', '10.9.0.7, 9.9.9.9'],
    ['ntp', 'NTP', '/ntp', 'listen_addresses', '10.0.0.1, fd20::1, 192.168.10.2', '10.9.0.7, fd20::1, 192.168.10.2'],
    ['oidc', 'OIDC', '/oidc', 'listen_addresses', '10.0.0.1, fd20::1', '10.9.0.7, fd20::1'],
    ['oidc', 'OIDC', '/oidc', 'issuer', 'https://10.0.0.1:8443/realm', 'https://10.9.0.7:8443/realm'],
    ['dns-dhcp', 'DHCP scope lab', '/ui/management/dhcp/scopes/scope_a', 'subnet_cidr', '10.0.0.0/24', '10.9.0.0/24'],
    [
      'dns-dhcp',
      'DHCP scope lab',
      '/ui/management/dhcp/scopes/scope_a',
      'ranges',
      '10.0.0.100–10.0.0.200',
      '10.9.0.100–10.9.0.200',
    ],
    ['dns-dhcp', 'DHCP scope lab', '/ui/management/dhcp/scopes/scope_a', 'gateway', '10.0.0.1', '10.9.0.7'],
    [
      'dns-dhcp',
      'DHCP scope lab',
      '/ui/management/dhcp/scopes/scope_a',
      'dns_servers',
      '10.0.0.1, 8.8.8.8',
      '10.9.0.7, 8.8.8.8',
    ],
    ['dns-dhcp', 'DHCP scope lab', '/ui/management/dhcp/scopes/scope_a', 'ntp_servers', '10.0.0.1', '10.9.0.7'],
    ['dns-dhcp', 'DHCP scope far', '/ui/management/dhcp/scopes/scope_b', 'ntp_servers', '10.0.0.1', '10.9.0.7'],
    [
      'dns-dhcp',
      'DHCP option 42',
      '/ui/management/dhcp/options/opt_a',
      'value',
      '10.0.0.1, 8.8.8.8',
      '10.9.0.7,8.8.8.8',
    ],
    [
      'dns-dhcp',
      'DHCP option 114',
      '/ui/management/dhcp/options/opt_b',
      'value',
      'https://10.0.0.1/portal',
      'https://10.9.0.7/portal',
    ],
    ['storage', 'Datastore iso', '/ui/management/storage/datastores/ds_a', 'addresses', '10.0.0.1', '10.9.0.7'],
    [
      'storage',
      'Datastore both',
      '/ui/management/storage/datastores/ds_b',
      'addresses',
      '10.0.0.1, fd20::1',
      '10.9.0.7, fd20::1',
    ],
    [
      'dns-dhcp',
      'DNS record time.lab.test',
      '/ui/management/dns/records/rec_time.lab.test_10.0.0.1',
      'A',
      '10.0.0.1',
      '10.9.0.7',
    ],
    ['dns-dhcp', 'DNS record ca.lab.test', '/ui/management/dns', 'A', '', '192.168.10.2'],
    [
      'dns-dhcp',
      'DNS record id.lab.test',
      '/ui/management/dns/records/rec_id.lab.test_10.0.0.1',
      'A',
      '10.0.0.1',
      '10.9.0.7',
    ],
    ['dns-dhcp', 'DNS record id.lab.test', '/ui/management/dns', 'AAAA', '', 'fd20::1'],
    ['dns-dhcp', 'DNS record old.lab.test', '/ui/management/dns', 'A', '10.0.0.1', ''],
    [
      'dns-dhcp',
      'Reservation vc01',
      '/ui/management/dhcp/reservations/res_10.0.0.20',
      'ip_address',
      '10.0.0.20',
      '10.9.0.20',
    ],
    [
      'dns-dhcp',
      'DNS record vc01.lab.test',
      '/ui/management/dns/records/rec_vc01.lab.test_10.0.0.20',
      'value',
      '10.0.0.20',
      '10.9.0.20',
    ],
    [
      'dns-dhcp',
      'DNS record vc.lab.test',
      '/ui/management/dns/records/rec_vc.lab.test_10.0.0.20',
      'value',
      '10.0.0.20',
      '10.9.0.20',
    ],
    [
      'dns-dhcp',
      'Reservation 10.0.0.21',
      '/ui/management/dhcp/reservations/res_10.0.0.21',
      'ip_address',
      '10.0.0.21',
      '10.9.0.21',
    ],
    ['network-boot', 'Host esx01', '/ui/management/network-boot/hosts/host_a', 'ip_address', '10.0.0.21', '10.9.0.21'],
  ]);
  expect([told.deselected, told.blockers]).toEqual([[], []]);
  expect(told.notes).toEqual([
    'NTP names 10.0.0.0/24 among its clients, the network that moves; review the list.',
    'Datastore iso names 10.0.0.0/24 among its clients, the network that moves; review the list.',
    'The firewall names 10.0.0.0/24 among the networks that may reach the management UI, the network that moves; review the list.',
    'The record www.lab.test has 10.0.0.1, the address that moves; change it yourself.',
  ]);
  expect(told.units).toEqual(['network', 'dns-dhcp', 'ntp', 'oidc', 'storage', 'network-boot']);
});
