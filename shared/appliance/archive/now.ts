// The state of now as an archive would have it, and what an archive differs in from it.
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Database } from '../../ground/store/database.ts';
import {
  type CollectionDifference,
  type Counts,
  differencesBetween,
  type RowDifference,
  totalOf,
} from './difference.ts';
import { issuedHere } from './issued.ts';
import { keysHere } from './keys-here.ts';
import type { ManyRows } from './many/many-rows.ts';
import { type Ids, mapIds } from './map-ids.ts';
import { mapInterfaces, type Renamed, renamedBetween } from './map-interfaces.ts';
import { mediaHere } from './media.ts';
import { type ArchiveRow, type Json, rowsOf, type State } from './rows.ts';
import { openedRow, type SecretShell } from './secrets.ts';
import { collectionOf, PARTS, SETTINGS_TABLE, TABLES } from './tables.ts';

/** What is restored from. Tables of `many` are in no state. */
export interface Coming {
  state: State;
  many: readonly ManyRows[];
  /** Settings have some of their members only, and not all documents are there: the others stay as they are. */
  partial?: boolean;
}

/** Secrets are opened only where the archive has some: rows that go are not compared. */
export async function stateNow(db: Database, shell: SecretShell, { state: archived, many }: Coming): Promise<State> {
  const state = new Map<string, ArchiveRow[]>();
  const apart = new Set(many.map(({ table }) => table));
  for (const table of TABLES) {
    if (apart.has(table)) continue;
    const { name, label, secret } = table;
    const rows = await rowsOf(db, table);
    if (secret.length === 0 || !archived.get(name)?.length) {
      state.set(name, rows);
      continue;
    }
    const opened: ArchiveRow[] = [];
    for (const row of rows) opened.push(await openedRow(shell, name, label, row));
    state.set(name, opened);
  }
  return state;
}

export interface Compared {
  now: State;
  /** With the names and ids of here. */
  archived: State;
  renamed: Renamed;
  differences: CollectionDifference[];
}

interface Adapter {
  kind: string;
  name: string;
  mac_address: string;
}

export async function compare(db: Database, shell: SecretShell, coming: Coming): Promise<Compared> {
  // Of many rows each of these takes its time: requests that only read get their turn in between.
  const now = await stateNow(db, shell, coming);
  await setImmediate();
  const here = asHere(now, coming.state);
  const { ids, renamed } = here;
  const archived = coming.partial ? withDocumentsOf(now, here.archived) : here.archived;
  await setImmediate();
  const differences = [...differencesBetween(now, archived), ...(await differencesOfMany(db, coming.many, ids))];
  await setImmediate();
  return { now, archived, renamed, differences: differences.sort(byPlace) };
}

/** Among the tables, those of a part together. */
export const byPlace = (a: CollectionDifference, b: CollectionDifference): number => placeOf(a) - placeOf(b);

const placeOf = ({ part, table }: CollectionDifference): number =>
  PARTS.indexOf(part) * TABLES.length + TABLES.indexOf(table);

/** Documents that are saved now, and the defaults of others, with the members that came. */
function withDocumentsOf(now: State, archived: State): State {
  const [standing, coming] = [now, archived].map(
    (state) => new Map((state.get(SETTINGS_TABLE.name) ?? []).map((row) => [row.id, row.document as Document])),
  ) as [Map<string, Document>, Map<string, Document>];
  if (coming.size === 0) return archived;
  const documents = PARTS.flatMap(({ documents: own }) => own).flatMap(({ key, defaults }): ArchiveRow[] => {
    const [was, comes] = [standing.get(key), coming.get(key)];
    if (!was && !comes) return [];
    const { listen_addresses: _derived, ...usual } = defaults as Document;
    return [{ id: key, document: { ...usual, ...was, ...comes } }];
  });
  return new Map(archived).set(SETTINGS_TABLE.name, documents);
}

type Document = Record<string, Json>;

/** The archive with the names and ids of here: the first half of a comparison. */
function asHere(now: State, raw: State): Pick<Compared, 'archived' | 'renamed'> & { ids: Ids } {
  const adapters = (state: State) => (state.get('interface') ?? []) as unknown as Adapter[];
  const renamed = renamedBetween(adapters(raw), adapters(now));
  const { mapped, ids } = mapIds(now, mapInterfaces(raw, renamed), otherId);
  return { archived: keysHere(now, issuedHere(now, mediaHere(now, mapped))), renamed, ids };
}

async function differencesOfMany(db: Database, many: readonly ManyRows[], ids: Ids): Promise<CollectionDifference[]> {
  const differences: CollectionDifference[] = [];
  for (const of of many) {
    const counts = await of.compare(db, ids, otherId);
    const difference = differenceOf(of, counts, await of.told('differs'));
    if (totalOf(difference) > 0) differences.push(difference);
  }
  return differences;
}

export function differenceOf(of: ManyRows, counts: Counts, rows: RowDifference[]): CollectionDifference {
  const { table } = of;
  const part = PARTS.find(({ tables }) => tables.includes(table))!;
  return { part, table, collection: collectionOf(table.name), label: table.label, rows, many: { of, counts } };
}

/** The same each time, so that a row that was chosen is found again. */
function otherId(like: string): string {
  const [prefix] = String(like).split('_');
  const digest = createHash('sha256').update(`archived ${like}`).digest('hex');
  return `${prefix}_${BigInt(`0x${digest}`).toString(32).slice(0, 16)}`;
}
