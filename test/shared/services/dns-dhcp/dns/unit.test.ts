// The name service on plain data: settings, the rendered files, what a change means, and the bound on planning time.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { surroundingsOf } from '../../../../../shared/appliance/surroundings.ts';
import type { ExecResult, Host } from '../../../../../shared/ground/machine/host.ts';
import type { Database } from '../../../../../shared/ground/store/database.ts';
import { actionFor } from '../../../../../shared/services/dns-dhcp/activate.ts';
import type { DnsDhcpDesired } from '../../../../../shared/services/dns-dhcp/desired.ts';
import { canonicalRecord, type RecordData } from '../../../../../shared/services/dns-dhcp/dns/record-data.ts';
import { desiredFaults } from '../../../../../shared/services/dns-dhcp/faults.ts';
import { CONF_FILE, HOSTS_FILE, SERVERS_FILE } from '../../../../../shared/services/dns-dhcp/files.ts';
import {
  DNS_DHCP_DEFAULTS,
  DnsDhcpSettingsSchema,
  settingsOf,
} from '../../../../../shared/services/dns-dhcp/settings.ts';
import { dnsDhcpUnit } from '../../../../../shared/services/dns-dhcp/unit.ts';
import { growth, NEARLY_LINEAR_16 } from '../../../../setup/growth.ts';
import { said } from '../../../../setup/said.ts';

const record = (fqdn: string, type: RecordData['type'], value: string): RecordData => ({ fqdn, type, value });

describe('settings', () => {
  const patched = v.partial(DnsDhcpSettingsSchema);

  test('a patch is partial and strict', () => {
    expect(v.parse(patched, {})).toEqual({});
    const upstream_servers = ['2001:DB8::1#5353', '192.0.2.1#53'];
    expect(v.parse(patched, { upstream_servers, domain: 'Lab.Test.' })).toEqual({
      upstream_servers: ['2001:db8::1#5353', '192.0.2.1'],
      domain: 'lab.test',
    });
  });

  test.each([
    { nonsense: 1 },
    { enabled: null },
    { upstream_servers: ['127.0.0.1'] },
    { upstream_servers: ['0.0.0.0'] },
    { upstream_servers: ['192.0.2.1#0'] },
    { upstream_servers: ['192.0.2.1#5#6'] },
    { upstream_servers: ['192.0.2.1\nserver=192.0.2.2'] },
    { upstream_servers: ['192.0.2.1', '192.0.2.1#53'] },
    { listen_interfaces: ['eth0', 'eth0'] },
    { listen_interfaces: ['eth0,eth1'] },
    { ttl_seconds: 86_401 },
    { cache_size: 1.5 },
    { domain: 'a b' },
  ])('%j is refused', (patch) => expect(v.is(patched, patch)).toBe(false));

  test('the defaults are valid, and an older document gets what it lacks', () => {
    expect(v.parse(DnsDhcpSettingsSchema, DNS_DHCP_DEFAULTS)).toEqual(DNS_DHCP_DEFAULTS);
    expect(settingsOf('{"enabled":true}')).toEqual({ ...DNS_DHCP_DEFAULTS, enabled: true });
    expect(settingsOf(undefined).enabled).toBe(false);
  });
});

const EVERYTHING: DnsDhcpDesired = {
  settings: {
    ...DNS_DHCP_DEFAULTS,
    enabled: true,
    listen_interfaces: ['eth1', 'eth0'],
    upstream_servers: ['192.0.2.53', '2001:db8::53#5353'],
    domain: 'lab.test',
    log_queries: true,
  },
  listen: [
    { name: 'eth1', usable: true, addresses: ['10.0.0.1', 'fd00::1'], dynamic: false },
    { name: 'eth0', usable: true, addresses: [], dynamic: true },
  ],
  zones: ['lab.test', 'site.test'],
  records: [
    record('1.0.0.10.in-addr.arpa', 'PTR', 'ns.lab.test'),
    record('_ldap._tcp.lab.test', 'SRV', '10 5 389 dc.lab.test'),
    record('alias.lab.test', 'CNAME', 'vc01.lab.test'),
    record('esx.lab.test', 'A', '10.0.0.11'),
    record('esx.lab.test', 'A', '10.0.0.12'),
    record('lab.test', 'CAA', '0 issue "ca.lab.test; x, #1"'),
    record('lab.test', 'MX', '10 mail.lab.test'),
    record('lab.test', 'TXT', 'say "hi", \\o/ # now'),
    record('long.lab.test', 'TXT', `${'x'.repeat(255)}y`),
    record('vc01.lab.test', 'A', '10.0.0.11'),
    record('vc01.lab.test', 'AAAA', 'fd00::11'),
  ],
  dhcp: null,
};

const here = (path: string): string => path;
const golden = (name: string, content: string): string => {
  const file = new URL(`../../../../fixtures/dns-dhcp/${name}`, import.meta.url);
  if (process.env.GOLDEN === 'write') writeFileSync(file, content);
  return readFileSync(file, 'utf8');
};

describe('render', () => {
  test('the files are as expected', () => {
    const files = dnsDhcpUnit.render(EVERYTHING, here);
    expect(files.map((file) => [file.path, file.mode])).toEqual([
      [CONF_FILE, 0o644],
      [HOSTS_FILE, 0o644],
      [SERVERS_FILE, 0o644],
    ]);
    for (const [at, name] of ['dnsmasq.conf', 'records', 'servers'].entries()) {
      expect(files[at]!.content).toBe(golden(name, files[at]!.content));
    }
  });

  test('an address changes the hosts file and its sentinel only', () => {
    const [conf, hosts] = dnsDhcpUnit.render(EVERYTHING, here);
    const records = EVERYTHING.records.with(-1, record('vc01.lab.test', 'AAAA', 'fd00::12'));
    const [confAfter, hostsAfter] = dnsDhcpUnit.render({ ...EVERYTHING, records }, here);
    expect(confAfter).toEqual(conf);
    expect(hostsAfter?.content.split('\n').at(-2)).not.toBe(hosts?.content.split('\n').at(-2));
  });

  test('a zone and an upstream server change only files that a reload reads, and the sentinel of them', () => {
    const before = dnsDhcpUnit.render(EVERYTHING, here);
    for (const change of [
      { zones: [...EVERYTHING.zones, 'new.test'] },
      { settings: { ...EVERYTHING.settings, upstream_servers: ['192.0.2.54'] } },
    ]) {
      const after = dnsDhcpUnit.render({ ...EVERYTHING, ...change }, here);
      const changed = after.filter(({ content }, at) => content !== before[at]!.content).map(({ path }) => path);
      expect(changed).toEqual([HOSTS_FILE, SERVERS_FILE]);
      expect(after[1]!.content.split('\n').slice(0, -2)).toEqual(before[1]!.content.split('\n').slice(0, -2));
    }
  });

  test('nothing is enforced while the service is off', () => {
    const off = { ...EVERYTHING, settings: DNS_DHCP_DEFAULTS };
    expect(dnsDhcpUnit.render(off, here)).toEqual([]);
    expect([...said(dnsDhcpUnit, dnsDhcpUnit.facts(off))]).toEqual([['name service', 'off']]);
  });

  test('a path with blanks is quoted', () => {
    const [conf] = dnsDhcpUnit.render(EVERYTHING, (path) => `/data of "us"${path}`);
    expect(conf?.content).toContain(`addn-hosts="/data of \\"us\\"${HOSTS_FILE}"\n`);
  });

  test('records of one name and type share a fact', () => {
    const view = said(dnsDhcpUnit, dnsDhcpUnit.facts(EVERYTHING));
    expect(view.get('record esx.lab.test A')).toBe('10.0.0.11\n10.0.0.12');
    expect(view.get('listens on eth1')).toBe('10.0.0.1, fd00::1');
  });
});

const fakeHost = (answer: Partial<ExecResult>, enforces = true): Host =>
  ({ enforces, exec: async () => ({ code: 0, stdout: '', stderr: '', ...answer }) }) as unknown as Host;

describe('check', () => {
  test('a target that is an address is no fault of a record that was saved before', async () => {
    const saved: RecordData = { fqdn: 'mail.lab.test', type: 'MX', value: '10 10.0.0.9' };
    expect(canonicalRecord(saved, 'saved')).toEqual(saved);
    expect(desiredFaults({ ...EVERYTHING, records: [saved] })).toEqual([]);
  });

  const edit = (change: Partial<DnsDhcpDesired>): DnsDhcpDesired => ({ ...EVERYTHING, ...change });
  const loop = [record('a.lab.test', 'CNAME', 'b.lab.test'), record('b.lab.test', 'CNAME', 'a.lab.test')];
  const beside = [record('a.lab.test', 'A', '10.0.0.9'), record('a.lab.test', 'CNAME', 'esx.lab.test')];
  const injected = [record('a.lab.test', 'TXT', 'x"\naddress=/#/10.0.0.66')];
  const settings = { ...EVERYTHING.settings, upstream_servers: ['10.0.0.1#5353'] };
  test.each<[string, Partial<DnsDhcpDesired>, string]>([
    ['no interface', { listen: [] }, 'no interface'],
    ['a vanished one', { listen: [{ name: 'eth9', usable: false, addresses: [], dynamic: false }] }, 'eth9'],
    ['one without address', { listen: [{ name: 'eth9', usable: true, addresses: [], dynamic: false }] }, 'no address'],
    ['itself as upstream', { settings }, 'itself'],
    ['a circle of aliases', { records: loop }, 'points back'],
    ['an alias beside an address', { records: beside }, 'RFC 1034'],
    ['a record that would inject a line', { records: injected }, 'printable'],
    ['an address that is none', { records: [record('a.lab.test', 'A', '1.1.1.1\n')] }, 'not valid'],
  ])('%s is a fault before dnsmasq is asked', async (_name, change, expected) => {
    const result = await dnsDhcpUnit.check(fakeHost({}), edit(change), here);
    expect(result.ok).toBe(false);
    expect(result.faults.join('\n')).toContain(expected);
  });

  test('what dnsmasq says is told with the path on the appliance', async () => {
    const stderr = '\ndnsmasq: bad option at line 3 of /staged/dm.conf\n';
    const result = await dnsDhcpUnit.check(fakeHost({ code: 1, stderr }), EVERYTHING, () => '/staged/dm.conf');
    expect(result).toMatchObject({ ok: false, program: 'dnsmasq --test' });
    expect(result.faults).toEqual([`dnsmasq: bad option at line 3 of ${CONF_FILE}`]);
  });

  test('dnsmasq may be missing in a rehearsal only', async () => {
    expect((await dnsDhcpUnit.check(fakeHost({ code: 127 }, false), EVERYTHING, here)).ok).toBe(true);
    expect((await dnsDhcpUnit.check(fakeHost({ code: 127 }), EVERYTHING, here)).ok).toBe(false);
  });
});

describe('activation and impact', () => {
  test.each<[boolean, boolean, string[], string[], string]>([
    [true, true, [], [], 'none'],
    [true, true, [HOSTS_FILE], [], 'reload'],
    [true, true, [SERVERS_FILE], [], 'reload'],
    [true, true, [CONF_FILE], [], 'restart'],
    [true, true, [CONF_FILE, HOSTS_FILE], [], 'restart'],
    [true, false, [], [], 'start'],
    [true, false, [HOSTS_FILE], [], 'start'],
    [false, true, [], [CONF_FILE, HOSTS_FILE], 'stop'],
    [false, false, [], [CONF_FILE], 'none'],
  ])('enabled %j, running %j, written %j, removed %j → %s', (enabled, running, written, removed, action) => {
    expect(actionFor(enabled, running, { written, removed })).toBe(action);
  });

  const before = dnsDhcpUnit.facts(EVERYTHING);
  const viewOf = (change: Partial<DnsDhcpDesired>) => dnsDhcpUnit.facts({ ...EVERYTHING, ...change });

  test('a new address is harmless', () => {
    const records = [...EVERYTHING.records, record('vc02.lab.test', 'A', '10.0.0.13')];
    const change = { before, after: viewOf({ records }), written: [HOSTS_FILE], removed: [] };
    expect(dnsDhcpUnit.impact(change)).toEqual({
      says: ['1 record is added: vc02.lab.test A.'],
      risk: 'low',
      interruption: 'none',
    });
  });

  test('removed records, a lost target and a restart are said', () => {
    const records = EVERYTHING.records.slice(0, -2);
    const change = { before, after: viewOf({ records }), written: [CONF_FILE, HOSTS_FILE], removed: [] };
    expect(dnsDhcpUnit.impact(change)).toEqual({
      says: [
        '2 records are removed: vc01.lab.test A, vc01.lab.test AAAA.',
        'Alias alias.lab.test points at vc01.lab.test, which has no record: it is answered without an address.',
      ],
      risk: 'medium',
      interruption: 'name service up to 0.3 s late',
    });
  });

  test('switching off and leaving an interface are of high risk', () => {
    const off = dnsDhcpUnit.impact({
      before,
      after: viewOf({ settings: DNS_DHCP_DEFAULTS }),
      written: [],
      removed: [CONF_FILE],
    });
    expect(off).toMatchObject({ risk: 'high', interruption: 'name service ends' });
    const left = dnsDhcpUnit.impact({
      before,
      after: viewOf({ listen: EVERYTHING.listen.slice(1) }),
      written: [CONF_FILE],
      removed: [],
    });
    expect(left.says).toEqual(['The service no longer listens on eth1: its clients get no answer.']);
    expect(left.risk).toBe('high');
  });

  test('the first start interrupts nothing', () => {
    const impact = dnsDhcpUnit.impact({ before: null, after: before, written: [CONF_FILE, HOSTS_FILE], removed: [] });
    expect(impact).toMatchObject({ risk: 'low', interruption: 'none' });
    expect(impact.says.length).toBeLessThanOrEqual(12);
  });
});

test('the desired state is four statements, whatever the number of records', async () => {
  const asked: string[] = [];
  const tables: [RegExp, unknown[]][] = [
    [/unit_settings/, [{ unit: 'dns-dhcp', document: '{"enabled":true,"listen_interfaces":["eth1","eth7"]}' }]],
    [/FROM dns_record/, [{ lines: '["b.lab.test A 10.0.0.2","a.lab.test TXT two words"]' }]],
    [/FROM dns_zone/, [{ name: 'lab.test' }]],
    [
      /FROM interface/,
      [
        {
          name: 'eth1',
          enabled: 1,
          present: 1,
          ipv4_method: 'static',
          ipv4_cidr: '10.0.0.1/24',
          ipv6_cidr: 'fd00::1/64',
        },
      ],
    ],
  ];
  const all = async (sql: unknown) => {
    asked.push(String(sql));
    return (tables.find(([pattern]) => pattern.test(String(sql)))?.[1] ?? []) as never[];
  };
  const db: Database = { all, one: async (sql) => (await all(sql))[0] };
  const desired = await dnsDhcpUnit.load(db, surroundingsOf({ management_port: 8080, public_listen: null }));
  expect(asked).toHaveLength(4);
  expect(desired.listen).toEqual([
    { name: 'eth1', usable: true, addresses: ['10.0.0.1', 'fd00::1'], dynamic: false },
    { name: 'eth7', usable: false, addresses: [], dynamic: false },
  ]);
  expect(desired.records).toEqual([record('a.lab.test', 'TXT', 'two words'), record('b.lab.test', 'A', '10.0.0.2')]);
});

test('planning 100,000 records costs each no more than it does with fewer', async () => {
  const records = Array.from({ length: 100_000 }, (_, index) =>
    record(`host-${index}.lab.test`, 'A', `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`),
  );
  const plan = (count: number) => {
    const desired = { ...EVERYTHING, records: records.slice(0, count) };
    expect(dnsDhcpUnit.facts(desired).size).toBeGreaterThan(count);
    expect(dnsDhcpUnit.render(desired, here)[1]?.content.length).toBeGreaterThan(20 * count);
  };
  expect(await growth(plan, 6_250, 16)).toBeLessThan(NEARLY_LINEAR_16);
});
