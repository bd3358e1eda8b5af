// Rows of a table of which there may be very many, of an archive that is open: they are compared, chosen and handed on page by
// page. What was found counts for as long as all that it was found from is the same: asked again, it is found anew only then.
// So it may be found before a transaction and is held to in it.
import type { Database } from '../../../ground/store/database.ts';
import { unitStates } from '../../../platform/applied/unit-state.ts';
import type { UnitId } from '../../../platform/unit-names.ts';
import type { RowStream } from '../../apply/applied-rows-difference.ts';
import { type Counts, fieldsBetween, type RowDifference } from '../difference.ts';
import type { Ids, NewId } from '../map-ids.ts';
import { type ArchiveRow, titleOf } from '../rows.ts';
import type { ScratchDatabase } from '../scratch-database.ts';
import type { Table } from '../tables.ts';
import * as sql from './statements.ts';

/** Rows of one statement that is over all of them: in between others have their turn. */
const WINDOW = 2000;
/** Rows of one statement of the transaction that writes. */
export const WRITTEN = 1000;
/** Rows that are told one by one. */
export const ROWS_TOLD = 100;
const BROKEN_TOLD = 500;

/** All that a choice follows from, beside what differs. */
export interface Picking {
  takes: readonly string[];
  /** Null: all. */
  rows: readonly string[] | null;
  /** Of rows that may keep one: table, id, and whether they are taken over. */
  verdicts: readonly (readonly [string, string, boolean])[];
  /** Ids that will be there, of tables that rows refer to. */
  there: ReadonlyMap<string, readonly string[]>;
}

export interface Picked {
  counts: Counts;
  /** Rows that would name what is not there, and of which table that is; the first of them. */
  dangling: readonly { title: string; refers: string }[];
}

export class ManyRows {
  readonly table: Table;
  /** Of this archive alone. */
  readonly db: ScratchDatabase;
  /** Whose version grows with each write to the table. */
  readonly #unit: UnitId;
  #compared: { mark: string; counts: Counts } | null = null;
  #picked: { mark: string; picked: Picked } | null = null;

  private constructor(db: ScratchDatabase, table: Table, unit: UnitId) {
    this.db = db;
    this.table = table;
    this.#unit = unit;
  }

  static async open(db: ScratchDatabase, table: Table, unit: UnitId): Promise<ManyRows> {
    for (const statement of sql.makeTables(table)) await db.run(statement);
    return new ManyRows(db, table, unit);
  }

  /** By which a choice is known: another one has another. */
  get mark(): string {
    return this.#picked?.mark ?? '';
  }

  /** With what is saved now. `ids`: of rows of other tables that have others here. */
  async compare(now: Database, ids: Ids, newId: NewId): Promise<Counts> {
    const { table, db } = this;
    // Before the rows are read: what is written meanwhile makes it another.
    const version = (await unitStates(now)).get(this.#unit)?.desired_version;
    const named = [...new Set([...table.refers.values(), ...table.owners.values()])];
    const moved = named.flatMap((name) =>
      [...(ids.get(name) ?? [])].filter(([was, here]) => was !== here).map(([was, here]) => [name, was, here]),
    );
    const mark = JSON.stringify([version ?? null, moved]);
    if (this.#compared?.mark === mark) return this.#compared.counts;
    this.#picked = null;
    this.#compared = null;
    await db.write(async () => {
      await this.#empty('now', 'came', 'differs');
      await this.#readNow(now);
      await db.run('DELETE FROM moved');
      await this.#move(moved);
      const clashes = await db.all<{ id: string }>(sql.clashing(table));
      await this.#move(clashes.map(({ id }) => [table.name, id, newId(id)]));
      await this.#windows('raw', sql.bringHere(table));
      await this.#windows('came', sql.differing(table));
      await this.#windows('now', sql.removed(table));
    });
    const counts = await this.#counts('differs');
    this.#compared = { mark, counts };
    return counts;
  }

  /** Of what differs. Rows with a keeper go with it. */
  async pick({ takes, rows, verdicts, there }: Picking): Promise<Picked> {
    const { table, db } = this;
    const mark = JSON.stringify([this.#compared?.mark, takes, rows, verdicts, [...there]]);
    if (this.#picked?.mark === mark) return this.#picked.picked;
    this.#picked = null;
    await db.write(async () => {
      for (const name of ['verdict', 'there', table.name]) await db.run(`DELETE FROM ${name}`);
      await this.#empty('picked');
      await db.run('INSERT INTO verdict SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)', [
        JSON.stringify(verdicts),
      ]);
      for (const [name, ids] of there)
        await db.run('INSERT INTO there SELECT ?, value FROM json_each(?)', [name, JSON.stringify(ids)]);
      const direct = rows === null ? 'all' : JSON.stringify(rows);
      await this.#windows('differs', sql.picking(table), [JSON.stringify(takes), direct]);
      await this.#windows('now', sql.staying(table));
      await this.#windows('came', sql.coming(table));
    });
    const picked = { counts: await this.#counts('picked'), dangling: await this.#dangling() };
    this.#picked = { mark, picked };
    return picked;
  }

  /** The first of what differs, or of what was chosen of that. */
  async told(which: 'differs' | 'picked'): Promise<RowDifference[]> {
    const found = await this.db.all<{ id: string; kind: RowDifference['kind']; now: string; wanted: string }>(
      sql.telling(this.table, which),
      [ROWS_TOLD],
    );
    return found.map(({ id, kind, ...texts }) => {
      const now = kind === 'added' ? null : (JSON.parse(texts.now) as ArchiveRow);
      const wanted = kind === 'removed' ? null : (JSON.parse(texts.wanted) as ArchiveRow);
      const fields = now && wanted ? fieldsBetween(this.table.columns, now, wanted) : [];
      return { id, title: this.titleOf((wanted ?? now)!), kind, now, wanted, fields };
    });
  }

  async #dangling(): Promise<Picked['dangling']> {
    const found: { title: string; refers: string }[] = [];
    for (const [column, refers] of this.table.refers) {
      const rows = await this.db.all<{ row: string }>(sql.dangling(this.table, column), [refers, BROKEN_TOLD]);
      found.push(...rows.map(({ row }) => ({ title: this.titleOf(JSON.parse(row) as ArchiveRow), refers })));
    }
    return found;
  }

  titleOf = (row: ArchiveRow): string => titleOf(this.table, row, new Map());

  /** What was chosen, as it will be written. */
  stream(): RowStream {
    const { table } = this;
    return {
      coming: (more) => this.#pages(sql.toWrite(table, WRITTEN), [more]),
      going: () => this.#pages(sql.toRemove(table, WRITTEN)),
    };
  }

  async *#pages(read: string, more: readonly number[] = []): AsyncGenerator<string> {
    for (let last = ''; ; ) {
      const page = await this.db.one<{ rows: string; last: string; count: number }>(read, [last, ...more]);
      if (!page || page.count === 0) return;
      yield page.rows;
      if (page.count < WRITTEN) return;
      last = page.last;
    }
  }

  async #readNow(now: Database): Promise<void> {
    for (let last = ''; ; ) {
      const page = await now.one<{ rows: string; last: string; count: number }>(sql.readNow(this.table, WINDOW), [
        last,
      ]);
      if (!page || page.count === 0) return;
      await this.db.run(sql.keepNow(this.table), [page.rows]);
      if (page.count < WINDOW) return;
      last = page.last;
    }
  }

  async #windows(over: string, statement: string, before: readonly string[] = []): Promise<void> {
    const { most } = (await this.db.one<{ most: number }>(
      `SELECT coalesce(max(rowid), 0) AS most FROM ${this.table.name}_${over}`,
    ))!;
    for (let from = 0; from < most; from += WINDOW) await this.db.run(statement, [...before, from, from + WINDOW]);
  }

  async #move(pairs: readonly (readonly string[])[]): Promise<void> {
    await this.db.run('INSERT INTO moved SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)', [
      JSON.stringify(pairs),
    ]);
  }

  async #empty(...names: string[]): Promise<void> {
    for (const name of names) await this.db.run(`DELETE FROM ${this.table.name}_${name}`);
  }

  async #counts(which: 'differs' | 'picked'): Promise<Counts> {
    return (await this.db.one<Counts>(sql.counting(this.table, which)))!;
  }
}
