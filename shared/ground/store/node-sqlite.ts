// What Node's own SQLite takes, gives and throws, as the drivers' callers know it.
import type { StatementSync } from 'node:sqlite';
import type { Row, SqlValue } from './database.ts';

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

/**
 * Makes the rows of one statement, which gives arrays from now on. Those of Node are dictionaries: with the columns of an interface
 * they take twice the memory of an object whose columns V8 knows, and several times as long to read.
 */
export function rowsOf(statement: StatementSync): (values: unknown) => Row {
  statement.setReturnArrays(true);
  let names: string[] | undefined;
  let empty: Row;
  return (values) => {
    const row = values as SqlValue[];
    if (names?.length !== row.length) {
      names = statement.columns().map(({ name }) => name);
      empty = JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:null`).join(',')}}`);
    }
    const made = { ...empty };
    for (let at = 0; at < row.length; at++) made[names[at]!] = row[at]!;
    return made;
  };
}
