// The tables with sealed values, in the three columns `kek_id`, `sealed_key` and `sealed_value`. Rotation reads all of
// them; they decide whether a key is still used. A row without a value has NULL or an empty text there.

import type { SealedPlace } from '../../ground/sealing/envelope.ts';
import type { Database } from '../../ground/store/database.ts';
import { SEALED_KEYS } from '../../kernel/generated/units.ts';

/** The row that a value is bound to. */
export interface SealedRow {
  id: string;
  vault_id?: string;
}

export interface SealedTable {
  name: string;
  /** Columns beside `id` that the value is bound to. */
  columns: readonly string[];
  place(row: SealedRow): SealedPlace;
}

/** Tables whose values are bound to their row alone. */
const BOUND_TO_ROW = [
  ...SEALED_KEYS.map((name) => ({ name, field: 'private_key' })),
  { name: 'alert_receiver_secret', field: 'value' },
  { name: 'archive_target', field: 'secret' },
  { name: 'kms_key', field: 'material' },
  { name: 'scim_target', field: 'token' },
  { name: 'second_factor', field: 'secret' },
  { name: 'sign_in_provider', field: 'client_secret' },
];

export const SEALED_TABLES: readonly SealedTable[] = [
  {
    name: 'vault_entry',
    columns: ['vault_id'],
    place: ({ id, vault_id }) => ({ vault_id: vault_id!, entry_id: id, field: 'value' }),
  },
  ...BOUND_TO_ROW.map(({ name, field }) => ({
    name,
    columns: [],
    place: ({ id }: SealedRow) => ({ table: name, row: id, field }),
  })),
];

const HOLDS = "kek_id IS NOT NULL AND kek_id <> ''";

const USES = SEALED_TABLES.map(
  ({ name }) => `SELECT kek_id, '${name}' AS name, count(*) AS count FROM ${name} WHERE ${HOLDS} GROUP BY kek_id`,
).join(' UNION ALL ');

/** By key: how many values of each table it seals. */
export const keyUses = (db: Database): Promise<{ kek_id: string; name: string; count: number }[]> =>
  db.all(`${USES} ORDER BY kek_id`);

// From one to the next in the index, where the table has one: however many values a key seals, it is one step.
const NEXT = (name: string, after: string) =>
  `(SELECT kek_id FROM ${name} WHERE ${HOLDS} AND kek_id > ${after} ORDER BY kek_id LIMIT 1)`;
const IDS = SEALED_TABLES.map(
  ({ name }) => `${name}_keys(id) AS (SELECT ${NEXT(name, "''")} UNION ALL
    SELECT ${NEXT(name, `${name}_keys.id`)} FROM ${name}_keys WHERE id IS NOT NULL)`,
).join(', ');
const EACH = SEALED_TABLES.map(({ name }) => `SELECT id FROM ${name}_keys WHERE id IS NOT NULL`).join(' UNION ALL ');

/** Ids of the keys that seal any value. */
export async function keysInUse(db: Database): Promise<Set<string>> {
  const rows = await db.all<{ id: string }>(`WITH RECURSIVE ${IDS} ${EACH}`);
  return new Set(rows.map(({ id }) => id));
}

/** The keys that a database of any schema needs: tables that came later are not asked. */
export async function keysUsed(db: Database): Promise<string[]> {
  const there = await db.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const used = new Set<string>();
  for (const { name } of SEALED_TABLES.filter((table) => there.some((each) => each.name === table.name))) {
    const rows = await db.all<{ kek_id: string }>(`SELECT DISTINCT kek_id FROM ${name} WHERE ${HOLDS}`);
    for (const { kek_id } of rows) used.add(kek_id);
  }
  return [...used];
}

const ANY = SEALED_TABLES.map(({ name }) => `EXISTS (SELECT 1 FROM ${name} WHERE ${HOLDS})`).join(' OR ');

/** Whether any value is sealed, and would be lost with the keys file. */
export const anySealed = async (db: Database): Promise<boolean> =>
  (await db.one<{ yes: number }>(`SELECT ${ANY} AS yes`))!.yes === 1;

/** Rows of a table, after an id, that are sealed with other keys than the current one: `[current, after, most]`. */
export const otherRows = ({ name, columns }: SealedTable): string =>
  `SELECT ${['id', ...columns].join(', ')}, kek_id, sealed_key FROM ${name}
     WHERE ${HOLDS} AND kek_id <> ? AND id > ? ORDER BY id LIMIT ?`;

/** Writes new sealed keys of rows: `[kek_id, {id: sealed_key} as JSON]`. */
export const resealRows = ({ name }: SealedTable): string =>
  `UPDATE ${name} SET kek_id = ?, sealed_key = fresh.value FROM json_each(?) AS fresh WHERE ${name}.id = fresh.key`;
