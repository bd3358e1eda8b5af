// Takes the write-ahead log into the database on a thread of its own, where the writer works on the event loop: SQLite would do it
// within a COMMIT, with two syncs and as many writes as the log has pages. Writers wait meanwhile, nobody else does: who went on
// writing would keep it from coming to an end, and the log would grow.
import { statSync } from 'node:fs';
import { Connection } from './connection.ts';

/** Bytes of the log after which it is taken: SQLite's own thousand pages. */
const LONG = 4 << 20;
/** Milliseconds that it waits for whoever still reads the log. */
const READERS_WAIT = 50;

export class Checkpoints {
  readonly #file: string;
  #connection: Promise<Connection> | undefined;
  /** Bytes that are left of the log when somebody was reading it. */
  #left = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** A transaction is over. Undefined: the log is short. Else the next one has to wait. */
  committed(): Promise<void> | undefined {
    return this.#logSize() - this.#left < LONG ? undefined : this.#take();
  }

  async close(): Promise<void> {
    await (await this.#connection?.catch(() => undefined))?.close();
  }

  #logSize(): number {
    return statSync(`${this.#file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** One that fails is tried again after as many bytes; SQLite's own, far behind, is the last resort. */
  async #take(): Promise<void> {
    try {
      this.#connection ??= this.#opened();
      await (await this.#connection).all('PRAGMA wal_checkpoint(TRUNCATE)', []);
    } catch {
      const failed = this.#connection;
      this.#connection = undefined;
      await failed?.then((connection) => connection.close()).catch(() => undefined);
    }
    this.#left = this.#logSize();
  }

  async #opened(): Promise<Connection> {
    const connection = await Connection.open(this.#file, 'apart');
    await connection.set('busy_timeout', READERS_WAIT);
    return connection;
  }
}

/** Pages of the log after which SQLite does it itself, beside these checkpoints: 80 MB. */
export const LAST_RESORT = 20_000;
