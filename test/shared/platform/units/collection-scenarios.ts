// What is asked of time sources, volumes, datastores and hosts of network boot: one row a rule, each beginning alike.
import { expect } from '@jest/globals';
import type { House } from '../../../setup/house.ts';

const AT = '2026-01-01T00:00:00.000Z';
const TABLES = [
  'dhcp_reservation',
  'dhcp_scope',
  'ntp_source',
  'storage_datastore',
  'storage_volume',
  'network_boot_host',
];
const KEPT = `1, '', 3, '${AT}', '${AT}'`;
const COLUMNS = 'enabled, description, revision, created_at, updated_at';

/** A source, two volumes with a datastore on the first, a scope with one host in it, and one host without an address. */
export async function furnish(house: House): Promise<void> {
  await house.services.store.write(async (tx) => {
    for (const table of TABLES) await tx.run(`DELETE FROM ${table}`);
    await tx.run(
      `INSERT INTO ntp_source (id, address, kind, nts, prefer, ${COLUMNS})
       VALUES ('ntpsrc_a', 'time.lab.test', 'server', 1, 0, ${KEPT}), ('ntpsrc_b', '10.10.0.9', 'server', 0, 0, ${KEPT})`,
    );
    await tx.run(
      `INSERT INTO storage_volume (id, name, device, mount_path, ${COLUMNS})
       VALUES ('vol_a', 'fast', '/dev/disk/by-id/nvme-a', '/srv/datastores/fast', ${KEPT}),
         ('vol_b', 'slow', '/dev/disk/by-id/scsi-b', '/srv/datastores/slow', ${KEPT})`,
    );
    await tx.run(
      `INSERT INTO storage_datastore (id, name, volume_id, path, nfs_version, interface, address_families, addresses,
         ipv4_clients, ipv6_clients, ${COLUMNS})
       VALUES ('ds_a', 'nfs-01', 'vol_a', 'lab/nfs-01', '4.1', 'ens224', '["ipv4"]', '["10.20.0.1"]', '[]', '[]', ${KEPT})`,
    );
    await tx.run(
      `INSERT INTO dhcp_scope (id, name, address_family, interface, subnet_cidr, ranges, gateway, dns_servers,
         ntp_servers, lease_time, domain, ${COLUMNS})
       VALUES ('scope_a', 'hosts', 'ipv4', 'ens224', '10.20.0.0/24', '[]', 'none', '[]', '[]', 43200, '', ${KEPT})`,
    );
    await tx.run(
      `INSERT INTO network_boot_host (id, hostname, mac_address, ip_address, ${COLUMNS})
       VALUES ('host_a', 'esx01.lab.test', '00:50:56:01:00:01', '10.20.0.11', ${KEPT}),
         ('host_b', 'esx02.lab.test', '00:50:56:01:00:02', '', ${KEPT})`,
    );
    await tx.run(
      `INSERT INTO dhcp_reservation (id, hostname, mac_address, address_family, ip_address, register_dns, owner_source,
         owner_ref, owner_component, ${COLUMNS})
       VALUES ('res_a', 'esx01.lab.test', '00:50:56:01:00:01', 'ipv4', '10.20.0.11', 0, 'network_boot_host', 'host_a',
           'esx01.lab.test', ${KEPT}),
         ('res_b', 'printer', '00:50:56:01:00:99', 'ipv4', '10.20.0.99', 0, NULL, NULL, NULL, ${KEPT})`,
    );
  });
}

export const SOURCES = '/api/v1/ntp/sources';
export const VOLUMES = '/api/v1/storage/volumes';
export const DATASTORES = '/api/v1/storage/datastores';
export const HOSTS = '/api/v1/network-boot/esxi-hosts';

export interface Scenario {
  name: string;
  send: [method: string, target: string, body?: unknown, headers?: Record<string, string>];
  status: number;
  holds?: Record<string, unknown>;
  pointers?: string[];
  audited?: string[];
}

const code = (error_code: string) => ({ error_code });
const ids = (...all: string[]) => ({ items: all.map((id) => expect.objectContaining({ id })), next_cursor: null });
const STALE = { 'if-match': '"r2"' };
const INVALID = code('request_validation_failed');

/** A create or update that is refused at one member. */
const refused = (
  name: string,
  target: string,
  body: Record<string, unknown>,
  pointer: string,
  status = 422,
  holds: Record<string, unknown> = status === 422 ? INVALID : code('state_conflict'),
): Scenario => {
  const method = /\/[a-z]+_[a-z]$/.test(target) ? 'PATCH' : 'POST';
  return { name, send: [method, target, body], status, holds, pointers: [pointer] };
};

const made = 'ntp.source.create';
const source = (address: string, more: object = {}) => ({ address, ...more });
const SOURCE = `${SOURCES}/ntpsrc_a`;

export const SOURCE_SCENARIOS: readonly Scenario[] = [
  { name: 'sources are listed by address', send: ['GET', SOURCES], status: 200, holds: ids('ntpsrc_b', 'ntpsrc_a') },
  {
    name: 'a source is looked up in any spelling',
    send: ['GET', `${SOURCES}?address=TIME.lab.test.`],
    status: 200,
    holds: ids('ntpsrc_a'),
  },
  {
    name: 'a source has its defaults',
    send: ['POST', SOURCES, source(' Time1.Lab.Test. ')],
    status: 201,
    holds: {
      address: 'time1.lab.test',
      kind: 'server',
      nts: false,
      prefer: false,
      enabled: true,
      description: '',
      revision: 1,
    },
    audited: [made],
  },
  {
    name: 'an IPv6 source is stored as RFC 5952 writes it',
    send: ['POST', SOURCES, source('2001:DB8:0:0:0:0:0:1', { kind: ' Server ', enabled: false })],
    status: 201,
    holds: { address: '2001:db8::1', enabled: false },
    audited: [made],
  },
  {
    name: 'a pool with NTS is a host name',
    send: ['POST', SOURCES, source('pool.lab.test', { kind: 'POOL', nts: true, prefer: true })],
    status: 201,
    holds: { kind: 'pool', nts: true, prefer: true },
    audited: [made],
  },
  refused('a source with NTS has no address', SOURCES, source('10.10.0.77', { nts: true }), '/address'),
  refused('a pool has no address', SOURCES, source('10.10.0.77', { kind: 'pool' }), '/address'),
  refused('a source is not the appliance: IPv4', SOURCES, source('10.10.0.5'), '/address'),
  refused('a source is not the appliance: IPv6', SOURCES, source('fd00:10:0::5'), '/address'),
  refused('a source is not loopback', SOURCES, source('127.0.0.1'), '/address'),
  refused('a source is not localhost', SOURCES, source('localhost'), '/address'),
  refused('a source is not link-local', SOURCES, source('fe80::1'), '/address'),
  refused('a source is not multicast', SOURCES, source('224.0.1.1'), '/address'),
  refused('a source is not half an address', SOURCES, source('10.10.1'), '/address'),
  refused('a source has a host name', SOURCES, source('time_1.lab.test'), '/address'),
  refused('a source has an address', SOURCES, source(''), '/address'),
  refused('a kind is server or pool', SOURCES, source('a.test', { kind: 'peer' }), '/kind'),
  refused('no member is unknown', SOURCES, source('a.test', { port: 123 }), '/port'),
  refused('no member is null', SOURCE, { prefer: null }, '/prefer'),
  refused('an address is unique', SOURCES, source('TIME.lab.test'), '/address', 409, code('already_exists')),
  refused('NTS is held against the saved address', `${SOURCES}/ntpsrc_b`, { nts: true }, '/address'),
  {
    name: 'a source is changed, the rest stays',
    send: ['PATCH', SOURCE, { prefer: true }],
    status: 200,
    holds: { address: 'time.lab.test', nts: true, prefer: true, revision: 4 },
    audited: ['ntp.source.update'],
  },
  {
    name: 'an equal value keeps the revision of a source',
    send: ['PATCH', SOURCE, { address: 'TIME.lab.test.', kind: 'server' }],
    status: 200,
    holds: { revision: 3 },
    audited: ['ntp.source.update'],
  },
  {
    name: 'a stale edit of a source',
    send: ['PATCH', SOURCE, { prefer: true }, STALE],
    status: 412,
    holds: code('revision_stale'),
  },
  { name: 'a source is deleted', send: ['DELETE', SOURCE], status: 204, audited: ['ntp.source.delete'] },
  { name: 'a source that is not there', send: ['GET', `${SOURCES}/ntpsrc_x`], status: 404 },
];

const volume = (name: string, more: object = {}) => ({ name, device: `/dev/disk/by-id/scsi-${name}`, ...more });
const VOLUME = `${VOLUMES}/vol_b`;

export const VOLUME_SCENARIOS: readonly Scenario[] = [
  { name: 'volumes are listed by name', send: ['GET', VOLUMES], status: 200, holds: ids('vol_a', 'vol_b') },
  { name: 'a volume is looked up by name', send: ['GET', `${VOLUMES}?name=slow`], status: 200, holds: ids('vol_b') },
  {
    name: 'a volume is mounted below its name',
    send: ['POST', VOLUMES, volume('cold')],
    status: 201,
    holds: { device: '/dev/disk/by-id/scsi-cold', mount_path: '/srv/datastores/cold', enabled: true, revision: 1 },
    audited: ['storage.volume.create'],
  },
  {
    name: 'a mount path may be chosen',
    send: ['POST', VOLUMES, volume('cold', { mount_path: '/srv/datastores/tier/3/' })],
    status: 201,
    holds: { mount_path: '/srv/datastores/tier/3' },
    audited: ['storage.volume.create'],
  },
  refused('a volume has a plain name', VOLUMES, { ...volume('x'), name: 'Cold 1' }, '/name'),
  refused('a device has a stable name', VOLUMES, { name: 'x', device: '/dev/sdb' }, '/device'),
  refused('a device does not climb', VOLUMES, { name: 'x', device: '/dev/disk/by-id/../sdb' }, '/device'),
  refused('a device is not a parent', VOLUMES, { name: 'x', device: '/dev/disk/by-id/..' }, '/device'),
  refused('a device is no partition', VOLUMES, { name: 'x', device: '/dev/disk/by-id/scsi-1-part1' }, '/device'),
  refused('a mount path lies below', VOLUMES, volume('x', { mount_path: '/srv/other' }), '/mount_path'),
  refused('a mount path is not the root', VOLUMES, volume('x', { mount_path: '/srv/datastores/' }), '/mount_path'),
  refused('a mount path does not climb', VOLUMES, volume('x', { mount_path: '/srv/datastores/../a' }), '/mount_path'),
  refused(
    'a mount path is not that of another',
    VOLUMES,
    volume('x', { mount_path: '/srv/datastores/fast' }),
    '/mount_path',
    409,
  ),
  refused(
    'a mount path lies not inside of another',
    VOLUME,
    { mount_path: '/srv/datastores/fast/inner' },
    '/mount_path',
    409,
  ),
  refused(
    'the name of a volume is unique',
    VOLUMES,
    volume('fast', { mount_path: '/srv/datastores/f' }),
    '/name',
    409,
    code('already_exists'),
  ),
  refused(
    'a device is unique',
    VOLUMES,
    { name: 'x', device: '/dev/disk/by-id/nvme-a' },
    '/device',
    409,
    code('already_exists'),
  ),
  refused('a device does not change', VOLUME, { device: '/dev/disk/by-id/scsi-c' }, '/device', 409),
  {
    name: 'a changed name leaves the mount path',
    send: ['PATCH', VOLUME, { name: 'slower', device: '/dev/disk/by-id/scsi-b' }],
    status: 200,
    holds: { name: 'slower', mount_path: '/srv/datastores/slow', revision: 4 },
    audited: ['storage.volume.update'],
  },
  {
    name: 'an empty mount path takes that of the name',
    send: ['PATCH', VOLUME, { name: 'slower', mount_path: '' }],
    status: 200,
    holds: { mount_path: '/srv/datastores/slower' },
    audited: ['storage.volume.update'],
  },
  {
    name: 'a volume with datastores is not deleted',
    send: ['DELETE', `${VOLUMES}/vol_a`],
    status: 409,
    holds: {
      error_code: 'still_referenced',
      blockers: [
        expect.objectContaining({ subject: 'Datastore nfs-01', page: '/ui/management/storage/datastores/ds_a' }),
      ],
    },
  },
  { name: 'a volume is deleted', send: ['DELETE', VOLUME], status: 204, audited: ['storage.volume.delete'] },
];

const datastore = (more: object = {}) => ({
  name: 'nfs-02',
  volume_id: 'vol_a',
  interface: 'ens192',
  address_families: ['ipv4'],
  ...more,
});
const DATASTORE = `${DATASTORES}/ds_a`;

export const DATASTORE_SCENARIOS: readonly Scenario[] = [
  {
    name: 'datastores are looked up by interface and volume',
    send: ['GET', `${DATASTORES}?interface=ens224&volume_id=vol_a&name=nfs-01`],
    status: 200,
    holds: ids('ds_a'),
  },
  {
    name: 'a datastore has its defaults, and its addresses from the interface',
    send: ['POST', DATASTORES, datastore({ name: 'Lab NFS: 2' })],
    status: 201,
    holds: {
      path: 'Lab-NFS--2',
      nfs_version: '4.1',
      addresses: ['10.10.0.5'],
      ipv4_clients: [],
      ipv6_clients: [],
      enabled: true,
      revision: 1,
    },
    audited: ['storage.datastore.create'],
  },
  {
    name: 'a datastore of both families, with clients in canonical form',
    send: [
      'POST',
      DATASTORES,
      datastore({
        address_families: ['ipv6', 'ipv4', 'ipv6'].slice(0, 2),
        nfs_version: '3',
        path: 'shared/two/',
        ipv4_clients: ['10.10.0.0/24', ' 10.10.1.7 ', '10.10.0.0/24'],
        ipv6_clients: ['FD00:10:0::/64'],
      }),
    ],
    status: 201,
    holds: {
      path: 'shared/two',
      nfs_version: '3',
      address_families: ['ipv4', 'ipv6'],
      addresses: ['10.10.0.5', 'fd00:10::5'],
      ipv4_clients: ['10.10.0.0/24', '10.10.1.7/32'],
      ipv6_clients: ['fd00:10::/64'],
    },
    audited: ['storage.datastore.create'],
  },
  {
    name: 'a datastore that is off may name any interface',
    send: ['POST', DATASTORES, datastore({ interface: 'ens256', enabled: false })],
    status: 201,
    holds: { addresses: [], enabled: false },
    audited: ['storage.datastore.create'],
  },
  refused('the name of a datastore is not a path', DATASTORES, datastore({ name: 'a/b' }), '/name'),
  refused('the name of a datastore is short', DATASTORES, datastore({ name: 'n'.repeat(43) }), '/name'),
  refused('a datastore has a name', DATASTORES, datastore({ name: ' ' }), '/name'),
  refused('the volume of a datastore exists', DATASTORES, datastore({ volume_id: 'vol_x' }), '/volume_id'),
  refused('a path is relative', DATASTORES, datastore({ path: '/etc' }), '/path'),
  refused('a path does not climb', DATASTORES, datastore({ path: 'a/../b' }), '/path'),
  refused('a path lies not inside of another', DATASTORES, datastore({ path: 'lab/nfs-01/x' }), '/path', 409),
  refused('a path lies not around another', DATASTORES, datastore({ path: 'lab' }), '/path', 409),
  refused('there are two versions of NFS', DATASTORES, datastore({ nfs_version: '4' }), '/nfs_version'),
  refused('the interface of a datastore exists', DATASTORES, datastore({ interface: 'ens999' }), '/interface'),
  refused(
    'it exists also for one that is off',
    DATASTORES,
    datastore({ interface: 'ens999', enabled: false }),
    '/interface',
  ),
  refused('an interface in use serves a datastore', DATASTORES, datastore({ interface: 'ens256' }), '/interface'),
  refused('a trunk serves no datastore', DATASTORES, datastore({ interface: 'ens161' }), '/interface'),
  refused('a missing link serves no datastore', DATASTORES, datastore({ interface: 'ens162' }), '/interface'),
  refused('each family has an address', DATASTORE, { address_families: ['ipv4', 'ipv6'] }, '/address_families'),
  refused('there is one family at least', DATASTORES, datastore({ address_families: [] }), '/address_families'),
  {
    name: 'everybody who reaches a datastore, in any case and beside no network',
    send: ['PATCH', `${DATASTORES}/ds_a`, { ipv4_clients: ['10.20.0.0/24', ' Any '] }],
    status: 200,
    holds: { ipv4_clients: ['any'], ipv6_clients: [] },
    audited: ['storage.datastore.update'],
  },
  refused('clients are networks', DATASTORES, datastore({ ipv4_clients: ['10.0.0.0/8', 'lab'] }), '/ipv4_clients/1'),
  refused('clients have no host bits', DATASTORES, datastore({ ipv4_clients: ['10.10.0.7/24'] }), '/ipv4_clients/0'),
  refused('clients are of the family', DATASTORES, datastore({ ipv6_clients: ['10.10.0.0/24'] }), '/ipv6_clients/0'),
  refused(
    'there are 64 clients at most',
    DATASTORES,
    datastore({ ipv4_clients: Array.from({ length: 65 }, (_, n) => `10.10.0.${n}`) }),
    '/ipv4_clients',
  ),
  refused('addresses are derived', DATASTORES, datastore({ addresses: ['10.10.0.5'] }), '/addresses'),
  refused(
    'the name of a datastore is unique',
    DATASTORES,
    datastore({ name: 'nfs-01', volume_id: 'vol_b' }),
    '/name',
    409,
    code('already_exists'),
  ),
  {
    name: 'the same path on another volume',
    send: ['POST', DATASTORES, datastore({ volume_id: 'vol_b', path: 'lab/nfs-01' })],
    status: 201,
    audited: ['storage.datastore.create'],
  },
  {
    name: 'addresses follow the interface and the families',
    send: ['PATCH', DATASTORE, { interface: 'ens192', address_families: ['ipv6'] }],
    status: 200,
    holds: { addresses: ['fd00:10::5'], revision: 4 },
    audited: ['storage.datastore.update'],
  },
  {
    name: 'an equal value keeps the revision of a datastore',
    send: ['PATCH', DATASTORE, { address_families: ['ipv4', 'ipv4'] }],
    status: 200,
    holds: { revision: 3 },
    audited: ['storage.datastore.update'],
  },
  { name: 'a datastore is deleted', send: ['DELETE', DATASTORE], status: 204, audited: ['storage.datastore.delete'] },
];

const host = (more: object = {}) => ({ hostname: 'esx03.lab.test', mac_address: '00:50:56:01:00:03', ...more });
const HOST = `${HOSTS}/host_a`;
const OTHER = `${HOSTS}/host_b`;

export const HOST_SCENARIOS: readonly Scenario[] = [
  { name: 'hosts are listed by name', send: ['GET', HOSTS], status: 200, holds: ids('host_a', 'host_b') },
  {
    name: 'a host is looked up in any spelling',
    send: ['GET', `${HOSTS}?hostname=ESX01.lab.test&mac_address=00-50-56-01-00-01&ip_address=10.20.0.11`],
    status: 200,
    holds: ids('host_a'),
  },
  {
    name: 'a host needs no address',
    send: ['POST', HOSTS, host({ hostname: 'ESX03.Lab.Test.', mac_address: '0050.5601.000A' })],
    status: 201,
    holds: { hostname: 'esx03.lab.test', mac_address: '00:50:56:01:00:0a', ip_address: '', enabled: true, revision: 1 },
    audited: ['network-boot.host.create'],
  },
  refused('a host has a host name', HOSTS, host({ hostname: 'esx_03' }), '/hostname'),
  refused('a host name ends in no number', HOSTS, host({ hostname: 'esx.03' }), '/hostname'),
  refused('a host has a hardware address', HOSTS, host({ mac_address: '00:50:56:01:00' }), '/mac_address'),
  refused('that of one card', HOSTS, host({ mac_address: '01:00:5e:00:00:01' }), '/mac_address'),
  refused('the address of a host is one', HOSTS, host({ ip_address: '10.20.0.0/24' }), '/ip_address'),
  refused(
    'a host name is unique',
    HOSTS,
    host({ hostname: 'ESX01.LAB.TEST' }),
    '/hostname',
    409,
    code('already_exists'),
  ),
  refused(
    'a hardware address is unique',
    HOSTS,
    host({ mac_address: '00-50-56-01-00-01' }),
    '/mac_address',
    409,
    code('already_exists'),
  ),
  refused(
    'the address of a host is its own',
    OTHER,
    { ip_address: '10.20.0.11' },
    '/ip_address',
    409,
    code('already_exists'),
  ),
  refused(
    'the address of a host is no other reservation',
    OTHER,
    { ip_address: '10.20.0.99' },
    '/ip_address',
    409,
    code('already_exists'),
  ),
  refused('the address of a host lies in a scope', HOSTS, host({ ip_address: '10.99.0.3' }), '/ip_address'),
  {
    name: 'a host is deleted',
    send: ['DELETE', HOST],
    status: 204,
    audited: ['network-boot.host.delete'],
  },
];
