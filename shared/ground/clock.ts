// Time and randomness come in as parameters, so that tests can set both.
import { randomBytes } from 'node:crypto';

export interface Clock {
  now(): Date;
}

export interface Entropy {
  bytes(count: number): Buffer;
  /** The same for names, which are no secrets: may be drawn many at a time. */
  naming?(count: number): Buffer;
}

export const systemClock: Clock = { now: () => new Date() };
export const systemEntropy: Entropy = { bytes: (count) => randomBytes(count), naming };

/** Bytes that are drawn at once: a draw costs more than what it draws. */
const DRAWN = 4096;
let drawn: Buffer = Buffer.alloc(0);

function naming(count: number): Buffer {
  if (drawn.length < count) drawn = randomBytes(Math.max(DRAWN, count));
  const taken = drawn.subarray(0, count);
  drawn = drawn.subarray(count);
  return taken;
}

/** RFC 3339 in UTC with milliseconds, the one form in which instants are stored and answered. */
export function instant(date: Date): string {
  return date.toISOString();
}

export function later(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1000);
}

/**
 * Seconds that an instant may lie ahead and still count as now: machines adjust clocks a little all the time. One further
 * ahead was written before the clock was set back, so its age is unknown.
 */
export const AHEAD_MOST = 60;

/** Bounds of the last `seconds`, for `at > after AND at <= until`. They leave out instants from before the clock was set back. */
export function inTheLast(now: Date, seconds: number): { after: string; until: string } {
  return { after: instant(later(now, -seconds)), until: instant(later(now, AHEAD_MOST)) };
}

/** Whether a moment (milliseconds since 1970) and now lie within `seconds` of each other, whichever of them is ahead. */
export const isNear = (moment: number, now: Date, seconds: number): boolean =>
  Math.abs(now.getTime() - moment) <= seconds * 1000;

/** The rest of a span of `milliseconds` that began at `began` (milliseconds since 1970); never more than the whole span. */
export const millisecondsLeft = (began: number, now: Date, milliseconds: number): number =>
  Math.min(milliseconds, Math.max(0, began + milliseconds - now.getTime()));

const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const IN_ORDER = [...ALPHABET].sort().join('');

/** An opaque id with a prefix: `job_` and 16 characters, 80 random bits. */
export function newId(prefix: string, entropy: Entropy): string {
  return idOf(prefix, entropy.naming?.(ID_BYTES) ?? entropy.bytes(ID_BYTES));
}

/**
 * Ids for `count` rows of one load, taken as many at once as are wanted, each greater than those before it: an index of ids
 * is then written from one end to the other, and not here and there. Each lies by chance in its own part of all ids.
 */
export function ascendingIds(prefix: string, count: number, entropy: Entropy): (some: number) => string[] {
  let taken = 0;
  return (some) => {
    const bytes = entropy.bytes(ID_BYTES * some);
    return Array.from({ length: some }, (_, at) => {
      const [begin, end] = [at * ID_BYTES, (at + 1) * ID_BYTES];
      const chance = ((bytes[begin]! << 16) | (bytes[begin + 1]! << 8) | bytes[begin + 2]!) / 2 ** 24;
      const place = Math.floor(((taken++ + chance) / count) * 2 ** PLACE_BITS);
      let id = `${prefix}_`;
      for (let shift = PLACE_BITS - 5; shift >= 0; shift -= 5) id += IN_ORDER[(place >>> shift) & 31];
      for (let byte = begin + PLACE_BITS / 5; byte < end; byte++) id += IN_ORDER[bytes[byte]! & 31];
      return id;
    });
  };
}

const ID_BYTES = 16;
/** The first characters of an id, five bits each, that say where among all ids it is. */
const PLACE_BITS = 30;

function idOf(prefix: string, bytes: Uint8Array): string {
  let id = `${prefix}_`;
  for (const byte of bytes) id += ALPHABET[byte & 31];
  return id;
}
