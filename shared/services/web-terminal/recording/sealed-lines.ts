// A recording at rest: lines of text, each sealed by itself under a key of this recording, so that a crash keeps all lines before
// it. The first says whose it is, those between hold what was printed, the last how it ended. Each is bound to the recording, to
// its kind and to its place: none can be moved, left out or taken from another one unnoticed.
import { createSecretKey, type KeyObject } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Entropy } from '../../../ground/clock.ts';
import { type Box, open, seal } from '../../../ground/sealing/box.ts';
import type { Keys } from '../../../ground/sealing/keys.ts';

/** Kind of a line → the name of its format. */
const FORMATS = { head: 'trh1.', part: 'trp1.', end: 'tre1.' } as const;
export type LineKind = keyof typeof FORMATS;

/** Bytes that the text of one line may have at most: what is read is never trusted to be small. */
export const LINE_TEXT_MOST = 1 << 20;
/** Bytes of a line: sealed, and in base64. */
export const LINE_MOST = 2 * LINE_TEXT_MOST;

export interface LineShell {
  keys: Keys;
  entropy: Entropy;
}

export class SealedLines {
  readonly #id: string;
  readonly #key: KeyObject;

  constructor(keys: Keys, id: string) {
    this.#id = id;
    this.#key = createSecretKey(keys.hmac('terminal-recording', id));
  }

  /** Ends with a newline. `number`: how many lines are before it; of the last one nothing depends on it. */
  seal(kind: LineKind, number: number, text: string, entropy: Entropy): string {
    return `${seal(this.#box(kind, number), deflateRawSync(Buffer.from(text, 'utf8'), { level: 1 }), entropy)}\n`;
  }

  /** Null: damaged, moved, of another recording, or of another kind. */
  open(kind: LineKind, number: number, line: string): string | null {
    if (!line.startsWith(FORMATS[kind])) return null;
    const packed = open(this.#box(kind, number), line);
    if (packed === null) return null;
    try {
      return inflateRawSync(packed, { maxOutputLength: LINE_TEXT_MOST }).toString('utf8');
    } catch {
      return null;
    }
  }

  #box(kind: LineKind, number: number): Box {
    const format = FORMATS[kind];
    // The last line is opened without the others: it says itself how many there are.
    const place = kind === 'end' ? '' : String(number);
    return { format, key: this.#key, associated: Buffer.from(JSON.stringify([format, this.#id, place]), 'utf8') };
  }
}

export const isEndLine = (line: string): boolean => line.startsWith(FORMATS.end);
