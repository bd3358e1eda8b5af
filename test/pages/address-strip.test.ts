// What an address strip shows: the next free address, the block that is drawn, and texts as short as the block allows.
import { describe, expect, test } from '@jest/globals';
import {
  cellsOf,
  countOf,
  type StripData,
  stripInWords,
  stripOf,
  textOf,
} from '../../pages/components/address-strip-layout.ts';
import { parseCidr } from '../../shared/ground/addresses/address.ts';
import { textPrefix } from '../../shared/services/dns-dhcp/dhcp/subnet-use.ts';

const strip = (network: string, data: Partial<StripData> = {}) =>
  stripOf({ network, pools: [], used: [], reserved: [], gateway: '', ...data })!;

describe('the strip', () => {
  test.each([
    ['nothing known', '10.0.0.0/24', {}, '10.0.0.0/24: 0 used, 0 reserved, no pool, no gateway, next free .1'],
    [
      'the gateway, names and reservations are passed over, a reserved name counts once',
      '10.0.0.0/24',
      { gateway: '10.0.0.1', used: ['10.0.0.2', '10.0.0.3', '10.9.0.1'], reserved: ['10.0.0.3'] },
      '10.0.0.0/24: 1 used, 1 reserved, no pool, gateway .1, next free .4',
    ],
    [
      'the pool is passed over',
      '10.0.0.0/29',
      { pools: [{ start: '10.0.0.1', end: '10.0.0.6' }] },
      '10.0.0.0/29: 0 used, 0 reserved, pool .1 to .6, no gateway, none free outside of the pool',
    ],
    [
      'both ends of a /31 are hosts',
      '10.0.0.0/31',
      {},
      '10.0.0.0/31: 0 used, 0 reserved, no pool, no gateway, next free .0',
    ],
    [
      'a large network in two parts of the address',
      '10.0.0.0/16',
      { pools: [{ start: '10.0.5.10', end: '10.0.7.20' }] },
      '10.0.0.0/16: 0 used, 0 reserved, pool .5.10 to .7.20, no gateway, next free .0.1',
    ],
    [
      'IPv6, the anycast address of routers is passed over',
      'fd00:20::/64',
      { pools: [{ start: 'fd00:20::1000', end: 'fd00:20::1fff' }], used: ['fd00:20::1'] },
      'fd00:20::/64: 1 used, 0 reserved, pool ::1000 to ::1fff, no gateway, next free ::2',
    ],
    [
      'planned addresses, and a next free one that somebody knows better',
      '10.0.0.0/24',
      { planned: ['10.0.0.20', '10.0.0.21'], next: '10.0.0.22' },
      '10.0.0.0/24: 0 used, 0 reserved, 2 planned, no pool, no gateway, next free .22',
    ],
    [
      'a part of a large network, without what lies outside of it',
      '10.0.0.0/16',
      {
        part: { first: '10.0.7.0', last: '10.0.7.255' },
        gateway: '10.0.0.1',
        pools: [{ start: '10.0.9.1', end: '10.0.9.9' }],
        planned: ['10.0.7.20'],
        next: null,
      },
      '10.0.0.0/16: 0 used, 0 reserved, 1 planned, no pool, no gateway, none free outside of the pool',
    ],
  ])('%s', (_name, network, data, words) => {
    expect(stripInWords(strip(network, data))).toBe(words);
  });

  test.each([
    ['all of a /24', '10.0.0.0/24', [], '10.0.0.0', '10.0.0.255', 256],
    ['all of a /28', '10.0.0.16/28', [], '10.0.0.16', '10.0.0.31', 16],
    ['256 addresses of a /64 in which nothing is', 'fd00::/64', [], 'fd00::', 'fd00::ff', 256],
    ['the aligned block around all that is there', '10.0.0.0/8', ['10.0.3.1'], '10.0.0.0', '10.0.3.255', 256],
    [
      'all of a /64 that is used at both ends',
      'fd00::/64',
      ['fd00::ffff:ffff:ffff:fff0'],
      'fd00::',
      'fd00::ffff:ffff:ffff:ffff',
      256,
    ],
  ])('shows %s', (_name, network, used, first, last, columns) => {
    const shown = strip(network, { used });
    const family = network.includes(':') ? 6 : 4;
    expect([textOf(family, shown.shown.first), textOf(family, shown.shown.last)]).toEqual([first, last]);
    expect(cellsOf(shown).columns).toBe(columns);
  });

  test('neighbours become one run, also where a column stands for several addresses', () => {
    const near = strip('10.0.0.0/24', { used: ['10.0.0.7', '10.0.0.5', '10.0.0.6', '10.0.0.9'] });
    expect(cellsOf(near).runs(near.used)).toEqual([
      { from: 5, to: 8 },
      { from: 9, to: 10 },
    ]);
    const far = strip('10.0.0.0/22', { used: ['10.0.0.4', '10.0.0.5', '10.0.3.255'] });
    expect(cellsOf(far).runs(far.used)).toEqual([
      { from: 1, to: 2 },
      { from: 255, to: 256 },
    ]);
  });

  test('what is no network has no strip, and a network of no hosts ends', () => {
    expect(stripOf({ network: 'x', pools: [], used: [], reserved: [], gateway: '' })).toBeNull();
    expect(strip('224.0.0.0/8').next).toBeNull();
  });

  test('large counts are powers of two', () => {
    expect([countOf(100n), countOf(1_048_576n), countOf(2n ** 64n)]).toEqual(['100', '1,048,576', '2^64']);
  });
});

test.each([
  ['10.20.0.0/24', '10.20.0.'],
  ['10.20.0.0/14', '10.'],
  ['0.0.0.0/1', ''],
  ['10.0.0.7/32', '10.0.0.7'],
  ['fd00:20::/64', 'fd00:20:'],
  ['fd00::/16', 'fd00:'],
  ['2001:db8:1:2::/64', '2001:db8:1:2:'],
  ['2001:db8:0:2::/64', '2001:db8:'],
])('texts of addresses in %s begin with “%s”', (network, prefix) => {
  expect(textPrefix(parseCidr(network)!)).toBe(prefix);
});
