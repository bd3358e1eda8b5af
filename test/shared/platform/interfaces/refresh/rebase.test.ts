// Where subnets and addresses go when an interface gets another network: known cases, properties, and an independent
// implementation with Python's ipaddress module.
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Address,
  type Cidr,
  contains,
  type Family,
  formatAddress,
  isUsableHost,
  parseAddress,
  parseCidr,
  sameNetwork,
} from '../../../../../shared/ground/addresses/address.ts';
import { rebasedAddress, rebasedSubnet } from '../../../../../shared/platform/interfaces/refresh/rebase.ts';

const cidr = (text: string): Cidr => parseCidr(text)!;
const subnetOf = (subnet: string, from: string, to: string) =>
  rebasedSubnet(cidr(subnet), cidr(from), cidr(to))?.text ?? null;
const addressOf = (address: string, from: string, to: string) =>
  rebasedAddress(parseAddress(address)!, cidr(from), cidr(to))?.text ?? null;

describe('a subnet follows its interface', () => {
  test.each([
    ['to another network', '10.0.0.0/24', '10.0.0.1/24', '10.9.9.1/24', '10.9.9.0/24'],
    ['IPv6', 'fd00::/64', 'fd00::1/64', 'fd09::1/64', 'fd09::/64'],
    ['to another host of its network: stays', '10.0.0.0/24', '10.0.0.1/24', '10.0.0.9/24', '10.0.0.0/24'],
    ['growing with it', '10.0.5.0/24', '10.0.5.1/24', '10.0.5.1/16', '10.0.0.0/16'],
    ['shrinking with it', '10.0.0.0/24', '10.0.0.200/24', '10.0.0.200/26', '10.0.0.192/26'],
    ['a /31', '10.0.0.0/31', '10.0.0.0/31', '10.9.9.9/31', '10.9.9.8/31'],
    ['a /32', '10.0.0.1/32', '10.0.0.1/32', '10.9.9.9/32', '10.9.9.9/32'],
    ['a /127', 'fd00::2/127', 'fd00::3/127', 'fd09::9/127', 'fd09::8/127'],
    ['a /128', 'fd00::3/128', 'fd00::3/128', 'fd09::9/128', 'fd09::9/128'],
    ['a part of it, to the same part', '10.0.0.64/26', '10.0.0.1/24', '10.9.9.1/24', '10.9.9.64/26'],
    ['a part, the network growing', '10.0.5.64/26', '10.0.5.1/24', '10.0.5.1/16', '10.0.0.64/26'],
    ['a part that still fits', '10.0.0.0/26', '10.0.0.1/24', '10.9.9.129/25', '10.9.9.128/26'],
    ['a part that no longer fits', '10.0.0.192/26', '10.0.0.1/24', '10.9.9.1/25', null],
    ['a part larger than the new network', '10.0.0.0/25', '10.0.0.1/24', '10.9.9.1/26', null],
    ['a part at an offset that its prefix cannot have there', '10.0.0.64/26', '10.0.0.1/24', '10.9.9.33/27', null],
    ['a part of an IPv6 network', 'fd00::1:0/112', 'fd00::1/64', 'fd09::1/64', 'fd09::1:0/112'],
    ['a part beyond the end of all addresses', '10.0.128.0/17', '10.0.0.1/16', '255.255.0.1/17', null],
    ['wider than it', '10.1.0.0/16', '10.1.2.1/24', '10.5.7.1/24', '10.5.0.0/16'],
    ['wider, the new network inside: stays', '10.1.0.0/16', '10.1.2.1/24', '10.1.7.1/24', '10.1.0.0/16'],
    ['stale: lies elsewhere', '192.168.7.0/26', '10.0.0.1/24', '10.9.9.77/24', '10.9.9.64/26'],
    ['stale, as wide as the interface', '192.168.7.0/24', '10.0.0.1/24', '10.9.9.77/25', '10.9.9.0/25'],
    ['stale, though its interface stays', '192.168.7.0/24', '10.0.0.1/24', '10.0.0.2/24', '10.0.0.0/24'],
  ])('%s', (_name, subnet, from, to, expected) => expect(subnetOf(subnet, from, to)).toBe(expected));
});

describe('an address keeps its distance from the start', () => {
  test.each([
    ['in another network', '10.0.0.50', '10.0.0.0/24', '10.9.9.0/24', '10.9.9.50'],
    ['IPv6', 'fd00::1:50', 'fd00::/64', 'fd09::/64', 'fd09::1:50'],
    ['in a wider one', '10.0.5.50', '10.0.5.0/24', '10.0.0.0/16', '10.0.0.50'],
    ['beyond a narrower one', '10.0.0.200', '10.0.0.0/24', '10.9.9.0/25', null],
    ['on the broadcast address of a narrower one', '10.0.0.127', '10.0.0.0/24', '10.9.9.0/25', null],
    ['from the network address of a /31', '10.0.0.0', '10.0.0.0/31', '10.9.9.0/24', null],
    ['to the network address of a /31', '10.0.0.2', '10.0.0.2/31', '10.9.9.8/31', '10.9.9.8'],
    ['in a /32', '10.0.0.1', '10.0.0.1/32', '10.9.9.9/32', '10.9.9.9'],
    ['in a /127', 'fd00::3', 'fd00::2/127', 'fd09::8/127', 'fd09::9'],
    ['to the anycast address of a subnet', 'fd00::2', 'fd00::2/127', 'fd09::/64', null],
    ['from outside', '10.0.1.1', '10.0.0.0/24', '10.9.9.0/24', null],
    ['of the other family', 'fd00::1', '10.0.0.0/24', '10.9.9.0/24', null],
  ])('%s', (_name, address, from, to, expected) => expect(addressOf(address, from, to)).toBe(expected));
});

/** A family, and values of it of which many share their first bits. */
interface Sample {
  family: Family;
  subnet: Cidr;
  from: Cidr;
  to: Cidr;
  address: Address;
}

const BITS = { 4: 32, 6: 128 } as const;
/** Blocks whose addresses hosts can have, so that no sample falls out. */
const BLOCK = { 4: 10n << 24n, 6: 0xfdn << 120n } as const;

const network = (family: Family, value: bigint, prefix: number): Cidr => {
  const host = BigInt(BITS[family] - prefix);
  return cidr(`${formatAddress(family, (value >> host) << host)}/${prefix}`);
};

const sample: fc.Arbitrary<Sample> = fc.constantFrom<Family[]>(4, 6).chain((family) => {
  const most = BigInt(BITS[family]) - 8n;
  const low = fc.bigInt({ min: 0n, max: (1n << most) - 1n });
  const value = low.map((rest) => BLOCK[family] | rest);
  const prefix = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 8, max: BITS[family] }) },
    { weight: 1, arbitrary: fc.integer({ min: BITS[family] - 4, max: BITS[family] }) },
  );
  // Near: differs in a few low bits only, so that one network often holds the other.
  const near = fc.tuple(fc.bigInt({ min: 0n, max: most }), low).map(([bits, rest]) => rest & ((1n << bits) - 1n));
  return fc
    .tuple(value, prefix, prefix, prefix, near, near, near, value, fc.boolean(), fc.boolean())
    .map(([base, one, two, three, nearSubnet, nearTo, nearAddress, far, away, alike]) => {
      const from = cidr(`${formatAddress(family, base)}/${one}`);
      const subnet = network(family, base ^ nearSubnet, alike ? one : two);
      const to = cidr(`${formatAddress(family, away ? far : base ^ nearTo)}/${alike ? one : three}`);
      const address = parseAddress(formatAddress(family, subnet.first | (nearAddress & (subnet.last - subnet.first))))!;
      return { family, subnet, from, to, address };
    });
});

describe('properties', () => {
  test('a subnet that moves still holds its interface, or its part of the new network, at full width', () => {
    fc.assert(
      fc.property(sample, ({ subnet, from, to }) => {
        const moved = rebasedSubnet(subnet, from, to);
        if (!moved) {
          // Only a proper part can fail to fit.
          expect(subnet.prefix).toBeGreaterThan(from.prefix);
          return;
        }
        expect(isNetwork(moved)).toBe(true);
        expect(contains(moved, to.address) || (moved.first >= to.first && moved.last <= to.last)).toBe(true);
        expect(moved.prefix).toBe(subnet.prefix === from.prefix && moved !== subnet ? to.prefix : subnet.prefix);
        if (sameNetwork(moved, subnet)) return;
        expect(sameNetwork(from, to) && contains(from, subnet.address)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test('between networks of the same width, the way back leads back', () => {
    fc.assert(
      fc.property(sample, ({ subnet, from, to, address }) => {
        fc.pre(from.prefix === to.prefix);
        fc.pre(subnet.first <= from.last && from.first <= subnet.last);
        const moved = rebasedSubnet(subnet, from, to);
        expect(moved).not.toBeNull();
        expect(rebasedSubnet(moved!, to, from)?.text).toBe(subnet.text);
        const there = rebasedAddress(address, subnet, moved!);
        if (there) expect(rebasedAddress(there, moved!, subnet)?.text ?? address.text).toBe(address.text);
        else expect(isUsableHost(subnet, address)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

const isNetwork = ({ address, first }: Cidr): boolean => address.value === first;

const PYTHON = `
import ipaddress, json, sys

def subnet_after(subnet, old, new):
    if old.network == new.network and (subnet.subnet_of(old.network) or subnet.supernet_of(old.network)):
        return subnet
    if subnet.prefixlen == old.network.prefixlen:
        return new.network
    if not subnet.subnet_of(old.network):
        return ipaddress.ip_network((new.ip, subnet.prefixlen), strict=False)
    distance = int(subnet.network_address) - int(old.network.network_address)
    try:
        moved = ipaddress.ip_network((new.network.network_address + distance, subnet.prefixlen))
    except (ValueError, ipaddress.AddressValueError):
        return None
    return moved if moved.subnet_of(new.network) else None

def host_of(network, address):
    if network.version == 4 and network.prefixlen < 31:
        return address not in (network.network_address, network.broadcast_address)
    return network.version == 4 or network.prefixlen >= 127 or address != network.network_address

def address_after(address, old, new):
    if new is None or address not in old:
        return None
    try:
        moved = new.network_address + (int(address) - int(old.network_address))
    except ipaddress.AddressValueError:
        return None
    return moved if moved in new and host_of(new, moved) else None

answers = []
for subnet, old, new, address in json.load(sys.stdin):
    before = ipaddress.ip_network(subnet)
    after = subnet_after(before, ipaddress.ip_interface(old), ipaddress.ip_interface(new))
    moved = address_after(ipaddress.ip_address(address), before, after)
    answers.append([after and str(after), moved and str(moved)])
print(json.dumps(answers))
`;

test('subnets and addresses go where an independent implementation sends them', () => {
  const samples = fc.sample(sample, { numRuns: 2000, seed: 11 });
  const ours = samples.map(({ subnet, from, to, address }) => {
    const moved = rebasedSubnet(subnet, from, to);
    return [moved?.text ?? null, (moved && rebasedAddress(address, subnet, moved)?.text) ?? null];
  });
  // Enough of every kind: a judge of nothing but refusals would be none.
  const kinds = samples.map(({ subnet, from, to }, at) => {
    if (ours[at]![0] === null) return 'does not fit';
    if (subnet.prefix === from.prefix) return sameNetwork(from, to) ? 'same' : 'whole';
    const inside = subnet.first >= from.first && subnet.last <= from.last;
    return inside ? 'part' : subnet.first <= from.first && subnet.last >= from.last ? 'wider' : 'stale';
  });
  for (const kind of ['does not fit', 'same', 'whole', 'part', 'wider', 'stale']) {
    expect([kind, kinds.filter((each) => each === kind).length > 30]).toEqual([kind, true]);
  }
  const run = spawnSync('python3', ['-c', PYTHON], {
    input: JSON.stringify(samples.map(({ subnet, from, to, address }) => [subnet, from, to, address].map(textOf))),
    encoding: 'utf8',
    maxBuffer: 1 << 24,
  });
  // A machine without Python has the known cases and the properties.
  if (run.error) return;
  expect(ours).toEqual(JSON.parse(run.stdout));
});

const textOf = ({ text }: { text: string }): string => text;
