// Random scopes, options and reservations, as calls of the API, with the places to break them at.
import { networkOf, parseCidr } from '../../shared/ground/addresses/address.ts';
import { at, type Drawing, unseen } from './real-programs-drawing.ts';
import { swapped, type Target } from './real-programs-misses.ts';
import { type Body, INTERFACES } from './real-programs-saving.ts';
import { type Dice, hostIn } from './world-dice.ts';

export const LABEL = 'a'.repeat(63);
const WORDS = ['vc01', 'esx-1', 'a', '0', '10h', 'infinite', 'x--y', LABEL, 'a.b.c.d', 'nsx'];

export const named = (dice: Dice): string => `${dice.pick(WORDS)}${dice.chance(0.5) ? dice.below(40) : ''}`;
export const ipv4 = (dice: Dice): string => `10.${81 + dice.below(6)}.${dice.below(4)}.${1 + dice.below(250)}`;
export const ipv6 = (dice: Dice): string => `fd8${1 + dice.below(6)}::${(1 + dice.below(0xfff)).toString(16)}`;

const OPTIONS4: readonly [code: number, value: string][] = [
  [66, 'tftp.lab.test'],
  [67, 'undionly.kpxe'],
  [26, '9000'],
  [119, 'lab.test,sub.lab.test'],
  [43, '01:04:00:00:00:02'],
  [121, '10.0.0.0/8,10.81.0.1'],
  [7, '10.81.0.9,10.81.0.10'],
  [12, 'name'],
  [13, '17'],
  [224, '"a, b"'],
  [252, 'http://wpad.lab.test/wpad.dat'],
  [60, 'PXEClient'],
  [28, '10.81.0.255'],
  [33, '10.0.0.1,10.81.0.1'],
  [114, 'https://portal.lab.test/a?b=c'],
];
const OPTIONS6: readonly [code: number, value: string][] = [
  [59, 'tftp://[fd81::1]/boot.efi'],
  [21, 'sip.lab.test'],
  [22, '[fd81::9]'],
  [27, '[fd81::9],[fd81::a]'],
  [60, 'param'],
  [65_000, 'private'],
];

/** Where a scope can be: the network of the interface, a part of it with or without its address, or one around it. */
function subnetOf(dice: Dice, [, v4, v6]: (typeof INTERFACES)[number], family: 4 | 6): string | null {
  const cidr = parseCidr(family === 4 ? v4 : v6);
  if (!cidr) return null;
  const [shortest, longest] = family === 4 ? [Math.max(8, cidr.prefix - 4), 30] : [64, 127];
  const prefix = dice.chance(0.6) ? cidr.prefix : shortest + dice.below(longest - shortest + 1);
  const within = prefix > cidr.prefix && dice.chance(0.5) ? hostIn(dice, cidr) : cidr.address.text;
  return networkOf(parseCidr(`${within}/${prefix}`)!);
}

/** Scopes, options for some of them, and reservations in them. */
export function drawAddresses(dice: Dice, drawing: Drawing): void {
  const served: { as: string; subnet: string; family: 4 | 6 }[] = [];
  for (const on of dice.some(INTERFACES, 0.5)) {
    for (const family of dice.some([4, 6] as const, 0.7)) {
      const subnet = subnetOf(dice, on, family);
      if (subnet === null) continue;
      const as = `@scope${served.length}`;
      scope(dice, drawing, { as, subnet, family, on: on[0] });
      served.push({ as, subnet, family });
    }
  }
  for (const [family, all] of [
    [4, OPTIONS4],
    [6, OPTIONS6],
  ] as const) {
    for (const [code, value] of dice.some(all, 0.15)) {
      const own = dice.chance(0.5) ? served.find((each) => each.family === family) : undefined;
      option(drawing, { code, value, address_family: `ipv${family}`, scope_id: own?.as ?? null });
    }
  }
  for (let n = served.length > 0 ? dice.below(10) : 0; n > 0; n -= 1)
    reservation(dice, drawing, dice.pick(served).subnet, n);
}

function scope(
  dice: Dice,
  drawing: Drawing,
  { as, subnet, family, on }: { as: string; subnet: string; family: 4 | 6; on: string },
): void {
  const cidr = parseCidr(subnet)!;
  const host = (): string => hostIn(dice, cidr);
  const ends = Array.from({ length: 2 * dice.below(4) }, host).sort((a, b) => {
    const [one, other] = [parseCidr(`${a}/${subnet.split('/')[1]}`)!, parseCidr(`${b}/${subnet.split('/')[1]}`)!];
    return one.address.value < other.address.value ? -1 : 1;
  });
  const pairs = Array.from({ length: ends.length / 2 }, (_, n) => ({ start: ends[2 * n]!, end: ends[2 * n + 1]! }));
  const ranges = pairs.filter(({ start }, n) => start !== pairs[n - 1]?.end);
  const servers = () => (dice.chance(0.4) ? [...new Set([family === 4 ? ipv4(dice) : ipv6(dice), host()])] : []);
  const body: Body = {
    name: `${dice.pick(['lab', 'a-b', 'x y', 'Z.1', '_'])} ${as.slice(1)}`,
    subnet_cidr: subnet,
    interface: on,
    ranges,
    gateway: dice.pick(['none', host()]),
    dns_servers: servers(),
    ntp_servers: servers(),
    lease_time: dice.pick([120, 121, 3600, 86_401, 31_536_000]),
    domain: dice.pick(['', 'lab.test', 'other.test']),
    enabled: dice.chance(0.95),
  };
  const lines = (valid: (saved: Body) => string, begin = 'dhcp-range='): Target['write'] => {
    return (content, typed, saved) =>
      content
        .split('\n')
        .map((text) => (text.startsWith(begin) && text.includes(saved.id) ? swapped(text, valid(saved), typed) : text))
        .join('\n');
  };
  const range = (end: 'start' | 'end') => lines((saved) => saved.ranges[0][end]);
  drawing.add(
    { method: 'POST', path: '/api/v1/dhcp/scopes', body, as },
    at(
      'scope lease_time',
      ['lease_time'],
      lines((saved) => `${saved.lease_time}`),
    ),
    at('scope domain', ['domain'], (content, typed, saved) =>
      saved.domain === ''
        ? content
        : content.replace(
            `domain=${saved.domain},${saved.subnet_cidr}\n`,
            () => `domain=${typed},${saved.subnet_cidr}\n`,
          ),
    ),
    at(
      'scope gateway',
      ['gateway'],
      lines((saved) => (family === 4 ? saved.gateway : '-'), 'tag:'),
    ),
    unseen('scope on an interface that is missing', ['interface'], () =>
      dice.pick(body.enabled ? ['eth9', 'eth5', 'eth6', '', 'lo'] : ['eth9', 'lo']),
    ),
    ...(body.enabled
      ? [
          unseen('scope with another network than its interface', ['subnet_cidr'], () =>
            family === 4 ? '172.20.0.0/24' : 'fd99::/64',
          ),
        ]
      : []),
    ...(['dns_servers', 'ntp_servers'] as const).flatMap((member) =>
      body[member].map((_: string, n: number) =>
        at(
          `scope ${member}`,
          [member, n],
          lines((saved) => saved[member][n], 'tag:'),
        ),
      ),
    ),
    ...(family === 6 && subnet.endsWith('/64')
      ? [
          at(
            'scope larger than a /64',
            ['subnet_cidr'],
            lines(() => '64'),
            {
              typed: () => subnet.replace('/64', `/${40 + dice.below(24)}`),
            },
          ),
        ]
      : []),
    ...(ranges.length > 0
      ? [
          at('scope range start', ['ranges', 0, 'start'], range('start')),
          at('scope range end', ['ranges', 0, 'end'], range('end')),
          at('scope range outside of its subnet', ['ranges', 0, 'end'], range('end'), {
            typed: () => (family === 4 ? '10.99.0.9' : 'fd99::9'),
          }),
        ]
      : []),
    ...(ranges.length > 0 && ranges[0]!.start !== ranges[0]!.end
      ? [
          at(
            'scope range that ends before it starts',
            ['ranges', 0],
            (content, typed, saved) => {
              const [{ start, end }, turned] = [saved.ranges[0], typed as { start: string; end: string }];
              return content.replace(`,${start},${end},`, `,${turned.start},${turned.end},`);
            },
            { typed: () => ({ start: ranges[0]!.end, end: ranges[0]!.start }), silent: true },
          ),
        ]
      : []),
  );
}

function option(drawing: Drawing, body: Body): void {
  const { code, value } = body;
  const line =
    (typed: string): Target['write'] =>
    (content, other) =>
      content.replace(
        `${code},${value}\n`,
        () => `${typed === 'code' ? other : code},${typed === 'code' ? value : other}\n`,
      );
  drawing.add(
    { method: 'POST', path: '/api/v1/dhcp/options', body },
    at(`option value (${body.address_family})`, ['value'], line('value')),
    at('option value with addresses', ['value'], line('value'), {
      typed: (dice) =>
        dice.pick(['10.81.0.1,10.81.0', '10.81.0.1,host', '10.0.0.0/33', '[fd81::1', '[fd81:::1]', '1.2.3.4.5']),
    }),
    at('option code', ['code'], line('code')),
  );
}

function reservation(dice: Dice, drawing: Drawing, subnet: string, n: number): void {
  const ip_address = hostIn(dice, parseCidr(subnet)!);
  const mac_address = `02:00:00:00:${ip_address.includes(':') ? '06' : '04'}:${(16 + n).toString(16)}`;
  const hostname = dice.pick([named(dice), `${named(dice)}.lab.test`, `${named(dice)}.elsewhere.test`]);
  const own =
    (valid: (saved: Body) => string): Target['write'] =>
    (content, typed, saved) =>
      content
        .split('\n')
        .map((text) => (text.startsWith(`${saved.mac_address},`) ? swapped(text, valid(saved), typed) : text))
        .join('\n');
  const family = (text: string): boolean => text.includes(':');
  const others = drawing.calls.filter(
    ({ path, body }) => path.endsWith('/reservations') && family(body.ip_address) === family(ip_address),
  );
  const other = others.length > 0 ? dice.pick(others) : null;
  const body: Body = { hostname, mac_address, ip_address, register_dns: dice.chance(0.2), enabled: dice.chance(0.95) };
  drawing.add(
    { method: 'POST', path: '/api/v1/dhcp/reservations', body },
    at(
      'reservation mac_address',
      ['mac_address'],
      own((saved) => saved.mac_address),
    ),
    at(
      'reservation ip_address',
      ['ip_address'],
      own((saved) => saved.ip_address),
    ),
    at('reservation hostname', ['hostname'], (content, typed, saved) => {
      const begin = `${saved.mac_address},`;
      const line = content.split('\n').find((text) => text.startsWith(begin));
      return line === undefined
        ? content
        : content.replace(line, () => `${line.split(',').slice(0, 2).join(',')},${typed}`);
    }),
    at(
      'reservation of a name with an empty label',
      ['hostname'],
      own((saved) => saved.hostname),
      {
        typed: () => 'a..b',
        silent: true,
      },
    ),
    ...(body.enabled
      ? [
          at(
            'reservation outside of every scope',
            ['ip_address'],
            own((saved) => saved.ip_address),
            {
              typed: () => (ip_address.includes(':') ? 'fd99::9' : '10.99.0.9'),
              silent: true,
            },
          ),
        ]
      : []),
    ...(other
      ? [
          at(
            'reservation of an address that is another’s',
            ['ip_address'],
            own((saved) => saved.ip_address),
            {
              typed: () => other.body.ip_address,
              beside: drawing.calls.indexOf(other),
            },
          ),
          at(
            'reservation of a card that has one',
            ['mac_address'],
            own((saved) => saved.mac_address),
            {
              typed: () => other.body.mac_address,
              beside: drawing.calls.indexOf(other),
              silent: true,
            },
          ),
        ]
      : []),
  );
}
