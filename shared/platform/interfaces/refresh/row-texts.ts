// Parts of statements that the owners of tables share, to give their rows to the refresh and to write what it answers.
import type { Transaction } from '../../../ground/store/database.ts';

/** A boolean of JSON from a column. */
export const flag = (column: string): string => `json(iif(${column} = 1, 'true', 'false'))`;

/** Writes rows by a statement with ?1, the time, and ?2, the rows as JSON. No rows: no statement. */
export const writerOf =
  <Row>(sql: string) =>
  async (tx: Transaction, rows: readonly Row[], now: string): Promise<void> => {
    if (rows.length > 0) await tx.run(sql, [now, JSON.stringify(rows)]);
  };

/** Changes one column of rows. Values are sent as pairs, which cost a fraction of objects. */
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
