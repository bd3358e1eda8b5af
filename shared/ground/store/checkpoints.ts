// Takes the write-ahead log into the database on a thread of its own, where the writer works on the event loop: SQLite would do it
// within a COMMIT, with two syncs and as many writes as the log has pages.
import { statSync } from 'node:fs';
import { Connection } from './connection.ts';

/** Statements that wrote. */
const AFTER = 1_000;
/** Bytes by which the log has grown: it is written from its beginning again once all of it is in the database, and never shrinks. */
const GROWN = 1 << 20;
/** Bytes by which it has grown though checkpoints were taken: who goes on writing keeps them from coming to an end. */
const GROWN_BESIDE = 4 << 20;

export class Checkpoints {
  readonly #file: string;
  #connection: Promise<Connection> | undefined;
  #running: Promise<void> | undefined;
  #wrote = 0;
  /** Bytes of the log at the last checkpoint, and at the last one during which nobody wrote. */
  #size = 0;
  #calm = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Another statement wrote. */
  wrote(): void {
    this.#wrote++;
  }

  /**
   * A transaction is over. Begins a checkpoint when the log is long. Mostly nobody waits for it; who does, because the log goes on
   * growing, keeps the next one from writing meanwhile.
   */
  committed(): Promise<void> | undefined {
    const size = this.#logSize();
    if (size - this.#calm >= GROWN_BESIDE) return this.#calmly();
    if (!this.#running && (this.#wrote >= AFTER || size - this.#size >= GROWN)) void this.#begin();
    return undefined;
  }

  async close(): Promise<void> {
    await this.#running;
    await (await this.#connection)?.close();
  }

  async #calmly(): Promise<void> {
    await this.#running;
    await this.#begin();
    this.#calm = this.#logSize();
  }

  #begin(): Promise<void> {
    this.#wrote = 0;
    const running = this.#take().finally(() => {
      this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  #logSize(): number {
    return statSync(`${this.#file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** One that fails is tried again after as many statements or bytes; SQLite's own, far behind, is the last resort. */
  async #take(): Promise<void> {
    try {
      this.#connection ??= Connection.open(this.#file, 'apart');
      await (await this.#connection).all('PRAGMA wal_checkpoint(PASSIVE)', []);
      this.#size = this.#logSize();
    } catch {
      const failed = this.#connection;
      this.#connection = undefined;
      await failed?.then((connection) => connection.close()).catch(() => undefined);
    }
  }
}

/** Pages of the log after which SQLite does it itself, beside these checkpoints: 80 MB. */
export const LAST_RESORT = 20_000;
