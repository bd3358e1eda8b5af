// All address arithmetic of the house: strict parsing, RFC 5952 output, networks, offsets. Text comes in at the edge
// and becomes a value once; comparisons are then plain bigint comparisons, fast enough for loops over thousands of
// records. Two shifts make a network of a value. ip-cidr takes 30 µs for the same, a hundred times as long, and is 107
// kB of each bundled operation: it is what the tests hold this file against.
import { isIPv4, isIPv6 } from 'node:net';

export type Family = 4 | 6;

/** One address. `text` is canonical: dotted quad, or RFC 5952. */
export interface Address {
  family: Family;
  value: bigint;
  text: string;
}

/** An address with its prefix, host bits kept (`192.168.10.2/24`). `first` and `last` bound its network. */
export interface Cidr {
  address: Address;
  family: Family;
  prefix: number;
  text: string;
  first: bigint;
  last: bigint;
}

/** Bits of an address. */
export const BITS = { 4: 32, 6: 128 } as const;
const PREFIX = /^(?:[1-9]\d{0,2})$/;
const MAPPED = 0xffffn;

/** Canonical text of an address value. */
export function formatAddress(family: Family, value: bigint): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => Number((value >> BigInt(112 - index * 16)) & 0xffffn));
  const run = longestZeroRun(groups);
  const hex = (part: number[]) => part.map((group) => group.toString(16)).join(':');
  // RFC 5952 4.2: the longest run, the first of equals, and never a single group.
  if (run.length < 2) return hex(groups);
  return `${hex(groups.slice(0, run.start))}::${hex(groups.slice(run.start + run.length))}`;
}

function longestZeroRun(groups: number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  groups.forEach((group, index) => {
    if (group !== 0) start = index + 1;
    else if (index - start + 1 > best.length) best = { start, length: index - start + 1 };
  });
  return best;
}

function valueOf4(text: string): bigint {
  return BigInt(text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0));
}

function valueOf6(text: string): bigint {
  // A dotted tail (`64:ff9b::10.0.0.1`) is two groups.
  const plain = text.replace(/[^:]*\.[^:]*$/, (tail) => {
    const value = valueOf4(tail);
    return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
  });
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n);
}

/**
 * Parses one address; null for anything else. Leading zeros, shorthand (`10.1`), zone ids and IPv4-mapped IPv6
 * addresses are refused: each of them means another address to some other program.
 */
export function parseAddress(text: string): Address | null {
  if (isIPv4(text)) return { family: 4, value: valueOf4(text), text };
  if (!isIPv6(text) || text.includes('%')) return null;
  const value = valueOf6(text);
  if (value >> 32n === MAPPED) return null;
  return { family: 6, value, text: formatAddress(6, value) };
}

/** The address of a value in a family; null when the family has no such address. */
export function addressOf(family: Family, value: bigint): Address | null {
  if (value < 0n || value >> BigInt(BITS[family]) !== 0n) return null;
  return { family, value, text: formatAddress(family, value) };
}

/** The same few prefixes of an appliance are parsed over and over. */
const parsed = new Map<string, Cidr | null>();
/** Each of 4,094 VLANs has an address and the subnet of a scope in either family. */
const REMEMBERED = 16_384;

/** Parses `address/prefix` and keeps host bits; null for anything else, `/0` included. */
export function parseCidr(text: string): Cidr | null {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const cidr = parse(text);
  if (parsed.size >= REMEMBERED) parsed.clear();
  // A megabyte of nonsense is not worth remembering.
  if (text.length <= 64) parsed.set(text, cidr);
  return cidr;
}

function parse(text: string): Cidr | null {
  const slash = text.indexOf('/');
  const address = slash < 0 ? null : parseAddress(text.slice(0, slash));
  const length = text.slice(slash + 1);
  if (!address || !PREFIX.test(length) || Number(length) > BITS[address.family]) return null;
  const { family, value } = address;
  const prefix = Number(length);
  const bits = BigInt(BITS[family] - prefix);
  const first = (value >> bits) << bits;
  return { address, family, prefix, text: `${address.text}/${length}`, first, last: first | ((1n << bits) - 1n) };
}

/** `10.0.0.5/24` → `10.0.0.0/24`. */
export function networkOf(cidr: Cidr): string {
  return `${formatAddress(cidr.family, cidr.first)}/${cidr.prefix}`;
}

export function contains(cidr: Cidr, address: Address): boolean {
  return cidr.family === address.family && address.value >= cidr.first && address.value <= cidr.last;
}

export function sameNetwork(a: Cidr, b: Cidr): boolean {
  return a.family === b.family && a.prefix === b.prefix && a.first === b.first;
}

export function overlaps(a: Cidr, b: Cidr): boolean {
  return a.family === b.family && a.first <= b.last && b.first <= a.last;
}

/** Order: IPv4 before IPv6, then by value. Fits `Array.sort`. */
export function compareAddresses(a: Address, b: Address): number {
  if (a.family !== b.family) return a.family - b.family;
  return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
}

/** Blocks with a meaning of their own: first value, leading bits. RFC 6890 and RFC 4291. */
const BLOCKS = {
  unspecified: { 4: [0n, 32], 6: [0n, 128] },
  thisNetwork: { 4: [0n, 8], 6: [0n, 128] },
  loopback: { 4: [0x7f000000n, 8], 6: [1n, 128] },
  linkLocal: { 4: [0xa9fe0000n, 16], 6: [0xfe80n << 112n, 10] },
  multicast: { 4: [0xe0000000n, 4], 6: [0xff00n << 112n, 8] },
  reserved: { 4: [0xf0000000n, 4], 6: [0n, 128] },
} as const satisfies Record<string, Record<Family, readonly [bigint, number]>>;

function inBlock(address: Address, block: keyof typeof BLOCKS): boolean {
  const [start, bits] = BLOCKS[block][address.family];
  const shift = BigInt(BITS[address.family] - bits);
  return address.value >> shift === start >> shift;
}

export const isUnspecified = (address: Address): boolean => inBlock(address, 'unspecified');
export const isLoopback = (address: Address): boolean => inBlock(address, 'loopback');
export const isLinkLocal = (address: Address): boolean => inBlock(address, 'linkLocal');
export const isMulticast = (address: Address): boolean => inBlock(address, 'multicast');

/** An address that one host can own: none of 0/8, 127/8, 224/4, 240/4, `::`, `::1`, ff00::/8. Link-local counts. */
export function isUnicast(address: Address): boolean {
  return !(['thisNetwork', 'loopback', 'multicast', 'reserved'] as const).some((block) => inBlock(address, block));
}

/**
 * Whether the address is one that a host may have inside the network: not IPv4's network or broadcast address
 * (a /31 and /32 have neither, RFC 3021) and not IPv6's subnet-router anycast address (RFC 4291 2.6.1; not on a
 * /127 or /128, RFC 6164).
 */
export function isUsableHost(cidr: Cidr, address: Address = cidr.address): boolean {
  if (!contains(cidr, address) || !isUnicast(address)) return false;
  if (BITS[cidr.family] - cidr.prefix < 2) return true;
  if (address.value === cidr.first) return false;
  return cidr.family === 6 || address.value !== cidr.last;
}

/** The first of some addresses with prefix length that an interface may keep: usable there, and not link-local. */
export function firstKeepable(texts: readonly string[]): Cidr | null {
  for (const text of texts) {
    const cidr = parseCidr(text);
    if (cidr && isUsableHost(cidr) && !isLinkLocal(cidr.address)) return cidr;
  }
  return null;
}

/** Distance of an address from the start of the network; null outside of the network. */
export function hostOffset(cidr: Cidr, address: Address): bigint | null {
  return contains(cidr, address) ? address.value - cidr.first : null;
}

/** The usable address at an offset of the network, or null when the network has none there. */
export function withOffset(cidr: Cidr, offset: bigint): Address | null {
  const address = addressOf(cidr.family, cidr.first + offset);
  return address && isUsableHost(cidr, address) ? address : null;
}

/** Name of the PTR record, without trailing dot: `5.0.0.10.in-addr.arpa`, or 32 nibbles below `ip6.arpa`. */
export function reverseName(address: Address): string {
  if (address.family === 4) return `${address.text.split('.').reverse().join('.')}.in-addr.arpa`;
  const nibbles = address.value.toString(16).padStart(32, '0').split('').reverse();
  return `${nibbles.join('.')}.ip6.arpa`;
}
