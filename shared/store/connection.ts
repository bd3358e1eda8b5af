// One SQLite connection: promises around node-sqlite3 and a cache of prepared statements. Preparing costs more than
// running a point read, so each fixed statement is prepared once for the life of the connection.
import sqlite3 from 'sqlite3';
import type { Row, SqlValue } from './database.ts';

/** Statements with built text (lists with filters) vary; beyond this many, the least recently used is finalized. */
const CACHED_STATEMENTS = 200;

/** Called before each statement; may throw or wait. Tests count statements and inject faults here. */
export type Observe = (sql: string, connection: 'reader' | 'writer') => void | Promise<void>;

const PRAGMAS = [
  'PRAGMA busy_timeout = 5000',
  'PRAGMA journal_mode = WAL',
  // FULL, not NORMAL: in WAL mode NORMAL may lose the last acknowledged transactions at a power cut.
  'PRAGMA synchronous = FULL',
  'PRAGMA foreign_keys = ON',
];

export class Connection {
  readonly #database: sqlite3.Database;
  readonly #purpose: 'reader' | 'writer';
  readonly #observe: Observe | undefined;
  readonly #statements = new Map<string, Promise<sqlite3.Statement>>();

  private constructor(database: sqlite3.Database, purpose: 'reader' | 'writer', observe: Observe | undefined) {
    this.#database = database;
    this.#purpose = purpose;
    this.#observe = observe;
  }

  static async open(file: string, purpose: 'reader' | 'writer', observe?: Observe): Promise<Connection> {
    const database = await new Promise<sqlite3.Database>((resolve, reject) => {
      const opened: sqlite3.Database = new sqlite3.Database(file, (error) => (error ? reject(error) : resolve(opened)));
    });
    const connection = new Connection(database, purpose, observe);
    for (const pragma of PRAGMAS) await connection.#execute(pragma);
    if (purpose === 'reader') await connection.#execute('PRAGMA query_only = ON');
    return connection;
  }

  async all<R = Row>(sql: string, parameters: readonly SqlValue[]): Promise<R[]> {
    if (this.#observe) await this.#observe(sql, this.#purpose);
    const statement = await this.#prepared(sql);
    return new Promise((resolve, reject) => {
      statement.all(parameters, (error: Error | null, rows: unknown[]) =>
        error ? reject(error) : resolve(rows as R[]),
      );
    });
  }

  /** Answers the number of changed rows. */
  async run(sql: string, parameters: readonly SqlValue[]): Promise<number> {
    if (this.#observe) await this.#observe(sql, this.#purpose);
    const statement = await this.#prepared(sql);
    return new Promise((resolve, reject) => {
      statement.run(parameters, function (this: sqlite3.RunResult, error: Error | null) {
        if (error) reject(error);
        else resolve(this.changes);
      });
    });
  }

  async close(): Promise<void> {
    const statements = await Promise.allSettled(this.#statements.values());
    this.#statements.clear();
    for (const prepared of statements) if (prepared.status === 'fulfilled') prepared.value.finalize();
    await new Promise<void>((resolve, reject) => this.#database.close((error) => (error ? reject(error) : resolve())));
  }

  #execute(sql: string): Promise<void> {
    return new Promise((resolve, reject) => this.#database.exec(sql, (error) => (error ? reject(error) : resolve())));
  }

  #prepared(sql: string): Promise<sqlite3.Statement> {
    const cached = this.#statements.get(sql);
    if (cached) {
      // To the end of the map: the first key is then the one that was not used for longest.
      this.#statements.delete(sql);
      this.#statements.set(sql, cached);
      return cached;
    }
    const prepared = new Promise<sqlite3.Statement>((resolve, reject) => {
      const statement: sqlite3.Statement = this.#database.prepare(sql, (error) =>
        error ? reject(error) : resolve(statement),
      );
    });
    this.#statements.set(sql, prepared);
    prepared.catch(() => this.#statements.delete(sql));
    if (this.#statements.size > CACHED_STATEMENTS) {
      const [oldest] = this.#statements.keys();
      if (oldest !== undefined && oldest !== sql) {
        void this.#statements.get(oldest)?.then((statement) => statement.finalize());
        this.#statements.delete(oldest);
      }
    }
    return prepared;
  }
}
