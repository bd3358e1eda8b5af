// From dhcp to static without an address: what DHCP gave is kept as far as it can be saved, or the edit is refused at the
// address.
import { describe, expect, test } from '@jest/globals';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import { Problem } from '../../../../shared/ground/problems.ts';
import { editPhysical } from '../../../../shared/platform/interfaces/edit.ts';
import type { NetworkInterface } from '../../../../shared/platform/interfaces/interface.ts';
import type { PhysicalInterfaceUpdate } from '../../../../shared/platform/interfaces/interface-schema.ts';
import { type Lease, leaseNotes, leaseNow } from '../../../../shared/platform/interfaces/lease.ts';
import { link, management } from './rows.ts';

const LEASE: Lease = { ipv4_cidrs: ['10.7.0.9/24'], ipv4_gateway: '10.7.0.1' };
const observed = { ipv4_cidrs: ['10.6.0.9/24'], ipv6_cidrs: [], mtu: 1500, link: 'up' as const };
const BY_DHCP = management({ ipv4_method: 'dhcp', ipv4_cidr: '', ipv4_gateway: '', observed });
const OTHERS = [management({ name: 'ens11', id: 'ens11' })];
const edit = (update: PhysicalInterfaceUpdate, lease?: Lease, row = BY_DHCP, others: NetworkInterface[] = OTHERS) =>
  editPhysical(row, update, [row, ...others], lease);

function problemOf(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('what is kept', () => {
  test.each<[string, PhysicalInterfaceUpdate, Lease | undefined, Partial<NetworkInterface>]>([
    ['address and gateway', { ipv4_method: 'static' }, LEASE, { ipv4_cidr: '10.7.0.9/24', ipv4_gateway: '10.7.0.1' }],
    ['in any spelling', { ipv4_method: ' Static ' }, LEASE, { ipv4_method: 'static', ipv4_cidr: '10.7.0.9/24' }],
    ['with another role', { ipv4_method: 'static', role: 'route' }, LEASE, { role: 'route', ipv4_cidr: '10.7.0.9/24' }],
    ['what was last observed', { ipv4_method: 'static' }, undefined, { ipv4_cidr: '10.6.0.9/24', ipv4_gateway: '' }],
    [
      'the first that can be saved',
      { ipv4_method: 'static' },
      { ipv4_cidrs: ['169.254.3.4/16', '10.7.0.0/24', '10.7.0.9/24'] },
      { ipv4_cidr: '10.7.0.9/24' },
    ],
    [
      'no gateway outside of the network',
      { ipv4_method: 'static' },
      { ipv4_cidrs: ['10.7.0.9/32'], ipv4_gateway: '10.7.0.1' },
      { ipv4_cidr: '10.7.0.9/32', ipv4_gateway: '' },
    ],
    [
      'a gateway that is named instead',
      { ipv4_method: 'static', ipv4_gateway: '10.7.0.2' },
      LEASE,
      { ipv4_cidr: '10.7.0.9/24', ipv4_gateway: '10.7.0.2' },
    ],
    [
      'no gateway that was cleared',
      { ipv4_method: 'static', ipv4_gateway: '' },
      LEASE,
      { ipv4_cidr: '10.7.0.9/24', ipv4_gateway: '' },
    ],
    [
      'nothing where an address is named',
      { ipv4_method: 'static', ipv4_cidr: '10.8.0.2/24' },
      LEASE,
      { ipv4_cidr: '10.8.0.2/24', ipv4_gateway: '' },
    ],
    ['nothing where it is cleared', { ipv4_method: 'static', ipv4_cidr: null }, LEASE, { ipv4_cidr: '' }],
    ['nothing on what is left unused', { ipv4_method: 'static', role: 'unused' }, LEASE, { ipv4_cidr: '' }],
    ['nothing on a trunk', { mode: 'trunk' }, LEASE, { ipv4_method: 'static', ipv4_cidr: '' }],
  ])('%s', (_name, update, lease, expected) => expect(edit(update, lease)).toMatchObject(expected));

  test('nothing where dhcp was not saved', () => {
    const row = management({ ipv4_cidr: '', ipv4_gateway: '', ipv6_enabled: true, ipv6_cidr: 'fd00::1/64' });
    expect(edit({ ipv4_method: 'static', mtu: 9000 }, LEASE, row)).toMatchObject({ ipv4_cidr: '', mtu: 9000 });
  });
});

describe('what is refused', () => {
  test.each<[string, Lease]>([
    ['no address', { ipv4_cidrs: [] }],
    ['a link-local address alone', { ipv4_cidrs: ['169.254.3.4/16'], ipv4_gateway: '169.254.0.1' }],
  ])('%s', (_name, lease) => {
    const { code, members } = problemOf(() => edit({ ipv4_method: 'static' }, lease));
    expect(code).toBe('request_validation_failed');
    expect(members.errors).toEqual([
      { pointer: '/ipv4_cidr', detail: expect.stringMatching(/give one with prefix length.*or stay with dhcp/) },
    ]);
  });

  test('nothing that was ever observed', () => {
    const unseen = { ...BY_DHCP, observed: null };
    expect(problemOf(() => edit({ ipv4_method: 'static' }, undefined, unseen)).members.errors).toHaveLength(1);
  });

  test('an address in the network of another interface, by the rules of any edit', () => {
    const { code, members } = problemOf(() => edit({ ipv4_method: 'static' }, { ipv4_cidrs: ['192.168.10.9/24'] }));
    expect([code, members.errors?.[0]?.pointer]).toEqual(['state_conflict', '/ipv4_cidr']);
  });
});

describe('the link', () => {
  let read = 0;
  const host = (links: Host['links']) =>
    ({
      links: () => {
        read++;
        return links();
      },
    }) as Host;
  const there = host(async () => [link('ens10', LEASE)]);

  test.each<[PhysicalInterfaceUpdate, number]>([
    [{ ipv4_method: ' STATIC ' }, 1],
    [{ ipv4_method: 'static', ipv4_gateway: '' }, 1],
    [{ ipv4_method: 'static', ipv4_cidr: '10.8.0.2/24' }, 0],
    [{ ipv4_method: 'static', ipv4_cidr: null }, 0],
    [{ ipv4_method: 'dhcp' }, 0],
    [{ mtu: 9000 }, 0],
  ])('is read for %j %d times', async (update, times) => {
    read = 0;
    expect(await leaseNow(there, 'ens10', update)).toEqual(times === 0 ? undefined : expect.objectContaining(LEASE));
    expect(read).toBe(times);
  });

  test('that is not there, or can’t be read, leaves what was observed', async () => {
    const broken = host(() => Promise.reject(new Error('no ip')));
    expect(await leaseNow(there, 'ens99', { ipv4_method: 'static' })).toBeUndefined();
    expect(await leaseNow(broken, 'ens10', { ipv4_method: 'static' })).toBeUndefined();
  });
});

test.each<[string, PhysicalInterfaceUpdate, Lease, RegExp[]]>([
  [
    'address and gateway',
    { ipv4_method: 'static' },
    LEASE,
    [/^ens10 keeps 10\.7\.0\.9\/24 and the gateway 10\.7\.0\.1, which the link has now/, /Name servers/],
  ],
  [
    'no gateway',
    { ipv4_method: 'static' },
    { ipv4_cidrs: ['10.7.0.9/24'] },
    [/^ens10 keeps 10\.7\.0\.9\/24, which the link has now/, /^ens10 has no IPv4 gateway/, /Name servers/],
  ],
  [
    'a named gateway',
    { ipv4_method: 'static', ipv4_gateway: '10.7.0.2' },
    LEASE,
    [/^ens10 keeps 10\.7\.0\.9\/24, which the link has now/, /Name servers/],
  ],
  ['a named address', { ipv4_method: 'static', ipv4_cidr: '10.8.0.2/24' }, LEASE, []],
  ['another edit', { mtu: 9000 }, LEASE, []],
  ['an unused interface', { ipv4_method: 'static', role: 'unused' }, LEASE, []],
])('notes say what is kept: %s', (_name, update, lease, notes) => {
  expect(leaseNotes(BY_DHCP, edit(update, lease), update)).toEqual(notes.map((note) => expect.stringMatching(note)));
});
