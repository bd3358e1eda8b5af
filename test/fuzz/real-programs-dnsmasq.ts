// Random settings, zones and records of the name service, as calls of the API, with the places to break them at.
import { directiveFor } from '../../shared/services/dns-dhcp/directives.ts';
import type { RecordType } from '../../shared/services/dns-dhcp/dns/record-data.ts';
import { drawAddresses, ipv4, ipv6, LABEL, named } from './real-programs-dhcp.ts';
import { at, Drawing, unseen } from './real-programs-drawing.ts';
import { type Drawn, swapped, type Target } from './real-programs-misses.ts';
import { type Body, USABLE } from './real-programs-saving.ts';
import type { Dice } from './world-dice.ts';

const ZONES = ['lab.test', 'sub.lab.test', '_msdcs.lab.test', 'corp', `${LABEL}.test`, 'xn--bcher-kva.test'];
const REVERSE_ZONES = ['81.10.in-addr.arpa', '10.in-addr.arpa', '1.8.d.f.ip6.arpa'];

/** Texts that mean something to a configuration language. */
const TEXTS = [
  'v=spf1 -all',
  'a, "quoted" #word',
  'back\\slash \\"',
  "it's; {a} [b] (c) $d %e !f",
  '#',
  ',,,',
  'x'.repeat(255),
  'y'.repeat(256),
  'z '.repeat(400),
  '\\',
  'MS=ms12345678',
];

const nameIn = (dice: Dice, zones: readonly string[]): string =>
  dice.chance(0.1) ? dice.pick(zones) : `${named(dice)}.${dice.pick(zones)}`;
const port = (dice: Dice): number => dice.pick([0, 53, 389, 65_535, dice.below(65_536)]);
const tag = (dice: Dice): string => dice.pick(['issue', 'issuewild', 'iodef', 'IssueMail', 'a1']);

type Draw = (dice: Dice, zones: readonly string[]) => { fqdn: string; value: string };
const DRAWS: Record<RecordType, Draw> = {
  A: (dice, zones) => ({ fqdn: nameIn(dice, zones), value: ipv4(dice) }),
  AAAA: (dice, zones) => ({ fqdn: nameIn(dice, zones), value: ipv6(dice) }),
  CNAME: (dice, zones) => ({ fqdn: `www${dice.below(9)}.${dice.pick(zones)}`, value: nameIn(dice, zones) }),
  TXT: (dice, zones) => ({ fqdn: nameIn(dice, zones), value: dice.pick(TEXTS) }),
  SRV: (dice, zones) => ({
    fqdn: `_${dice.pick(['ldap', 'kms', 'a-b', '_x'])}._${dice.pick(['tcp', 'udp'])}.${dice.pick(zones)}`,
    value: `${port(dice)} ${port(dice)} ${port(dice)} ${dice.chance(0.1) ? '.' : nameIn(dice, zones)}`,
  }),
  MX: (dice, zones) => ({
    fqdn: nameIn(dice, zones),
    value: `${port(dice)} ${dice.chance(0.1) ? '.' : nameIn(dice, zones)}`,
  }),
  CAA: (dice, zones) => ({
    fqdn: nameIn(dice, zones),
    value: `${dice.below(256)} ${tag(dice)} "${dice.pick(['ca.example', ';', 'mailto:a@b.test', 'x=1; y=2', '#,'])}"`,
  }),
  PTR: (dice, zones) => ({
    fqdn: `${1 + dice.below(250)}.${dice.below(3)}.81.10.in-addr.arpa`,
    value: nameIn(dice, zones),
  }),
};
const TYPES = Object.keys(DRAWS) as RecordType[];

export function drawNames(dice: Dice): Drawn {
  const drawing = new Drawing();
  settings(dice, drawing);
  const zones = [...new Set([...dice.some(ZONES, 0.5), dice.pick(ZONES)])];
  for (const name of [...zones, ...dice.some(REVERSE_ZONES, 0.3)]) {
    drawing.add(
      { method: 'POST', path: '/api/v1/dns/zones', body: { name, enabled: dice.chance(0.9) } },
      at('zone', ['name'], (content, typed) => content.replace(`server=/${name}/`, () => `server=/${typed}/`)),
      at(
        'zone of empty labels',
        ['name'],
        (content, typed) => content.replace(`server=/${name}/`, `server=/${typed}/`),
        {
          typed: () => name.replace('.', '..').replace(/^([^.]*)$/, '$1..a'),
          silent: true,
        },
      ),
    );
  }
  for (let n = dice.below(26); n > 0; n -= 1) record(dice, drawing, zones);
  drawAddresses(dice, drawing);
  return drawing;
}

function settings(dice: Dice, drawing: Drawing): void {
  const upstream_servers = dice.some([ipv4(dice), ipv6(dice), `${ipv4(dice)}#5353`, `${ipv6(dice)}#1`], 0.4);
  const body: Body = {
    enabled: dice.chance(0.9),
    listen_interfaces: [...new Set([...dice.some(USABLE, 0.4), dice.pick(USABLE)])],
    upstream_servers: [...new Set(upstream_servers)],
    ttl_seconds: dice.pick([0, 1, 299, 86_400]),
    cache_size: dice.pick([0, 2, 997, 100_000]),
    domain: dice.pick(['', 'lab.test', '_x.lab.test', `${LABEL}.a`]),
    log_queries: dice.chance(0.3),
    statistics: dice.chance(0.3),
  };
  const line = (name: string) => (content: string, typed: unknown, saved: Body) =>
    content.replace(
      `${name}=${saved[name.replace('local-ttl', 'ttl_seconds').replace('-', '_')]}\n`,
      () => `${name}=${typed}\n`,
    );
  drawing.add(
    { method: 'PATCH', path: '/api/v1/dns-dhcp/settings', body },
    at('setting ttl_seconds', ['ttl_seconds'], line('local-ttl')),
    at('setting cache_size', ['cache_size'], line('cache-size')),
    ...(body.domain ? [at('setting domain', ['domain'], line('domain'))] : []),
    ...body.upstream_servers.map((server: string, n: number) =>
      at('setting upstream server', ['upstream_servers', n], (content, typed) =>
        content.replace(`server=${server}\n`, () => `server=${typed}\n`),
      ),
    ),
    unseen('listening on an interface that is missing', ['listen_interfaces', 0], () =>
      dice.pick(body.enabled ? ['eth9', 'eth5', 'eth6', 'lo'] : ['eth9', 'lo']),
    ),
  );
  drawing.add({
    method: 'PATCH',
    path: '/api/v1/dhcp/settings',
    body: { enabled: dice.chance(0.8), authoritative: dice.chance(0.5), lease_time: 120 + dice.below(9999) },
  });
}

/** The line of the record, as it would be with another name or value. */
const rewrite =
  (member: 'fqdn' | 'value'): Target['write'] =>
  (content, typed, saved) => {
    const { fqdn, type, value } = saved as { fqdn: string; type: RecordType; value: string };
    const valid = directiveFor({ fqdn, type, value });
    if (valid === null) return content;
    return content.replace(`${valid}\n`, () => `${directiveFor({ fqdn, type, value, [member]: String(typed) })}\n`);
  };

function record(dice: Dice, drawing: Drawing, zones: readonly string[]): void {
  const type = dice.pick(TYPES);
  const body = {
    ...DRAWS[type](dice, zones),
    type: dice.chance(0.5) ? type : type.toLowerCase(),
    enabled: dice.chance(0.95),
  };
  const silent = { silent: true };
  const doubled = (text: string): string => text.replace(/\.(?=[^ ]*$)/, '..');
  const targets = [
    at(`record ${type} name`, ['fqdn'], rewrite('fqdn')),
    at(`record ${type} value`, ['value'], rewrite('value')),
    at(`record ${type} of a name with an empty label`, ['fqdn'], rewrite('fqdn'), {
      typed: () => `a..${body.fqdn}`,
      ...silent,
    }),
    at(`record ${type} outside of every zone`, ['fqdn'], rewrite('fqdn'), { typed: () => '_a._b.not.ours', ...silent }),
    ...(/^(?:CNAME|SRV|MX|PTR)$/.test(type) && body.value.includes('.')
      ? [
          at(`record ${type} to a name with an empty label`, ['value'], rewrite('value'), {
            typed: () => (body.value.endsWith('.') ? `${body.value}.` : doubled(body.value)),
            ...silent,
          }),
        ]
      : []),
    ...(type === 'CNAME'
      ? [
          at('alias to a name outside', ['value'], rewrite('value'), { typed: () => 'www.not.ours', ...silent }),
          at('alias to itself', ['value'], rewrite('value'), { typed: () => body.fqdn }),
        ]
      : []),
    ...(type === 'A' || type === 'AAAA'
      ? [
          at(
            `record ${type} of an address that is none`,
            ['value'],
            (content, typed) => swapped(content, body.value, typed),
            { typed: () => dice.pick(['10.81.0.300', '10.81.0', 'fd81:::1', '0.0.0.0', '224.0.0.1', '::']), ...silent },
          ),
        ]
      : []),
  ];
  drawing.add({ method: 'POST', path: '/api/v1/dns/records', body }, ...targets);
}
