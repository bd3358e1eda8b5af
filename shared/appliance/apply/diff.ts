// The two views of a change: setting by setting for people, and the rendered files line by line.
import { structuredPatch } from 'diff';
import { type Difference, differences, type Facts, wayOf } from '../../platform/units/facts.ts';
import type { AnyUnit } from '../../platform/units/unit.ts';

/** Rows and lines that a stored plan keeps; the counts are always exact. */
export const ROWS_KEPT = 200;
const LINES_KEPT = 400;
/** Beyond this many differing lines the minimal edit script costs too much; whole blocks are shown instead. */
const MINIMAL_UP_TO = 4_000;

/** In words: what was reviewed is kept as it was read. Nothing is decided by it. */
export interface DiffRow {
  setting: string;
  before: string | null;
  after: string | null;
}

export interface FactsDiff {
  added: number;
  changed: number;
  removed: number;
  /** The first ROWS_KEPT rows, in the order of the desired state, removals last. */
  rows: DiffRow[];
}

export function diffFacts(unit: Pick<AnyUnit, 'words'>, before: Facts | null, after: Facts): FactsDiff {
  const diff: FactsDiff = { added: 0, changed: 0, removed: 0, rows: [] };
  for (const difference of differences(before, after)) {
    diff[wayOf(difference)]++;
    if (diff.rows.length < ROWS_KEPT) diff.rows.push(rowOf(unit, difference));
  }
  return diff;
}

function rowOf({ words }: Pick<AnyUnit, 'words'>, { kind, name, before, after }: Difference): DiffRow {
  const [was, becomes] = [before, after].map((value) => (value === undefined ? null : words(kind, name, value)));
  return { setting: (becomes ?? was)![0], before: was?.[1] ?? null, after: becomes?.[1] ?? null };
}

/** A unified diff of one file, cut to LINES_KEPT lines; empty when nothing differs. */
export function diffText(path: string, before: string | null, after: string | null): string {
  if (before === after) return '';
  const old = lines(before);
  const now = lines(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const from = old.slice(Math.max(0, start - 3), old.length - Math.max(0, end - 3));
  const to = now.slice(Math.max(0, start - 3), now.length - Math.max(0, end - 3));
  const body = from.length + to.length <= MINIMAL_UP_TO ? minimal(from, to) : blocks(from, to);
  const head = [`--- ${before === null ? '/dev/null' : path}`, `+++ ${after === null ? '/dev/null' : path}`];
  const cut =
    body.length > LINES_KEPT ? [...body.slice(0, LINES_KEPT), `… ${body.length - LINES_KEPT} more lines`] : body;
  return [...head, ...cut, ''].join('\n');
}

function lines(text: string | null): string[] {
  if (text === null || text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

function minimal(from: string[], to: string[]): string[] {
  const text = (list: string[]) => (list.length === 0 ? '' : `${list.join('\n')}\n`);
  const patch = structuredPatch('', '', text(from), text(to), '', '', { context: 3, maxEditLength: 2_000 });
  return patch ? patch.hunks.flatMap((hunk) => hunk.lines) : blocks(from, to);
}

function blocks(from: string[], to: string[]): string[] {
  return [...from.map((line) => `-${line}`), ...to.map((line) => `+${line}`)];
}

/** What follows a word for a secret: somebody may have typed one where the appliance never writes any. */
const SECRET =
  /((?:pass(?:word|wd|phrase)?(?![a-z])|pwd|rootpw|secret|token|psk|api[-_]?key|credential)[\w-]*["']?\s*[=:\s]\s*).+/gi;

/** The diff of a file that somebody may have changed by hand, without what looks like a secret in it. */
export const masked = (diff: string): string => diff.replaceAll(SECRET, '$1••••');
