// Address arithmetic against two independent implementations: node:net's BlockList and, where there is one, Python's
// ipaddress module.
import { spawnSync } from 'node:child_process';
import { BlockList } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import IPCIDR from 'ip-cidr';
import {
  type Address,
  addressOf,
  type Cidr,
  compareAddresses,
  contains,
  formatAddress,
  hostOffset,
  isLinkLocal,
  isLoopback,
  isMulticast,
  isUnicast,
  isUnspecified,
  isUsableHost,
  networkOf,
  overlaps,
  parseAddress,
  parseCidr,
  reverseName,
  sameNetwork,
  withOffset,
} from '../../../../shared/ground/addresses/address.ts';

const cidr = (text: string): Cidr => parseCidr(text)!;
const address = (text: string): Address => parseAddress(text)!;

describe('parsing is strict', () => {
  test.each([
    ['leading zero', '010.0.0.1'],
    ['shorthand', '10.1'],
    ['zone id', 'fe80::1%eth0'],
    ['IPv4-mapped', '::ffff:10.0.0.1'],
    ['IPv4-mapped, hexadecimal', '::ffff:a00:1'],
    ['space', ' 10.0.0.1'],
    ['two double colons', '1::2::3'],
    ['name', 'localhost'],
    ['empty', ''],
    ['number', '167772161'],
  ])('address refused: %s', (_name, text) => expect(parseAddress(text)).toBeNull());

  test.each([
    ['no prefix', '10.0.0.1'],
    ['/0', '10.0.0.1/0'],
    ['/0 of IPv6', '::1/0'],
    ['leading zero', '10.0.0.1/08'],
    ['too long', '10.0.0.1/33'],
    ['too long for IPv6', 'fd00::1/129'],
    ['netmask', '10.0.0.1/255.255.255.0'],
    ['sign', '10.0.0.1/+8'],
    ['two slashes', '10.0.0.1/8/8'],
    ['mapped', '::ffff:10.0.0.1/96'],
    ['zone id', 'fe80::1%eth0/64'],
  ])('CIDR refused: %s', (_name, text) => expect(parseCidr(text)).toBeNull());

  test.each([
    ['192.168.10.2/24', '192.168.10.2/24', '192.168.10.0/24'],
    ['FD00:0:0::00AB/64', 'fd00::ab/64', 'fd00::/64'],
    ['2001:db8:0:1:1:1:1:1/64', '2001:db8:0:1:1:1:1:1/64', '2001:db8:0:1::/64'],
    ['2001:0:0:1:0:0:0:1/128', '2001:0:0:1::1/128', '2001:0:0:1::1/128'],
    ['2001:db8:0:0:1:0:0:1/127', '2001:db8::1:0:0:1/127', '2001:db8:0:0:1::/127'],
    ['64:ff9b::10.0.0.1/96', '64:ff9b::a00:1/96', '64:ff9b::/96'],
  ])('%s keeps its host bits and becomes %s in %s', (text, canonical, network) => {
    expect(cidr(text).text).toBe(canonical);
    expect(networkOf(cidr(text))).toBe(network);
  });
});

describe('kinds of addresses', () => {
  test.each([
    [isLoopback, ['127.0.0.1', '127.255.255.255', '::1'], ['126.255.255.255', '128.0.0.0', '::2']],
    [isLinkLocal, ['169.254.0.1', 'fe80::1', 'febf::1'], ['169.253.0.1', 'fec0::1', 'fe7f::1']],
    [isMulticast, ['224.0.0.1', '239.1.2.3', 'ff02::1'], ['223.255.255.255', '240.0.0.0', 'feff::1']],
    [isUnspecified, ['0.0.0.0', '::'], ['0.0.0.1', '::1']],
    [isUnicast, ['10.0.0.1', 'fd00::1', '169.254.0.1'], ['0.1.2.3', '255.255.255.255', '250.0.0.1', '::', '::1']],
  ])('%p', (kind, inside, outside) => {
    expect(inside.filter((text) => !kind(address(text)))).toEqual([]);
    expect(outside.filter((text) => kind(address(text)))).toEqual([]);
  });

  test.each([
    ['10.0.0.0/24', false],
    ['10.0.0.255/24', false],
    ['10.0.0.1/24', true],
    ['10.0.0.0/31', true],
    ['10.0.0.1/31', true],
    ['10.0.0.9/32', true],
    ['fd00::/64', false],
    ['fd00::ffff:ffff:ffff:ffff/64', true],
    ['fd00::/127', true],
    ['fd00::/128', true],
    ['127.0.0.1/8', false],
  ])('a host may have %s: %p', (text, usable) => expect(isUsableHost(cidr(text))).toBe(usable));
});

test('offsets rebase a host and refuse what the network has no room for', () => {
  const offset = hostOffset(cidr('10.0.0.1/24'), address('10.0.0.50'))!;
  expect(withOffset(cidr('192.168.7.1/26'), offset)?.text).toBe('192.168.7.50');
  expect(withOffset(cidr('192.168.7.1/27'), offset)).toBeNull();
  expect(withOffset(cidr('192.168.7.1/26'), 63n)).toBeNull();
  expect(withOffset(cidr('255.255.255.1/24'), 256n)).toBeNull();
  expect(hostOffset(cidr('10.0.0.1/24'), address('10.0.1.0'))).toBeNull();
  expect(hostOffset(cidr('10.0.0.1/24'), address('fd00::1'))).toBeNull();
});

test('order is IPv4 before IPv6, then numeric', () => {
  const sorted = ['fd00::1', '10.0.0.10', '10.0.0.9', '::1'].map(address).sort(compareAddresses);
  expect(sorted.map(({ text }) => text)).toEqual(['10.0.0.9', '10.0.0.10', '::1', 'fd00::1']);
});

const value4 = fc.bigInt({ min: 0n, max: (1n << 32n) - 1n });
// Sparse values, so that runs of zero groups happen.
const value6 = fc
  .tuple(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), fc.array(fc.nat(7), { maxLength: 8 }))
  .map(([value, zeroed]) => zeroed.reduce((rest, group) => rest & ~(0xffffn << BigInt(group * 16)), value));
const anyAddress = fc.oneof(
  value4.map((value) => addressOf(4, value)!),
  value6.map((value) => addressOf(6, value)!),
);
const anyCidr = anyAddress.chain((from) =>
  fc.integer({ min: 1, max: from.family === 4 ? 32 : 128 }).map((prefix) => `${from.text}/${prefix}`),
);
const isMapped = (text: string) => text.startsWith('::ffff:') && text.split(':').length <= 5;

test('what is formatted is parsed back to the same value', () => {
  fc.assert(
    fc.property(anyAddress, (from) => {
      fc.pre(!isMapped(from.text));
      expect(parseAddress(from.text)).toEqual(from);
    }),
  );
});

test('first and last of a network agree with ip-cidr', () => {
  fc.assert(
    fc.property(anyCidr, (text) => {
      const network = parseCidr(text);
      fc.pre(network !== null);
      const [first, last] = new IPCIDR(text).toRange<bigint>({ type: 'bigInteger' });
      expect([network.first, network.last]).toEqual([BigInt(first), BigInt(last)]);
    }),
  );
});

test('contains, sameNetwork and overlaps agree with BlockList', () => {
  const family = (of: Address) => (of.family === 4 ? 'ipv4' : 'ipv6');
  fc.assert(
    fc.property(anyCidr, anyAddress, fc.nat(40), (text, other, shift) => {
      const network = parseCidr(text);
      fc.pre(network !== null);
      const near = addressOf(network.family, network.address.value ^ (1n << BigInt(shift % 32))) ?? other;
      const list = new BlockList();
      list.addSubnet(formatAddress(network.family, network.first), network.prefix, family(network.address));
      for (const candidate of [near, network.address, ...(other.family === network.family ? [other] : [])]) {
        expect(contains(network, candidate)).toBe(list.check(candidate.text, family(candidate)));
      }
      const wider = parseCidr(`${near.text}/${network.prefix}`);
      if (!wider) return;
      expect(sameNetwork(network, wider)).toBe(list.check(near.text, family(near)));
      expect(overlaps(network, wider)).toBe(sameNetwork(network, wider));
    }),
  );
});

const PYTHON = `
import ipaddress, json, sys
answers = []
for text in json.load(sys.stdin):
    i = ipaddress.ip_interface(text)
    answers.append([str(i), str(i.network), i.ip.reverse_pointer, i.ip.is_multicast, i.ip.is_loopback, i.ip.is_link_local])
print(json.dumps(answers))
`;
const python = spawnSync('python3', ['-c', 'import ipaddress'], { encoding: 'utf8' }).status === 0;

test('text, network, reverse name and kinds agree with an independent implementation', () => {
  const samples = fc.sample(anyCidr, { numRuns: 2000, seed: 7 }).filter((text) => parseCidr(text) !== null);
  const ours = samples
    .map(cidr)
    .map((of) => [
      of.text,
      networkOf(of),
      reverseName(of.address),
      isMulticast(of.address),
      isLoopback(of.address),
      isLinkLocal(of.address),
    ]);
  if (!python) {
    // Without Python the platform's own URL serializer judges the text.
    const six = samples.map((text) => cidr(text).address).filter(({ family }) => family === 6);
    expect(six.map(({ text }) => text)).toEqual(
      six.map(({ text }) => new URL(`http://[${text}]`).hostname.slice(1, -1)),
    );
    return;
  }
  const run = spawnSync('python3', ['-c', PYTHON], { input: JSON.stringify(samples), encoding: 'utf8' });
  expect(samples.length).toBeGreaterThan(1900);
  expect(ours).toEqual(JSON.parse(run.stdout));
});
