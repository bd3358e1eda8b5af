// The driver over Node's own SQLite. It works on the event loop: a statement is done before anything else happens, so
// point reads are quick, and a long one holds all others up.
import { DatabaseSync } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Row, SqlValue } from './database.ts';
import type { Driver, DriverConnection } from './driver.ts';

/** Milliseconds that a statement waits for another process's transaction, as the addon does inside SQLite. */
const BUSY_TIMEOUT = 5_000;
const BUSY_PAUSE = 5;
/** Milliseconds of statements in one go: after them, whatever else waits on the event loop has its turn. */
const TURN = 5;

/** SQLite's primary result codes that callers use, by name. */
const CODES: Readonly<Record<number, string>> = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_NOTADB',
};

export const nodeDriver: Driver = {
  name: 'node:sqlite',
  async open(file) {
    return connectionOf(named(() => new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: false })));
  },
};

function connectionOf(database: DatabaseSync): DriverConnection {
  return {
    exec: (sql) => patiently(() => database.exec(sql)),
    async prepare(sql) {
      const statement = await patiently(() => database.prepare(sql));
      return {
        all: (parameters) => patiently(() => statement.all(...parameters.map(bound)) as Row[]),
        run: (parameters) => patiently(() => Number(statement.run(...parameters.map(bound)).changes)),
        finalize: () => undefined, // with its last reference
      };
    },
    async close() {
      database.close();
    },
  };
}

/**
 * Every number of JavaScript is bound as a REAL, which reads `20.0` once it is text; a whole one is meant as INTEGER.
 */
const bound = (value: SqlValue | undefined) =>
  Number.isSafeInteger(value) ? BigInt(value as number) : (value ?? null); // what is not there is NULL to the addon, too

let turnBegan = 0;

/** Does `work` at once, again while another process holds the database, and lets others have their turn. */
async function patiently<T>(work: () => T): Promise<T> {
  if (performance.now() - turnBegan > TURN) {
    await setImmediate();
    turnBegan = performance.now();
  }
  for (const since = performance.now(); ; ) {
    try {
      return named(work);
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_BUSY' || performance.now() - since > BUSY_TIMEOUT) throw error;
      await setTimeout(BUSY_PAUSE);
    }
  }
}

/** Errors get the code that the addon gives them, and its name in front of the message. */
function named<T>(work: () => T): T {
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
