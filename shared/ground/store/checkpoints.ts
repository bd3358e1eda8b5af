// Takes the write-ahead log into the database on a thread of its own, where the writer works on the event loop: SQLite would do it
// within a COMMIT, with two syncs and as many writes as the log has pages.
import { Connection } from './connection.ts';

/** Statements that wrote, after which the log has some thousand pages at most. */
const AFTER = 1_000;

export class Checkpoints {
  readonly #file: string;
  #connection: Promise<Connection> | undefined;
  #running: Promise<unknown> | undefined;
  #wrote = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Another statement wrote. */
  wrote(): void {
    this.#wrote++;
  }

  /** A transaction is over. Begins a checkpoint when the log is long; nobody waits for it. */
  committed(): void {
    if (this.#wrote < AFTER || this.#running) return;
    this.#wrote = 0;
    this.#running = this.#take().finally(() => {
      this.#running = undefined;
    });
  }

  async close(): Promise<void> {
    await this.#running;
    await (await this.#connection)?.close();
  }

  /** One that fails is tried again after as many statements; SQLite's own, far behind, is the last resort. */
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
