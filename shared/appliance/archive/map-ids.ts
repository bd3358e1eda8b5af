// Rows of an archive beside those of now: a row is the same where it is known by the same natural key, and then it has the
// id of now. Others keep theirs while it is free, and get a new one where it is not. What refers to a row follows, through
// one table of ids. Pure.
import { type ArchiveRow, type Json, type Keys, keyOf, type State } from './rows.ts';
import { TABLES, type Table } from './tables.ts';

/** Table → id in the archive → id here. */
export type Ids = Map<string, Map<string, string>>;

/** Another id like this one. */
export type NewId = (like: string) => string;

export function mapIds(now: State, archived: State, newId: NewId): { mapped: State; ids: Ids } {
  const ids: Ids = new Map();
  const [theirs, ours]: Keys[] = [new Map(), new Map()];
  const mapped = new Map<string, ArchiveRow[]>();
  for (const table of TABLES) {
    const rows = archived.get(table.name);
    const standing = now.get(table.name) ?? [];
    ours!.set(table.name, keysOf(table, standing, ours!));
    if (!rows) continue;
    theirs!.set(table.name, keysOf(table, rows, theirs!));
    const own = idsOf(table, rows, { theirs: theirs!, ours: ours!, newId });
    ids.set(table.name, own);
    mapped.set(
      table.name,
      rows.map((row) => referring(table, { ...row, id: own.get(row.id)! }, ids)),
    );
  }
  // Owners stand in tables that may come later.
  for (const table of TABLES) {
    const rows = mapped.get(table.name);
    if (rows && table.owners.size > 0)
      mapped.set(
        table.name,
        rows.map((row) => owned(table, row, ids)),
      );
  }
  return { mapped, ids };
}

const keysOf = (table: Table, rows: readonly ArchiveRow[], keys: Keys): Map<string, Json> =>
  new Map(rows.map((row) => [String(row.id), keyOf(table, row, keys)]));

function idsOf(
  table: Table,
  rows: readonly ArchiveRow[],
  { theirs, ours, newId }: { theirs: Keys; ours: Keys; newId: NewId },
): Map<string, string> {
  const standing = ours.get(table.name)!;
  const byKey = new Map([...standing].map(([id, key]) => [JSON.stringify(key), id]));
  const keys = theirs.get(table.name)!;
  const same = new Map(
    rows.flatMap(({ id }): [string, string][] => {
      const here = byKey.get(JSON.stringify(keys.get(String(id))));
      return here === undefined ? [] : [[id, here]];
    }),
  );
  const taken = new Set([...standing.keys(), ...same.values()]);
  return new Map(
    rows.map(({ id }): [string, string] => {
      const here = same.get(id);
      if (here !== undefined) return [id, here];
      const free = taken.has(String(id)) ? newId(id) : id;
      taken.add(free);
      return [id, free];
    }),
  );
}

function referring({ refers }: Table, row: ArchiveRow, ids: Ids): ArchiveRow {
  for (const [column, table] of refers) {
    const here = ids.get(table)?.get(String(row[column]));
    if (here !== undefined) row[column] = here;
  }
  return row;
}

function owned({ owners }: Table, row: ArchiveRow, ids: Ids): ArchiveRow {
  const table = owners.get(String(row.owner_source));
  const here = table && ids.get(table)?.get(String(row.owner_ref));
  return here === undefined ? row : { ...row, owner_ref: here };
}
