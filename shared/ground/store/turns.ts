// Writers take turns. Those that wait when a turn begins share one transaction, so one COMMIT and one sync of the log, each in a
// savepoint of its own: one that fails takes back only itself. Between a few of them the event loop is free: reads, which have their
// own connection, see what was committed before. Each is answered when what it wrote, or saw, is on the disk.
import { setImmediate } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import type { LogSync } from './log-sync.ts';
import { endsTransaction } from './statements.ts';

/** Writers in one turn: the first of them waits for the last. */
const TOGETHER = 32;
/** Of them, that write in one turn of the event loop: then whatever else waits there, as a read, goes first. */
const AT_ONCE = 4;

export interface Outcome<T> {
  result: T;
  wrote: boolean;
}

export interface Work<T> {
  /** Throws to take back what it wrote. */
  run(): Promise<Outcome<T>>;
  /** One statement, which is a transaction by itself. */
  single?: boolean;
  /** It begins and ends its transaction itself, on another connection: its turn is shared with nobody. */
  alone?: boolean;
}

/** Told after each COMMIT, before the next turn begins. */
type Committed = () => Promise<void>;

/** Those of one turn, in the order in which they came. */
class Group {
  size = 0;
  single = false;
  wrote = false;
  /** The one that was alone has taken back what it wrote. */
  takenBack = false;
  /** Nothing of any of them is kept. */
  failed: { error: unknown } | undefined;
  readonly begun = Promise.withResolvers<void>();
  /** The one that came last is done. */
  last: Promise<void> = this.begun.promise;
  /** The next turn may begin. */
  readonly over = Promise.withResolvers<void>();
  /** On the disk, or failed. */
  readonly settled = Promise.withResolvers<void>();
}

export class Turns {
  readonly #writer: Connection;
  readonly #log: LogSync;
  readonly #committed: Committed | undefined;
  /** Its turn has not begun: whoever comes joins it. */
  #gathering: Group | undefined;
  #tail: Promise<void> = Promise.resolve();
  /** Turns that somebody waits for, the disk included, and how many shared the one that was over last. */
  #waitedFor = 0;
  #lastSize = 1;

  constructor(writer: Connection, log: LogSync, committed: Committed | undefined) {
    this.#writer = writer;
    this.#log = log;
    this.#committed = committed;
  }

  /** Done when all turns are over that were asked for. */
  get over(): Promise<void> {
    return this.#tail;
  }

  /** Each runs in the context of who asked (AsyncLocalStorage); the first of a turn also begins and ends it. */
  async take<T>(work: Work<T>): Promise<T> {
    const group = this.#joined(work);
    const { last: before } = group;
    const place = group.size - 1;
    const done = Promise.withResolvers<void>();
    group.last = done.promise;
    await before;
    if (place > 0 && place % AT_ONCE === 0) await setImmediate();
    let outcome: Outcome<T> | undefined;
    let own: { error: unknown } | undefined;
    try {
      if (!group.failed) outcome = await (group.size > 1 ? this.#within(group, work) : work.run());
      if (outcome?.wrote) group.wrote = true;
    } catch (error) {
      own = { error };
      if (group.size === 1) group.takenBack = true;
    }
    done.resolve();
    await group.settled.promise;
    // First what all share: its own fault may be about what another one wrote, and that is gone.
    const fault = own && group.size === 1 ? own : (group.failed ?? own);
    if (fault) throw fault.error;
    return outcome!.result;
  }

  #joined({ single = false, alone = false }: Work<unknown>): Group {
    const group = (alone ? undefined : this.#gathering) ?? new Group();
    group.size++;
    group.single = single || alone;
    if (group.size === 1) {
      this.#gathering = alone ? undefined : group;
      // Who writes alone, and has just been answered, is not kept waiting for others.
      const gathers = this.#waitedFor > 0 || this.#lastSize > 1;
      this.#waitedFor++;
      void this.#lead(group, this.#tail, gathers);
      this.#tail = group.over.promise;
    }
    if (group.size === TOGETHER) this.#gathering = undefined;
    return group;
  }

  /** Never rejects. */
  async #lead(group: Group, previous: Promise<void>, gathers: boolean): Promise<void> {
    // What this turn of the event loop still brings comes along.
    await (gathers ? Promise.all([previous, setImmediate()]) : previous);
    if (this.#gathering === group) this.#gathering = undefined;
    const bare = group.size === 1 && group.single;
    try {
      this.#log.requireWhole();
      if (!bare) await this.#writer.run('BEGIN IMMEDIATE', []);
    } catch (error) {
      group.failed = { error };
    }
    group.begun.resolve();
    await group.last;
    await this.#end(group, bare);
    group.over.resolve();
    if (!group.failed && !group.takenBack) {
      // Also of those that only read: what they tell may be what another one has just committed.
      await this.#log.reached().catch((error: unknown) => {
        group.failed = { error };
      });
    }
    this.#waitedFor--;
    this.#lastSize = group.size;
    group.settled.resolve();
  }

  async #end(group: Group, bare: boolean): Promise<void> {
    try {
      if (group.failed || group.takenBack) {
        // SQLite may have rolled back by itself (full disk); then this has nothing to do and says so.
        if (!bare) await this.#writer.run('ROLLBACK', []).catch(() => undefined);
        return;
      }
      if (!bare) await this.#writer.run('COMMIT', []);
      if (!group.wrote) return;
      this.#log.committed();
    } catch (error) {
      group.failed = { error };
      await this.#writer.run('ROLLBACK', []).catch(() => undefined);
      return;
    }
    await this.#committed?.();
  }

  async #within<T>(group: Group, { run }: Work<T>): Promise<Outcome<T>> {
    const writer = this.#writer;
    try {
      await writer.run('SAVEPOINT one', []);
      const outcome = await run();
      await writer.run('RELEASE one', []);
      return outcome;
    } catch (error) {
      try {
        await writer.run('ROLLBACK TO one', []);
        await writer.run('RELEASE one', []);
      } catch (lost) {
        // There is no savepoint any more: SQLite has taken back the whole transaction. What its writer said of itself is nothing
        // for the others: it may be the answer of a dry run.
        group.failed = { error: endsTransaction(error) ? error : lost };
      }
      throw error;
    }
  }
}
