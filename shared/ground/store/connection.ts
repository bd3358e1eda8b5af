// One SQLite connection: a driver's, with a cache of prepared statements. Preparing costs more than running a point
// read, so each fixed statement is prepared once for the life of the connection.
import type { Row, SqlValue } from './database.ts';
import { type DriverConnection, driver, type PreparedStatement, type Purpose } from './driver.ts';

/** Statements with built text (lists with filters) vary; beyond this many, the least recently used is finalized. */
const CACHED_STATEMENTS = 200;

interface Cached {
  prepared: Promise<PreparedStatement>;
  /** The use that was its last. */
  used: number;
}

/** Called before each statement; may throw or wait. Tests count statements and inject faults here. */
export type Observe = (sql: string, connection: 'reader' | 'writer') => void | Promise<void>;

/**
 * FULL syncs in each commit. NORMAL syncs before a checkpoint alone: a power cut leaves a whole database of some commit before,
 * so whoever takes it has to sync the log before it acknowledges anything.
 */
export type Synchronous = 'FULL' | 'NORMAL';

export class Connection {
  readonly #connection: DriverConnection;
  readonly #purpose: 'reader' | 'writer';
  readonly #observe: Observe | undefined;
  readonly #statements = new Map<string, Cached>();
  /** Rises with each use of a statement. */
  #uses = 0;

  private constructor(connection: DriverConnection, purpose: 'reader' | 'writer', observe: Observe | undefined) {
    this.#connection = connection;
    this.#purpose = purpose;
    this.#observe = observe;
  }

  static async open(
    file: string,
    purpose: Purpose,
    observe?: Observe,
    synchronous: Synchronous = 'FULL',
  ): Promise<Connection> {
    const connection = await (await driver()).open(file, purpose);
    for (const pragma of ['journal_mode = WAL', `synchronous = ${synchronous}`, 'foreign_keys = ON']) {
      await connection.exec(`PRAGMA ${pragma}`);
    }
    if (purpose === 'reader') await connection.exec('PRAGMA query_only = ON');
    return new Connection(connection, purpose === 'reader' ? 'reader' : 'writer', observe);
  }

  /** A setting of this connection (PRAGMA). */
  async set(name: string, value: number): Promise<void> {
    await this.#connection.exec(`PRAGMA ${name} = ${value}`);
  }

  /** Pages that the write-ahead log has now, without doing anything to it (before SQLite 3.51: it is taken into the database). */
  async logPages(): Promise<number> {
    const [row] = await (await this.#prepared('PRAGMA wal_checkpoint(NOOP)')).all([]);
    return Number(row?.log ?? 0);
  }

  async all<R = Row>(sql: string, parameters: readonly SqlValue[]): Promise<R[]> {
    if (this.#observe) await this.#observe(sql, this.#purpose);
    return (await (await this.#prepared(sql)).all(parameters)) as R[];
  }

  /** Answers the number of changed rows. */
  async run(sql: string, parameters: readonly SqlValue[]): Promise<number> {
    if (this.#observe) await this.#observe(sql, this.#purpose);
    return (await this.#prepared(sql)).run(parameters);
  }

  async close(): Promise<void> {
    const statements = await Promise.allSettled([...this.#statements.values()].map(({ prepared }) => prepared));
    this.#statements.clear();
    for (const prepared of statements) if (prepared.status === 'fulfilled') prepared.value.finalize();
    await this.#connection.close();
  }

  #prepared(sql: string): Promise<PreparedStatement> {
    const cached = this.#statements.get(sql);
    if (cached) {
      // Taken out of the map and put in again at its end, it would make the map's table anew every few hundred uses; such tables
      // stay in memory until the whole heap is collected, and keep what came after them.
      cached.used = ++this.#uses;
      return cached.prepared;
    }
    const prepared = this.#connection.prepare(sql);
    if (this.#statements.size >= CACHED_STATEMENTS) this.#dropLeastRecent();
    const kept = { prepared, used: ++this.#uses };
    this.#statements.set(sql, kept);
    prepared.catch(() => {
      if (this.#statements.get(sql) === kept) this.#statements.delete(sql);
    });
    return prepared;
  }

  #dropLeastRecent(): void {
    let least: [sql: string, cached: Cached] | undefined;
    for (const entry of this.#statements) if (!least || entry[1].used < least[1].used) least = entry;
    const [sql, { prepared }] = least!;
    this.#statements.delete(sql);
    prepared.then(
      (statement) => statement.finalize(),
      () => undefined,
    );
  }
}
