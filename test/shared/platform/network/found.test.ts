// The way back from the first apply of the network: lines for `ip -batch`.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isBatch, isBatchLine } from '../../../../shared/platform/host/ip-batch.ts';
import type { NetworkInterface } from '../../../../shared/platform/interfaces/interface.ts';
import { adoptionLines } from '../../../../shared/platform/network/adoption.ts';
import { type FoundLink, linesBack, routeLines } from '../../../../shared/platform/network/found.ts';

const links = (...addresses: string[]) => ({ links: [{ name: 'eth0', up: true, mtu: 1500, addresses }], routes: [] });
const back = (was: string[], is: string[]) => linesBack(links(...was), links(...is), new Set(['eth0']));

test('an IPv4 address that got a broadcast address or lost its label is made anew: the kernel changes neither', () => {
  expect(back(['192.0.2.5/24 scope global'], ['192.0.2.5/24 brd 192.0.2.255 scope global'])).toEqual([
    'addr del 192.0.2.5/24 dev eth0',
    'addr replace 192.0.2.5/24 scope global dev eth0',
  ]);
  const labelled = '192.0.2.5/24 brd 192.0.2.255 scope global label eth0:1';
  expect(back([labelled], ['192.0.2.5/24 brd 192.0.2.255 scope global'])[0]).toBe('addr del 192.0.2.5/24 dev eth0');
});

test('what is as it was needs nothing; what is missing is only added', () => {
  expect(back(['192.0.2.5/24 scope global'], ['192.0.2.5/24 scope global'])).toEqual([]);
  expect(back(['2001:db8::5/64 scope global'], [])).toEqual([
    'addr replace 2001:db8::5/64 scope global dev eth0 nodad',
  ]);
});

const NAMES = ['eth0', 'ens192', 'ens224.20', 'br-lab', 'enp0s31f6', 'team0.4094', 'a_b+c'];
const name = fc.constantFrom(...NAMES);
const v4 = fc.ipV4();
const v6 = fc.ipV6();
const cidr = fc.oneof(
  fc.tuple(v4, fc.nat(32)).map(([address, bits]) => `${address}/${bits}`),
  fc.tuple(v6, fc.nat(128)).map(([address, bits]) => `${address}/${bits}`),
);
const maybe = (text: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), text);
const scope = fc.constantFrom(' scope global', ' scope link', ' scope host', ' scope site', ' scope 30', '');
const address = fc
  .tuple(cidr, maybe(v4.map((to) => ` brd ${to}`)), scope, maybe(fc.constant(' label eth0:1')))
  .map((parts) => parts.join(''));
const link = (of: string): fc.Arbitrary<FoundLink> =>
  fc.record({
    name: fc.constant(of),
    up: fc.boolean(),
    mtu: fc.integer({ min: 68, max: 65_536 }),
    addresses: fc.array(address, { maxLength: 4 }),
  });
const fact = fc.oneof(
  v4.map((to) => `via ${to}`),
  v6.map((to) => `via inet6 ${to}`),
  fc.constantFrom('proto static', 'proto dhcp', 'proto 186', 'scope link', 'onlink', 'pref high', 'mtu lock 1400'),
  v4.map((from) => `src ${from}`),
  fc.nat(4_294_967_295).map((metric) => `metric ${metric}`),
);
/** As `ip route show` prints them. */
const route = fc.oneof(
  fc
    .tuple(fc.oneof(fc.constant('default'), cidr, v4), name, fc.array(fact, { maxLength: 5 }))
    .map(([to, dev, facts]) => [to, `dev ${dev}`, ...facts].join(' ')),
  fc
    .tuple(cidr, v4, v6, name)
    .map(
      ([to, one, other, dev]) =>
        `${to} proto static\n\tnexthop via ${one} dev ${dev} weight 1 \n\tnexthop via ${other} dev ${dev} weight 20 linkdown`,
    ),
  cidr.map((to) => `blackhole ${to} proto static metric 4`),
);
const state = fc
  .tuple(
    fc.subarray(NAMES).chain((some) => fc.tuple(...some.map(link)) as fc.Arbitrary<FoundLink[]>),
    fc.array(route, { maxLength: 4 }),
  )
  .map(([links, routes]) => ({ links, routes: routeLines(routes.join('\n')) }));

describe('what the root step lets through to `ip -batch` is what the unit writes', () => {
  test('every way back', () => {
    let routes = 0;
    fc.assert(
      fc.property(state, state, fc.subarray(NAMES), (before, now, touched) => {
        const lines = linesBack(before, now, new Set(touched));
        routes += lines.filter((line) => line.startsWith('route')).length;
        expect(lines.filter((line) => !isBatchLine(line))).toEqual([]);
      }),
      { numRuns: 500 },
    );
    expect(routes).toBeGreaterThan(200);
  });

  test('every address that is taken over', () => {
    const shown = fc.record({
      family: fc.constantFrom('inet', 'inet6'),
      scope: fc.constantFrom('global', 'link'),
      label: fc.constantFrom('eth0', 'eth0:1'),
      dynamic: fc.boolean(),
      noprefixroute: fc.boolean(),
    });
    let lines = 0;
    fc.assert(
      fc.property(name, cidr, shown, (ifname, own, facts) => {
        const [local = '', bits] = own.split('/');
        const row = { name: ifname, ipv4_cidr: own, ipv6_cidr: '' } as NetworkInterface;
        const made = adoptionLines([row], [{ ifname, addr_info: [{ ...facts, local, prefixlen: Number(bits) }] }]);
        lines += made.length;
        expect(made.filter((line) => !isBatchLine(line))).toEqual([]);
      }),
      { numRuns: 500 },
    );
    expect(lines).toBeGreaterThan(50);
  });

  test('and no line with a word of any other kind in it', () => {
    const words = [
      'netns',
      'xdp',
      'encap',
      'table 7',
      'type veth',
      'exec',
      'alias x',
      'address 00:50:56:00:00:01',
      ';',
      '|',
    ];
    fc.assert(
      fc.property(state, state, fc.constantFrom(...words), fc.nat(), (before, now, word, at) => {
        for (const line of linesBack(before, now, new Set(NAMES))) {
          const parts = line.split(' ');
          parts.splice(1 + (at % parts.length), 0, word);
          expect([parts.join(' '), isBatch(parts.join(' '))]).toEqual([parts.join(' '), false]);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('no line that is empty but the last, and no second one behind a control character', () => {
    expect(isBatch('link set dev eth0 up\n')).toBe(true);
    for (const text of [
      'link set dev eth0 up\n\nlink set dev eth0 up\n',
      'link set dev eth0 up\rlink set dev eth0 up',
      'link set dev eth0  up',
    ])
      expect(isBatch(text)).toBe(false);
  });
});

test('a route that has several hops is one line, and one that encapsulates is left as it is', () => {
  const shown = `default proto static metric 100
\tnexthop via 10.0.0.1 dev eth0 weight 1
\tnexthop via 10.0.0.2 dev eth1 weight 2
10.9.0.0/16 encap mpls 100 via 10.0.0.1 dev eth0
10.0.0.0/24 dev eth0 proto kernel scope link src 10.0.0.5
10.8.0.0/16 via 10.0.0.1 dev eth0 linkdown`;
  expect(routeLines(shown)).toEqual([
    'default proto static metric 100 nexthop via 10.0.0.1 dev eth0 weight 1 nexthop via 10.0.0.2 dev eth1 weight 2',
    '10.8.0.0/16 via 10.0.0.1 dev eth0',
  ]);
});
