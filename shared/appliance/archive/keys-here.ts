// Key management of an archive that is older than what was removed since. A client that was let in no more, and a key whose
// material was erased, stay so. A provider is known by its id: one that only has the name of another gets another name, so that
// nobody is let in to keys that are not its own. Pure.
import type { ArchiveRow, State } from './rows.ts';

const PROVIDERS = 'kms_provider';
const CLIENTS = 'kms_client';
const KEYS = 'kms_key';
/** Characters of a name. */
const NAME_MOST = 63;

/** The archive as it would be here; its rows have the ids of here already. */
export function keysHere(now: State, archived: State): State {
  const next = new Map(archived);
  const tombstones = now.get('kms_tombstone') ?? [];
  const change = (table: string, rows: (rows: readonly ArchiveRow[]) => readonly ArchiveRow[]) => {
    const came = archived.get(table);
    if (came) next.set(table, rows(came));
  };
  change(CLIENTS, (rows) => rows.filter((row) => !isBuried(tombstones, 'client', row.sha256, row)));
  change(KEYS, (rows) => rows.filter((row) => !isBuried(tombstones, 'key', row.id, row)));
  change(PROVIDERS, (rows) => renamed(now.get(PROVIDERS) ?? [], rows));
  return next;
}

/** A client that was added after it was removed is another one; an erased key is none ever. */
const isBuried = (tombstones: readonly ArchiveRow[], kind: string, subject: unknown, row: ArchiveRow): boolean =>
  tombstones.some(
    (each) =>
      each.kind === kind &&
      each.subject === subject &&
      (kind === 'key' || String(each.created_at) >= String(row.created_at)),
  );

function renamed(standing: readonly ArchiveRow[], rows: readonly ArchiveRow[]): ArchiveRow[] {
  const ids = new Set(standing.map(({ id }) => id));
  const taken = new Set([...standing, ...rows].map(({ name }) => String(name)));
  const owned = new Set(standing.map(({ name }) => name));
  return rows.map((row) => {
    if (ids.has(row.id) || !owned.has(row.name!)) return row;
    const name = freeName(String(row.name), taken);
    taken.add(name);
    return { ...row, name };
  });
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const ending = count === 1 ? '-restored' : `-restored-${count}`;
    const other = name.slice(0, NAME_MOST - ending.length) + ending;
    if (!taken.has(other)) return other;
  }
}
