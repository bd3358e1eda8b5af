// The items of a JSON list (RFC 8259) in slices of its text, so that a long list need not be parsed in one go. What a slice holds
// is for the parser to judge; here only brackets, strings and commas are looked at. Pure.

export interface ItemLimits {
  /** Items of a slice. */
  items: number;
  /** Characters of one item. */
  length: number;
}

export interface ItemSlice {
  /** The items as the text of a list of their own. */
  text: string;
  /** Items before it. */
  at: number;
  count: number;
}

/** The text is no list, or an item of it is too long: its place, from 0. */
export interface ItemFault {
  at: number;
  fault: 'no list' | 'too long';
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** `[` and `{`, `]` and `}`: they differ in one bit. */
const OPEN = 0x5b;
const CLOSE = 0x5d;
const CASE = 0x20;

const BLANK = /[ \t\r\n]*/y;

function afterBlanks(text: string, at: number): number {
  BLANK.lastIndex = at;
  BLANK.exec(text);
  return BLANK.lastIndex;
}

/** Slices in order; after a fault there is none. */
export function* itemSlices(text: string, { items, length }: ItemLimits): Generator<ItemSlice | ItemFault> {
  const begin = afterBlanks(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  if (text[begin] !== '[') return yield { at: 0, fault: 'no list' };
  let slice = begin + 1;
  let item = slice;
  let [done, count, depth] = [0, 0, 1];
  for (let at = slice; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (at - item > length) return yield { at: done + count, fault: 'too long' };
    if (code === QUOTE) at = endOfString(text, at, item + length);
    else if ((code & ~CASE) === OPEN) depth++;
    else if ((code & ~CASE) === CLOSE) depth--;
    const ends = depth === 0;
    if (!ends && (code !== COMMA || depth > 1)) continue;
    count++;
    item = at + 1;
    if (!ends && count < items) continue;
    const held = text.slice(slice, at);
    if (ends && !endsWell(text, at)) return yield { at: done, fault: 'no list' };
    if (count > 1 || held.trim() !== '') yield { text: `[${held}]`, at: done, count };
    // Nothing is right in a list without items, and nowhere else.
    else if (!ends || done > 0) return yield { at: done, fault: 'no list' };
    if (ends) return;
    slice = at + 1;
    done += count;
    count = 0;
  }
  yield { at: done + count, fault: 'no list' };
}

const endsWell = (text: string, at: number): boolean =>
  text.charCodeAt(at) === CLOSE && afterBlanks(text, at + 1) === text.length;

/** Its closing quote, or where nobody looks any further. */
function endOfString(text: string, start: number, most: number): number {
  for (let at = start + 1; at <= most && at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return most;
}
