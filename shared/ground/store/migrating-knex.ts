// The knex instance that runs migrations. It has a connection of the driver that the store runs on, which it is shown as
// the sqlite3 addon's: that is what its dialect knows.
import { types } from 'node:util';
import createKnex, { type Knex } from 'knex';
import SqliteDialect from 'knex/lib/dialects/sqlite3/index.js';
import type { SqlValue } from './database.ts';
import { type DriverConnection, driver, type PreparedStatement } from './driver.ts';

/** What knex binds; the addon takes instants and truth values, and stores them as numbers. */
type Bindings = readonly (SqlValue | Date | boolean)[] | undefined;
const values = (bindings: Bindings): SqlValue[] =>
  (bindings ?? []).map((value) => (typeof value === 'boolean' || types.isDate(value) ? Number(value) : value));

type Done<T> = (this: { changes: number }, error: Error | null, answer?: T) => void;

/** As much of the addon's interface as the dialect calls. */
function asAddon(connection: DriverConnection) {
  /** Prepares, asks and finalizes: an addon's connection with a statement that is still open can't be closed. */
  const once = async <T>(sql: string, ask: (statement: PreparedStatement) => Promise<T>): Promise<T> => {
    const statement = await connection.prepare(sql);
    try {
      return await ask(statement);
    } finally {
      statement.finalize();
    }
  };
  return {
    all: (sql: string, bindings: Bindings, done: Done<unknown[]>) =>
      once(sql, (statement) => statement.all(values(bindings))).then(
        (rows) => done.call({ changes: 0 }, null, rows),
        (error: Error) => done.call({ changes: 0 }, error),
      ),
    run: (sql: string, bindings: Bindings, done: Done<undefined>) =>
      once(sql, (statement) => statement.run(values(bindings))).then(
        (changes) => done.call({ changes }, null),
        (error: Error) => done.call({ changes: 0 }, error),
      ),
    close(done: (error: Error | null) => void): void {
      connection.close().then(() => done(null), done);
    },
  };
}

export async function migratingKnex(file: string): Promise<Knex> {
  const { open } = await driver();
  class Dialect extends SqliteDialect {
    _driver() {
      return {}; // the connection below needs none
    }
    override async acquireRawConnection() {
      return asAddon(await open(file));
    }
  }
  return createKnex({ client: Dialect, connection: { filename: file }, useNullAsDefault: true });
}
