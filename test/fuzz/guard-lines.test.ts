// What the guard of the root programs lets through, read the way its reader does: hostile desired state is rendered, lines of
// real files are damaged, and every file that passes is cut where its reader cuts it. Each piece must be a line of the unit
// again, and for dnsmasq, which reads what is beyond its buffer as a line of its own, a directive that names no program and no
// file but its own. GROUNDCREW_FUZZ_LINES: how many of each; GROUNDCREW_FUZZ_SHOW prints what passed.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fileRefusal } from '../../shared/appliance/host-guard.ts';
import type { RenderedFile } from '../../shared/ground/machine/host.ts';
import { render as renderNetwork } from '../../shared/platform/network/render.ts';
import { dnsDhcpUnit } from '../../shared/services/dns-dhcp/unit.ts';
import { content } from '../../shared/services/firewall/render.ts';
import { ruleSet } from '../../shared/services/firewall/rule-set.ts';
import { networkBootUnit } from '../../shared/services/network-boot/unit.ts';
import { ntpSettings } from '../../shared/services/ntp/settings.ts';
import { ntpUnit } from '../../shared/services/ntp/unit.ts';
import { DHCP, desiredOf } from '../fixtures/dns-dhcp/dhcp-network.ts';
import { FULL } from '../fixtures/firewall/desired.ts';
import { LAB } from '../fixtures/network-boot/desired.ts';
import { access, management, trunk, vlan } from '../shared/platform/interfaces/rows.ts';
import { fault } from './guard-reading.ts';

const RUNS = Number(process.env.GROUNDCREW_FUZZ_LINES ?? 600);
const SHOW = process.env.GROUNDCREW_FUZZ_SHOW !== undefined;
const same = (path: string): string => path;
const filter = (desired: typeof FULL): RenderedFile[] => [
  { path: '/etc/groundcrew/nftables/groundcrew.nft', content: content(ruleSet(desired)), mode: 0o644 },
];

const NAMES = {
  ...desiredOf({ ...DHCP, reservations: [...DHCP.reservations] }),
  settings: { ...desiredOf(DHCP).settings, domain: 'lab.test', upstream_servers: ['192.0.2.53', '2001:db8::53#5353'] },
  records: [
    { fqdn: 'alias.lab.test', type: 'CNAME', value: 'vc01.lab.test' },
    { fqdn: 'lab.test', type: 'CAA', value: '0 issue "ca.example.net"' },
    { fqdn: 'lab.test', type: 'MX', value: '10 mail.lab.test' },
    { fqdn: 'lab.test', type: 'TXT', value: 'v=spf1 "quoted" \\ -all' },
    { fqdn: 'vc01.lab.test', type: 'A', value: '10.77.0.9' },
    { fqdn: '9.0.77.10.in-addr.arpa', type: 'PTR', value: 'vc01.lab.test' },
    { fqdn: '_ldap._tcp.lab.test', type: 'SRV', value: '0 5 389 vc01.lab.test' },
  ],
};
const TIME = {
  settings: { ...ntpSettings.defaults, enabled: true, allowed_clients: ['10.10.0.0/24', 'fd10::/64'] },
  listen: [
    { name: 'ens192', usable: true, ipv4: { cidr: '10.10.0.5/24', dynamic: false }, ipv6: { cidr: '', dynamic: true } },
  ],
  elsewhere: ['fd30::/64'],
  sources: [{ address: 'time.lab.test', kind: 'server', nts: true, prefer: true }],
};
const LINKS = { interfaces: [management({ ipv6_enabled: true, ipv6_cidr: 'fd10::2/64' }), access(), trunk(), vlan(7)] };

/** Name → a desired state, and its files. */
// biome-ignore lint/suspicious/noExplicitAny: what is rendered here is damaged on purpose.
const UNITS: Readonly<Record<string, { desired: any; render(desired: any): RenderedFile[] }>> = {
  names: { desired: NAMES, render: (desired) => dnsDhcpUnit.render(desired, same) },
  filter: { desired: FULL, render: filter },
  time: { desired: TIME, render: (desired) => ntpUnit.render(desired, same) },
  links: { desired: LINKS, render: renderNetwork },
  boot: { desired: LAB, render: (desired) => networkBootUnit.render(desired, same) },
};

/** What could become a line of its own, or another word of one. */
const ORDERS = [
  ...['dhcp-script=/tmp/x', 'dhcp-luascript=/tmp/x', 'conf-file=/etc/shadow', 'addn-hosts=/etc/shadow', 'user=root'],
  ...['include /etc/shadow', 'mailonchange root 1', 'include "/etc/shadow"', '[Tun]', 'User=root', 'Kind=tap'],
];
const padding = fc
  .tuple(
    fc.constantFrom('a', 'é', '𝄞', '#', ' ', '\u0085', ','),
    fc.oneof(fc.constantFrom(508, 1_000, 1_010, 1_022, 1_023, 1_024), fc.nat(2_100)),
  )
  .map(([unit, times]) => unit.repeat(times));
const hostile = fc.oneof(
  fc.tuple(padding, fc.constantFrom(...ORDERS)).map((parts) => parts.join('')),
  fc
    .tuple(
      fc.constantFrom('\n', '\r', '\0', '\\\n', '"', '"\n', ' ', ',', '=', '\u2028', '}\n', ';', '\\'),
      fc.constantFrom(...ORDERS),
    )
    .map((parts) => parts.join('')),
  padding,
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(
    ...ORDERS,
    '',
    '.',
    '*',
    '/',
    '-',
    '0',
    'x\\',
    '"',
    '#',
    'a,b',
    'a b',
    '10.0.0.1',
    '::1',
    'fe80::1%eth0',
  ),
);

/** How many texts and numbers a value holds, in any depth. */
const leaves = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, each) => sum + leaves(each), 0)
    : 1;

/** The value with the leaf of this number changed. */
function damaged(value: unknown, at: { left: number }, change: (leaf: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    at.left -= 1;
    return at.left === -1 ? change(value) : value;
  }
  if (Array.isArray(value)) return value.map((each) => damaged(each, at, change));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, damaged(each, at, change)]));
}

/** Files that passed, by path. */
function passing(files: readonly RenderedFile[], tally: Map<string, number>): string[] {
  return files.flatMap((file) => {
    if (fileRefusal(file) !== null) return [];
    tally.set(file.path, (tally.get(file.path) ?? 0) + 1);
    return fault(file) ?? [];
  });
}

const whole = Object.values(UNITS).flatMap(({ desired, render }) => render(desired));

test('the states that are damaged here pass as they are', () => {
  expect(whole.map((file) => [file.path, fileRefusal(file), fault(file)])).toEqual(
    whole.map(({ path }) => [path, null, null]),
  );
});

test.each(Object.keys(UNITS))(
  `hostile ${'%s'}, rendered: what passes is what the unit writes, however it is cut`,
  (name) => {
    const { desired, render } = UNITS[name]!;
    const tally = new Map<string, number>();
    const most = leaves(desired) - 1;
    const hurt = fc.array(fc.tuple(fc.nat(most), hostile, fc.boolean()), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(hurt, (places) => {
        const made = places.reduce(
          (state: unknown, [at, text, after]) =>
            damaged(state, { left: at }, (leaf) => (after ? `${leaf}${text}` : text)),
          desired,
        );
        let files: RenderedFile[];
        try {
          files = render(made);
        } catch {
          return;
        }
        expect(passing(files, tally)).toEqual([]);
      }),
      { numRuns: RUNS, seed: 1 },
    );
    if (SHOW) console.log(name, RUNS, [...tally]);
    expect(tally.size).toBeGreaterThan(0);
  },
);

test('lines of real files, damaged: what passes is what the unit writes, however it is cut', () => {
  const tally = new Map<string, number>();
  const place = fc.tuple(
    fc.nat(whole.length - 1),
    fc.nat(),
    fc.nat(),
    hostile,
    fc.constantFrom('into', 'instead', 'after'),
  );
  fc.assert(
    fc.property(place, ([which, line, at, text, how]) => {
      const file = whole[which]!;
      const lines = file.content.split('\n');
      const row = line % lines.length;
      const old = lines[row]!;
      const cut = at % (old.length + 1);
      lines[row] = how === 'into' ? old.slice(0, cut) + text + old.slice(cut) : how === 'instead' ? text : old + text;
      expect(passing([{ ...file, content: lines.join('\n') }], tally)).toEqual([]);
    }),
    { numRuns: 4 * RUNS, seed: 1 },
  );
  if (SHOW) console.log('lines', 4 * RUNS, [...tally]);
  expect(tally.size).toBeGreaterThan(5);
});
