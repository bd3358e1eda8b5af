// What the boot listener asks of installer media: one file of one medium. Who unpacks media implements it.
import type { FileHandle } from 'node:fs/promises';

export interface MediaFile {
  /** Bytes. */
  size: number;
  /** Strong entity tag, with its quotes. */
  etag: string;
  /** For reading; whoever asks closes it. */
  /** Null: it is not there as it was kept. */
  open(): Promise<FileHandle | null>;
}

export interface MediaFiles {
  /**
   * A file of a medium that is ready. `name` is relative, with `/` between folders, decoded; found as it is written, or
   * else without regard to case. Null for anything that is no regular file of the medium.
   */
  find(media_id: string, name: string): Promise<MediaFile | null>;
}
