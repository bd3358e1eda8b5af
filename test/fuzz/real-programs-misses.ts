// Near-misses: a valid state with one member broken, and what would stand in the files if nobody had looked at it.
import type { Body, Call } from './real-programs-saving.ts';
import type { Dice } from './world-dice.ts';

/** A place in a state that can be broken. */
export interface Target {
  /** For the tally: `record SRV value`. */
  name: string;
  /** Which call, and which member of its body: `['ranges', 0, 'start']`. */
  call: number;
  path: readonly (string | number)[];
  /** Another call that has to be saved for it. */
  beside?: number;
  /** The content of a file with the member as it was typed; `saved` is what the valid call answered. */
  write(content: string, typed: unknown, saved: Body): string;
  /** What is typed: by default any mutilation of the valid value. */
  typed?(dice: Dice, saved: Body): unknown;
  /** The program lets it pass although it can't work: counted apart. */
  silent?: boolean;
}

/** A state as calls, with places to break it at. */
export interface Drawn {
  calls: Call[];
  targets: Target[];
}

export function valueAt(body: Body, path: Target['path']): unknown {
  return path.reduce<unknown>((value, key) => (value as Body | undefined)?.[key], body);
}

/** The call with another value at a member; at none, with other members. */
export function withValue(call: Call, path: Target['path'], value: unknown): Call {
  if (path.length === 0) return { ...call, body: { ...call.body, ...(value as Body) } };
  const body = structuredClone(call.body);
  const parent = valueAt(body, path.slice(0, -1)) as Body;
  parent[path.at(-1)!] = value;
  return { ...call, body };
}

/** JSON pointer of a member. */
export const pointerOf = (path: Target['path']): string => path.map((key) => `/${key}`).join('');

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Replaces a text that stands by itself, on lines that begin with `line`. */
export function swapped(content: string, valid: unknown, typed: unknown, line = ''): string {
  const alone = new RegExp(`(?<![\\w.:-])${escaped(String(valid))}(?![\\w.:-])`, 'g');
  return content
    .split('\n')
    .map((text) => (text.startsWith(line) ? text.replaceAll(alone, () => String(typed)) : text))
    .join('\n');
}

const PIECES = [' ', '\n', '\t', ',', '#', '"', '\\', '/', ':', '.', '..', '-', '_', '*', '!', '%', '[', ']', '{', '}'];
const MORE = [';', '@', '=', '\r', '\0', 'ä', '\u200b', '0', '9', 'x', 'g', '255', '/33', '%eth0', '$', "'", '+', ' x'];
const WHOLE = ['', ' ', '.', '-', '_', '::', '0', '0.0.0.0', 'localhost', '\n', '#', '*', '"', '-1', '65536', '1.5'];
const LONG = ['a'.repeat(64), 'a'.repeat(300), `${'b.'.repeat(130)}c`, 'y'.repeat(1100), '9'.repeat(30)];
const NUMBERS = [-1, 0, 1.5, 16, 256, 65_536, 2_147_483_648, 4_294_967_297, 1e21, '12x', '', ' ', '0x10', '-', '1,2'];

/** A value that is nearly the valid one, or something that people type into such a field. */
export function broken(dice: Dice, valid: unknown): unknown {
  if (typeof valid === 'number') return dice.chance(0.2) ? valid * dice.pick([-1, 1000, 0.5, 1e9]) : dice.pick(NUMBERS);
  const text = String(valid);
  const at = dice.below(text.length + 1);
  const piece = dice.pick([...PIECES, ...MORE]);
  const ways: (() => string)[] = [
    () => text.slice(0, at) + piece + text.slice(at),
    () => text.slice(0, at) + piece + text.slice(at),
    () => text.slice(0, at) + piece + text.slice(at + 1),
    () => text.slice(0, at) + text.slice(at + 1),
    () => text.slice(0, at),
    () => `${text}${piece}`,
    () => `${piece}${text}`,
    () => text.replace(/\d+/, (digits) => `${Number(digits) + dice.pick([256, 1000, 65_536])}`),
    () => text.replaceAll('.', '..'),
    () => dice.pick(WHOLE),
    () => dice.pick(LONG),
    () => `${dice.pick(LONG)}${text}`,
  ];
  return dice.pick(ways)();
}
