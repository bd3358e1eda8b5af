// How much an import takes.

/** Rows of one file. */
export const ROWS_MOST = 100_000;
/** Bytes of one file: 167 for each of as many rows, which is twice what most have. */
export const FILE_BYTES = 16 << 20;
/** Characters of one row of JSON. */
export const ROW_CHARACTERS = 16_384;
/** Files that wait for their turn, or are being worked on. */
export const WAITING_MOST = 5;
/** Refused rows that are kept for whoever wants to read them; the others are counted. */
export const REFUSED_KEPT = 1_000;

/** Previewed files that are kept for whoever imports them; the oldest goes first. */
export const PREVIEWED_KEPT = 5;

export const ROWS_TYPES = ['text/csv', 'application/json'] as const;
export type RowsType = (typeof ROWS_TYPES)[number];
/** The page takes lines of a zone file or a hosts file, too. */
export type SourceType = RowsType | 'text/plain';
