// A row of a section, read member by member. A member of another kind refuses the file, naming its place and never its value.
import { createHash } from 'node:crypto';
import { type Family, networkOf, parseAddress, parseCidr } from '../../../ground/addresses/address.ts';
import { unreadable } from '../fault.ts';

const TEXT_MOST = 64 << 10;

export class SourceRow {
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #place: string;

  constructor(value: unknown, place: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable(`${place} is no object.`);
    this.#members = value as Record<string, unknown>;
    this.#place = place;
  }

  has(member: string): boolean {
    return Object.hasOwn(this.#members, member) && this.#members[member] !== null;
  }

  /** Trimmed; null and what is not there are `other`. @throws Problem 409 where there is no other */
  text(member: string, other?: string): string {
    const value = this.#value(member);
    if (typeof value === 'string' && value.length <= TEXT_MOST) return value.trim();
    if (typeof value === 'number') return String(value);
    if (value === undefined && other !== undefined) return other;
    throw this.#fault(member, 'a text');
  }

  word(member: string, other?: string): string {
    return this.text(member, other).toLowerCase();
  }

  whole(member: string, other?: number): number {
    const value = this.#value(member) ?? other;
    if (Number.isSafeInteger(value)) return value as number;
    throw this.#fault(member, 'a whole number');
  }

  flag(member: string, other: boolean): boolean {
    const value = this.#value(member) ?? other;
    if (typeof value === 'boolean') return value;
    if (value === 0 || value === 1) return value === 1;
    throw this.#fault(member, 'true or false');
  }

  /** A list of texts, or a text with a line, comma or blank between them. */
  list(member: string): string[] {
    const value = this.#value(member) ?? [];
    if (typeof value === 'string') return value.split(/[\s,]+/).filter(Boolean);
    if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
      return value.map((each) => each.trim()).filter(Boolean);
    throw this.#fault(member, 'a list of texts');
  }

  /** Texts by their names. */
  texts(member: string): Map<string, string> {
    const value = this.#value(member) ?? {};
    const entries = typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : null;
    if (entries?.every(([, each]) => typeof each === 'string')) return new Map(entries as [string, string][]);
    throw this.#fault(member, 'an object of texts');
  }

  /** Objects of a list. */
  rows(member: string): SourceRow[] {
    const value = this.#value(member) ?? [];
    if (!Array.isArray(value)) throw this.#fault(member, 'a list');
    return value.map((each, at) => new SourceRow(each, `${this.#place}, ${member} ${at + 1}`));
  }

  /** Canonical; empty for none. */
  cidr(member: string, family: Family): string {
    const text = this.text(member, '');
    if (text === '') return '';
    const cidr = parseCidr(text);
    if (cidr?.family === family) return cidr.text;
    throw this.#fault(member, `an IPv${family} address with prefix length`);
  }

  address(member: string, other?: string): string {
    const text = this.text(member, other);
    if (text === '' && other !== undefined) return '';
    const address = parseAddress(text);
    if (address) return address.text;
    throw this.#fault(member, 'an IP address');
  }

  /** `172.16.20.0/24` of an address in it and a number of bits. */
  network(address: string, bits: string): string {
    const cidr = parseCidr(`${this.address(address)}/${this.whole(bits)}`);
    if (cidr) return networkOf(cidr);
    throw this.#fault(bits, 'the length of a prefix');
  }

  mac(member: string): string {
    const digits = this.word(member).replaceAll(/[:.-]/g, '');
    if (/^[0-9a-f]{12}$/.test(digits)) return digits.match(/../g)!.join(':');
    throw this.#fault(member, 'a MAC address');
  }

  #value(member: string): unknown {
    return this.has(member) ? this.#members[member] : undefined;
  }

  #fault(member: string, what: string) {
    return unreadable(`${this.#place}: ${member} is missing, or is not ${what}.`);
  }

  /** One that no release of ours knew. */
  refused(member: string, why: string) {
    return unreadable(`${this.#place}: ${member} ${why}.`);
  }
}

/** The same each time, so that a row that was chosen is found again. */
export function idOf(prefix: string, ...known: readonly (string | number)[]): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([prefix, ...known]))
    .digest('hex');
  return `${prefix}_${BigInt(`0x${digest}`).toString(32).slice(0, 16)}`;
}
