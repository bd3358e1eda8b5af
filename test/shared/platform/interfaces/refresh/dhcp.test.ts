// The dependent refresh of DHCP as a pure function, rule by rule: scopes and the legacy binding, options, and
// reservations with what is kept for them.
import { describe, expect, test } from '@jest/globals';
import type { NetworkInterface } from '../../../../../shared/platform/interfaces/interface.ts';
import {
  type BootHostRow,
  LEGACY_SCOPE,
  NO_GATEWAY,
  NO_SERVER,
  type OptionRow,
  OWNER,
  type ScopeRow,
  type Snapshot,
} from '../../../../../shared/platform/interfaces/refresh/snapshot.ts';
import {
  datastore,
  edited,
  follow,
  movesOf,
  NO_IPV4,
  NO_VLAN,
  OFF,
  PARENT_OFF,
  RENUMBER,
  record,
  refusals,
  reservation,
  scope,
  service,
  TRUNK,
} from './rows.ts';

describe('scopes', () => {
  const scoped = (rows: readonly NetworkInterface[], fields: Partial<ScopeRow>, rest: Partial<Snapshot> = {}) =>
    follow(rows, { scopes: [scope(fields)], ...rest });
  const written = (rows: readonly NetworkInterface[], fields: Partial<ScopeRow>, rest: Partial<Snapshot> = {}) =>
    scoped(rows, fields, rest).writes.scopes[0];

  test('follow with subnet, ranges, gateway and servers', () => {
    const found = scoped(RENUMBER, { ntp_servers: ['10.0.0.1'] });
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
    ['a gateway that follows stays empty', { gateway: '' }, { gateway: '' }],
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

  test('what follows the appliance is never written; the moves say what clients are told instead', () => {
    const follows = { gateway: '', dns_servers: [], ntp_servers: [] };
    const services = [service('dns-dhcp', ['ens20']), service('ntp', ['ens20'], { enabled: false })];
    const rows = edited('ens20', { ipv4_cidr: '10.0.0.2/24' });
    const found = scoped(rows, follows, { services });
    expect(found.writes.scopes).toEqual([]);
    const ofScope = ({ moves }: typeof found) =>
      movesOf({ ...found, moves: moves.filter(({ subject }) => subject.startsWith('DHCP scope')) });
    expect(ofScope(found)).toEqual(['gateway 10.0.0.1 → 10.0.0.2', 'dns_servers 10.0.0.1 → 10.0.0.2']);
    expect(ofScope(scoped(rows, { ...follows, enabled: false }, { services }))).toEqual([]);
  });

  test('servers that are none stay none where the service listens', () => {
    const found = scoped(RENUMBER, { ntp_servers: [NO_SERVER] }, { services: [service('ntp', ['ens20'])] });
    expect(found.writes.scopes[0]!.ntp_servers).toEqual([NO_SERVER]);
    expect(movesOf(found).filter((move) => move.startsWith('ntp_servers'))).toEqual([]);
  });

  test('a gateway that follows the appliance out of the subnet refuses', () => {
    expect(refusals(scoped(beside, { ...part, gateway: '' }))).toEqual([
      'DHCP scope lab: Its gateway 10.0.0.1 follows the appliance and would become 10.9.0.200, outside of 10.9.0.0/25.',
    ]);
  });

  test('another host address of the same network moves only what named the old one', () => {
    const rows = edited('ens20', { ipv4_cidr: '10.0.0.2/24' });
    expect(movesOf(scoped(rows, {}))).toEqual([
      'gateway 10.0.0.1 → 10.0.0.2',
      'dns_servers 10.0.0.1, 8.8.8.8 → 10.0.0.2, 8.8.8.8',
    ]);
    expect(scoped(rows, { gateway: '10.0.0.254', dns_servers: ['8.8.8.8'] }).writes.scopes).toEqual([]);
  });

  test('servers of a scope on another interface follow too', () => {
    const other = { interface: 'ens30.7', subnet_cidr: '10.30.7.0/24', ranges: [], gateway: '10.30.7.1' };
    expect(written(RENUMBER, other)).toMatchObject({ ...other, dns_servers: ['10.9.0.7', '8.8.8.8'] });
  });

  test('an edit of the other family leaves a stale scope where it is', () => {
    const rows = edited('ens20', { ipv6_cidr: 'fd21::1/64' });
    expect(scoped(rows, { subnet_cidr: '10.55.0.0/24', ranges: [], gateway: NO_GATEWAY }).writes.scopes).toEqual([]);
  });

  const small = edited('ens20', { ipv4_cidr: '10.9.0.7/26' });
  const beside = edited('ens20', { ipv4_cidr: '10.9.0.200/24' });
  const part = { subnet_cidr: '10.0.0.0/25', ranges: [], gateway: '10.0.0.1' };
  const REFUSED: [string, readonly NetworkInterface[], Partial<ScopeRow>, string][] = [
    [
      'the interface leaves its part',
      beside,
      part,
      'Its gateway 10.0.0.1 would become 10.9.0.200, outside of 10.9.0.0/25.',
    ],
    ['a range does not fit', small, {}, 'Its range 10.0.0.100 to 10.0.0.200 does not fit into 10.9.0.0/26.'],
    [
      'a gateway does not fit',
      small,
      { ranges: [], gateway: '10.0.0.99' },
      'Its gateway 10.0.0.99 would not fit into 10.9.0.0/26.',
    ],
    [
      'its part does not fit',
      small,
      { subnet_cidr: '10.0.0.128/25', ranges: [], gateway: NO_GATEWAY },
      'Its subnet 10.0.0.128/25 does not fit into the new network of ens20.',
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
      'It serves ens30.7, which would be deleted.',
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
    const found = scoped(rows, fields);
    expect(refusals(found)).toEqual([`DHCP scope lab: ${reason}`]);
    expect(found.blockers[0]!.page).toBe('/ui/management/dhcp/scopes/scope_a');
    expect(found.blockers[0]!.unblock).not.toBe('');
  });
  test.each(REFUSED)('that are off never refuse: %s', (_name, rows, fields) => {
    const found = scoped(rows, { ...fields, enabled: false });
    expect(found.blockers).toEqual([]);
    expect(found.writes.scopes).toEqual([]);
  });

  test('a scope whose interface carried nothing before does not refuse', () => {
    const found = scoped(TRUNK, { interface: 'ens30', dns_servers: [], gateway: NO_GATEWAY });
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
          scope({ id: 'b', name: 'b', interface: 'ens10', subnet_cidr: '10.0.0.0/16', ranges: [], gateway: 'none' }),
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

  test('what names one as a server follows it, wherever it is handed out', () => {
    const servers = { dns_servers: ['10.0.0.50', '8.8.8.8'], ntp_servers: ['10.0.0.50'] };
    const followed = { dns_servers: ['10.9.0.50', '8.8.8.8'], ntp_servers: ['10.9.0.50'] };
    const other = scope({
      id: 'b',
      name: 'b',
      interface: 'ens10',
      subnet_cidr: '192.0.2.0/24',
      ranges: [],
      gateway: 'none',
    });
    const found = moved({
      scopes: [scope({ ranges: [], ...servers }), { ...other, ...servers }],
      options: [{ id: 'opt_a', code: 150, value: '10.0.0.50,10.0.0.51', enabled: true }],
      appliance: { dns_servers: ['10.0.0.50'], management_networks: [] },
      services: [service('dns-dhcp', ['ens10'], { upstream_servers: ['9.9.9.9', '10.0.0.50#5353', '10.0.0.51'] })],
    });
    expect(found.writes).toMatchObject({
      scopes: [
        { id: 'scope_a', subnet_cidr: '10.9.0.0/24', ...followed },
        { id: 'b', subnet_cidr: '192.0.2.0/24', ...followed },
      ],
      options: [{ value: '10.9.0.50,10.0.0.51' }],
      dns_servers: ['10.9.0.50'],
    });
    expect(movesOf(found).filter((move) => move === 'ntp_servers 10.0.0.50 → 10.9.0.50')).toHaveLength(2);
    expect(found.notes).toEqual([
      'The DNS upstream server 10.0.0.50 is a reservation that moves to 10.9.0.50; review the upstream servers.',
    ]);
  });
  test('a server whose reservation stays, or is off, stays', () => {
    const servers = { dns_servers: ['10.0.0.50'], ntp_servers: ['10.0.0.50'] };
    const found = moved({ scopes: [scope({ ranges: [], ...servers })], reservations: [{ ...held, enabled: false }] });
    expect(found.writes.scopes).toMatchObject([servers]);
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
      'It would leave every enabled scope: its address would not exist in DHCP scope lab any more.',
      narrow,
    ],
    [
      'two scopes could take them',
      { scopes: wide },
      'It would leave every enabled scope: its address would not exist in DHCP scope lab and DHCP scope b any more.',
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
    const bare = { ranges: [], dns_servers: [], gateway: NO_GATEWAY };
    const parting = [
      scope({ ...bare, subnet_cidr: '10.0.0.0/23' }),
      scope({ ...bare, id: 'b', name: 'b', subnet_cidr: '10.0.0.0/25' }),
    ];
    const rows = edited('ens20', { ipv4_cidr: '10.9.5.1/16' });
    expect(refusals(moved({ scopes: parting }, rows))).toContain(
      'Reservation vc01: 10.0.0.50: It is in DHCP scope lab and DHCP scope b, and could follow any of them.',
    );
  });

  test('refuse when a scope that moves gets their very address as its gateway', () => {
    const scopes = [scope({ ranges: [], dns_servers: [], gateway: '10.0.0.254' })];
    expect(refusals(moved({ scopes, reservations: [reservation('10.9.0.254')] }))).toEqual([
      'Reservation vc01: 10.9.0.254: A scope that moves would get this very address as its gateway.',
    ]);
    const rows = edited('ens20', { ipv4_cidr: '10.0.0.129/25' });
    const stays = [scope({ ranges: [], dns_servers: [], gateway: '10.0.0.178' })];
    expect(refusals(moved({ scopes: stays }, rows))).toEqual([
      'Reservation vc01: 10.0.0.50: It would move to 10.0.0.178, the gateway of a scope.',
    ]);
  });

  test('refuse when the interface gets their very address', () => {
    const rows = edited('ens20', { ipv4_cidr: '10.0.0.50/24' });
    const found = follow(rows, { reservations: [held], scopes: [scope()] });
    expect(refusals(found)).toEqual(['Reservation vc01: 10.0.0.50: The interface would get this very address.']);
    expect(follow(rows, { reservations: [{ ...held, enabled: false }] }).blockers).toEqual([]);
  });
});

describe('options', () => {
  const option = (value: string, fields: Partial<OptionRow> = {}): OptionRow => ({
    id: 'option_a',
    code: 66,
    value,
    enabled: true,
    ...fields,
  });
  const written = (rows: readonly NetworkInterface[], row: OptionRow) =>
    follow(rows, { options: [row] }).writes.options;

  test.each([
    ['an address of an interface', '10.0.0.1', '10.9.0.7'],
    ['among others', '10.0.0.9, 10.0.0.1,boot', '10.0.0.9,10.9.0.7,boot'],
    ['that becomes one that is there', '10.0.0.1,10.9.0.7', '10.9.0.7'],
  ])('follow: %s', (_name, value, expected) => {
    expect(written(RENUMBER, option(value))).toMatchObject([{ id: 'option_a', value: expected }]);
    expect(written(RENUMBER, option(value, { enabled: false }))).toHaveLength(1);
  });
  test('IPv6 stands in brackets', () => {
    const rows = edited('ens20', { ipv6_cidr: 'fd21::9/64' });
    expect(written(rows, option('[fd20::1]'))).toMatchObject([{ value: '[fd21::9]' }]);
  });
  test.each([['10.0.0.10'], ['x10.0.0.1'], ['10.0.0.1/24'], ['boot']])('other text stays: %s', (value) =>
    expect(written(RENUMBER, option(value))).toEqual([]),
  );
  test('what is gone is left out, and refuses when nothing else is there', () => {
    expect(written(OFF, option('10.0.0.1,boot'))).toMatchObject([{ value: 'boot' }]);
    expect(refusals(follow(OFF, { options: [option('10.0.0.1')] }))).toEqual([
      'DHCP option 66: Its only value is 10.0.0.1, an address that would be gone.',
    ]);
    expect(follow(OFF, { options: [option('10.0.0.1', { enabled: false })] }).blockers).toEqual([]);
  });
});
