// Lines out of the journal of systemd: which arguments journalctl gets, and what its JSON says (systemd.journal-fields(7)).
// Nothing that a person typed is among the arguments but instants, which are numbers, and a cursor of its own form.
import type { Host } from '../../ground/machine/host.ts';
import { Problem } from '../../ground/problems.ts';
import type { RawLine } from './entry.ts';
import { SOURCES, type SourceId, sourceOfUnit } from './sources.ts';

/** What one reading may take. */
export const OUTPUT_MOST = 4 << 20;
export const PATIENCE_MS = 5_000;

export interface Reading {
  sources: readonly SourceId[];
  /** Milliseconds since 1970. */
  since: number | null;
  until: number | null;
  /** Lines older than the one of this cursor. */
  before: string | null;
  rows: number;
}

export interface Read {
  /** Newest first, each with the cursor of its line. */
  lines: (RawLine & { cursor: string })[];
  /** Whether there may be older ones. */
  more: boolean;
}

/** sd_journal_get_cursor(3): words of one letter with hexadecimal values. */
export const CURSOR = /^[a-z]=[0-9a-f]{1,32}(?:;[a-z]=[0-9a-f]{1,32}){1,7}$/;

/** Pure. Times are whole seconds there: a second more on both sides, and the caller looks closer. */
export function journalArguments({ sources, since, until, before, rows }: Reading): string[] {
  return [
    ...['--quiet', '--no-pager', '--output=json', '--all', '--reverse', `--lines=${rows}`],
    '--output-fields=MESSAGE,PRIORITY,_SYSTEMD_UNIT,UNIT',
    ...sources.flatMap((source) => SOURCES[source].units.map((unit) => `--unit=${unit}`)),
    // journalctl takes one of the two; the caller stops at what is too old.
    ...(since === null || before !== null ? [] : [`--since=@${seconds(Math.floor(since / 1000))}`]),
    ...(until === null ? [] : [`--until=@${seconds(Math.ceil(until / 1000))}`]),
    ...(before === null ? [] : [`--after-cursor=${before}`]),
  ];
}

/** journalctl knows no time before 1970. */
const seconds = (since_1970: number): number => Math.max(0, since_1970);

/** @throws Problem 409 where the journal can't be read */
export async function readJournal(host: Host, reading: Reading): Promise<Read> {
  const { code, stdout, stderr } = await host.exec('journalctl', journalArguments(reading), {
    timeout: PATIENCE_MS,
    output: OUTPUT_MOST,
  });
  // Where nothing was ever logged there is no file, which journalctl takes for a failure.
  if (code !== 0 && stdout === '' && !/No journal files were found/.test(stderr)) {
    const why = code === 124 ? `no answer within ${PATIENCE_MS / 1000} s` : (stderr.split('\n')[0] ?? `code ${code}`);
    throw new Problem('log_unreadable', `The journal could not be read: ${why}. Narrow the time or the unit.`);
  }
  const whole = stdout.slice(0, stdout.lastIndexOf('\n') + 1);
  const rows = whole.split('\n').filter((row) => row !== '');
  return {
    lines: rows.flatMap(lineOf),
    more: rows.length >= reading.rows || whole.length < stdout.length || code === 124,
  };
}

function lineOf(row: string): Read['lines'] {
  const fields = JSON.parse(row) as Record<string, unknown>;
  // Of a message of systemd about a unit, `UNIT` is that unit.
  const unit = [fields._SYSTEMD_UNIT, fields.UNIT].map((name) => sourceOfUnit(String(name ?? ''))).find(Boolean);
  const cursor = String(fields.__CURSOR ?? '');
  if (!unit || !CURSOR.test(cursor)) return [];
  const at = Math.floor(Number(fields.__REALTIME_TIMESTAMP) / 1000);
  return [{ at, source: unit, priority: Number(fields.PRIORITY ?? 6), text: textOf(fields.MESSAGE), cursor }];
}

/** What is no UTF-8 comes as an array of bytes; a field that is there twice as an array of both. */
function textOf(message: unknown): string {
  if (typeof message === 'string') return message;
  if (!Array.isArray(message)) return '';
  if (message.every((each) => typeof each === 'number')) return Buffer.from(message as number[]).toString('utf8');
  return message.map(textOf).join(' ');
}
