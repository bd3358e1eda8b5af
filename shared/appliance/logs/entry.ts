// A line of a log as it is shown: when, whose, how grave, what it says, and of which request. Pure.
import { withoutSecrets } from './masking.ts';
import type { SourceId } from './sources.ts';

export const LEVELS = ['error', 'warning', 'info', 'debug'] as const;
export type Level = (typeof LEVELS)[number];

export interface LogEntry {
  /** RFC 3339 in UTC, to the millisecond. */
  at: string;
  source: SourceId;
  level: Level;
  message: string;
  /** Of lines of the service that belong to a request. */
  request_id: string | null;
}

/** Characters of a message; what is longer is cut. */
export const MESSAGE_MOST = 4_000;

/** Characters that are looked through for secrets. */
const LOOKED_MOST = 2 * MESSAGE_MOST;

/** Members of each line of the service that say nothing of what happened. */
const OF_EVERY_LINE: ReadonlySet<string> = new Set([
  ...['level', 'message', 'timestamp', 'service', 'version', 'request_id', 'sampling_rate', 'xray_trace_id'],
]);

/** `at`: milliseconds since 1970; `priority`: that of syslog (RFC 5424, 6.2.1). */
export interface RawLine {
  at: number;
  source: SourceId;
  priority: number;
  text: string;
}

/** A line of the service is JSON: its message comes first, then its facts. */
export function entryOf({ at, source, priority, text }: RawLine): LogEntry {
  const own = source === 'service';
  const structured = own ? objectOf(text) : null;
  const level = levelOf(priority);
  const base = { at: new Date(at).toISOString(), source };
  if (structured === null) return { ...base, level, message: shown(text, own), request_id: null };
  const facts = Object.entries(structured).filter(([name]) => !OF_EVERY_LINE.has(name));
  const words = [String(structured.message ?? ''), ...facts.map(([name, value]) => `${name}=${spoken(value)}`)];
  return {
    ...base,
    level: LEVEL_OF[String(structured.level)] ?? level,
    message: shown(words.join(' '), own),
    request_id: typeof structured.request_id === 'string' ? structured.request_id : null,
  };
}

function objectOf(text: string): Record<string, unknown> | null {
  if (!text.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const spoken = (value: unknown): string =>
  typeof value === 'string' && /^\S+$/.test(value) ? value : JSON.stringify(value);

const LEVEL_OF: Readonly<Record<string, Level>> = {
  CRITICAL: 'error',
  ERROR: 'error',
  WARN: 'warning',
  INFO: 'info',
  DEBUG: 'debug',
  TRACE: 'debug',
};

const levelOf = (priority: number): Level =>
  priority <= 3 ? 'error' : priority === 4 ? 'warning' : priority <= 6 ? 'info' : 'debug';

/** What a daemon wrote must not move the cursor of a terminal, nor turn the order of what is read, nor end a line unseen. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is meant
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g;

function shown(text: string, own: boolean): string {
  const plain = withoutSecrets(text.slice(0, LOOKED_MOST).replace(CONTROL, ' ').trimEnd(), own);
  return plain.length <= MESSAGE_MOST ? plain : `${plain.slice(0, MESSAGE_MOST)}…`;
}

/** For a file, oldest or newest first. A message that has lines of its own goes on below, indented: none looks like an entry. */
export const entryText = ({ at, source, level, request_id, message }: LogEntry): string =>
  `${at} ${source} ${level} ${oneLine(request_id ?? '-')} ${message.replaceAll('\n', '\n\t')}\n`;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');
