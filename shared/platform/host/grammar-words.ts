// The words of configuration lines, for the guard of the root programs. Each function tells whether a whole text is
// such a word. Pure. The units' own parsers are not used here: a mistake in one of them must not pass the guard as
// well.
import { isIP } from 'node:net';

export type Is = (text: string) => boolean;
/** `at` is the state within one file: a section holds until the next one begins. */
export type Line = (line: string, at: { section: string }) => boolean;

export const matching =
  (shape: RegExp): Is =>
  (text) =>
    shape.test(text);

export const oneOf = (...words: readonly string[]): Is => {
  const known = new Set(words);
  return (text) => known.has(text);
};

export const either =
  (...kinds: readonly Is[]): Is =>
  (text) =>
    kinds.some((is) => is(text));

/** A whole number in decimal, without sign and leading zeros. */
export const between =
  (least: number, most: number): Is =>
  (text) =>
    /^(?:0|[1-9]\d{0,9})$/.test(text) && Number(text) >= least && Number(text) <= most;

/** Name of a link. Rows of absent links have names longer than the kernel's 15 characters. */
export const isLink = matching(/^\w[\w.@+-]{0,31}$/);
/** Without a zone (`%eth0`), which node:net accepts. */
export const isAddress: Is = (text) => !text.includes('%') && isIP(text) !== 0;
export const isAddress4: Is = (text) => isIP(text) === 4;
export const isAddress6: Is = (text) => isAddress(text) && isIP(text) === 6;

/** An address with the length of a prefix. */
export const isCidr: Is = (text) => {
  const slash = text.indexOf('/');
  const address = text.slice(0, Math.max(slash, 0));
  return isAddress(address) && between(0, isIP(address) === 4 ? 32 : 128)(text.slice(slash + 1));
};

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** A domain name in lower case, without the dot at its end. */
export const isName: Is = (text) => text.length <= 253 && text.split('.').every((label) => LABEL.test(label));

/** Words between separators: exactly these kinds, in this order. */
export const row =
  (separator: string, ...kinds: readonly Is[]): Is =>
  (text) => {
    const words = text.split(separator);
    return words.length === kinds.length && kinds.every((is, at) => is(words[at]!));
  };
