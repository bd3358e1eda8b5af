// One sync of the write-ahead log for all transactions that wait for one. SQLite alone would sync in each COMMIT, and the next
// transaction would wait for that too. The log is written in the order of the commits, so a sync that begins after a commit has
// that one and all before it on the disk.
import { type FileHandle, open } from 'node:fs/promises';

/** Brings a file's data to the disk. Tests let it fail, or wait. */
export type Sync = (file: FileHandle) => Promise<void>;

const dataSync: Sync = (file) => file.datasync();

export class LogSync {
  readonly #log: string;
  readonly #sync: Sync;
  #file: Promise<FileHandle> | undefined;
  #running: Promise<void> | undefined;
  /** The one after the running one: it begins after all that is committed by now. */
  #next: Promise<void> | undefined;
  #unsynced = false;
  #failed: Error | undefined;

  /** Of an open database: `log` is there, at the latest after its first commit, and stays until its last connection closes. */
  constructor(log: string, sync: Sync = dataSync) {
    this.#log = log;
    this.#sync = sync;
  }

  /**
   * Nothing can be acknowledged any more: after a failed sync the kernel may have dropped what it could not write, and the
   * next sync would not tell. A program that is stopped in good order takes the log into the database, which writes all of it once
   * more; one that is killed finds in the kernel's memory what the disk may not have.
   * @throws Error with code `SQLITE_IOERR`
   */
  requireWhole(): void {
    if (this.#failed) throw this.#failed;
  }

  /** Something was committed that no sync has begun for. */
  committed(): void {
    this.#unsynced = true;
  }

  /** Done when everything that is committed now is on the disk. @throws Error with code `SQLITE_IOERR` */
  reached(): Promise<void> {
    // Also for who only read: that may be what the failed sync was of.
    if (this.#failed) return Promise.reject(this.#failed);
    if (!this.#unsynced) return this.#running ?? Promise.resolve();
    if (!this.#running) {
      this.#running = this.#once();
      return this.#running;
    }
    const follow = () => this.#follow();
    this.#next ??= this.#running.then(follow, follow);
    return this.#next;
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#running, this.#next]);
    await (await this.#file?.catch(() => undefined))?.close();
  }

  #follow(): Promise<void> {
    this.#next = undefined;
    this.#running = this.#once();
    return this.#running;
  }

  async #once(): Promise<void> {
    try {
      this.requireWhole();
      this.#file ??= open(this.#log, 'r');
      const file = await this.#file;
      this.#unsynced = false;
      await this.#sync(file);
    } catch (error) {
      this.#failed ??= Object.assign(
        new Error(`SQLITE_IOERR: the log could not be synced: ${(error as Error).message}. Start the program again.`),
        { code: 'SQLITE_IOERR' },
      );
      throw this.#failed;
    } finally {
      if (!this.#next) this.#running = undefined;
    }
  }
}
