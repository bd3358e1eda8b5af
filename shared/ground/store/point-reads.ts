// Point reads that come at the same time share one statement, whatever tables they are of: with many visitors, handing a statement
// over costs more than what it reads. A read is begun after it was asked for, so each sees all that was committed before.
import type { Database, SqlValue } from './database.ts';

/** Rows of one owner that are found by a key. */
export interface Points<V> {
  /** Answers the columns `key` and `row`. Its first parameter is a JSON list of keys. */
  sql: string;
  /** Values of its further parameters. */
  more?(): SqlValue[];
  /** Of the column `row`. Once for each who asks: nobody is given what another one may change. */
  open(row: string, key: string): V;
}

interface Asked {
  points: Points<unknown>;
  key: string;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Reads in one statement, at most. */
const TOGETHER = 64;

export class PointReads {
  readonly #db: Database;
  #waiting: Asked[] = [];
  #runs = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Null: there is none. */
  find<V>(points: Points<V>, key: string): Promise<V | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ points, key, resolve: resolve as Asked['resolve'], reject });
      if (this.#runs) return;
      this.#runs = true;
      // After what this turn of the event loop still brings.
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#answer(this.#waiting.splice(0, TOGETHER));
    this.#runs = false;
  }

  async #answer(group: readonly Asked[]): Promise<void> {
    try {
      const found = await this.#read(Map.groupBy(group, ({ points }) => points));
      for (const { points, key, resolve, reject } of group) {
        const row = found.get(points)?.get(key);
        try {
          resolve(row === undefined ? null : points.open(row, key));
        } catch (error) {
          reject(error);
        }
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  async #read(asked: ReadonlyMap<Points<unknown>, readonly Asked[]>): Promise<Map<unknown, Map<string, string>>> {
    // In one order, so that the same statement is prepared once.
    const kinds = [...asked.keys()].sort((a, b) => (a.sql < b.sql ? -1 : 1));
    const sql = kinds.map((points, at) => `SELECT ${at} AS kind, key, row FROM (${points.sql})`).join(' UNION ALL ');
    const values = kinds.flatMap((points) => {
      const keys = new Set(asked.get(points)!.map(({ key }) => key));
      return [JSON.stringify([...keys]), ...(points.more?.() ?? [])];
    });
    const rows = await this.#db.all<{ kind: number; key: string; row: string }>(sql, values);
    const found = new Map(kinds.map((points) => [points, new Map<string, string>()]));
    for (const { kind, key, row } of rows) found.get(kinds[kind]!)!.set(key, row);
    return found;
  }
}

const known = new WeakMap<object, PointReads>();

/** Those of this database, shared by all who ask. */
export function pointReads(db: Database): PointReads {
  const reads = known.get(db) ?? new PointReads(db);
  known.set(db, reads);
  return reads;
}
