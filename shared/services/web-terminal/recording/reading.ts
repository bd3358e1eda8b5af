// Reads recordings: what a list shows of each, from its first and its last line, and the whole of one as asciicast v2.
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ByteSource } from '../../../ground/byte-source.ts';
import type { Keys } from '../../../ground/sealing/keys.ts';
import { endSchema, headSchema, type RecordingEnd, type RecordingHead, readFacts } from './facts.ts';
import { isEndLine, LINE_MOST, SealedLines } from './sealed-lines.ts';

/** Bytes that the first or the last line has at most. */
const FACTS_MOST = 4096;

export interface Glance {
  /** Null: it can't be opened. */
  head: RecordingHead | null;
  /** Null: it has none (yet). */
  end: RecordingEnd | null;
  size: number;
}

export async function glanceAt(keys: Keys, id: string, path: string): Promise<Glance> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const lines = new SealedLines(keys, id);
    const first = (await piece(handle, 0, Math.min(size, FACTS_MOST))).split('\n', 1)[0]!;
    const start = Math.max(0, size - FACTS_MOST);
    const last = (await piece(handle, start, size - start)).split('\n').at(-2) ?? '';
    return {
      head: readFacts(headSchema, lines.open('head', 0, first)),
      end: readFacts(endSchema, lines.open('end', 0, last)),
      size,
    };
  } finally {
    await handle.close();
  }
}

async function piece(handle: FileHandle, position: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.toString('latin1', 0, bytesRead);
}

export interface Asciicast {
  text: string;
  /** False: its tail is missing or damaged, as after a crash. */
  whole: boolean;
}

/** What a replay shows where it breaks off; players show markers. */
const BREAKS = 'The recording breaks off here: its end is missing or damaged.';

/** Null: not even its head can be opened. */
export async function asciicastOf(keys: Keys, id: string, path: string): Promise<Asciicast | null> {
  const source = new ByteSource(createReadStream(path));
  const lines = new SealedLines(keys, id);
  try {
    const next = async () => (await source.line(LINE_MOST))?.toString('latin1') ?? null;
    const head = readFacts(headSchema, lines.open('head', 0, (await next()) ?? ''));
    if (head === null) return null;
    const parts = [`${JSON.stringify(headerOf(head))}\n`];
    for (let number = 1; ; number += 1) {
      const line = await next();
      if (line !== null && isEndLine(line)) {
        const end = readFacts(endSchema, lines.open('end', 0, line));
        const whole = end?.lines === number && (await source.ended());
        return { text: parts.join('') + (whole ? '' : breaksAt(parts)), whole };
      }
      const part = line === null ? null : lines.open('part', number, line);
      if (part === null) return { text: parts.join('') + breaksAt(parts), whole: false };
      parts.push(part);
    }
  } finally {
    await source.close();
  }
}

function headerOf({ columns, rows, started_at, user, account, machine }: RecordingHead) {
  const timestamp = Math.floor(Date.parse(started_at) / 1000);
  const title = `${account}${machine === undefined ? '' : ` at ${machine}`}, by ${user}`;
  return { version: 2, width: columns, height: rows, timestamp, title, env: { TERM: 'xterm-256color' } };
}

/** A marker at the time of the last event. */
function breaksAt(parts: readonly string[]): string {
  const last = parts.length > 1 ? parts.at(-1)!.trimEnd().split('\n').at(-1)! : '[0]';
  const [seconds] = JSON.parse(last) as [number];
  return `${JSON.stringify([seconds, 'm', BREAKS])}\n`;
}
