// The driver over Node's own SQLite. What is short works on the event loop: a statement is done before anything else happens,
// without a way to another thread and back. Reads that may be long, and connections opened apart, have a thread of their own.
import { DatabaseSync } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Apart, canWorkApart } from './apart.ts';
import { boundedReader } from './bounded-reader.ts';
import type { Driver, DriverConnection } from './driver.ts';
import { bound, named, rowsOf } from './node-sqlite.ts';
import { noteWrite } from './remembered-reads.ts';

/** Milliseconds that a statement waits for another process's transaction, as the addon does inside SQLite. */
const BUSY_TIMEOUT = 5_000;
const BUSY_PAUSE = 5;
/** Milliseconds of statements in one go: after them, whatever else waits on the event loop has its turn. */
const TURN = 5;

export const nodeDriver: Driver = {
  name: 'node:sqlite',
  onLoop: true,
  async open(file, purpose) {
    if (purpose === 'apart' && canWorkApart) return new Apart(file);
    const database = named(() => new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: false }));
    if (purpose !== 'reader' || !canWorkApart) return connectionOf(database);
    return boundedReader(database, new Apart(file), patiently);
  },
};

function connectionOf(database: DatabaseSync): DriverConnection {
  return {
    exec: (sql) => writing(() => database.exec(sql)),
    async prepare(sql) {
      const statement = await patiently(() => database.prepare(sql));
      const row = rowsOf(statement);
      return {
        all: (parameters) => writing(() => statement.all(...parameters.map(bound)).map(row)),
        run: (parameters) => writing(() => Number(statement.run(...parameters.map(bound)).changes)),
        finalize: () => undefined, // with its last reference
      };
    },
    async close() {
      database.close();
    },
  };
}

/** Nothing reads between the note and the work. */
const writing = <T>(work: () => T): Promise<T> =>
  patiently(() => {
    noteWrite();
    return work();
  });

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
