// JSON of a request's body (RFC 8259), bounded before it is parsed. No function is called for each value: a reviver
// costs fifty times the parsing. What plain parsing lets through is looked for in the text, and found exactly only
// where the text has it: members that reach an object's prototype, members that stand twice, half characters.
import { ERRORS_MOST, type FieldError, invalid, Problem } from '../../ground/problems.ts';

/** Levels of nesting. No schema here needs a third of them, and validation is recursive. */
export const DEPTH_MOST = 32;

/**
 * An escaped surrogate without its other half. It is not valid text and would be stored as another character. After an
 * escaped backslash, what looks like a first half is plain text.
 */
const HALF_A_PAIR =
  /(?<!\\)(?:\\\\)*(?:\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f][0-9a-f]{2})|(?<!(?<!\\)(?:\\\\)*\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2})/i;

/**
 * Names of members that every object inherits: reading one would find a value that was not sent, and writing could
 * replace it.
 */
const INHERITED: ReadonlySet<string> = new Set(
  Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== 'constructor'),
);
const SUSPICIOUS: readonly string[] = [...INHERITED, 'prototype'];

/**
 * The value of the text.
 * @throws Problem 400 for what is no JSON; 422 with a pointer for what is nested too deeply and for members that are
 * not accepted. No message quotes a value.
 */
export function parseJson(text: string): unknown {
  const { depth, members } = survey(text);
  if (depth > DEPTH_MOST) throw invalid({ pointer: '', detail: `At most ${DEPTH_MOST} levels of objects and lists.` });
  const value = parsed(text);
  const escapes = text.includes('\\u');
  if (escapes && HALF_A_PAIR.test(text)) {
    throw new Problem('malformed_json', 'A string of the body holds half of a surrogate pair.');
  }
  const looked = members > 0 && (escapes || SUSPICIOUS.some((name) => text.includes(name)));
  if (looked) refuseInherited(value);
  if (members > 0 && members !== membersOf(value)) refuseTwice(text);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's own message quotes the body.
    throw new Problem('malformed_json', 'The body is not valid JSON.');
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const COMMA = 0x2c;
const COLON = 0x3a;
/** `[` and `{`, `]` and `}`: they differ in one bit. */
const OPEN = 0x5b;
const CLOSE = 0x5d;
const CASE = 0x20;

/** Counts levels of nesting and members in one pass, without keeping anything. */
function survey(text: string): { depth: number; members: number } {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON) members++;
    else if ((code & ~CASE) === OPEN) deepest = Math.max(deepest, ++depth);
    else if ((code & ~CASE) === CLOSE) depth--;
  }
  return { depth: deepest, members };
}

/** Where the string that begins at `start` ends: its closing quote, or the end of a text that has none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return text.length;
}

/** Members after parsing; of two with the same name, the last one stays. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += membersOf(item);
    return count;
  }
  for (const name of Object.keys(value)) count += 1 + membersOf((value as Record<string, unknown>)[name]);
  return count;
}

const within = (pointer: string, name: string | number): string =>
  `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** @throws Problem 422 that names them all. */
function refuseInherited(value: unknown): void {
  const found: FieldError[] = [];
  findInherited(value, '', found);
  if (found.length > 0) throw invalid(...found);
}

function findInherited(value: unknown, pointer: string, found: FieldError[]): void {
  if (typeof value !== 'object' || value === null || found.length >= ERRORS_MOST) return;
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries())
      if (typeof item === 'object') findInherited(item, within(pointer, at), found);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const here = within(pointer, name);
    const prototype =
      name === 'constructor' && typeof member === 'object' && member && Object.hasOwn(member, 'prototype');
    if (INHERITED.has(name)) found.push({ pointer: here, detail: `A member named ${name} is not supported.` });
    if (prototype) {
      const detail = 'constructor must not have a member named prototype.';
      found.push({ pointer: within(here, 'prototype'), detail });
    }
    findInherited(member, here, found);
  }
}

/** Position of the walk within one object or list. */
interface Level {
  /** Names so far; null in a list. */
  names: Set<string> | null;
  /** The member or item that is being read. */
  at: string | number;
}

/** Finds the first member that one object has twice. The text is valid JSON. @throws Problem 422 */
function refuseTwice(text: string): void {
  const levels: Level[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const level = levels.at(-1);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (level?.names && isName(text, end)) enter(levels, level, JSON.parse(text.slice(at, end + 1)) as string);
      at = end;
    } else if ((code & ~CASE) === OPEN) {
      levels.push(code === OPEN ? { names: null, at: 0 } : { names: new Set(), at: '' });
    } else if ((code & ~CASE) === CLOSE) {
      levels.pop();
    } else if (code === COMMA && level && typeof level.at === 'number') {
      level.at++;
    }
  }
}

/** Whether the string that ends there has a colon behind it, and so names a member. */
function isName(text: string, end: number): boolean {
  let at = end + 1;
  while (text.charCodeAt(at) <= SPACE) at++;
  return text.charCodeAt(at) === COLON;
}

function enter(levels: readonly Level[], level: Level, name: string): void {
  level.at = name;
  if (!level.names!.has(name)) return void level.names!.add(name);
  const pointer = levels.reduce((path, { at }) => within(path, at), '');
  throw invalid({ pointer, detail: 'This member is there twice.' });
}
