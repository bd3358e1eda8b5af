// The dependent refresh as a pure function, rule by rule: interfaces before and after, what is saved, and what follows.
import { describe, expect, test } from '@jest/globals';
import type { NetworkInterface } from '../../../shared/network/interface.ts';
import { changeBetween } from '../../../shared/network/refresh/change.ts';
import { followHostRecords } from '../../../shared/network/refresh/host-records.ts';
import { rehosted } from '../../../shared/network/refresh/listeners.ts';
import { followObserved } from '../../../shared/network/refresh/observed.ts';
import { refresh } from '../../../shared/network/refresh/refresh.ts';
import {
  type BootHostRow,
  type DatastoreRow,
  LEGACY_SCOPE,
  NO_GATEWAY,
  OWNER,
  type RecordRow,
  type Refresh,
  type ReservationRow,
  type ScopeRow,
  type ServiceDependents,
  type ServiceRow,
  type Snapshot,
} from '../../../shared/network/refresh/snapshot.ts';
import { addressesOn, standings } from '../../../shared/network/refresh/standing.ts';
import { access, management, row, trunk, vlan } from './rows.ts';

const DECLARED: readonly ServiceDependents[] = [
  { key: 'dns-dhcp', unit: 'dns-dhcp', label: 'DNS', page: '/dns', lastBinding: 'refuse' },
  {
    key: 'ntp',
    unit: 'ntp',
    label: 'NTP',
    page: '/ntp',
    lastBinding: 'refuse',
    hostname: 'hostname',
    clients: ['allowed'],
  },
  {
    key: 'certificate-authority',
    unit: 'certificate-authority',
    label: 'CA',
    page: '/ca',
    lastBinding: 'clear',
    hostname: 'portal_hostname',
  },
  {
    key: 'oidc',
    unit: 'oidc',
    label: 'OIDC',
    page: '/oidc',
    lastBinding: 'refuse',
    hostname: 'hostname',
    urls: ['issuer'],
  },
];

/** Management on ens10, a lab on ens20 with both families, a trunk on ens30 with VLAN 7. */
const LAB = access({ ipv6_enabled: true, ipv6_cidr: 'fd20::1/64' });
const ROWS: readonly NetworkInterface[] = [management(), LAB, trunk(), vlan(7)];
const BEFORE = standings(ROWS);

/** The rows after an edit of one of them; null takes it away. */
const edited = (name: string, fields: Partial<NetworkInterface> | null): NetworkInterface[] =>
  ROWS.flatMap((each) => (each.name !== name ? each : fields === null ? [] : { ...each, ...fields }));

const RENUMBER = edited('ens20', { ipv4_cidr: '10.9.0.7/24' });
const NO_IPV4 = edited('ens20', { ipv4_cidr: '' });
const NO_IPV6 = edited('ens20', { ipv6_enabled: false, ipv6_cidr: '' });
const OFF = edited('ens20', { enabled: false });
const TRUNK = edited('ens20', { mode: 'trunk', role: 'unused', ipv4_cidr: '', ipv6_cidr: '', ipv6_enabled: false });
const UNUSED = edited('ens20', { role: 'unused' });
const PARENT_OFF = edited('ens30', { enabled: false });
const NO_VLAN = edited('ens30.7', null);

const service = (key: string, names: string[], fields: Record<string, unknown> = {}): ServiceRow => ({
  key,
  document: { enabled: true, listen_interfaces: names, listen_addresses: addressesOn(names, BEFORE), ...fields },
});

const scope = (fields: Partial<ScopeRow> = {}): ScopeRow => ({
  id: 'scope_a',
  name: 'lab',
  address_family: 'ipv4',
  interface: 'ens20',
  subnet_cidr: '10.0.0.0/24',
  ranges: [{ start: '10.0.0.100', end: '10.0.0.200' }],
  gateway: '10.0.0.1',
  dns_servers: ['10.0.0.1', '8.8.8.8'],
  ntp_servers: [],
  enabled: true,
  ...fields,
});

const reservation = (ip_address: string, fields: Partial<ReservationRow> = {}): ReservationRow => ({
  id: `res_${ip_address}`,
  hostname: 'vc01',
  mac_address: '00:50:56:01:02:03',
  ip_address,
  enabled: true,
  owner: null,
  ...fields,
});

const record = (fqdn: string, value: string, owner: RecordRow['owner'] = null, type = 'A'): RecordRow => ({
  id: `rec_${fqdn}_${value}`,
  fqdn,
  type,
  value,
  owner,
});

const datastore = (fields: Partial<DatastoreRow> = {}): DatastoreRow => ({
  id: 'ds_a',
  name: 'iso',
  interface: 'ens20',
  address_families: ['ipv4'],
  addresses: ['10.0.0.1'],
  clients: [],
  enabled: true,
  ...fields,
});

const snapshot = (fields: Partial<Snapshot>): Snapshot => ({
  services: [],
  scopes: [],
  legacy: null,
  reservations: [],
  datastores: [],
  boot_hosts: [],
  records: [],
  zones: new Map([['lab.test', 'zone_a']]),
  ...fields,
});

const follow = (after: readonly NetworkInterface[], fields: Partial<Snapshot>): Refresh =>
  refresh(snapshot(fields), changeBetween(ROWS, after)!, DECLARED);

const refusals = ({ blockers }: Refresh): string[] => blockers.map(({ subject, reason }) => `${subject}: ${reason}`);
const movesOf = ({ moves }: Refresh): string[] => moves.map(({ property, from, to }) => `${property} ${from} → ${to}`);

describe('a change', () => {
  test.each([
    ['MTU', edited('ens20', { mtu: 9000 })],
    ['access to route', edited('ens20', { role: 'route' })],
    ['the management flag', edited('ens20', { access_management_ui_enabled: true })],
    ['a link that vanished', edited('ens20', { present: false })],
  ])('of %s concerns nobody', (_name, after) => expect(changeBetween(ROWS, after)).toBeNull());

  test('replaces each address by the one of its family, or by none', () => {
    expect([...changeBetween(ROWS, RENUMBER)!.replaced]).toEqual([['10.0.0.1', '10.9.0.7']]);
    expect([...changeBetween(ROWS, NO_IPV6)!.replaced]).toEqual([['fd20::1', null]]);
    expect([...changeBetween(ROWS, OFF)!.replaced]).toEqual([
      ['10.0.0.1', null],
      ['fd20::1', null],
    ]);
  });

  test('of a trunk reaches its VLANs', () => {
    expect([...changeBetween(ROWS, PARENT_OFF)!.affected]).toEqual(['ens30.7']);
    expect([...changeBetween(ROWS, NO_VLAN)!.removed]).toEqual(['ens30.7']);
  });
});

describe('listeners', () => {
  test('follow every unit that selects the interface, and no other', () => {
    const services = [service('dns-dhcp', ['ens10', 'ens20']), service('ntp', ['ens20']), service('oidc', ['ens10'])];
    const after = follow(RENUMBER, { services });
    expect(after.writes.services.map(({ key, document }) => [key, document.listen_addresses])).toEqual([
      ['dns-dhcp', ['192.168.10.2', '10.9.0.7', 'fd20::1']],
      ['ntp', ['10.9.0.7', 'fd20::1']],
    ]);
    expect(after.units).toEqual(['dns-dhcp', 'ntp']);
    expect(after.blockers).toEqual([]);
  });

  const LAST: [string, readonly NetworkInterface[], string[], string][] = [
    ['switched off', OFF, ['ens20'], 'could not carry it any more'],
    ['made a trunk', TRUNK, ['ens20'], 'could not carry it any more'],
    ['made unused', UNUSED, ['ens20'], 'could not carry it any more'],
    ['under a parent that is switched off', PARENT_OFF, ['ens30.7'], 'could not carry it any more'],
    ['deleted', NO_VLAN, ['ens30.7'], 'would be gone'],
  ];
  test.each(LAST)('refuse when their last interface is %s', (_name, after, names, reason) => {
    const found = follow(after, { services: [service('ntp', names)] });
    expect(refusals(found)).toEqual([`NTP: It listens on ${names} only, which ${reason}.`]);
    expect(found.blockers[0]).toMatchObject({ page: '/ntp', unblock: expect.stringContaining('switch it off') });
    expect(found.writes.services).toEqual([]);
  });
  test.each(LAST)('go on where others remain when one is %s', (_name, after, [lost]) => {
    const found = follow(after, { services: [service('ntp', [lost!, 'ens10'])] });
    expect(found.deselected).toEqual([{ unit: 'ntp', subject: 'NTP', page: '/ntp', interface: lost }]);
    expect(found.writes.services[0]!.document).toMatchObject({
      listen_interfaces: ['ens10'],
      listen_addresses: ['192.168.10.2'],
    });
    expect(found.blockers).toEqual([]);
  });
  test.each(LAST)('of the CA are cleared when their last interface is %s, and custody stays', (_name, after, names) => {
    const alias = record('ca.lab.test', '10.0.0.1', { source: OWNER.service, ref: 'certificate-authority' });
    const services = [service('certificate-authority', names, { portal_hostname: 'ca.lab.test' })];
    const found = follow(after, { services, records: [alias] });
    expect(found.blockers).toEqual([]);
    expect(found.writes.services[0]!.document).toMatchObject({
      enabled: true,
      listen_interfaces: [],
      listen_addresses: [],
      portal_hostname: 'ca.lab.test',
    });
    expect(found.writes.records.removed).toEqual([alias.id]);
  });

  test.each([
    ['keep their choice when they are off', OFF, { enabled: false }, ['ens20'], []],
    [
      'forget what is gone even when they are off',
      NO_VLAN,
      { enabled: false, listen_addresses: ['10.30.7.1'] },
      [],
      [],
    ],
    ['need one family only', NO_IPV4, {}, ['ens20'], ['fd20::1']],
    ['need no family that is gone', NO_IPV6, {}, ['ens20'], ['10.0.0.1']],
  ] as const)('%s', (_name, after, fields, names, addresses) => {
    const chosen = fields && 'listen_addresses' in fields ? ['ens30.7'] : ['ens20'];
    const found = follow(after, { services: [service('ntp', chosen, fields)] });
    expect(found.blockers).toEqual([]);
    expect(found.writes.services[0]!.document).toMatchObject({ listen_interfaces: names, listen_addresses: addresses });
  });

  test('an interface that carried nothing before is no affair of the edit', () => {
    const found = follow(RENUMBER, { services: [service('ntp', ['ens30', 'ens20'])] });
    expect(found.deselected).toEqual([]);
    expect(found.writes.services[0]!.document.listen_interfaces).toEqual(['ens30', 'ens20']);
  });

  test('a note names clients whose network moves', () => {
    const found = follow(RENUMBER, {
      services: [service('ntp', ['ens10'], { allowed: ['10.0.0.0/24', '10.1.0.0/24'] })],
    });
    expect(found.notes).toEqual([expect.stringContaining('NTP names 10.0.0.0/24 among its clients')]);
    expect(found.writes.services).toEqual([]);
  });

  test.each([
    ['https://10.0.0.1/a?b=c', 'https://10.9.0.7/a?b=c'],
    ['https://10.0.0.1:8443', 'https://10.9.0.7:8443'],
    ['https://user:word@10.0.0.1/', 'https://10.9.0.7/'],
    ['https://[fd20::1]:8443/x', 'https://[fd21::1]:8443/x'],
    ['https://10.0.0.9/', 'https://10.0.0.9/'],
    ['https://id.lab.test/', 'https://id.lab.test/'],
    ['no address at all', 'no address at all'],
    ['https://10.0.0.2/', 'https://192.168.10.2/'],
  ])('a URL on a replaced address follows: %s', (text, expected) => {
    const replaced = new Map([
      ['10.0.0.1', '10.9.0.7'],
      ['10.0.0.2', null],
      ['fd20::1', 'fd21::1'],
    ]);
    expect(rehosted(text, { replaced }, ['192.168.10.2'])).toBe(expected);
  });
  test('a URL stays when nothing is left to lead to', () =>
    expect(rehosted('https://10.0.0.2/', { replaced: new Map([['10.0.0.2', null]]) }, [])).toBe('https://10.0.0.2/'));
});

describe('records of service names', () => {
  const zones = new Map([
    ['lab.test', 'zone_a'],
    ['sub.lab.test', 'zone_b'],
  ]);
  const own = { source: OWNER.service, ref: 'ntp' };
  const ntp = (fields: Record<string, unknown> = {}) =>
    service('ntp', ['ens20'], { hostname: 'ntp.lab.test', ...fields });
  const records = (services: ServiceRow[], standing: RecordRow[]) =>
    followHostRecords(services, { records: standing, zones }, DECLARED).writes;
  const made = (values: string[], zone_id = 'zone_a', fqdn = 'ntp.lab.test') =>
    values.map((value) => ({ fqdn, type: value.includes(':') ? 'AAAA' : 'A', value, zone_id, owner: own }));

  test.each([
    ['one for each address', ntp(), [], made(['10.0.0.1', 'fd20::1']), []],
    ['none while off', ntp({ enabled: false }), [], [], []],
    ['none without a name', ntp({ hostname: '' }), [], [], []],
    ['none outside the zones', ntp({ hostname: 'ntp.other.test' }), [], [], []],
    [
      'in the nearest zone',
      ntp({ hostname: 'a.sub.lab.test' }),
      [],
      made(['10.0.0.1', 'fd20::1'], 'zone_b', 'a.sub.lab.test'),
      [],
    ],
    ['none beside an operator record', ntp(), [record('ntp.lab.test', '10.1.1.1')], [], []],
    ['none beside an alias', ntp(), [record('ntp.lab.test', 'x.lab.test', null, 'CNAME')], [], []],
    ['beside a text', ntp(), [record('ntp.lab.test', 'x', null, 'TXT')], made(['10.0.0.1', 'fd20::1']), []],
    ['only what lacks', ntp(), [record('ntp.lab.test', '10.0.0.1', own)], made(['fd20::1']), []],
    [
      'none that is left over',
      ntp({ enabled: false }),
      [record('ntp.lab.test', '10.0.0.1', own)],
      [],
      ['rec_ntp.lab.test_10.0.0.1'],
    ],
  ])('%s', (_name, row_, standing, added, removed) => {
    expect(records([row_], standing)).toEqual({ updated: [], added, removed });
  });

  test('a record that follows keeps its id', () => {
    const { writes } = follow(RENUMBER, {
      services: [ntp()],
      records: [record('ntp.lab.test', '10.0.0.1', own), record('ntp.lab.test', 'fd20::1', own, 'AAAA')],
    });
    expect(writes.records).toEqual({
      updated: [{ id: 'rec_ntp.lab.test_10.0.0.1', value: '10.9.0.7' }],
      added: [],
      removed: [],
    });
  });

  test('a shared name at one address is kept once, by the first', () => {
    const both = [ntp(), service('oidc', ['ens20'], { hostname: 'ntp.lab.test' })];
    expect(records(both, []).added.map(({ owner }) => owner.ref)).toEqual(['ntp', 'ntp']);
  });
});

describe('scopes', () => {
  const after = (rows: readonly NetworkInterface[], fields: Partial<ScopeRow>, rest: Partial<Snapshot> = {}) =>
    follow(rows, { scopes: [scope(fields)], ...rest });
  const written = (rows: readonly NetworkInterface[], fields: Partial<ScopeRow>, rest: Partial<Snapshot> = {}) =>
    after(rows, fields, rest).writes.scopes[0];

  test('follow with subnet, ranges, gateway and servers', () => {
    const found = after(RENUMBER, { ntp_servers: ['10.0.0.1'] });
    expect(found.writes.scopes).toEqual([
      scope({
        subnet_cidr: '10.9.0.0/24',
        ranges: [{ start: '10.9.0.100', end: '10.9.0.200' }],
        gateway: '10.9.0.7',
        dns_servers: ['10.9.0.7', '8.8.8.8'],
        ntp_servers: ['10.9.0.7'],
      }),
    ]);
    expect(movesOf(found)).toEqual([
      'subnet_cidr 10.0.0.0/24 → 10.9.0.0/24',
      'ranges 10.0.0.100–10.0.0.200 → 10.9.0.100–10.9.0.200',
      'gateway 10.0.0.1 → 10.9.0.7',
      'dns_servers 10.0.0.1, 8.8.8.8 → 10.9.0.7, 8.8.8.8',
      'ntp_servers 10.0.0.1 → 10.9.0.7',
    ]);
    expect(found.units).toEqual(['dns-dhcp']);
  });

  test.each<[string, Partial<ScopeRow>, Partial<ScopeRow>]>([
    ['an operator’s gateway keeps its offset', { gateway: '10.0.0.254' }, { gateway: '10.9.0.254' }],
    ['a gateway elsewhere stays', { gateway: '172.16.0.1' }, { gateway: '172.16.0.1' }],
    ['a gateway that is valid there stays', { gateway: '10.9.0.200' }, { gateway: '10.9.0.200' }],
    ['none stays none', { gateway: NO_GATEWAY }, { gateway: NO_GATEWAY }],
    ['a blank gateway is filled', { gateway: '' }, { gateway: '10.9.0.7' }],
    ['blank servers stay without the services', { dns_servers: [] }, { dns_servers: [], ntp_servers: [] }],
    ['operators’ servers stay', { dns_servers: ['10.0.0.53', '8.8.8.8'] }, { dns_servers: ['10.0.0.53', '8.8.8.8'] }],
    [
      'servers that become one are named once',
      { dns_servers: ['10.0.0.1', '10.9.0.7'] },
      { dns_servers: ['10.9.0.7'] },
    ],
    ['a part keeps its part', { subnet_cidr: '10.0.0.64/26', ranges: [] }, { subnet_cidr: '10.9.0.64/26', ranges: [] }],
    [
      'a stale one comes home',
      { subnet_cidr: '10.55.0.0/24', ranges: [], gateway: '10.55.0.9' },
      { subnet_cidr: '10.9.0.0/24', gateway: '10.9.0.9' },
    ],
  ])('%s', (_name, fields, expected) => expect(written(RENUMBER, fields)).toMatchObject(expected));

  test('blank servers are filled where the enabled service listens', () => {
    const blank = { dns_servers: [], ntp_servers: [] };
    const services = [service('dns-dhcp', ['ens20']), service('ntp', ['ens20'], { enabled: false })];
    expect(written(RENUMBER, blank, { services })).toMatchObject({ dns_servers: ['10.9.0.7'], ntp_servers: [] });
  });

  test('another host address of the same network moves only what named the old one', () => {
    const rows = edited('ens20', { ipv4_cidr: '10.0.0.2/24' });
    expect(movesOf(after(rows, {}))).toEqual([
      'gateway 10.0.0.1 → 10.0.0.2',
      'dns_servers 10.0.0.1, 8.8.8.8 → 10.0.0.2, 8.8.8.8',
    ]);
    expect(after(rows, { gateway: '10.0.0.254', dns_servers: ['8.8.8.8'] }).writes.scopes).toEqual([]);
  });

  test('servers of a scope on another interface follow too', () => {
    const other = { interface: 'ens30.7', subnet_cidr: '10.30.7.0/24', ranges: [], gateway: '10.30.7.1' };
    expect(written(RENUMBER, other)).toMatchObject({ ...other, dns_servers: ['10.9.0.7', '8.8.8.8'] });
  });

  test('an edit of the other family leaves a stale scope where it is', () => {
    const rows = edited('ens20', { ipv6_cidr: 'fd21::1/64' });
    expect(after(rows, { subnet_cidr: '10.55.0.0/24', ranges: [], gateway: NO_GATEWAY }).writes.scopes).toEqual([]);
  });

  const small = edited('ens20', { ipv4_cidr: '10.9.0.7/26' });
  const REFUSED: [string, readonly NetworkInterface[], Partial<ScopeRow>, string][] = [
    ['a range does not fit', small, {}, 'Its range 10.0.0.100 to 10.0.0.200 does not fit into 10.9.0.0/26.'],
    [
      'a gateway does not fit',
      small,
      { ranges: [], gateway: '10.0.0.99' },
      'Its gateway 10.0.0.99 does not fit into 10.9.0.0/26.',
    ],
    [
      'its part does not fit',
      small,
      { subnet_cidr: '10.0.0.128/25', ranges: [], gateway: NO_GATEWAY },
      'Its subnet 10.0.0.128/25 has no place in the new network of ens20.',
    ],
    ['its family goes', NO_IPV4, { dns_servers: [] }, 'It serves ens20 and needs a static IPv4 address there.'],
    ['its interface is switched off', OFF, { dns_servers: [] }, 'It serves ens20, which could not carry it any more.'],
    [
      'its interface becomes a trunk',
      TRUNK,
      { dns_servers: [] },
      'It serves ens20, which could not carry it any more.',
    ],
    [
      'its parent is switched off',
      PARENT_OFF,
      { interface: 'ens30.7', subnet_cidr: '10.30.7.0/24' },
      'It serves ens30.7, which could not carry it any more.',
    ],
    [
      'its VLAN is deleted',
      NO_VLAN,
      { interface: 'ens30.7', subnet_cidr: '10.30.7.0/24' },
      'It serves ens30.7, which would be gone.',
    ],
    [
      'its only DNS server goes',
      OFF,
      { interface: 'ens10', subnet_cidr: '192.168.10.0/24', dns_servers: ['10.0.0.1'] },
      'Its only DNS server is 10.0.0.1, an address that would be gone.',
    ],
    [
      'its only NTP server goes',
      OFF,
      { interface: 'ens10', subnet_cidr: '192.168.10.0/24', dns_servers: [], ntp_servers: ['10.0.0.1'] },
      'Its only NTP server is 10.0.0.1, an address that would be gone.',
    ],
  ];
  test.each(REFUSED)('refuse when %s', (_name, rows, fields, reason) => {
    const found = after(rows, fields);
    expect(refusals(found)).toEqual([`DHCP scope lab: ${reason}`]);
    expect(found.blockers[0]!.page).toBe('/ui/management/dhcp/scopes/scope_a');
    expect(found.blockers[0]!.unblock).not.toBe('');
  });
  test.each(REFUSED)('that are off never refuse: %s', (_name, rows, fields) => {
    const found = after(rows, { ...fields, enabled: false });
    expect(found.blockers).toEqual([]);
    expect(found.writes.scopes).toEqual([]);
  });

  test('a scope whose interface carried nothing before does not refuse', () => {
    const found = after(TRUNK, { interface: 'ens30', dns_servers: [] });
    expect([found.blockers, found.writes.scopes]).toEqual([[], []]);
  });

  test('refuse to move onto one another', () => {
    const stale = scope({ id: 'scope_b', name: 'old', subnet_cidr: '10.55.0.0/24', ranges: [], gateway: NO_GATEWAY });
    const found = follow(RENUMBER, { scopes: [scope(), stale] });
    expect(refusals(found)).toEqual([
      'DHCP scope lab: It would move to 10.9.0.0/24 and overlap DHCP scope old.',
      'DHCP scope old: It would move to 10.9.0.0/24 and overlap DHCP scope lab.',
    ]);
    expect(follow(RENUMBER, { scopes: [scope(), { ...stale, enabled: false }] }).blockers).toEqual([]);
  });

  test('every blocker is named at once', () => {
    const found = follow(OFF, { services: [service('ntp', ['ens20'])], scopes: [scope()], datastores: [datastore()] });
    expect(found.blockers.map(({ subject }) => subject)).toEqual(['NTP', 'DHCP scope lab', 'Datastore iso']);
  });

  const legacy = scope({ id: LEGACY_SCOPE, name: 'legacy' });
  test('the legacy binding follows, and refuses, while there is no scope', () => {
    expect(follow(RENUMBER, { legacy }).writes).toMatchObject({ scopes: [], legacy: { subnet_cidr: '10.9.0.0/24' } });
    const [blocker] = follow(OFF, { legacy: { ...legacy, dns_servers: [] } }).blockers;
    expect(blocker).toMatchObject({
      subject: 'Legacy global DHCP binding',
      page: '/ui/management/dhcp/legacy-binding',
    });
  });
  test('the legacy binding stays and constrains nothing while there is one', () => {
    const scopes = [scope({ interface: 'ens10', subnet_cidr: '192.168.10.0/24', dns_servers: [] })];
    for (const rows of [RENUMBER, OFF]) {
      const found = follow(rows, { legacy, scopes });
      expect([found.blockers, found.writes.legacy]).toEqual([[], null]);
    }
  });
});

describe('reservations', () => {
  const held = reservation('10.0.0.50');
  const owner = { source: OWNER.reservation, ref: held.id };
  const hosted = { source: OWNER.host, ref: 'host_a' };
  const host: BootHostRow = {
    id: 'host_a',
    hostname: 'esx01',
    mac_address: held.mac_address,
    ip_address: held.ip_address,
    enabled: true,
  };
  const moved = (fields: Partial<Snapshot>, rows = RENUMBER) =>
    follow(rows, { scopes: [scope({ ranges: [], dns_servers: [] })], reservations: [held], ...fields });

  test('follow with their records and hosts', () => {
    const found = moved({
      reservations: [{ ...held, owner: hosted }],
      records: [record('vc01.lab.test', '10.0.0.50', owner), record('vc01.lab.test', '10.0.0.50', null, 'TXT')],
      boot_hosts: [host],
    });
    expect(found.writes).toMatchObject({
      reservations: [{ id: held.id, ip_address: '10.9.0.50' }],
      records: { updated: [{ id: 'rec_vc01.lab.test_10.0.0.50', value: '10.9.0.50' }] },
      boot_hosts: [{ id: 'host_a', ip_address: '10.9.0.50' }],
    });
    expect(found.units).toEqual(['dns-dhcp', 'network-boot']);
  });

  const STAY: [string, Partial<Snapshot>][] = [
    ['that are off', { reservations: [{ ...held, enabled: false }] }],
    ['that no scope held', { reservations: [reservation('10.77.0.50')] }],
    [
      'that another enabled scope holds',
      {
        scopes: [
          scope({ ranges: [] }),
          scope({ id: 'b', name: 'b', interface: 'ens10', subnet_cidr: '10.0.0.0/16', ranges: [] }),
        ],
      },
    ],
    ['whose scope is off', { scopes: [scope({ ranges: [], enabled: false })] }],
  ];
  test.each(STAY)('stay when %s', (_name, fields) => {
    const found = moved(fields);
    expect([found.writes.reservations, found.blockers]).toEqual([[], []]);
  });
  test('stay when the new subnet still holds them', () => {
    const rows = edited('ens20', { ipv4_cidr: '10.0.0.1/25' });
    expect(moved({}, rows).writes.reservations).toEqual([]);
  });
  test('follow into a narrower network when they have a place there', () => {
    const rows = edited('ens20', { ipv4_cidr: '10.0.0.129/25' });
    expect(moved({}, rows).writes.reservations).toEqual([{ id: held.id, ip_address: '10.0.0.178' }]);
  });

  test('records of operators and at other addresses stay', () => {
    const records = [record('vc01.lab.test', '10.0.0.50'), record('vc02.lab.test', '10.0.0.51', owner)];
    expect(moved({ records }).writes.records.updated).toEqual([]);
  });

  const wide = [
    scope({ ranges: [], dns_servers: [] }),
    scope({ id: 'b', name: 'b', subnet_cidr: '10.0.0.0/26', ranges: [], dns_servers: [] }),
  ];
  const narrow = edited('ens20', { ipv4_cidr: '10.9.0.7/27' });
  const REFUSED: [string, Partial<Snapshot>, string, (readonly NetworkInterface[])?][] = [
    [
      'their place is gone',
      {},
      'It would leave every enabled scope: its place in DHCP scope lab does not exist any more.',
      narrow,
    ],
    [
      'two scopes could take them',
      { scopes: wide },
      'It would leave every enabled scope: its place in DHCP scope lab and DHCP scope b does not exist any more.',
    ],
    [
      'their place is taken',
      { reservations: [held, reservation('10.9.0.50')] },
      'It would move to 10.9.0.50, which another reservation has.',
    ],
    [
      'the interface has their place',
      { reservations: [reservation('10.0.0.7', { id: held.id })] },
      "It would move to 10.9.0.7, an interface's own address.",
    ],
    [
      'such a record exists',
      { records: [record('vc01.lab.test', '10.0.0.50', owner), record('vc01.lab.test', '10.9.0.50')] },
      'Its DNS record vc01.lab.test would become 10.9.0.50, and such a record exists already.',
    ],
    [
      'their host is gone',
      { reservations: [{ ...held, owner: hosted }] },
      'It says that it belongs to a host of network boot, which does not agree.',
    ],
    [
      'their host is off',
      { reservations: [{ ...held, owner: hosted }], boot_hosts: [{ ...host, enabled: false }] },
      'It says that it belongs to a host of network boot, which does not agree.',
    ],
    [
      'their host has another card',
      { reservations: [{ ...held, owner: hosted }], boot_hosts: [{ ...host, mac_address: '00:50:56:09:09:09' }] },
      'It says that it belongs to a host of network boot, which does not agree.',
    ],
    [
      'their host has another address',
      { reservations: [{ ...held, owner: hosted }], boot_hosts: [{ ...host, ip_address: '10.0.0.51' }] },
      'It says that it belongs to a host of network boot, which does not agree.',
    ],
  ];
  test.each(REFUSED)('refuse when %s', (_name, fields, reason, rows = RENUMBER) => {
    const found = moved(fields, rows as NetworkInterface[]);
    expect(refusals(found)[0]).toMatch(/^Reservation vc01: 10\.0\.0\.\d+: /);
    expect(refusals(found)[0]).toContain(reason);
    expect(found.blockers[0]!.page).toBe(`/ui/management/dhcp/reservations/${held.id}`);
  });

  test('refuse where two scopes that held them part', () => {
    const parted = [
      scope({ ranges: [], dns_servers: [], gateway: NO_GATEWAY }),
      scope({ id: 'b', name: 'b', subnet_cidr: '10.0.0.0/23', ranges: [], dns_servers: [], gateway: NO_GATEWAY }),
    ];
    const rows = edited('ens20', { ipv4_cidr: '10.9.1.7/24' });
    const found = moved({ scopes: parted, reservations: [reservation('10.0.1.50', { id: held.id }), held] }, rows);
    expect(refusals(found).length).toBeGreaterThan(0);
  });

  test('refuse when the interface gets their very address', () => {
    const rows = edited('ens20', { ipv4_cidr: '10.0.0.50/24' });
    const found = follow(rows, { reservations: [held], scopes: [scope()] });
    expect(refusals(found)).toEqual(['Reservation vc01: 10.0.0.50: The interface would get this very address.']);
    expect(follow(rows, { reservations: [{ ...held, enabled: false }] }).blockers).toEqual([]);
  });
});

describe('datastores', () => {
  const both = datastore({ address_families: ['ipv4', 'ipv6'], addresses: ['10.0.0.1', 'fd20::1'] });

  test('follow with the addresses of their families', () => {
    const found = follow(RENUMBER, { datastores: [datastore(), both, datastore({ id: 'c', interface: 'ens10' })] });
    expect(found.writes.datastores.map(({ addresses }) => addresses)).toEqual([['10.9.0.7'], ['10.9.0.7', 'fd20::1']]);
    expect(movesOf(found)[0]).toBe('addresses 10.0.0.1 → 10.9.0.7');
    expect(found.units).toEqual(['storage']);
  });

  test.each([
    ['IPv4 goes', NO_IPV4, datastore(), 'It is shared over IPv4 on ens20.'],
    ['IPv6 goes', NO_IPV6, both, 'It is shared over IPv6 on ens20.'],
    ['the interface is switched off', OFF, both, 'It is shared on ens20, which could not carry it any more.'],
    ['the interface becomes a trunk', TRUNK, datastore(), 'It is shared on ens20, which could not carry it any more.'],
    [
      'the VLAN is deleted',
      NO_VLAN,
      datastore({ interface: 'ens30.7' }),
      'It is shared on ens30.7, which could not carry it any more.',
    ],
  ])('refuse when %s', (_name, rows, row_, reason) => {
    expect(refusals(follow(rows, { datastores: [row_] }))).toEqual([`Datastore iso: ${reason}`]);
    const off = follow(rows, { datastores: [{ ...row_, enabled: false }] });
    expect(off.blockers).toEqual([]);
    expect(off.writes.datastores[0]).toMatchObject({ interface: rows === NO_VLAN ? '' : 'ens20' });
  });

  test('stay when only the other family goes', () => {
    const found = follow(NO_IPV6, { datastores: [datastore()] });
    expect([found.blockers, found.writes.datastores]).toEqual([[], []]);
  });

  test('a note names clients whose network moves', () => {
    const found = follow(RENUMBER, { datastores: [datastore({ clients: ['10.0.0.0/24'] })] });
    expect(found.notes).toEqual([expect.stringContaining('Datastore iso names 10.0.0.0/24')]);
  });
});

describe('what was observed', () => {
  const renames = new Map([['ens20', 'lan0']]);
  const rows = [management(), { ...row('lan0', LAB), name: 'lan0', id: 'lan0' }, trunk(), vlan(7)];
  const observe = (fields: Partial<Snapshot>, after = rows, names: ReadonlyMap<string, string> = renames) =>
    followObserved(snapshot(fields), standings(after), names, DECLARED);

  test('a new name follows into services, scopes, the legacy binding and datastores', () => {
    const { writes, units } = observe({
      services: [service('ntp', ['ens20', 'ens10']), service('oidc', ['ens10'])],
      scopes: [scope()],
      legacy: scope({ id: LEGACY_SCOPE }),
      datastores: [datastore()],
    });
    expect(writes.services.map(({ key, document }) => [key, document.listen_interfaces])).toEqual([
      ['ntp', ['lan0', 'ens10']],
    ]);
    expect([writes.scopes, [writes.legacy], writes.datastores].flat().map((each) => each?.interface)).toEqual([
      'lan0',
      'lan0',
      'lan0',
    ]);
    expect(units).toEqual(['dns-dhcp', 'ntp', 'storage']);
  });

  test('addresses that the network gave follow, and nothing is refused or deselected', () => {
    const given = [management({ ipv4_method: 'dhcp', ipv4_cidr: '', observed: null }), ...rows.slice(1)];
    const { writes } = observe(
      { services: [service('ntp', ['ens10'])], datastores: [datastore({ interface: 'ens10' })] },
      given,
    );
    expect(writes.services[0]!.document).toMatchObject({ listen_interfaces: ['ens10'], listen_addresses: [] });
    expect(writes.datastores[0]!.addresses).toEqual([]);
  });

  test('what is as it was is not written', () => {
    const fields = { services: [service('ntp', ['ens10'])], scopes: [scope()], datastores: [datastore()] };
    const { writes, units } = observe(fields, [...ROWS], new Map());
    expect([writes.services, writes.scopes, writes.legacy, writes.datastores, units]).toEqual([[], [], null, [], []]);
  });
});
