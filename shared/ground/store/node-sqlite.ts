// What Node's own SQLite takes and throws, as the drivers' callers know it.
import type { SqlValue } from './database.ts';

/** SQLite's primary result codes that callers use, by name. */
const CODES: Readonly<Record<number, string>> = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  9: 'SQLITE_INTERRUPT',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_NOTADB',
};

/**
 * Every number of JavaScript is bound as a REAL, which reads `20.0` once it is text; a whole one is meant as INTEGER. What is
 * not there is NULL to the addon, too.
 */
export const bound = (value: SqlValue | undefined) =>
  Number.isSafeInteger(value) ? BigInt(value as number) : (value ?? null);

/** Errors get the code that the addon gives them, and its name in front of the message. */
export function named<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { errcode } = error as { errcode?: number };
    const code = CODES[(errcode ?? 0) & 0xff];
    throw code === undefined
      ? error
      : Object.assign(error as Error, { code, message: `${code}: ${(error as Error).message}` });
  }
}
