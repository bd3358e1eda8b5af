// Reading links back into edits where the network gives addresses: what it gave is not taken for what somebody set.
import { describe, expect, test } from '@jest/globals';
import type { NetworkInterface } from '../../../../shared/platform/interfaces/interface.ts';
import { type DefaultRoute, editsOf } from '../../../../shared/platform/network/adopt-edits.ts';
import { access, link, management } from '../interfaces/rows.ts';

describe('what the network gave stays with it', () => {
  const dhcp = management({ ipv4_method: 'dhcp', ipv4_cidr: '', ipv4_gateway: '' });
  const slaac = access({ ipv6_enabled: true });
  const learned: DefaultRoute = { dev: 'ens10', family: 'ipv4', gateway: '10.0.9.1', learned: true };
  const routed: DefaultRoute = { dev: 'ens20', family: 'ipv6', gateway: 'fe80::1', learned: true };

  const scenarios: [
    name: string,
    row: NetworkInterface,
    addresses: { own?: string[]; lent?: string[] },
    defaults: DefaultRoute[],
    said: unknown,
  ][] = [
    ['a lease', dhcp, { lent: ['10.0.9.7/24'] }, [learned], { mtu: 1400 }],
    ['a lease without an end', dhcp, { own: ['10.0.9.7/24'] }, [learned], { mtu: 1400 }],
    [
      'an address beside a lease',
      dhcp,
      { own: ['10.0.8.7/24'], lent: ['10.0.9.7/24'] },
      [learned],
      'It has 10.0.8.7/24 besides what DHCP gives.',
    ],
    [
      'a default route beside a lease',
      dhcp,
      { lent: ['10.0.9.7/24'] },
      [learned, { ...learned, gateway: '10.0.9.2', learned: false }],
      'It has a default route via 10.0.9.2 besides what DHCP gives.',
    ],
    ['an advertised prefix', slaac, { own: ['10.0.0.1/24'], lent: ['fd00:9::7/64'] }, [routed], { mtu: 1400 }],
    [
      'a gateway beside an advertised prefix',
      slaac,
      { own: ['10.0.0.1/24'], lent: ['fd00:9::7/64'] },
      [routed, { ...routed, gateway: 'fe80::2', learned: false }],
      { mtu: 1400, ipv6_gateway: 'fe80::2' },
    ],
    [
      'an address beside an advertised prefix',
      slaac,
      { own: ['10.0.0.1/24', 'fd00:8::7/64'], lent: ['fd00:9::7/64'] },
      [],
      'It has fd00:8::7/64 besides what a router advertisement gives.',
    ],
  ];

  test.each(scenarios)('%s', (_name, row, { own = [], lent = [] }, defaults, said) => {
    const all = [...own, ...lent];
    const seen = link(row.name, {
      mtu: 1400,
      ipv4_cidrs: all.filter((cidr) => !cidr.includes(':')),
      ipv6_cidrs: all.filter((cidr) => cidr.includes(':')),
    });
    const gateways = defaults.flatMap(({ dev, gateway }) => (gateway === null ? [] : [{ dev, gateway }]));
    const { edits, refusals } = editsOf(
      { interfaces: [row] },
      {
        kernel: { links: [seen], up: new Set([row.name]), gateways },
        lent: new Set(lent.map((cidr) => `${row.name} ${cidr}`)),
        defaults,
      },
    );
    if (typeof said === 'string') expect(refusals.map(({ reason }) => reason)).toEqual([said]);
    else expect({ edits, refusals }).toEqual({ edits: [{ name: row.name, values: said }], refusals: [] });
  });
});
