// The state of now as an archive would have it, and what an archive differs in from it.
import { createHash } from 'node:crypto';
import type { Database } from '../../ground/store/database.ts';
import { type CollectionDifference, differencesBetween } from './difference.ts';
import { issuedHere } from './issued.ts';
import { mapIds } from './map-ids.ts';
import { mapInterfaces, type Renamed, renamedBetween } from './map-interfaces.ts';
import { mediaHere } from './media.ts';
import { type ArchiveRow, rowsOf, type State } from './rows.ts';
import { openedRow, type SecretShell } from './secrets.ts';
import { TABLES } from './tables.ts';

/** Secrets are opened only where the archive has some: rows that go are not compared. */
export async function stateNow(db: Database, shell: SecretShell, archived: State): Promise<State> {
  const state = new Map<string, ArchiveRow[]>();
  for (const { name, label, secret } of TABLES) {
    const rows = await rowsOf(db, TABLES.find((table) => table.name === name)!);
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

export function compare(now: State, raw: State): Compared {
  const { archived, renamed } = asHere(now, raw);
  return { now, archived, renamed, differences: differencesBetween(now, archived) };
}

/** The archive with the names and ids of here: the first half of a comparison. */
export function asHere(now: State, raw: State): Pick<Compared, 'archived' | 'renamed'> {
  const adapters = (state: State) => (state.get('interface') ?? []) as unknown as Adapter[];
  const renamed = renamedBetween(adapters(raw), adapters(now));
  const mapped = mapIds(now, mapInterfaces(raw, renamed), otherId);
  return { archived: issuedHere(now, mediaHere(now, mapped)), renamed };
}

/** The same each time, so that a row that was chosen is found again. */
function otherId(like: string): string {
  const [prefix] = String(like).split('_');
  const digest = createHash('sha256').update(`archived ${like}`).digest('hex');
  return `${prefix}_${BigInt(`0x${digest}`).toString(32).slice(0, 16)}`;
}
