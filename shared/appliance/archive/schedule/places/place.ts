// What a copy needs of a place, whichever kind it is. A name is that of a file in the place's own folder.
import { createHash } from 'node:crypto';

/** Bytes that are to be copied, as often as they are asked for. */
export interface Source {
  size_bytes: number;
  /** Hexadecimal. */
  sha256: string;
  bytes(): AsyncIterable<Buffer>;
}

/** An archive that is copied. */
export interface Made extends Source {
  name: string;
  made_at: string;
}

export interface OpenPlace {
  /** Whole, or it throws. Names have their second in them, and no two writers share a temporary one. */
  write(name: string, source: Source): Promise<void>;
  read(name: string): AsyncIterable<Buffer>;
  /** Never over what is there already. Left out where `write` shows nothing before it is whole. */
  rename?(from: string, to: string): Promise<void>;
  size(name: string): Promise<number>;
  /** What is gone already is no fault. */
  remove(name: string): Promise<void>;
  /** Names of files there, for sweeping; left out where nothing half is ever left. */
  names?(): Promise<string[]>;
  close(): Promise<void>;
}

/** Names that are looked at when temporary files are swept. */
export const NAMES_MOST = 10_000;

export function sourceOf(bytes: Buffer): Source {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { size_bytes: bytes.length, sha256, bytes: () => once(bytes) };
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
