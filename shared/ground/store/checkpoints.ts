// Takes the write-ahead log into the database on a thread of its own, where the writer works on the event loop: SQLite would do it
// within a COMMIT, with two syncs and as many writes as the log has pages. Writers wait meanwhile, nobody else does: who went on
// writing would keep it from coming to an end, and the log would grow. The file keeps its size, and is written from its beginning
// again: on a full disk what ends a job still has room in it.
import { Connection } from './connection.ts';

/** Pages of the log after which it is taken: what SQLite itself has. */
const LONG = 1_000;

export class Checkpoints {
  readonly #file: string;
  readonly #writer: Connection;
  #connection: Promise<Connection> | undefined;
  /** Pages that could not be given free, because somebody read them. */
  #left = 0;

  constructor(file: string, writer: Connection) {
    this.#file = file;
    this.#writer = writer;
  }

  /**
   * A transaction is over: takes the log when it is long. The next transaction waits for this. Never rejects: what was committed
   * stands, and the log is looked at again after the next one.
   */
  async committed(): Promise<void> {
    const pages = await this.#writer.logPages().catch(() => 0);
    if (pages < this.#left) this.#left = 0;
    if (pages - this.#left < LONG) return;
    await this.#take();
    this.#left = pages;
  }

  async close(): Promise<void> {
    await (await this.#connection?.catch(() => undefined))?.close();
  }

  /** One that fails is tried again after as many pages; SQLite's own, far behind, is the last resort. */
  async #take(): Promise<void> {
    try {
      this.#connection ??= Connection.open(this.#file, 'apart');
      await (await this.#connection).all('PRAGMA wal_checkpoint(PASSIVE)', []);
    } catch {
      const failed = this.#connection;
      this.#connection = undefined;
      await failed?.then((connection) => connection.close()).catch(() => undefined);
    }
  }
}

/** Pages of the log after which SQLite does it itself, beside these checkpoints: 80 MB. */
export const LAST_RESORT = 20_000;
