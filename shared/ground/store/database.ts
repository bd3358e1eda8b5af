// What the rest of the house may ask of the database: fixed statements as text (prepared once on each connection) and
// built ones from knex, for lists whose filters vary. A reader and an open transaction look the same.
import type { Knex } from 'knex';

export type SqlValue = string | number | null | Uint8Array;
export type Row = Record<string, SqlValue>;

/** A fixed statement with `?` parameters, or a knex builder. */
export type Statement = string | Knex.QueryBuilder | Knex.Raw;

export interface Database {
  all<R = Row>(statement: Statement, parameters?: readonly SqlValue[]): Promise<R[]>;
  /** The first row, or undefined. */
  one<R = Row>(statement: Statement, parameters?: readonly SqlValue[]): Promise<R | undefined>;
}

export interface Transaction extends Database {
  /** Runs a writing statement; answers the number of changed rows. */
  run(statement: Statement, parameters?: readonly SqlValue[]): Promise<number>;
}
