// The leases of a lease file by address, kept from one look to the next. A server with thousands of leases writes a few lines of
// it anew between two looks: only those are parsed again, and put where they belong.
import { type Address, compareAddresses, parseAddress } from '../../../ground/addresses/address.ts';
import { type Lease, readLeaseFile } from './leases.ts';

/** A lease at its address. */
export interface Placed {
  lease: Lease;
  address: Address;
}

/** For more lines than these, all of the file is parsed and sorted anew. */
const LINES_MOST = 500;
/** Characters of a part of the file in which no equal lines are looked for any more. */
const PART = 512;

/** The leases of one file. A file with two lines of one address is parsed anew each time: which of them is meant depends on the others. */
export class KnownLeases {
  #text = '';
  #stamp: string | null = null;
  #twins = false;
  /** By address, also those that ended. */
  #ordered: Placed[] = [];
  /** Those in force at each time from `#from` until before `#until`, in seconds since 1970. */
  #living: Placed[] = this.#ordered;
  #from = Number.NEGATIVE_INFINITY;
  #until = Number.NEGATIVE_INFINITY;

  /** Whether the file with this stamp was read last. */
  isOf(stamp: string | null): boolean {
    return stamp !== null && stamp === this.#stamp;
  }

  /** `text`: the file as it is now. `stamp`: what it had before it was read (Host.stamp). */
  read(text: string, stamp: string | null = null): void {
    this.#stamp = stamp;
    if (text === this.#text) return;
    if (this.#twins || !this.#follow(changedLines(this.#text, text))) this.#readAnew(text);
    this.#text = text;
    if (this.#living !== this.#ordered) this.#until = Number.NEGATIVE_INFINITY;
  }

  /** Leases in force, by address, IPv4 first. `now`: seconds since 1970. Valid until the next look. */
  livingAt(now: number): readonly Placed[] {
    if (now < this.#from || now >= this.#until) this.#leave(now);
    return this.#living;
  }

  #readAnew(text: string): void {
    const byLine = new Map<string, Placed>();
    let found = 0;
    for (const line of text.split('\n')) {
      const placed = placedOf(line);
      if (!placed) continue;
      found++;
      byLine.set(line, placed);
    }
    const ordered = [...byLine.values()].sort((one, other) => compareAddresses(one.address, other.address));
    // A line that is there twice is one lease, and stays one when one of the two goes.
    this.#twins = byLine.size < found || ordered.some(({ address }, at) => at > 0 && isAt(ordered, at - 1, address));
    this.#ordered = ordered;
    this.#living = ordered;
    this.#from = Number.NEGATIVE_INFINITY;
    this.#until = Number.NEGATIVE_INFINITY;
  }

  /** False: they can't be put in one by one; then all is parsed anew, whatever was done until then. */
  #follow(changed: Changed | null): boolean {
    if (changed === null) return false;
    for (const line of changed.gone) {
      const placed = placedOf(line);
      if (!placed) continue;
      const at = placeOf(this.#ordered, placed.address);
      if (!isAt(this.#ordered, at, placed.address)) return false;
      this.#ordered.splice(at, 1);
    }
    for (const line of changed.come) {
      const placed = placedOf(line);
      if (!placed) continue;
      const at = placeOf(this.#ordered, placed.address);
      if (isAt(this.#ordered, at, placed.address)) return false;
      this.#ordered.splice(at, 0, placed);
      const { expires } = placed.lease;
      if (expires !== 0) this.#until = Math.min(this.#until, expires);
    }
    return true;
  }

  #leave(now: number): void {
    this.#from = Number.NEGATIVE_INFINITY;
    this.#until = Number.POSITIVE_INFINITY;
    let ended = 0;
    for (const { lease } of this.#ordered) {
      const { expires } = lease;
      if (expires === 0) continue;
      if (expires > now) this.#until = Math.min(this.#until, expires);
      else {
        ended++;
        this.#from = Math.max(this.#from, expires);
      }
    }
    this.#living = ended === 0 ? this.#ordered : this.#ordered.filter(({ lease }) => isLiving(lease, now));
  }
}

const isLiving = ({ expires }: Lease, now: number): boolean => expires === 0 || expires > now;

function placedOf(line: string): Placed | null {
  const [lease] = readLeaseFile(line).leases;
  const address = lease && parseAddress(lease.ip_address);
  return address ? { lease, address } : null;
}

/** Place of the first one that is not below the address; `after`: of the first one above it. */
export function placeOf(ordered: readonly Placed[], address: Address, after = false): number {
  let [low, high] = [0, ordered.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compareAddresses(ordered[middle]!.address, address);
    if (order < 0 || (after && order === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const isAt = (ordered: readonly Placed[], at: number, address: Address): boolean =>
  at < ordered.length && compareAddresses(ordered[at]!.address, address) === 0;

interface Changed {
  gone: Iterable<string>;
  come: Iterable<string>;
}

/** Lines of one text that the other one lacks, in any order; null: more than are worth it. */
function changedLines(before: string, after: string): Changed | null {
  const parts: [string, string][] = [];
  apart(before, after, parts);
  const gone = new Map<string, number>();
  for (const [was] of parts) for (const line of was.split('\n')) gone.set(line, (gone.get(line) ?? 0) + 1);
  const come: string[] = [];
  for (const [, is] of parts) {
    for (const line of is.split('\n')) {
      const times = gone.get(line) ?? 0;
      if (times === 0) come.push(line);
      else if (times === 1) gone.delete(line);
      else gone.set(line, times - 1);
    }
  }
  return gone.size + come.length > LINES_MOST ? null : { gone: gone.keys(), come };
}

/**
 * Collects the parts of whole lines in which two texts differ. Equal parts are passed over by comparing them as they are, which
 * costs next to nothing for each of their characters: a renewed lease is as long as before, and a new one stands at the front.
 */
function apart(before: string, after: string, parts: [string, string][]): void {
  if (before === after) return;
  const shared = Math.min(before.length, after.length);
  if (shared <= PART) return void parts.push([before, after]);
  if (before.length !== after.length) {
    // What is too long is taken from the front, where the server puts new leases; what is equal there is passed over first.
    const begin = lineAt(before, equalFrom(before, after));
    const [was, is] = [before.slice(begin), after.slice(begin)];
    const [longer, other] = was.length > is.length ? [was, is] : [is, was];
    const cut = lineAfter(longer, longer.length - other.length);
    const rest = cut - (longer.length - other.length);
    const fits = rest === 0 || other[rest - 1] === '\n';
    if (!fits || other.length === rest) return void parts.push([was, is]);
    const front: [string, string] = [longer.slice(0, cut), other.slice(0, rest)];
    const back: [string, string] = [longer.slice(cut), other.slice(rest)];
    parts.push(longer === was ? front : [front[1], front[0]]);
    return void apart(...(longer === was ? back : ([back[1], back[0]] as const)), parts);
  }
  const middle = lineAfter(after, after.length >> 1);
  if (middle >= after.length || before[middle - 1] !== '\n') return void parts.push([before, after]);
  apart(before.slice(0, middle), after.slice(0, middle), parts);
  apart(before.slice(middle), after.slice(middle), parts);
}

/** How many characters two texts begin with alike, by halving. */
function equalFrom(one: string, other: string): number {
  let [low, high] = [0, Math.min(one.length, other.length)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (one.slice(low, middle) === other.slice(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The begin of the line that a place stands in. */
const lineAt = (text: string, place: number): number => (place === 0 ? 0 : text.lastIndexOf('\n', place - 1) + 1);

/** The begin of the first line from a place on, or the end of the text. */
function lineAfter(text: string, place: number): number {
  if (place === 0) return 0;
  const end = text.indexOf('\n', place - 1);
  return end < 0 ? text.length : end + 1;
}
