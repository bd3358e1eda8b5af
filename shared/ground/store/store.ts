// The store: one writing connection whose transactions queue up, two reading ones beside it. SQLite in WAL mode lets
// readers go on while a transaction writes, so a page never waits for an apply. What a transaction answers is on the disk:
// SQLite commits without a sync (synchronous = NORMAL), and the store syncs the log for all that wait for it.
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Problem } from '../problems.ts';
import { Checkpoints, LAST_RESORT } from './checkpoints.ts';
import { Connection, type Observe } from './connection.ts';
import type { Database, Row, SqlValue, Statement, Transaction } from './database.ts';
import { type Driver, type DriverName, driver } from './driver.ts';
import { LogSync, type Sync } from './log-sync.ts';
import { Statements } from './statements.ts';
import { type Outcome, Turns, type Work } from './turns.ts';

/** Beside the event loop: a long read leaves the other one to the rest. */
const READERS = 2;

/** Kibibytes of the database that a transaction apart has in memory: the indexes of many rows do not fit into SQLite's own 2 MB. */
const APART_CACHE = 65_536;

export interface WriteOptions {
  /** What was done is taken back, and still answered: a dry run. */
  rollBack?: boolean;
  /**
   * On a connection of its own beside the event loop, for many rows: their statements hold nobody up but who wants to write
   * as well, and those wait until it is over.
   */
  apart?: boolean;
  /**
   * It takes long, so it has its turn for itself, and from when it is asked for until it is over, those that say `unlessHeld` are
   * refused with this instead of waiting for it.
   */
  holds?: () => Problem;
  /** Does not wait for one that `holds`: whoever asked is told to come again. */
  unlessHeld?: boolean;
}

/** Free bytes below which an I/O error of the database is reported as a full disk. */
const FULL_BELOW_BYTES = 1 << 20;

/** Thrown inside `write` to roll back on purpose and still answer: the result of a dry run. */
class RolledBack extends Error {
  readonly result: unknown;
  constructor(result: unknown) {
    super('rolled back on purpose');
    this.result = result;
  }
}

interface Connections {
  writer: Connection;
  readers: Connection[];
}

export class Store implements Database {
  readonly file: string;
  readonly driver: DriverName;
  readonly #writer: Connection;
  readonly #readers: Connection[];
  readonly #log: LogSync;
  readonly #checkpoints: Checkpoints | null;
  readonly #observe: Observe | undefined;
  readonly #turns: Turns;
  #apart: Promise<Connection> | undefined;
  /** What others are told meanwhile, of each transaction that holds them off. */
  readonly #holding = new Set<() => Problem>();
  #nextReader = 0;

  private constructor(
    file: string,
    { name, onLoop }: Driver,
    connections: Connections,
    sync: Sync | undefined,
    observe: Observe | undefined,
  ) {
    this.file = file;
    this.driver = name;
    this.#writer = connections.writer;
    this.#readers = connections.readers;
    this.#observe = observe;
    this.#log = new LogSync(`${file}-wal`, sync);
    const checkpoints = onLoop ? new Checkpoints(file, connections.writer) : null;
    this.#checkpoints = checkpoints;
    this.#turns = new Turns(connections.writer, this.#log, checkpoints ? () => checkpoints.committed() : undefined);
  }

  /** Opens a migrated database; see open-store.ts for the way from nothing. */
  static async open(file: string, observe?: Observe, sync?: Sync): Promise<Store> {
    const taken = await driver();
    const writer = await Connection.open(file, 'writer', observe, 'NORMAL');
    if (taken.onLoop) await writer.set('wal_autocheckpoint', LAST_RESORT);
    const count = taken.onLoop ? 1 : READERS;
    const readers = await Promise.all(Array.from({ length: count }, () => Connection.open(file, 'reader', observe)));
    return new Store(file, taken, { writer, readers }, sync, observe);
  }

  async all<R = Row>(statement: Statement, parameters: readonly SqlValue[] = []): Promise<R[]> {
    const reader = this.#readers[this.#nextReader++ % this.#readers.length]!;
    const [sql, values] = native(statement, parameters);
    return await reader.all<R>(sql, values);
  }

  async one<R = Row>(statement: Statement, parameters: readonly SqlValue[] = []): Promise<R | undefined> {
    return (await this.all<R>(statement, parameters))[0];
  }

  /**
   * Runs `work` in a transaction (BEGIN IMMEDIATE: a read that decides a write can't be overtaken by another process), which it
   * may share with others that wait for one (turns.ts). What it throws takes back all that it wrote. A full disk becomes a
   * `storage_full` problem. It answers when what was written is on the disk; the next transaction begins before that.
   */
  async write<T>(work: (transaction: Transaction) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    if (options.unlessHeld) this.refuseWhileHeld();
    const { holds, ...rest } = options;
    if (!holds) return this.#write(work, rest);
    const told = () => holds(); // of this one alone
    this.#holding.add(told);
    try {
      return await this.#write(work, { ...rest, apart: true });
    } finally {
      this.#holding.delete(told);
    }
  }

  /** For whoever writes at the end of a longer work: before it is begun. @throws Problem of the transaction that holds it off */
  refuseWhileHeld(): void {
    for (const told of this.#holding) throw told();
  }

  #write<T>(work: (transaction: Transaction) => Promise<T>, options: WriteOptions): Promise<T> {
    const rollBack = options.rollBack === true;
    if (!options.apart) return this.#translating({ run: () => this.#transaction(this.#writer, work, rollBack) });
    return this.#translating({
      alone: true,
      run: async () => this.#whole(await this.#connectionApart(), work, rollBack),
    });
  }

  /**
   * One writing statement in a transaction of its own, which takes neither BEGIN nor COMMIT. Answers as `run` of a transaction. It
   * always waits for the disk: what triggers change is not among the rows that SQLite counts.
   */
  async run(statement: Statement, parameters: readonly SqlValue[] = []): Promise<number> {
    const [sql, values] = native(statement, parameters);
    return this.#translating({
      single: true,
      run: async () => ({ result: await this.#writer.run(sql, values), wrote: true }),
    });
  }

  async #translating<T>(work: Work<T>): Promise<T> {
    try {
      return await this.#turns.take(work);
    } catch (error) {
      if (error instanceof RolledBack) return error.result as T;
      throw await this.#translated(error);
    }
  }

  /** Once a sync has failed nothing is written any more, until the program starts again. @throws Error with code `SQLITE_IOERR` */
  requireWhole(): void {
    this.#log.requireWhole();
  }

  async close(): Promise<void> {
    await this.#turns.over;
    await this.#log.close();
    await this.#checkpoints?.close();
    await (await this.#apart?.catch(() => undefined))?.close();
    // One after the other: the last one takes the log into the database, which two at once keep each other from.
    for (const connection of [...this.#readers, this.#writer]) await connection.close();
  }

  /** Opened with the first transaction that asks for it; one that can't be opened is tried again. */
  #connectionApart(): Promise<Connection> {
    this.#apart ??= Connection.open(this.file, 'apart', this.#observe, 'NORMAL')
      .then(async (connection) => {
        await connection.set('cache_size', -APART_CACHE);
        await connection.set('wal_autocheckpoint', LAST_RESORT);
        return connection;
      })
      .catch((error) => {
        this.#apart = undefined;
        throw error;
      });
    return this.#apart;
  }

  /** With its own BEGIN and COMMIT. */
  async #whole<T>(
    connection: Connection,
    work: (transaction: Transaction) => Promise<T>,
    rollBack: boolean,
  ): Promise<Outcome<T>> {
    try {
      await connection.run('BEGIN IMMEDIATE', []);
      const outcome = await this.#transaction(connection, work, rollBack);
      await connection.run('COMMIT', []);
      return outcome;
    } catch (error) {
      // SQLite may have rolled back by itself (full disk); then this ROLLBACK has nothing to do and says so.
      await connection.run('ROLLBACK', []).catch(() => undefined);
      throw error;
    }
  }

  async #transaction<T>(
    writer: Connection,
    work: (transaction: Transaction) => Promise<T>,
    rollBack: boolean,
  ): Promise<Outcome<T>> {
    const statements = new Statements();
    let wrote = false;
    const all = <R>(statement: Statement, parameters: readonly SqlValue[] = []): Promise<R[]> =>
      statements.take(() => {
        const [sql, values] = native(statement, parameters);
        if (mayWrite(sql)) wrote = true;
        return writer.all<R>(sql, values);
      });
    const transaction: Transaction = {
      all,
      one: async <R>(statement: Statement, parameters?: readonly SqlValue[]) =>
        (await all<R>(statement, parameters))[0],
      run: (statement, parameters = []) =>
        statements.take(() => {
          wrote = true;
          return writer.run(...native(statement, parameters));
        }),
    };
    let result: T;
    try {
      result = await work(transaction);
    } finally {
      await statements.end();
    }
    statements.requireWhole();
    if (rollBack) throw new RolledBack(result);
    return { result, wrote };
  }

  async #translated(error: unknown): Promise<unknown> {
    const code = (error as { code?: string }).code;
    const message = (error as Error).message ?? '';
    if (code === 'SQLITE_FULL') return storageFull();
    if (code === 'SQLITE_IOERR') {
      const space = await statfs(dirname(this.file)).catch(() => null);
      if (space && space.bavail * space.bsize < FULL_BELOW_BYTES) return storageFull();
    }
    if (code === 'SQLITE_CONSTRAINT' && message.includes('UNIQUE')) {
      return new Problem('already_exists', 'This name or address is already in use.');
    }
    return error;
  }
}

/** Also of what is asked for rows: an UPDATE tells what it changed (RETURNING). */
const mayWrite = (sql: string): boolean => !/^\s*SELECT\b/i.test(sql);

function storageFull(): Problem {
  return new Problem('storage_full', 'The appliance has no space left. Nothing was saved.', { retry_after: 30 });
}

/** Text and parameters of a fixed or built statement. */
export function native(statement: Statement, parameters: readonly SqlValue[]): [string, readonly SqlValue[]] {
  if (typeof statement === 'string') return [statement, parameters];
  const built = statement.toSQL().toNative();
  return [built.sql, built.bindings as readonly SqlValue[]];
}
