// Whole databases as text: sown from the rows of a world, dumped by one statement, compared as they are.
import type { Database, Row, Transaction } from '../../shared/ground/store/database.ts';
import { TABLES, type Table, type World } from './worlds.ts';

/** Table → its rows as a JSON array of objects, in the order of their keys. */
export type Dump = Record<string, string>;

/** Dumps every table of the schema but those left out. */
export async function dumper(
  db: Database,
  without: readonly string[] = [],
): Promise<(from: Database) => Promise<Dump>> {
  const columns = await db.all<{ tab: string; col: string; pk: number }>(
    `SELECT m.name AS tab, c.name AS col, c.pk AS pk FROM sqlite_schema m JOIN pragma_table_info(m.name) c
     WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' AND m.name NOT LIKE 'schema_migration%' ORDER BY m.name, c.cid`,
  );
  const tables = [...new Set(columns.map(({ tab }) => tab))].filter((name) => !without.includes(name));
  const texts = tables.map((name) => {
    const own = columns.filter(({ tab }) => tab === name);
    const pairs = own.map(({ col }) => `'${col}', "${col}"`).join(', ');
    const keys = own.flatMap(({ col, pk }) => (pk > 0 ? [`"${col}"`] : []));
    return `(SELECT json_group_array(json_object(${pairs})) FROM (SELECT * FROM "${name}" ORDER BY ${keys.join(', ') || 1})) AS "${name}"`;
  });
  const statement = `SELECT ${texts.join(', ')}`;
  return async (from) => (await from.one<Dump>(statement))!;
}

/** The rows of a dump. */
export function worldOf(dump: Dump): World {
  return Object.fromEntries(TABLES.map((table) => [table, JSON.parse(dump[table]!) as Row[]])) as World;
}

/** Replaces everything that a world is made of. */
export async function sow(tx: Transaction, world: World): Promise<void> {
  for (const table of TABLES.toReversed()) {
    // VLANs go before their parents.
    if (table === 'interface') await tx.run("DELETE FROM interface WHERE kind = 'vlan'");
    await tx.run(`DELETE FROM ${table}`);
  }
  for (const table of TABLES) await insert(tx, table, world[table]);
  await tx.run('UPDATE unit_state SET desired_version = 0');
}

async function insert(tx: Transaction, table: Table, rows: readonly Row[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first);
  const values = columns.map((column) => `value ->> '${column}'`);
  const text = JSON.stringify(rows);
  await tx.run(`INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM json_each(?)`, [text]);
}
