// The source of a medium, an image or a folder: a list of regular files, each of which can be read as a stream.
import type { Readable } from 'node:stream';

export interface Member {
  /** Relative, `/` between folders, as memberPath() made it. */
  path: string;
  /** Bytes. */
  size: number;
  open(): Readable;
}

export interface MediaSource {
  /** @throws MediaFault when the medium is refused. */
  members(): Promise<Member[]>;
  close(): Promise<void>;
}
