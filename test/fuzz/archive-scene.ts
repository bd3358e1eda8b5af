// What the generated tests of archives share: an appliance that is edited, appliances with nothing on them, and databases
// row by row. Kept apart from those of single cases: here a database is a file that is copied, so that thousands are cheap.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bringForward } from '../../shared/appliance/archive/bring-forward.ts';
import type { Choice } from '../../shared/appliance/archive/choose.ts';
import { exportArchive } from '../../shared/appliance/archive/export.ts';
import type { Coming } from '../../shared/appliance/archive/now.ts';
import { type Restored, restoreState } from '../../shared/appliance/archive/restore.ts';
import { rowsOf } from '../../shared/appliance/archive/rows.ts';
import { TABLES } from '../../shared/appliance/archive/tables.ts';
import { Problem } from '../../shared/ground/problems.ts';
import { Connection } from '../../shared/ground/store/connection.ts';
import type { Database, Row } from '../../shared/ground/store/database.ts';
import { DATABASE_FILE } from '../../shared/ground/store/open-store.ts';
import { Store } from '../../shared/ground/store/store.ts';
import { systemActor } from '../../shared/kernel/access/actor.ts';
import { furnish } from '../setup/furnish.ts';
import { House } from '../setup/house.ts';
import { Editor } from './archive-edits.ts';
import type { Dice } from './world-dice.ts';

const ABOUT = { program: '0.0.0-test', host_name: 'gc01', created_at: '2026-01-02T03:04:05Z', created_by: 'admin' };

export class Scene {
  readonly house: House;
  readonly editor: Editor;
  /** Keys and entropy of an appliance that is not the one that is edited. */
  readonly #other: House;
  readonly #folder = mkdtempSync(join(tmpdir(), 'groundcrew-archives-'));

  private constructor(house: House, other: House, editor: Editor) {
    [this.house, this.#other, this.editor] = [house, other, editor];
  }

  static async open(dice: Dice): Promise<Scene> {
    const house = await House.open({ ticker: false });
    const admin = await house.actor();
    await furnish(house, admin);
    const other = await House.open({ ticker: false });
    const scene = new Scene(house, other, new Editor(house, admin, dice));
    await scene.keep(other.services.store, 'empty');
    return scene;
  }

  async close(): Promise<void> {
    await this.house.close();
    await this.#other.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #path(name: string): string {
    return join(this.#folder, `${name}.sqlite`);
  }

  /** A copy of a database under a name; one of that name goes. */
  async keep(store: Store, name: string): Promise<void> {
    rmSync(this.#path(name), { force: true });
    const into = this.#path(name);
    const connection = await Connection.open(store.file, 'writer');
    try {
      await connection.run('VACUUM INTO ?', [into]);
    } finally {
      await connection.close();
    }
  }

  /** Does something with a database that begins as the one that was kept. */
  async on<T>(name: string, work: (store: Store) => Promise<T>): Promise<T> {
    const folder = mkdtempSync(join(this.#folder, 'on-'));
    const file = join(folder, DATABASE_FILE);
    copyFileSync(this.#path(name), file);
    const store = await Store.open(file);
    try {
      return await work(store);
    } finally {
      await store.close();
      rmSync(folder, { recursive: true });
    }
  }

  /** The archive of a database with the secrets in it; `own`: sealed by the keys of the appliance that is edited. */
  async archive(db: Database, own: boolean): Promise<Buffer> {
    const { services } = own ? this.house : this.#other;
    const pieces: Buffer[] = [];
    for await (const piece of exportArchive(db, services, { about: ABOUT, sealed: true })) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** `inMemory`: no rows are compared by statements. A problem: it did not go through. */
  async restore(store: Store, bytes: Buffer, choice: Choice, inMemory = false): Promise<Restored | Problem> {
    try {
      const forward = await bringForward(this.#folder, [bytes], null);
      const { services } = this.#other;
      const coming = inMemory ? await allInMemory(forward) : forward;
      const restoring = store.write((tx) => restoreState(tx, services, systemActor('test'), coming, choice));
      return await restoring.finally(() => forward.close());
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  }
}

/** With the rows of which there may be very many among the others. */
export async function allInMemory({ state, many }: Coming): Promise<Coming> {
  const all = new Map(state);
  for (const { db, table } of many) all.set(table.name, await rowsOf(db, { ...table, name: `${table.name}_raw` }));
  return { state: all, many: [] };
}

/** Of the file and of what is not yet in it. */
export function digestOf({ file }: Store): string {
  const hash = createHash('sha256');
  for (const each of [file, `${file}-wal`]) hash.update(existsSync(each) ? readFileSync(each) : '');
  return hash.digest('hex');
}

/** Counters of changes. */
const COUNTED = ['revision', 'updated_at'];
/** In no archive, and the same all the same: they follow from the interfaces. */
const FOLLOWS = new Set(['addresses']);

/** Every row of every table that an archive has, and what follows from them, but what each appliance makes by itself. */
export async function rowsIn(db: Database): Promise<Record<string, Row[]>> {
  const found: Record<string, Row[]> = {};
  for (const { name, secret, left, id } of TABLES) {
    const rows = await db.all<Row>(`SELECT * FROM ${name} ORDER BY ${id}`);
    const apart = new Set([...secret, ...COUNTED, ...left.filter((column) => !FOLLOWS.has(column))]);
    found[name] = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !apart.has(column))));
  }
  return found;
}
