// A database of its own for as long as an archive is open: its rows, and those of now beside them while the two are compared.
// Nothing in it has to survive anything, so that it waits for no disk. No secret is ever in it.
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Connection } from '../../ground/store/connection.ts';
import type { Row, SqlValue, Statement, Transaction } from '../../ground/store/database.ts';
import { native } from '../../ground/store/store.ts';

export class ScratchDatabase implements Transaction {
  readonly #file: string;
  readonly #connection: Connection;

  private constructor(file: string, connection: Connection) {
    this.#file = file;
    this.#connection = connection;
  }

  /** Of a database that is alone in its folder: the folder goes with it. */
  static async open(file: string): Promise<ScratchDatabase> {
    const connection = await Connection.open(file, 'writer');
    const opened = new ScratchDatabase(file, connection);
    await opened.run('PRAGMA synchronous = OFF');
    // Rows name others that come later. SQLite would look for those that name each row that comes, through whole tables where
    // no index is left: who loads rows checks them all once, at the end.
    await opened.run('PRAGMA foreign_keys = OFF');
    return opened;
  }

  all<R = Row>(statement: Statement, parameters: readonly SqlValue[] = []): Promise<R[]> {
    return this.#connection.all<R>(...native(statement, parameters));
  }

  async one<R = Row>(statement: Statement, parameters: readonly SqlValue[] = []): Promise<R | undefined> {
    return (await this.all<R>(statement, parameters))[0];
  }

  run(statement: Statement, parameters: readonly SqlValue[] = []): Promise<number> {
    return this.#connection.run(...native(statement, parameters));
  }

  /** All of it or nothing. */
  async write<T>(work: () => Promise<T>): Promise<T> {
    await this.run('BEGIN');
    try {
      const result = await work();
      await this.run('COMMIT');
      return result;
    } catch (error) {
      await this.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /** The folder stays. */
  disconnect(): Promise<void> {
    return this.#connection.close();
  }

  /** With its folder. More than once is as well as once. */
  async close(): Promise<void> {
    await this.#connection.close().catch(() => undefined);
    await rm(dirname(this.#file), { recursive: true, force: true });
  }
}
