// Pools in numbers: leases within ranges of scopes in force, and nothing while DHCP is off.
import { expect, test } from '@jest/globals';
import type { Host } from '../../../../../shared/ground/machine/host.ts';
import type { Facts } from '../../../../../shared/platform/units/facts.ts';
import { dhcpMetrics } from '../../../../../shared/services/dns-dhcp/metrics.ts';

const NOW = new Date('2026-03-14T09:00:00Z');
const later = NOW.getTime() / 1000 + 60;
const lease = (ip: string, expires = later) => `${expires} 00:50:56:9c:00:01 ${ip} host *\n`;
const LEASES = [
  lease('10.0.0.100'),
  lease('10.0.0.109'),
  lease('10.0.0.110'),
  lease('10.0.0.101', 1),
  lease('10.0.0.102', 0),
].join('');
const host = { read: async () => LEASES } as unknown as Host;
const FACTS: Facts = new Map<string, never>(
  Object.entries({
    'scope_ranges Lab': ['10.0.0.100-10.0.0.109', '10.0.0.200'],
    'scope_ranges Far': ['fd00::1-fd00::ff'],
  }) as never,
);

test('leases within the ranges count, others and those that ended do not', async () => {
  const told = (await dhcpMetrics(host, FACTS, NOW)).map(({ name, samples }) => [
    name,
    samples.map(({ labels, value }) => [labels?.scope, value]),
  ]);
  expect(told).toEqual([
    [
      'groundcrew_dhcp_leases',
      [
        ['Far', 0],
        ['Lab', 3],
      ],
    ],
    [
      'groundcrew_dhcp_pool_addresses',
      [
        ['Far', 255],
        ['Lab', 11],
      ],
    ],
  ]);
});

test('nothing while DHCP is off', async () => expect(await dhcpMetrics(host, new Map(), NOW)).toEqual([]));
