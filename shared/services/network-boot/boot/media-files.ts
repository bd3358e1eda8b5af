// The boot listener's interface to installer media: one file of one medium. esxi-media implements it.
import type { FileHandle } from 'node:fs/promises';

export interface MediaFile {
  /** Bytes. */
  size: number;
  /** Strong entity tag, with its quotes. */
  etag: string;
  /** For reading; the caller closes it. Null: the file is not as it was unpacked. */
  open(): Promise<FileHandle | null>;
}

export interface MediaFiles {
  /**
   * A file of a medium that is ready. `name` is relative, with `/` between folders, decoded; it is matched exactly, or
   * else regardless of case. Null for anything but a regular file of the medium.
   */
  find(media_id: string, name: string): Promise<MediaFile | null>;
}
