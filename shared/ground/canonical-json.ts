// The one text of a JSON value (RFC 8785): members sorted, no blanks, numbers as ECMAScript writes them. So two equal values
// are equal bytes. And files of one such value a line, read within limits.
import { ByteSource, type Bytes } from './byte-source.ts';

export const JSON_LIMITS = {
  /** Bytes of a line. */
  line: 1024 * 1024,
  /** Levels of objects and lists. */
  depth: 32,
} as const;

/** Fault → what is wrong ({}: the number of the line). No sentence quotes a value. */
export const JSON_FAULTS = {
  line_too_long: `Line {} has more than ${JSON_LIMITS.line} bytes, or no end.`,
  not_text: 'Line {} is not UTF-8 text.',
  not_json: 'Line {} is not valid JSON.',
  too_deep: `Line {} has more than ${JSON_LIMITS.depth} levels of objects and lists.`,
  not_canonical: 'Line {} is not in the canonical form (RFC 8785).',
} as const;
export type JsonFaultCode = keyof typeof JSON_FAULTS;

/** What is wrong with a line of canonical JSON: a closed list. */
export class JsonFault extends Error {
  override name = 'JsonFault';
  readonly fault: JsonFaultCode;
  readonly line: number;

  constructor(fault: JsonFaultCode, line: number) {
    super(JSON_FAULTS[fault].replace('{}', String(line)));
    this.fault = fault;
    this.line = line;
  }
}

/** @throws TypeError for what JSON can't say (undefined, NaN, half a surrogate pair, …) or what is nested too deeply */
export function canonicalJson(value: unknown): string {
  return written(value, 0);
}

function written(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'boolean':
      return String(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('A number is not finite.');
      return JSON.stringify(value);
    case 'string':
      if (!value.isWellFormed()) throw new TypeError('A string holds half of a surrogate pair.');
      return JSON.stringify(value);
    case 'object':
      return value === null ? 'null' : structure(value, depth + 1);
    default:
      throw new TypeError(`JSON has no ${typeof value}.`);
  }
}

function structure(value: object, depth: number): string {
  if (depth > JSON_LIMITS.depth) throw new TypeError('Objects and lists are nested too deeply.');
  if (Array.isArray(value)) return `[${value.map((item) => written(item, depth)).join(',')}]`;
  // By UTF-16 code units, as the RFC wants it and as this sorts.
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${memberName(name)}:${written(member, depth)}`).join(',')}}`;
}

function memberName(name: string): string {
  // Whoever copies members one by one would give the copy another prototype.
  if (name === '__proto__') throw new TypeError('No member may be named __proto__.');
  return written(name, 0);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The value of a canonical text. That it is canonical also means: no member twice, nothing that another reader reads
 * otherwise. @throws JsonFault not_text, not_json, too_deep, not_canonical
 */
export function readCanonicalJson(bytes: Buffer, line = 1): unknown {
  const text = decoded(bytes, line);
  const value = parsed(text, line);
  if (deeper(value, JSON_LIMITS.depth)) throw new JsonFault('too_deep', line);
  if (!isCanonical(value, text)) throw new JsonFault('not_canonical', line);
  return value;
}

function decoded(bytes: Buffer, line: number): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new JsonFault('not_text', line);
  }
}

/** The parser's own message quotes what it read. */
function parsed(text: string, line: number): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new JsonFault('not_json', line);
  }
}

function isCanonical(value: unknown, text: string): boolean {
  try {
    return canonicalJson(value) === text;
  } catch {
    return false;
  }
}

function deeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => deeper(member, levels - 1));
}

/** Each value and its newline. */
export function* canonicalLines(values: Iterable<unknown>): Generator<Buffer> {
  for (const value of values) yield Buffer.from(`${canonicalJson(value)}\n`);
}

/** The values of a file with one a line; every line ends in a newline. @throws JsonFault */
export async function* readCanonicalLines(bytes: Bytes): AsyncGenerator<unknown> {
  const source = new ByteSource(bytes);
  try {
    for (let number = 1; !(await source.ended()); number++) {
      const line = await source.line(JSON_LIMITS.line);
      if (!line) throw new JsonFault('line_too_long', number);
      yield readCanonicalJson(line, number);
    }
  } finally {
    await source.close();
  }
}
