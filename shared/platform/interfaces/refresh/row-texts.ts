// How the owners of tables write them for the refresh, and follow it: parts of statements that several of them share.
import type { Transaction } from '../../../ground/store/database.ts';

/** A boolean of JSON from a column. */
export const flag = (column: string): string => `json(iif(${column} = 1, 'true', 'false'))`;

/** Writes rows by a statement of ?1, the time, and ?2, the rows as JSON; none writes nothing. */
export const writerOf =
  <Row>(sql: string) =>
  async (tx: Transaction, rows: readonly Row[], now: string): Promise<void> => {
    if (rows.length > 0) await tx.run(sql, [now, JSON.stringify(rows)]);
  };

/** Gives one column of rows another value. It is sent in pairs: an array of those costs a fraction of one of objects. */
export function movesOf<Column extends string>(table: string, column: Column) {
  const write = writerOf(`UPDATE ${table} SET ${column} = change.value ->> 1, revision = revision + 1, updated_at = ?
    FROM json_each(?) AS change WHERE ${table}.id = change.value ->> 0`);
  return (tx: Transaction, rows: readonly Record<'id' | Column, string>[], now: string): Promise<void> =>
    write(
      tx,
      rows.map((row) => [row.id, row[column]]),
      now,
    );
}
