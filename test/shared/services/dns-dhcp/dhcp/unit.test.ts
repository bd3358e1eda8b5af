// The pure half of DHCP: the rendered files, the flat view, what a change means and costs, which leases must end, and
// which values of options are refused.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { ExecResult, Host } from '../../../../../shared/ground/machine/host.ts';
import { standings } from '../../../../../shared/platform/interfaces/refresh/standing.ts';
import { actionFor } from '../../../../../shared/services/dns-dhcp/activate.ts';
import { runs } from '../../../../../shared/services/dns-dhcp/desired.ts';
import type { DhcpDesired, ServedScope } from '../../../../../shared/services/dns-dhcp/dhcp/desired.ts';
import { dhcpFaults } from '../../../../../shared/services/dns-dhcp/dhcp/faults.ts';
import {
  leasesToEnd,
  readLeaseFile,
  withoutLeases,
  withoutNames,
} from '../../../../../shared/services/dns-dhcp/dhcp/leases.ts';
import { optionValueFault } from '../../../../../shared/services/dns-dhcp/dhcp/option-values.ts';
import { settleSubnet } from '../../../../../shared/services/dns-dhcp/dhcp/subnet-rules.ts';
import { canonicalSubnet } from '../../../../../shared/services/dns-dhcp/dhcp/subnet-values.ts';
import { takenLabels, takenLines } from '../../../../../shared/services/dns-dhcp/dhcp/taken-names.ts';
import type { RecordData } from '../../../../../shared/services/dns-dhcp/dns/record-data.ts';
import {
  CONF_FILE,
  DHCP_HOSTS_FILE,
  DHCP_OPTIONS_FILE,
  HOSTS_FILE,
  SERVERS_FILE,
} from '../../../../../shared/services/dns-dhcp/files.ts';
import { dnsDhcpUnit } from '../../../../../shared/services/dns-dhcp/unit.ts';
import { DHCP, desiredOf, ONE, RESERVED, RESERVED6, TWO, V4, V6 } from '../../../../fixtures/dns-dhcp/dhcp-network.ts';
import { growth, NEARLY_LINEAR_16 } from '../../../../setup/growth.ts';
import { said } from '../../../../setup/said.ts';
import { access } from '../../../platform/interfaces/rows.ts';

const here = (path: string): string => path;
const FOLDER = new URL('../../../../fixtures/dns-dhcp/', import.meta.url);
const fixed = (name: string, content: string): string => {
  const file = new URL(name, FOLDER);
  if (process.env.GOLDEN === 'write') writeFileSync(file, content);
  return readFileSync(file, 'utf8');
};

/** Two subnets on one link, one of reservations only; the appliance routes for IPv6; a name of another domain. */
const EVERYTHING: DhcpDesired = {
  authoritative: true,
  scopes: [
    { ...V4, ranges: [...V4.ranges, { start: '10.88.0.200', end: '10.88.0.200' }] },
    {
      ...V4,
      id: 'scope_far',
      name: 'far',
      subnet_cidr: '10.90.0.0/22',
      ranges: [],
      gateway: 'none',
      dns_servers: [],
      ntp_servers: [],
      domain: '',
    },
    { ...V6, gateway: 'fd88::1' },
  ],
  options: [
    ...DHCP.options,
    { scope_id: null, address_family: 'ipv4', code: 254, value: 'operators-own' },
    { scope_id: 'scope_six', address_family: 'ipv6', code: 59, value: 'tftp://[fd88::1]/boot' },
  ],
  reservations: [
    { hostname: 'esx01', mac_address: ONE, ip_address: RESERVED },
    { hostname: 'vc.other.test', mac_address: TWO, ip_address: '10.88.0.12' },
    { hostname: 'infinite', mac_address: '02:00:00:00:00:13', ip_address: '10.90.0.13' },
    { hostname: 'esx01', mac_address: ONE, ip_address: RESERVED6 },
  ],
};

describe('render', () => {
  test.each([
    ['beside the name service', true],
    ['alone', false],
  ])('the files are as expected %s', (_name, names) => {
    const files = dnsDhcpUnit.render(desiredOf(EVERYTHING, names), here);
    const folder = names ? 'dhcp-with-names' : 'dhcp-alone';
    const expected = [CONF_FILE, ...(names ? [HOSTS_FILE, SERVERS_FILE] : []), DHCP_HOSTS_FILE, DHCP_OPTIONS_FILE];
    expect(files.map(({ path, mode }) => [path, mode])).toEqual(expected.map((path) => [path, 0o644]));
    for (const { path, content } of files.filter((file) => file.path !== HOSTS_FILE)) {
      expect(content).toBe(fixed(`${folder}-${path.slice(path.lastIndexOf('/') + 1)}`, content));
    }
  });

  test('a reservation and an option change only the files that a reload reads', () => {
    const before = dnsDhcpUnit.render(desiredOf(EVERYTHING), here);
    const reservations = EVERYTHING.reservations.with(0, { hostname: 'esx09', mac_address: TWO, ip_address: RESERVED });
    const options = EVERYTHING.options.slice(1);
    const after = dnsDhcpUnit.render(desiredOf({ ...EVERYTHING, reservations, options }), here);
    const changed = after.filter(({ content }, at) => content !== before[at]!.content).map(({ path }) => path);
    expect(changed).toEqual([DHCP_HOSTS_FILE, DHCP_OPTIONS_FILE]);
  });

  test('without a scope there is nothing to serve', () => {
    const none = desiredOf({ ...DHCP, scopes: [], reservations: [] }, false);
    expect([runs(none), dnsDhcpUnit.render(none, here)]).toEqual([false, []]);
    expect([...dnsDhcpUnit.facts(desiredOf(null, false))]).toEqual([['names', false]]);
  });

  test('what an earlier release remembered has no DHCP', () => {
    const { dhcp: _dhcp, ...earlier } = desiredOf(null);
    expect(dnsDhcpUnit.render(earlier as never, here).map(({ path }) => path)).toEqual([
      CONF_FILE,
      HOSTS_FILE,
      SERVERS_FILE,
    ]);
  });
});

const fakeHost = (...answers: Partial<ExecResult>[]): Host => {
  const asked = [...answers];
  return {
    enforces: true,
    exec: async () => ({ code: 0, stdout: '', stderr: '', ...asked.shift() }),
  } as unknown as Host;
};

describe('check', () => {
  const [lab] = EVERYTHING.scopes;
  test.each<[string, Partial<DhcpDesired>, string]>([
    ['an interface that is gone', { scopes: [{ ...lab!, server: null }] }, 'lab0, which is missing'],
    ['an interface elsewhere', { scopes: [{ ...lab!, server: '10.1.0.1/24' }] }, 'does not overlap 10.1.0.1/24'],
    ['a range outside', { scopes: [{ ...lab!, ranges: [{ start: '10.88.1.1', end: '10.88.1.9' }] }] }, '10.88.1.1–'],
    ['a range backwards', { scopes: [{ ...lab!, ranges: [{ start: '10.88.0.9', end: '10.88.0.1' }] }] }, 'not one of'],
    ['two that overlap', { scopes: [lab!, { ...lab!, id: 'b', name: 'b' }] }, 'lab and b overlap'],
    [
      'a network around that of its interface, which dnsmasq would not serve over IPv6',
      { scopes: [{ ...V6, server: 'fd88::1/120', ranges: [] }] },
      'larger than fd88::1/120 of lab0',
    ],
    ['a large network', { scopes: [{ ...V6, subnet_cidr: 'fd88::/56', ranges: [] }] }, 'larger than /64'],
  ])('%s is a fault before dnsmasq is asked', async (_name, change, expected) => {
    const desired = desiredOf({ ...EVERYTHING, options: [], reservations: [], ...change }, false);
    const result = await dnsDhcpUnit.check(fakeHost(), desired, here);
    expect(result.faults.join('\n')).toContain(expected);
  });

  test('what dnsmasq refuses of an option is told with its name', async () => {
    const stderr = '\ndnsmasq: bad IP address at line 3 of stdin\n';
    const result = await dnsDhcpUnit.check(fakeHost({}, { code: 1, stderr }), desiredOf(DHCP, false), here);
    expect(result.faults).toEqual(['DHCP option 42 of scope lab: dnsmasq says: bad IP address.']);
  });
});

describe('a subnet and the network of its interface', () => {
  const standing = standings([access({ ipv4_cidr: '10.88.0.1/28', ipv6_enabled: true, ipv6_cidr: 'fd88::1/120' })]);
  const surroundings = {
    standing,
    scopes: [],
    legacy: null,
    listening: { dns: [], ntp: [] },
    boot_listeners: [],
    lease_time: 1,
    domain: '',
  };
  const settled = (scope: ServedScope) =>
    settleSubnet({ ...scope, interface: 'ens20', ranges: [], gateway: 'none', enabled: true }, null, surroundings);

  test('over IPv6 the subnet is not the larger one: dnsmasq would accept it and answer nobody', () => {
    expect(() => settled(V6)).toThrow('Must not be larger than the network of ens20');
    expect(settled({ ...V6, subnet_cidr: 'fd88::/120' }).subnet_cidr).toBe('fd88::/120');
    expect(settled({ ...V6, subnet_cidr: 'fd88::80/121' }).subnet_cidr).toBe('fd88::80/121');
  });

  test('over IPv4 it may be', () => expect(settled(V4).subnet_cidr).toBe('10.88.0.0/24'));
});

test.each<[string, 'ipv4' | 'ipv6', number, string, boolean]>([
  ['a name', 'ipv4', 66, 'tftp.lab.test', true],
  ['a number', 'ipv4', 26, '9000', true],
  ['a quoted text with a hash', 'ipv4', 252, '"a # b"', true],
  ['names', 'ipv4', 119, 'lab.test,site.test', true],
  ['a route', 'ipv4', 121, '10.0.0.0/8,10.88.0.254', true],
  ['servers', 'ipv4', 150, '10.0.0.1,10.0.0.2', true],
  ['an address in brackets', 'ipv6', 27, '[fd00::1]', true],
  ['a name where addresses belong', 'ipv4', 150, 'tftp.lab.test', false],
  ['half an address', 'ipv4', 66, '10.0.0', false],
  ['an octet too large', 'ipv4', 66, '10.0.0.256', false],
  ['an open quote', 'ipv4', 66, '"tftp', false],
  ['a comment', 'ipv4', 66, 'tftp # mine', false],
  ['something else in brackets', 'ipv6', 59, '[fd00::zz]', false],
])('an option with %s', (_name, family, code, value, accepted) => {
  expect(optionValueFault(family, code, value) === null).toBe(accepted);
});

test('over IPv6 a subnet is a /64 or smaller', () => {
  const subnet = { address_family: 'ipv6' as const, ranges: [], gateway: '', dns_servers: [], ntp_servers: [] };
  const faults = (subnet_cidr: string) =>
    canonicalSubnet({ ...subnet, subnet_cidr }).faults.map(({ pointer }) => pointer);
  expect([faults('fd00::/63'), faults('fd00::/64'), faults('fd00::/120')]).toEqual([['/subnet_cidr'], [], []]);
});

test.each<[string[], string]>([
  [[DHCP_HOSTS_FILE, DHCP_OPTIONS_FILE], 'reload'],
  [[DHCP_OPTIONS_FILE], 'reload'],
  [[CONF_FILE, DHCP_OPTIONS_FILE], 'restart'],
])('%j costs a %s', (written, action) => expect(actionFor(true, true, { written, removed: [] })).toBe(action));

describe('impact', () => {
  const view = (dhcp: DhcpDesired | null, names = true) => dnsDhcpUnit.facts(desiredOf(dhcp, names));
  const impact = (before: DhcpDesired | null, after: DhcpDesired | null, written: string[]) =>
    dnsDhcpUnit.impact({ before: view(before), after: view(after), written, removed: [] });

  test('switching on says where and what', () => {
    expect(impact(null, DHCP, [CONF_FILE, DHCP_HOSTS_FILE, DHCP_OPTIONS_FILE])).toEqual({
      says: [
        `2 reservations are added: ${RESERVED}, ${RESERVED6}.`,
        'DHCP is switched on: clients of its scopes get addresses.',
        'The service also listens on lab0 for DHCP (10.88.0.1, fd88::1).',
        'Scope lab is served: 10.88.0.0/24 on lab0.',
        'Scope six is served: fd88::/64 on lab0.',
      ],
      risk: 'medium',
      interruption: 'name service up to 0.3 s late',
    });
  });

  test('switching off', () => {
    const said = impact(DHCP, null, [CONF_FILE]);
    expect(said).toMatchObject({ risk: 'high', interruption: 'DHCP ends, name service up to 0.3 s late' });
    expect(said.says).toContain('DHCP is switched off: nobody gets an address or keeps one beyond its lease.');
    expect(said.says).toHaveLength(2);
  });

  test('a reservation that moves interrupts nothing', () => {
    const reservations = DHCP.reservations.with(0, { hostname: 'esx02', mac_address: TWO, ip_address: RESERVED });
    expect(impact(DHCP, { ...DHCP, reservations }, [DHCP_HOSTS_FILE, DHCP_OPTIONS_FILE])).toEqual({
      says: [`1 reservation is changed: ${RESERVED}.`],
      risk: 'medium',
      interruption: 'none',
    });
  });

  test('a scope that changes and one that goes', () => {
    const said = impact(DHCP, { ...DHCP, scopes: [{ ...V4, gateway: 'none' }] }, [CONF_FILE]);
    expect(said.says).toEqual([
      'The service listens on another address of lab0 for DHCP (10.88.0.1).',
      'Scope lab: gateway becomes none.',
      'Scope six is no longer served: its clients lose their addresses.',
    ]);
    expect(said).toMatchObject({
      risk: 'high',
      interruption: 'name service up to 0.3 s late, DHCP up to 0.3 s; clients ask again by themselves',
    });
  });

  test('names that are answered only because addresses are served there are named', () => {
    const elsewhere = { ...DHCP, scopes: [{ ...V4, interface: 'lab1' }] };
    const words = (names: boolean) => said(dnsDhcpUnit, view(elsewhere, names)).get('listens on lab1 for DHCP');
    expect([words(true), words(false)]).toEqual(['10.88.0.1, answers names there too', '10.88.0.1']);
  });
});

const FILE = `4102444800 ${ONE} ${RESERVED} esx01 01:${ONE}
4102444800 ${TWO} 10.88.0.120 laptop *
4102444800 06-${ONE} 10.88.0.121 * *
duid 00:01:00:01
4102444800 1234 ${RESERVED6} esx01 00:03:00:01:${ONE}
4102444800 T77 fd88::150 * 00:03:00:01:${TWO}
`;

describe('leases', () => {
  const { leases, server_duid } = readLeaseFile(FILE);

  test('are read as dnsmasq writes them', () => {
    expect(server_duid).toBe('00:01:00:01');
    expect(
      leases.map(({ ip_address, mac_address, hostname, iaid }) => [ip_address, mac_address, hostname, iaid]),
    ).toEqual([
      [RESERVED, ONE, 'esx01', null],
      ['10.88.0.120', TWO, 'laptop', null],
      ['10.88.0.121', null, '', null],
      [RESERVED6, null, 'esx01', 1234],
      ['fd88::150', null, '', 77],
    ]);
    expect(readLeaseFile('').leases).toEqual([]);
  });

  const before = dnsDhcpUnit.facts(desiredOf(DHCP));
  const other = { hostname: 'x', mac_address: '02:00:00:00:00:99' };
  test.each<[string, Partial<DhcpDesired>, string[]]>([
    ['nothing changes', {}, []],
    ['reservations go', { reservations: [] }, [RESERVED, RESERVED6]],
    [
      'they move to another machine',
      {
        reservations: [
          { ...other, ip_address: RESERVED },
          { ...other, ip_address: RESERVED6 },
        ],
      },
      [RESERVED, RESERVED6],
    ],
    [
      'an address of the range is reserved',
      { reservations: [...DHCP.reservations, { ...other, ip_address: '10.88.0.120' }] },
      ['10.88.0.120'],
    ],
    [
      'it is reserved for who has it',
      { reservations: [...DHCP.reservations, { ...other, mac_address: TWO, ip_address: '10.88.0.120' }] },
      [],
    ],
    [
      'a scope goes',
      { scopes: [V6], reservations: DHCP.reservations.slice(1) },
      [RESERVED, '10.88.0.120', '10.88.0.121'],
    ],
  ])('that end when %s', (_name, change, ended) => {
    const found = leasesToEnd(leases, { ...DHCP, ...change }, before).map(({ ip_address }) => ip_address);
    expect(found.sort()).toEqual([...ended].sort());
  });

  test('lose a name that nobody may have, and nothing else', () => {
    const text = withoutNames(FILE, new Set(['laptop', 'duid', TWO]));
    expect(readLeaseFile(text).leases.map(({ hostname }) => hostname)).toEqual(['esx01', '', '', 'esx01', '']);
    expect(text.replaceAll('*', 'laptop')).toBe(FILE.replaceAll('*', 'laptop'));
  });

  test('go from the file by their addresses', () => {
    expect(withoutLeases(FILE, new Set([RESERVED, 'fd88::150'])).split('\n')).toHaveLength(5);
  });
});

describe('names that no client may give itself', () => {
  const record = (fqdn: string, type: RecordData['type']): RecordData => ({ fqdn, type, value: '' });
  const RECORDS = [
    record('a.lab.test', 'A'),
    record('both.lab.test', 'A'),
    record('both.lab.test', 'AAAA'),
    record('six.lab.test', 'AAAA'),
    record('alias.lab.test', 'CNAME'),
    record('_ldap._tcp.lab.test', 'SRV'),
    record('text.lab.test', 'TXT'),
    record('text.lab.test', 'A'),
    record('lab.test', 'MX'),
    record('else.site.test', 'CNAME'),
    record('deep.er.lab.test', 'CNAME'),
  ];
  const labels = (...scopes: ServedScope[]) => [...(takenLabels(RECORDS, { scopes }).get('lab.test') ?? [])].sort();

  test('are those of records that the hosts file does not keep from them by itself', () => {
    expect(labels(V4)).toEqual(['alias', 'six', 'text']);
    expect(labels(V6)).toEqual(['a', 'alias', 'text']);
    expect(labels(V4, V6)).toEqual(['a', 'alias', 'six', 'text']);
    expect(labels({ ...V4, domain: '' })).toEqual([]);
    const own_names = ['depot.lab.test', 'ntp.other.test', 'deep.ntp.lab.test'];
    expect([...takenLabels([], { scopes: [V4], own_names }).get('lab.test')!]).toEqual(['depot']);
  });

  test('are matched whole and in front of a domain; where they are too many, no client of the scope is known by its own', () => {
    const few = takenLines(RECORDS, { ...DHCP, scopes: [V4] });
    expect(few).toEqual(expect.arrayContaining(['dhcp-name-match=set:groundcrew-taken,alias.*']));
    expect(few.at(-1)).toBe('dhcp-ignore-names=tag:groundcrew-taken');
    const many = Array.from({ length: 2_001 }, (_, n) => record(`n${n}.lab.test`, 'TXT'));
    const lines = takenLines(many, { ...DHCP, scopes: [V4] });
    expect([lines.length < 20, lines.at(-1)]).toEqual([true, 'dhcp-ignore-names=tag:scope_lab']);
  });
});

test('thousands of scopes with their reservations cost each no more than they do with fewer', async () => {
  const subnet = (n: number) => `10.${100 + (n >> 7)}.${n & 127}`;
  const all = Array.from({ length: 2_000 }, (_, n) => ({
    ...V4,
    id: `scope_${n}`,
    name: `s${n}`,
    interface: `lab0.${n}`,
    subnet_cidr: `${subnet(n)}.0/24`,
    ranges: [{ start: `${subnet(n)}.210`, end: `${subnet(n)}.250` }],
    server: `${subnet(n)}.1/24`,
  }));
  const lease = readLeaseFile(`1700000000 ${ONE} 10.1.1.1 * *\n`).leases[0]!;
  const plan = (count: number) => {
    const scopes = all.slice(0, count);
    const hex = (byte: number) => byte.toString(16).padStart(2, '0');
    const reservations = Array.from({ length: 10 * count }, (_, n) => ({
      hostname: `h${n}.other.test`,
      mac_address: `02:00:00:00:${hex(n >> 8)}:${hex(n & 255)}`,
      ip_address: `${subnet(n % count)}.${10 + Math.floor(n / count)}`,
    }));
    const options = scopes.map(({ id }) => ({
      scope_id: id,
      address_family: 'ipv4' as const,
      code: 26,
      value: '9000',
    }));
    const desired = desiredOf({ ...DHCP, scopes, reservations, options });
    expect(dnsDhcpUnit.facts(desired).size).toBeGreaterThan(17 * count);
    expect(dnsDhcpUnit.render(desired, here)).toHaveLength(5);
    expect(dhcpFaults(desired.dhcp!)).toEqual([]);
    const leases = scopes.map((_, n) => ({ ...lease, ip_address: `${subnet(n)}.220` }));
    expect(leasesToEnd(leases, desired.dhcp!, null)).toEqual([]);
  };
  expect(await growth(plan, 125, 16)).toBeLessThan(NEARLY_LINEAR_16);
}, 300_000);
