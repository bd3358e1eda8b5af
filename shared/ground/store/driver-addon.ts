// The driver over node-sqlite3: each statement runs on a thread of its own pool, so a long one leaves the event loop free.
import { createRequire } from 'node:module';
import type { Row, SqlValue } from './database.ts';
import type { Driver, DriverConnection, PreparedStatement } from './driver.ts';

/** As much of the addon as is used. Its own types are missing with it: it is an optional dependency. */
interface Addon {
  Database: new (file: string, opened: (error: Error | null) => void) => AddonDatabase;
}
interface AddonDatabase {
  exec(sql: string, done: (error: Error | null) => void): void;
  prepare(sql: string, done: (error: Error | null) => void): AddonStatement;
  close(done: (error: Error | null) => void): void;
}
interface AddonStatement {
  all(parameters: readonly SqlValue[], done: (error: Error | null, rows: Row[]) => void): void;
  run(parameters: readonly SqlValue[], done: (this: { changes: number }, error: Error | null) => void): void;
  finalize(): void;
}

/** Null where no compiled file could be had and no compiler was there to make one: node:sqlite does without. */
export function addonDriver(): Driver | null {
  try {
    const addon = createRequire(import.meta.url)('sqlite3') as Addon;
    return { name: 'sqlite3', onLoop: false, open: (file) => open(addon, file) };
  } catch {
    return null;
  }
}

async function open({ Database }: Addon, file: string): Promise<DriverConnection> {
  const database = await new Promise<AddonDatabase>((resolve, reject) => {
    const opened = new Database(file, (error) => (error ? reject(error) : resolve(opened)));
  });
  const connection = connectionOf(database);
  await connection.exec('PRAGMA busy_timeout = 5000');
  return connection;
}

function connectionOf(database: AddonDatabase): DriverConnection {
  return {
    exec: (sql) => new Promise((resolve, reject) => database.exec(sql, (error) => (error ? reject(error) : resolve()))),
    prepare: (sql) =>
      new Promise((resolve, reject) => {
        const statement = database.prepare(sql, (error) => (error ? reject(error) : resolve(preparedOf(statement))));
      }),
    close: () => new Promise((resolve, reject) => database.close((error) => (error ? reject(error) : resolve()))),
  };
}

function preparedOf(statement: AddonStatement): PreparedStatement {
  return {
    all: (parameters) =>
      new Promise((resolve, reject) => {
        statement.all(parameters, (error, rows) => (error ? reject(error) : resolve(rows)));
      }),
    run: (parameters) =>
      new Promise((resolve, reject) => {
        statement.run(parameters, function (error) {
          if (error) reject(error);
          else resolve(this.changes);
        });
      }),
    finalize: () => void statement.finalize(),
  };
}
