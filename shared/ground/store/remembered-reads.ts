// What hot reads gave, for as long as nothing is committed: a statement costs more in taking and leaving its snapshot than in
// finding a row by its key. Whether something was committed is asked of SQLite itself (PRAGMA data_version), which knows of
// every other connection and process: once for all reads of one turn of the event loop, for they were asked for before it. A turn
// that takes long is looked at again, and so is one in which requests came after the look, as after one in setImmediate. What this
// process writes is known at once, so a read after a write in the same turn sees it.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers';
import type { Row, SqlValue } from './database.ts';

/** Reads that are kept at most; beyond it all are read anew. */
const READS = 500;
/** Rows of one of them, and characters in all of its rows, and in its parameters: strangers send them, too. */
const ROWS = 4;
const CHARACTERS = 4_096;
/** Milliseconds that one look at the version is good for: less than a process takes to end and its client to ask for something. */
const GOOD = 1;

/** Functions that may tell something else while the database stays the same: a time may also come as the parameter `now`. */
const CHANGES_BY_ITSELF =
  /\b(?:random|randomblob|changes|total_changes|last_insert_rowid|unixepoch|julianday|date|time|datetime|strftime|timediff)\s*\(|\bcurrent_/i;

let written = 0;

/** A connection of this process ran a statement that may write. */
export function noteWrite(): void {
  written++;
}

interface Kept {
  /** Of the database, as it counts here, when it was asked for. */
  state: number;
  /** Null: it was asked for once, so that a read that nobody repeats costs no look at the version; or it is too large. */
  rows: Row[] | null;
}

export interface Remembered {
  /** What the statement gives with these parameters now: `read` reads it where it is not known. Null as `read` answers it. */
  rows(parameters: readonly SqlValue[], read: () => Row[] | null): Row[] | null;
}

export class RememberedReads {
  readonly #version: StatementSync;
  /** Of each statement, by its parameters. */
  readonly #kept = new Set<Map<string, Kept>>();
  #count = 0;
  /** Rises with each commit that was seen. What is forgotten keeps its place in its map: emptied as often, maps would fill the heap. */
  #state = 0;
  #written = -1;
  #seen: unknown;
  /** The version was asked for in this turn, then. */
  #isCurrent = false;
  #looked = 0;

  constructor(database: DatabaseSync) {
    this.#version = database.prepare('PRAGMA data_version');
  }

  /** Of one statement; null: its answer may change by itself. */
  of(sql: string): Remembered | null {
    if (CHANGES_BY_ITSELF.test(sql)) return null;
    const known = new Map<string, Kept>();
    return { rows: (parameters, read) => this.#rows(known, parameters, read) };
  }

  #rows(known: Map<string, Kept>, parameters: readonly SqlValue[], read: () => Row[] | null): Row[] | null {
    if (parameters.some(isUnkept)) return read();
    const key = JSON.stringify(parameters);
    if (key.length > CHARACTERS) return read();
    if (this.#written !== written) this.#forget();
    const kept = known.get(key);
    if (kept?.state !== this.#state) {
      this.#asked(known, key, kept);
      return read();
    }
    // Before the read: what is committed between the two makes another version, and what was read is read once more.
    if (!this.#isCurrent || performance.now() - this.#looked > GOOD) this.#look();
    if (kept.rows && kept.state === this.#state) return copies(kept.rows);
    const found = read();
    kept.rows = found && isSmall(found) ? copies(found) : null;
    kept.state = this.#state;
    return found;
  }

  #look(): void {
    const before = performance.now();
    const { data_version } = this.#version.get() as { data_version: unknown };
    if (data_version !== this.#seen) this.#forget();
    this.#seen = data_version;
    this.#looked = before;
    if (this.#isCurrent) return;
    this.#isCurrent = true;
    setImmediate(() => {
      this.#isCurrent = false;
    });
  }

  #forget(): void {
    this.#state++;
    this.#written = written;
    this.#isCurrent = false;
  }

  #asked(known: Map<string, Kept>, key: string, before: Kept | undefined): void {
    if (before) {
      before.state = this.#state;
      before.rows = null;
      return;
    }
    if (this.#count >= READS) {
      for (const each of this.#kept) each.clear();
      this.#kept.clear();
      this.#count = 0;
    }
    this.#count++;
    this.#kept.add(known);
    known.set(key, { state: this.#state, rows: null });
  }
}

const isUnkept = (value: SqlValue): boolean =>
  typeof value === 'string' ? value.length > CHARACTERS : typeof value === 'object' && value !== null;

/** Nobody is given what another one may change. */
const copies = (rows: readonly Row[]): Row[] => rows.map((row) => ({ ...row }));

function isSmall(rows: readonly Row[]): boolean {
  if (rows.length > ROWS) return false;
  let characters = 0;
  for (const row of rows) {
    for (const name in row) {
      const value = row[name];
      if (typeof value === 'string') characters += value.length;
      else if (typeof value === 'object' && value !== null) return false;
    }
  }
  return characters <= CHARACTERS;
}
