// What sign-ins write most, as one statement for all that come at the same time: a transaction of one statement is handed to SQLite
// once, where BEGIN, its statements and COMMIT are as many times. The statement inserts into a view that the writing connection alone
// has; its trigger puts each row where it belongs. Nothing of it is in the schema of the file.
import type { SqlValue } from '../../../ground/store/database.ts';
import type { Store } from '../../../ground/store/store.ts';
import { insertSession } from '../sessions/sessions.ts';
import { insertArtifact, useUp } from './artifacts.ts';

/** What is done with a row; consuming one that was consumed fails, and all with it. */
export type Write = readonly [kind: 'put' | 'session' | 'consume', row: readonly SqlValue[]];

/** What a group fails with where one of its rows was consumed before: that is no fault of the database. */
export const CONSUMED = 'already consumed';

/** Not `excluded`: who renames a table has SQLite write other names there, in triggers. */
const given = (_column: string, at: number): string => `NEW.row ->> ${at}`;
const VIEW = 'CREATE TEMP VIEW IF NOT EXISTS oidc_write AS SELECT NULL AS kind, NULL AS row';
const TRIGGER = `CREATE TEMP TRIGGER IF NOT EXISTS oidc_written INSTEAD OF INSERT ON oidc_write BEGIN
  ${useUp('NEW.row ->> 0', 'NEW.row ->> 1', "NEW.kind = 'consume' AND")};
  SELECT RAISE(ABORT, '${CONSUMED}') WHERE NEW.kind = 'consume' AND changes() = 0;
  ${insertSession('NEW.row', "WHERE NEW.kind = 'session'", given)};
  ${insertArtifact('NEW.row', "WHERE NEW.kind = 'put'", given)};
END`;
const WRITE = 'INSERT INTO oidc_write (kind, row) SELECT value ->> 0, value -> 1 FROM json_each(?)';

export class OneStatement {
  readonly #store: Store;
  #ready: Promise<void> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** In this order, all or nothing. */
  async write(writes: readonly Write[]): Promise<void> {
    this.#ready ??= this.#prepare();
    await this.#ready;
    await this.#store.run(WRITE, [JSON.stringify(writes)]);
  }

  /** Where it fails, the next write tries it again. */
  async #prepare(): Promise<void> {
    try {
      await this.#store.write(async (tx) => {
        for (const statement of [VIEW, TRIGGER]) await tx.run(statement);
      });
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }
}
