// What one visit to the files of another machine may hold, and for how long. The other machine may answer anything.

export const FILES = {
  /** Bytes of one question: each server takes packets of 32 KiB (draft-ietf-secsh-filexfer-02, 3). */
  piece: 30 << 10,
  /** Questions about one file that are open at once: what waits in memory is this often a piece. */
  in_flight: 32,
  /** Rows of a folder that are shown. */
  entries: 2_000,
  /** Answers about one folder: each may have no name at all. */
  answers: 500,
  /** Bytes of a name, and of a path. */
  name: 255,
  path: 4_096,
  /** Bytes of a file handle (draft-ietf-secsh-filexfer-02, 6.2). */
  handle: 256,
  /** For one answer, and for all about a folder. */
  answer_ms: 30_000,
  folder_ms: 30_000,
  /** Bytes of a file. */
  download: 64 * 2 ** 30,
  upload: 16 * 2 ** 30,
  /** Bytes of one request of an upload, and of a file that comes in one form. */
  upload_piece: 1 << 20,
  form: 2 << 20,
} as const;

export interface FileTimes {
  answer_ms?: number;
  folder_ms?: number;
}
