// Reading the logs, newest first, filtered, within bounds of rows, bytes and time. Texts are compared as they are, without
// regard to case: no pattern of a person runs.
import { Problem } from '../../ground/problems.ts';
import { decodeCursor, encodeCursor } from '../../ground/store/pagination.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { entryOf, LEVELS, type Level, type LogEntry } from './entry.ts';
import { CURSOR, type Read, readJournal } from './journal.ts';
import { SOURCE_IDS, type SourceId } from './sources.ts';

/** Lines of one reading, and readings for one answer: what a rare text is looked for in. */
const ROWS = 2_000;
const READINGS = 3;
/** Characters of all messages of one answer. */
const ANSWER_MOST = 8 << 20;
/** Answers that wait for the journal beside the one that reads; more are refused. */
const WAITING_MOST = 8;
/** Of these, of one reader, with the one that reads: nobody keeps the others out. */
const EACH_MOST = 3;

export interface LogQuery {
  source?: SourceId | undefined;
  /** This one and graver ones. */
  level?: Level | undefined;
  text?: string | undefined;
  request_id?: string | undefined;
  /** RFC 3339: inclusive, and exclusive. */
  since?: string | undefined;
  until?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

export interface LogPage {
  items: LogEntry[];
  /** Also where nothing was found so far: the search goes on from there. */
  next_cursor: string | null;
  /** Instant of the oldest line that was read; null: there was none. */
  searched_to: string | null;
}

type Shell = Pick<Services, 'host' | 'log_tail'>;

/** Whether daemons' lines are there as well: otherwise only those of the service, since it started. */
export const hasJournal = ({ host }: Pick<Shell, 'host'>): boolean => host.kind === 'system';

export interface ReadOptions {
  /** Readings of the journal at most. */
  readings?: number;
  /** Id of who reads. */
  reader?: string | null;
}

/** @throws Problem 400 for a cursor of another list; 409 where the journal can't be read; 429 */
export async function readLogs(
  shell: Shell,
  query: LogQuery,
  { readings = READINGS, reader = null }: ReadOptions = {},
): Promise<LogPage> {
  const read = hasJournal(shell) ? fromJournal(shell, query) : fromTail(shell, query);
  return inTurn(shell.host, reader, () => collect(read, query, readings));
}

type Batch = (before: string | null) => Promise<Read>;

async function collect({ batch, kind, before }: Source, query: LogQuery, readings: number): Promise<LogPage> {
  const matches = matcherOf(query);
  const oldest = query.since === undefined ? 0 : Date.parse(query.since);
  const items: LogEntry[] = [];
  let last = before;
  let searched_to: string | null = null;
  let room = ANSWER_MOST;
  const page = (more: boolean): LogPage => ({
    items,
    next_cursor: more && last !== null ? encodeCursor([kind, last]) : null,
    searched_to,
  });
  for (let reading = 0; reading < readings; reading++) {
    const { lines, more } = await batch(last);
    for (const [index, line] of lines.entries()) {
      if (line.at < oldest) return page(false);
      const entry = entryOf(line);
      last = line.cursor;
      searched_to = entry.at;
      if (!matches(entry)) continue;
      items.push(entry);
      room -= entry.message.length;
      if (items.length === query.limit || room <= 0) return page(more || index < lines.length - 1);
    }
    if (!more || lines.length === 0) return page(false);
  }
  return page(true);
}

/** Pure. */
function matcherOf({ source, level, text, request_id, since, until }: LogQuery): (entry: LogEntry) => boolean {
  const grave = level === undefined ? LEVELS.length : LEVELS.indexOf(level);
  const wanted = text?.toLowerCase();
  const [from, to] = [since, until].map((at) => (at === undefined ? null : Date.parse(at))) as [
    number | null,
    number | null,
  ];
  return (entry) =>
    (source === undefined || entry.source === source) &&
    LEVELS.indexOf(entry.level) <= grave &&
    (request_id === undefined || entry.request_id === request_id) &&
    (from === null || Date.parse(entry.at) >= from) &&
    (to === null || Date.parse(entry.at) < to) &&
    (wanted === undefined || entry.message.toLowerCase().includes(wanted));
}

interface Source {
  kind: string;
  before: string | null;
  batch: Batch;
}

function fromJournal({ host }: Shell, query: LogQuery): Source {
  const sources = query.source === undefined ? SOURCE_IDS : [query.source];
  const [since, until] = [query.since, query.until].map((at) => (at === undefined ? null : Date.parse(at))) as [
    number | null,
    number | null,
  ];
  return {
    kind: 'journal',
    before: cursorOf(query.cursor, 'journal', CURSOR),
    batch: (before) => readJournal(host, { sources, since, until, before, rows: ROWS }),
  };
}

/** Of a rehearsal, and of a namespace, whose daemons log to nowhere. */
function fromTail({ log_tail }: Shell, query: LogQuery): Source {
  const kind = `tail-${log_tail?.began ?? 0}`;
  return {
    kind,
    before: cursorOf(query.cursor, kind, /^[0-9]{1,15}$/),
    async batch(before) {
      const found = log_tail?.read(ROWS, before === null ? undefined : Number(before)) ?? [];
      const lines = found.map(({ number, at, text }) => ({
        ...{ at, source: 'service' as const, priority: 6, text },
        cursor: String(number),
      }));
      return { lines, more: found.length === ROWS };
    },
  };
}

function cursorOf(cursor: string | undefined, kind: string, form: RegExp): string | null {
  if (cursor === undefined) return null;
  const [of, place] = decodeCursor(cursor, 2).map(String) as [string, string];
  if (of === kind && form.test(place)) return place;
  throw new Problem('invalid_cursor', 'The cursor was not issued by this log; start again without it.');
}

const AGAIN = { retry_after: 5 };

interface Queue {
  last: Promise<unknown>;
  /** Who reads and waits, each once for every answer. */
  readers: (string | null)[];
}

/** By host, so that each appliance of a test has its own. */
const queues = new WeakMap<object, Queue>();

/** One reads at a time: a journal of gigabytes is not read by ten at once. @throws Problem 429 */
async function inTurn<T>(host: object, reader: string | null, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(host) ?? { last: Promise.resolve(), readers: [] };
  queues.set(host, queue);
  if (reader !== null && queue.readers.filter((each) => each === reader).length >= EACH_MOST)
    throw new Problem('too_many_attempts', 'You are reading the log already. Ask again when that is done.', AGAIN);
  if (queue.readers.length > WAITING_MOST)
    throw new Problem('too_many_attempts', 'Others are reading the log. Ask again in a moment.', AGAIN);
  queue.readers.push(reader);
  const turn = queue.last.then(work).finally(() => queue.readers.splice(queue.readers.indexOf(reader), 1));
  queue.last = turn.catch(() => undefined);
  return turn;
}
