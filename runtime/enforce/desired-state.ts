// The plan and the desired state, read with the rights of the service and without writing: what the service could not
// read, nothing that it put in the way of its own files gets read for it.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Database, Row, SqlValue, Statement } from '../../shared/store/database.ts';
import { DATABASE_FILE } from '../../shared/store/open-store.ts';

/** Milliseconds to wait for a writer that must not be read beside. */
const BUSY = 5_000;

/**
 * Runs `work` as the owner of the data folder, with its database. Nothing else may run in this process meanwhile: user
 * and group are those of the whole process.
 */
export async function asOwner<T>(data: string, work: (database: Database) => Promise<T>): Promise<T> {
  const { uid, gid } = statSync(data);
  const before = { uid: process.geteuid!(), gid: process.getegid!() };
  process.setegid!(gid);
  process.seteuid!(uid);
  try {
    const database = new DatabaseSync(join(data, DATABASE_FILE), { readOnly: true, timeout: BUSY });
    try {
      return await work(reader(database));
    } finally {
      database.close();
    }
  } finally {
    process.seteuid!(before.uid);
    process.setegid!(before.gid);
  }
}

function reader(database: DatabaseSync): Database {
  const all = async <R = Row>(statement: Statement, parameters: readonly SqlValue[] = []): Promise<R[]> => {
    const { sql, bindings } =
      typeof statement === 'string' ? { sql: statement, bindings: parameters } : statement.toSQL().toNative();
    return database.prepare(sql).all(...(bindings as SqlValue[])) as R[];
  };
  return { all, one: async <R = Row>(...asked: Parameters<Database['one']>) => (await all<R>(...asked))[0] };
}
