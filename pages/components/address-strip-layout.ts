// What an address strip shows of a subnet, computed without drawing it: which addresses are taken and by what, the next
// free one, and the block of addresses that is worth showing.
import {
  type Address,
  addressOf,
  type Cidr,
  contains,
  type Family,
  isUsableHost,
  parseAddress,
  parseCidr,
} from '../../shared/ground/addresses/address.ts';

export interface StripData {
  /** `10.10.20.0/24` */
  network: string;
  /** Ranges that clients get their addresses from. */
  pools: readonly { start: string; end: string }[];
  /** Addresses that something has: names in DNS, the appliance itself. Those outside of the network are left out. */
  used: readonly string[];
  /** Addresses that are kept for one client. A reserved address does not count as used. */
  reserved: readonly string[];
  /** Empty when there is none. */
  gateway: string;
  /** Addresses that are about to be given. */
  planned?: readonly string[];
  /** The part to draw, where not all of the network is known. */
  part?: { first: string; last: string };
  /** The next free address, where somebody knows better than from what is drawn; null: none. */
  next?: string | null;
}

interface Span {
  first: bigint;
  last: bigint;
}

export interface Strip {
  cidr: Cidr;
  /** The addresses shown: all of the network, or the smallest aligned block around everything in it. */
  shown: Span;
  pools: readonly Span[];
  used: readonly bigint[];
  reserved: readonly bigint[];
  planned: readonly bigint[];
  gateway: bigint | null;
  /** Lowest usable address that is neither taken nor in a pool; null when there is none. */
  next: bigint | null;
  /** Addresses in all pools. */
  pooled: bigint;
}

/** Fewest addresses that a strip shows of a larger network. */
const LEAST = 256n;
const COLUMNS = 256;

/** Null when the network is not one. */
export function stripOf(data: StripData): Strip | null {
  const cidr = parseCidr(data.network);
  if (!cidr) return null;
  const within = (text: string): Address | null => {
    const address = parseAddress(text);
    return address && contains(cidr, address) ? address : null;
  };
  const values = (texts: readonly string[]) => new Set(texts.flatMap((text) => within(text)?.value ?? []));
  const reserved = values(data.reserved);
  const used = [...values(data.used)].filter((value) => !reserved.has(value));
  const pools = data.pools.flatMap(({ start, end }) => {
    const [first, last] = [within(start), within(end)];
    return first && last && first.value <= last.value ? [{ first: first.value, last: last.value }] : [];
  });
  const gateway = within(data.gateway)?.value ?? null;
  const known = data.next === undefined ? undefined : (within(data.next ?? '')?.value ?? null);
  const next =
    known !== undefined
      ? known
      : nextFree(cidr, new Set([...used, ...reserved, ...(gateway === null ? [] : [gateway])]), pools);
  const planned = [...values(data.planned ?? [])].sort(ascending);
  const marks = [...used, ...reserved, ...planned, ...pools.flatMap(({ first, last }) => [first, last])];
  const pooled = pools.reduce((sum, { first, last }) => sum + last - first + 1n, 0n);
  const shown = partOf(data, within) ?? shownBlock(cidr, gateway === null ? marks : [...marks, gateway], next);
  const drawn = (value: bigint) => data.part === undefined || (value >= shown.first && value <= shown.last);
  return {
    cidr,
    shown,
    pools: pools.filter(({ first, last }) => drawn(first) && drawn(last)),
    used: used.sort(ascending),
    reserved: [...reserved].sort(ascending),
    planned: planned.filter(drawn),
    gateway: gateway !== null && drawn(gateway) ? gateway : null,
    next,
    pooled,
  };
}

function partOf({ part }: StripData, within: (text: string) => Address | null): Span | null {
  const [first, last] = [within(part?.first ?? ''), within(part?.last ?? '')];
  return first && last ? { first: first.value, last: last.value } : null;
}

const ascending = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0);

function nextFree(cidr: Cidr, taken: ReadonlySet<bigint>, pools: readonly Span[]): bigint | null {
  let value = cidr.first;
  // Each step passes one taken address, a pool, or one of the ends that no host may have.
  for (let steps = taken.size + pools.length + 3; steps > 0 && value <= cidr.last; steps--) {
    const pool = pools.find(({ first, last }) => value >= first && value <= last);
    const address = pool ? null : addressOf(cidr.family, value);
    if (address && !taken.has(value) && isUsableHost(cidr, address)) return value;
    value = pool ? pool.last + 1n : value + 1n;
  }
  return null;
}

/** A strip of a whole /64 would be one blank line: the aligned block around what is in it says more. */
function shownBlock({ first, last }: Cidr, marks: readonly bigint[], next: bigint | null): Span {
  const size = last - first + 1n;
  if (size <= LEAST) return { first, last };
  const offsets = [...marks, ...(next === null ? [] : [next])].map((value) => value - first);
  const low = offsets.reduce((least, offset) => (offset < least ? offset : least), offsets[0] ?? 0n);
  const high = offsets.reduce((most, offset) => (offset > most ? offset : most), low);
  let block = LEAST;
  while (low / block !== high / block) block *= 2n;
  const begin = first + (low / block) * block;
  return { first: begin, last: begin + block - 1n };
}

export interface Cells {
  /** At most 256: an address each, or several where the block is larger. */
  columns: number;
  /** Place of an address, in columns from the left edge. */
  at(value: bigint): number;
  /** Runs of columns that hold one of the addresses. */
  runs(values: readonly bigint[]): { from: number; to: number }[];
}

export function cellsOf({ shown }: Strip): Cells {
  const size = shown.last - shown.first + 1n;
  const columns = Number(size < BigInt(COLUMNS) ? size : BigInt(COLUMNS));
  const each = size / BigInt(columns);
  const at = (value: bigint): number => Number((value - shown.first) / each);
  const runs = (values: readonly bigint[]) => {
    const found: { from: number; to: number }[] = [];
    for (const column of new Set(values.map(at))) {
      const last = found.at(-1);
      if (last && last.to === column) last.to = column + 1;
      else found.push({ from: column, to: column + 1 });
    }
    return found;
  };
  return { columns, at, runs };
}

/** The value of an address that is shown; null for any other. */
export function valueIn({ shown, cidr }: Strip, text: string): bigint | null {
  const address = parseAddress(text);
  const there = address?.family === cidr.family && address.value >= shown.first && address.value <= shown.last;
  return there ? address.value : null;
}

export const textOf = (family: Family, value: bigint): string => addressOf(family, value)?.text ?? '';

/** As short as the block allows: `.40`, `.3.40`, `::10`; else the whole address. */
export function shortOf({ cidr, shown }: Strip, value: bigint): string {
  const varies = (shown.first ^ shown.last).toString(2).length;
  if (cidr.family === 6) return varies <= 16 ? `::${(value & 0xffffn).toString(16)}` : textOf(6, value);
  const bytes = textOf(4, value).split('.');
  return varies <= 16 ? `.${bytes.slice(varies <= 8 ? 3 : 2).join('.')}` : bytes.join('.');
}

/** The last part of an address, for a small cell. */
export function tailOf(family: Family, value: bigint): string {
  return family === 4 ? String(value & 0xffn) : (value & 0xffffn).toString(16);
}

/** Counts that are too long to read become a power of two. */
export function countOf(count: bigint): string {
  return count < 10_000_000n ? count.toLocaleString('en') : `2^${count.toString(2).length - 1}`;
}

/** The strip in one sentence. */
export function stripInWords(strip: Strip): string {
  const { cidr, pools, used, reserved, planned, gateway, next } = strip;
  const short = (value: bigint): string => shortOf(strip, value);
  const parts = [
    `${used.length} used`,
    `${reserved.length} reserved`,
    ...(planned.length > 0 ? [`${planned.length} planned`] : []),
    pools.length === 0
      ? 'no pool'
      : `pool ${pools.map(({ first, last }) => `${short(first)} to ${short(last)}`).join(' and ')}`,
    gateway === null ? 'no gateway' : `gateway ${short(gateway)}`,
    next === null ? 'none free outside of the pool' : `next free ${short(next)}`,
  ];
  return `${cidr.text}: ${parts.join(', ')}`;
}
