// What the generated tests of archives share: an appliance that is edited, appliances with nothing on them, and databases
// row by row. Kept apart from those of single cases: here a database is a file that is copied, so that thousands are cheap.
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { bringForward } from '../../shared/appliance/archive/bring-forward.ts';
import type { Choice } from '../../shared/appliance/archive/choose.ts';
import { exportArchive } from '../../shared/appliance/archive/export.ts';
import type { Coming } from '../../shared/appliance/archive/now.ts';
import { type Restored, restoreState } from '../../shared/appliance/archive/restore.ts';
import { rowsOf } from '../../shared/appliance/archive/rows.ts';
import { TABLES } from '../../shared/appliance/archive/tables.ts';
import { Problem } from '../../shared/ground/problems.ts';
import type { Keyring } from '../../shared/ground/sealing/keyring.ts';
import { Connection } from '../../shared/ground/store/connection.ts';
import type { Database, Row, Transaction } from '../../shared/ground/store/database.ts';
import { DATABASE_FILE } from '../../shared/ground/store/open-store.ts';
import { Store } from '../../shared/ground/store/store.ts';
import { systemActor } from '../../shared/kernel/access/actor.ts';
import { furnish } from '../setup/furnish.ts';
import { type Credentials, House } from '../setup/house.ts';
import { Editor } from './archive-edits.ts';
import type { Dice } from './world-dice.ts';

const ABOUT = { program: '0.0.0-test', host_name: 'gc01', created_at: '2026-01-02T03:04:05Z', created_by: 'admin' };

/** States that are edited one from the other; then all begins anew, since certificates and keys only get more. */
const CHAIN = 100;

export interface Trial {
  choice: Choice;
  /** No rows are compared by statements. */
  inMemory?: boolean;
  /** On a copy of the file, with a real commit; else the transaction is taken back once it was looked at. */
  commits: boolean;
}

export class Scene {
  house: House;
  editor: Editor;
  /** Keys and entropy of an appliance that is not the one that is edited. */
  readonly #other: Shell;
  readonly #closes: House;
  readonly #folder: string;
  readonly #dice: Dice;
  readonly #admin: Credentials;
  /** Tables that an edit of was accepted. */
  readonly changed = new Set<string>();
  /** Opened once: most of the time of a small state would go into opening. */
  readonly #stores = new Map<string, Store>();
  #own: Shell;
  #states = 0;

  private constructor(house: House, other: House, admin: Credentials, dice: Dice, folder: string) {
    [this.house, this.#closes, this.#admin, this.#dice, this.#folder] = [house, other, admin, dice, folder];
    [this.#other, this.#own] = [steady(other.services), steady(house.services)];
    this.editor = new Editor(house, admin, dice, this.changed);
  }

  static async open(dice: Dice): Promise<Scene> {
    const furnished = await House.open({ ticker: false });
    const admin = await furnished.actor();
    await furnish(furnished, admin);
    await furnished.close(true);
    const folder = mkdtempSync(join(tmpdir(), 'groundcrew-archives-'));
    renameSync(furnished.data, join(folder, FURNISHED));
    const house = await asFurnished(folder);
    const other = await House.open({ ticker: false });
    const scene = new Scene(house, other, admin, dice, folder);
    await scene.keep(other.services.store, 'empty');
    return scene;
  }

  async close(): Promise<void> {
    for (const store of this.#stores.values()) await store.close();
    await this.house.close();
    await this.#closes.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Edits it to the next state. Answers how many edits the rules took. */
  async edit(times: number): Promise<number> {
    if (++this.#states % CHAIN === 0) {
      await this.house.close();
      this.house = await asFurnished(this.#folder);
      this.#own = steady(this.house.services);
      this.editor = new Editor(this.house, this.#admin, this.#dice, this.changed);
    }
    let taken = 0;
    for (let left = times; left > 0; left--) taken += (await this.editor.edit()) ? 1 : 0;
    return taken;
  }

  #path(name: string): string {
    return join(this.#folder, `${name}.sqlite`);
  }

  /** A copy of a database under a name; one of that name goes. */
  async keep(store: Store, name: string): Promise<void> {
    await this.#stores.get(name)?.close();
    rmSync(this.#path(name), { force: true });
    const into = this.#path(name);
    const connection = await Connection.open(store.file, 'writer');
    try {
      await connection.run('VACUUM INTO ?', [into]);
    } finally {
      await connection.close();
    }
    const folder = mkdtempSync(join(this.#folder, 'kept-'));
    copyFileSync(into, join(folder, DATABASE_FILE));
    this.#stores.set(name, await Store.open(join(folder, DATABASE_FILE)));
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
    const pieces: Buffer[] = [];
    const shell = own ? this.#own : this.#other;
    for await (const piece of exportArchive(db, shell, { about: ABOUT, sealed: true })) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** `inMemory`: no rows are compared by statements. A problem: it did not go through. */
  restore(store: Store, bytes: Buffer, choice: Choice, inMemory = false): Promise<Restored | Problem> {
    return this.#restored(bytes, inMemory, (coming) => store.write((tx) => this.#into(tx, coming, choice)));
  }

  /**
   * Restores on what was kept under a name, and looks at what came of it. A problem: it did not go through, and no byte of
   * the database is another.
   */
  async tried<T>(
    name: string,
    bytes: Buffer,
    { choice, commits, inMemory = false }: Trial,
    look: (db: Database) => Promise<T>,
  ): Promise<T | Problem> {
    if (commits) {
      return this.on(name, async (store) => {
        const untouched = digestOf(store);
        const answer = await this.restore(store, bytes, choice, inMemory);
        if (!(answer instanceof Problem)) return look(store);
        expect(digestOf(store)).toBe(untouched);
        return answer;
      });
    }
    const store = this.#stores.get(name)!;
    const untouched = digestOf(store);
    const answer = await this.#restored(bytes, inMemory, (coming) =>
      store.write(
        async (tx) => {
          await this.#into(tx, coming, choice);
          return look(tx);
        },
        { rollBack: true },
      ),
    );
    if (answer instanceof Problem) expect(digestOf(store)).toBe(untouched);
    return answer;
  }

  #into(tx: Transaction, coming: Coming, choice: Choice): Promise<Restored> {
    return restoreState(tx, this.#other, systemActor('test'), coming, choice);
  }

  async #restored<T>(bytes: Buffer, inMemory: boolean, work: (coming: Coming) => Promise<T>): Promise<T | Problem> {
    try {
      const forward = await bringForward(this.#folder, [bytes], null);
      const restoring = (async () => work(inMemory ? await allInMemory(forward) : forward))();
      return await restoring.finally(() => forward.close());
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  }
}

const FURNISHED = 'furnished';

/** An appliance as it was furnished, in a folder of its own. */
async function asFurnished(folder: string): Promise<House> {
  const data = mkdtempSync(join(folder, 'data-'));
  cpSync(join(folder, FURNISHED), data, { recursive: true });
  return House.open({ data, ticker: false });
}

type Shell = Pick<House['services'], 'clock' | 'entropy' | 'keys' | 'keyring'>;

/** No key is rotated here: the file of keys is not read for each secret. */
function steady({ clock, entropy, keys, keyring }: Shell): Shell {
  const found = new Map<string, ReturnType<Keyring['find']>>();
  let current: ReturnType<Keyring['current']> | undefined;
  const held: Keyring = {
    current: () => (current ??= keyring.current()),
    find(id) {
      const key = found.get(id) ?? keyring.find(id);
      found.set(id, key);
      return key;
    },
    ids: () => keyring.ids(),
    add: (id) => keyring.add(id),
    retire: (ids) => keyring.retire(ids),
  };
  return { clock, entropy, keys, keyring: held };
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
