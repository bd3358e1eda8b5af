// Which interfaces an operator's way goes over, where the network gives the addresses; and the addresses of the management UI
// that a plan is told with.
import { uptime as systemUptime } from 'node:os';
import { describe, expect, test } from '@jest/globals';
import { addressesOf, confirmationOf, type PathQuestion } from '../../../../../shared/appliance/apply/window/path.ts';
import { uptime } from '../../../../../shared/appliance/apply/window/record.ts';
import type { NetworkInterface, Observed } from '../../../../../shared/platform/interfaces/interface.ts';
import { access, management, row } from '../../../platform/interfaces/rows.ts';

const seen = (...cidrs: string[]): Observed => ({
  ipv4_cidrs: cidrs.filter((cidr) => !cidr.includes(':')),
  ipv6_cidrs: cidrs.filter((cidr) => cidr.includes(':')),
  mtu: 1500,
  link: 'up',
});
const DHCP = { ipv4_method: 'dhcp', ipv4_cidr: '' } as const;
const WIDER = { mtu: 9000 };

const asked = (question: Partial<PathQuestion>): PathQuestion => ({
  arrival: { local: '', remote: '' },
  before: [management()],
  saved: [management()],
  network: true,
  filter: false,
  ...question,
});
const because = (question: Partial<PathQuestion>) => confirmationOf(asked(question))?.because ?? null;

describe('somebody comes in over an interface', () => {
  const changing = (fields: Partial<NetworkInterface>) => ({
    before: [management(), access(fields)],
    saved: [management(), access({ ...fields, ...WIDER })],
  });
  const over = (local: string) => [`ens20 changes, which you came in over at ${local}.`];
  const near = (remote: string, network: string) => [
    `ens20 changes, and you, at ${remote}, are in its network ${network}.`,
  ];
  const SIX = { ipv6_enabled: true, ipv6_cidr: 'fd20::1/64' };

  test.each<[string, Partial<NetworkInterface>, string]>([
    ['by DHCP', { ...DHCP, observed: seen('10.7.0.7/24') }, '10.7.0.7'],
    ['by router advertisement', { ipv6_enabled: true, observed: seen('fd27::7/64') }, 'fd27::7'],
    ['of IPv6', SIX, 'fd20::1'],
    ['of IPv6, written in another way', SIX, 'FD20:0::1'],
  ])('%s', (_what, fields, local) => {
    expect(because({ ...changing(fields), arrival: { local, remote: '' } })).toEqual(over(local));
  });

  test.each<[string, Partial<NetworkInterface>, string, string]>([
    ['by DHCP', { ...DHCP, observed: seen('10.7.0.7/24') }, '10.7.0.99', '10.7.0.0/24'],
    ['by router advertisement', { ipv6_enabled: true, observed: seen('fd27::7/64') }, 'fd27::99', 'fd27::/64'],
    ['of IPv6', SIX, 'fd20::99', 'fd20::/64'],
  ])('near it, %s', (_what, fields, remote, network) => {
    expect(because({ ...changing(fields), arrival: { local: '', remote } })).toEqual(near(remote, network));
  });

  test.each<[string, Partial<NetworkInterface>, string]>([
    ['a static address that DHCP once gave', { observed: seen('10.7.0.7/24') }, '10.7.0.7'],
    ['an address of IPv6 that a router once gave', { ...SIX, observed: seen('fd27::7/64') }, 'fd27::7'],
    ['an address by DHCP that was never seen', { ...DHCP, observed: null }, '10.7.0.7'],
    ['none', {}, 'somewhere'],
    ['none that is known', {}, ''],
  ])('and not over %s', (_what, fields, local) => {
    expect(because({ ...changing(fields), arrival: { local, remote: '' } })).toBeNull();
  });
});

describe('the management UI', () => {
  const plain = (question: Partial<PathQuestion>) => addressesOf(asked(question));

  test('is at the addresses that were seen last, also before a plan', () => {
    const before = [management(DHCP), row('ens20', { role: 'management', ...DHCP, observed: seen('10.2.0.2/24') })];
    const saved = [management({ ...DHCP, observed: seen('10.1.0.1/24') })];
    expect(plain({ before, saved })).toEqual({
      addresses_before: ['10.1.0.1', '10.2.0.2'],
      addresses_after: ['10.1.0.1'],
    });
  });

  test('before the first apply is where somebody came in, if that is an address', () => {
    const first = { before: null, network: false };
    expect(plain({ ...first, arrival: { local: '192.0.2.9', remote: '' } })).toEqual({
      addresses_before: ['192.0.2.9'],
      addresses_after: ['192.0.2.9'],
    });
    for (const local of ['', 'somewhere'])
      expect(plain({ ...first, arrival: { local, remote: '' } }).addresses_before).toEqual([]);
  });

  test('is not said to be lost at the first apply, nor by a plan without the network', () => {
    const arrival = { local: '192.0.2.9', remote: '' };
    expect(because({ arrival, before: null })).toEqual(['The network is put in force for the first time.']);
    const filter = ['The packet filter changes, which decides who reaches the management UI.'];
    expect(because({ arrival, before: null, network: false, filter: true })).toEqual(filter);
    expect(because({ arrival, saved: [], network: false, filter: true })).toEqual(filter);
    expect(because({ arrival, saved: [] })).toEqual(['The management UI will no longer be reached at 192.168.10.2.']);
  });
});

test('the time since the machine started is that of its kernel, in milliseconds', () => {
  const from = systemUptime() - 1;
  const { boot_id, ms } = uptime();
  expect(boot_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(ms / 1000).toBeGreaterThan(from);
  expect(ms / 1000).toBeLessThan(systemUptime() + 1);
});
