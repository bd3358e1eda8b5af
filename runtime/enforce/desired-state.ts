// Reads the plan and the desired state with the rights of the service, and without writing: so no link in place of a
// file makes root read what the service can't. The service can write the file, so it may be any database: only one of
// plain tables is read, in which reading runs nothing.
import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ordinary } from '../../shared/ground/machine/bounded-read.ts';
import type { Database, Row, SqlValue, Statement } from '../../shared/ground/store/database.ts';
import { DATABASE_FILE } from '../../shared/ground/store/open-store.ts';
import { permit } from '../../shared/platform/host/system-root.ts';

/** Milliseconds to wait for a writer that must not be read beside. */
const BUSY = 5_000;
/**
 * Bytes of the database, and of one value in it: a hundred thousand records and years of audit are a tenth of either.
 */
const DATABASE_MOST = 8 * 2 ** 30;
const VALUE_MOST = 128 << 20;
/** Views, virtual tables and generated columns run their author's expressions, for as long as these take. */
const STRANGE = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'table'
  UNION ALL SELECT listed.name FROM pragma_table_list AS listed, pragma_table_xinfo(listed.name) AS members
    WHERE listed.schema = 'main' AND members.hidden <> 0 LIMIT 1`;

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
    const file = join(data, DATABASE_FILE);
    // A pipe in its place would be waited for without an end.
    ordinary(lstatSync(file), file, DATABASE_MOST);
    const limits = { length: VALUE_MOST };
    const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY, defensive: true, limits });
    try {
      // No function of a schema that does more than work out a value.
      database.exec('PRAGMA trusted_schema = OFF');
      permit(database.prepare(STRANGE).get() ? 'the database holds more than tables' : null);
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
