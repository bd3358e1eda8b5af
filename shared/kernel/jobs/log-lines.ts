// How much a task's log holds, whatever its job is told by others: lines of a bounded length, and so many of them.
// Older ones that only inform make room for new ones, and a line says how many did. Pure.
import type { LogLine } from './job.ts';

export const LINES_MOST = 500;
export const TEXT_MOST = 1000;
/** Lines that are dropped at once, so that not every new line rewrites the whole log. */
const ROOM = 100;

const FOLDED = /^(\d{1,15}) (?:line|lines) that stood here (?:was|were) left out\.$/;
const foldedText = (count: number): string =>
  `${count} ${count === 1 ? 'line' : 'lines'} that stood here ${count === 1 ? 'was' : 'were'} left out.`;

export function boundedText(text: string): string {
  return text.length <= TEXT_MOST ? text : `${text.slice(0, TEXT_MOST - 1).toWellFormed()}…`;
}

/** Neither a step with its bar nor a failure: those go last. */
const informs = ({ kind, ok, duration_ms }: LogLine): boolean =>
  ok !== false && kind === undefined && duration_ms === undefined;

/** The log with one more line. */
export function withLine(log: readonly LogLine[], line: LogLine): LogLine[] {
  if (log.length < LINES_MOST) return [...log, line];
  const before = log.findIndex(({ text }) => FOLDED.test(text));
  const folded = before === -1 ? 0 : Number(FOLDED.exec(log[before]!.text)![1]);
  const others = log.filter((_line, at) => at !== before);
  const informing = others.filter(informs);
  const going = new Set([...informing, ...others.filter((each) => !informs(each))].slice(0, ROOM));
  const first = others.findIndex((each) => going.has(each));
  const place = before === -1 ? first : Math.min(first, before);
  const fold: LogLine = { at: (log[before] ?? others[first]!).at, text: foldedText(folded + going.size) };
  const kept = (from: number, to?: number) => others.slice(from, to).filter((each) => !going.has(each));
  return [...kept(0, place), fold, ...kept(place), line];
}
