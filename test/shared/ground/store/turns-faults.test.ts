// Shared transactions under faults: whatever fails, and whoever it belongs to, what was acknowledged is there and nothing else.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Transaction } from '../../../../shared/ground/store/database.ts';
import { Store } from '../../../../shared/ground/store/store.ts';
import { seeded } from '../../../setup/seeded.ts';

let folder: string;
let store: Store;
/** Runs before each statement of a writer. */
let fault: (sql: string) => void | Promise<void>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-turns-faults-'));
  const file = join(folder, 'some.sqlite');
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE thing (id INTEGER PRIMARY KEY, before INTEGER NOT NULL, text TEXT) STRICT;
    CREATE TABLE total (one INTEGER PRIMARY KEY, n INTEGER NOT NULL) STRICT; INSERT INTO total VALUES (1, 0)`);
  database.close();
  fault = () => undefined;
  store = await Store.open(file, (sql, connection) => (connection === 'writer' ? fault(sql) : undefined));
});
afterEach(async () => {
  fault = () => undefined;
  await store.close();
  rmSync(folder, { recursive: true });
});

const INSERT = 'INSERT INTO thing VALUES (?, ?, ?)';
const insert = (tx: Transaction, id: number, text = '') => tx.run(INSERT, [id, 0, text]);
const ids = async () => (await store.all<{ id: number }>('SELECT id FROM thing ORDER BY id')).map(({ id }) => id);
const outcomes = async (writes: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(writes)).map((settled) =>
    settled.status === 'fulfilled' ? 'saved' : ((settled.reason as { code?: string }).code ?? settled.reason.message),
  );
const bounded = (pages: number) => store.write((tx) => tx.all(`PRAGMA max_page_count = ${pages}`));

test('when SQLite itself finds no room: nobody of the turn is acknowledged, not who goes on after it either', async () => {
  const [{ page_count }] = (await store.all<{ page_count: number }>('PRAGMA page_count')) as [{ page_count: number }];
  await bounded(page_count + 2);
  const large = 'x'.repeat(100_000);
  for (const apart of [false, true]) {
    if (apart) await store.write((tx) => tx.all(`PRAGMA max_page_count = ${page_count + 2}`), { apart });
    const writes = [
      ...(apart ? [] : [store.write((tx) => insert(tx, 1))]),
      store.write(
        async (tx) => {
          await insert(tx, 2, large).catch(() => undefined);
          // As if nothing had been: it would stand for itself now.
          await insert(tx, 3).catch(() => undefined);
        },
        { apart },
      ),
      ...(apart ? [] : [store.write((tx) => insert(tx, 4)), store.run(INSERT, [5, 0, ''])]),
    ];
    expect(await outcomes(writes)).toEqual(writes.map(() => 'storage_full'));
    expect(await ids()).toEqual([]);
  }
  await bounded(1_000_000);
  expect(await outcomes([1, 2].map((id) => store.write((tx) => insert(tx, id))))).toEqual(['saved', 'saved']);
  expect(await ids()).toEqual([1, 2]);
});

test('when a dry run can not be taken back by itself, nobody is given its answer', async () => {
  fault = (sql) => {
    if (sql === 'ROLLBACK TO one') throw new Error('struck');
  };
  const writes = [
    store.write((tx) => insert(tx, 1)),
    store.write((tx) => insert(tx, 2), { rollBack: true }),
    store.write((tx) => insert(tx, 3)),
  ];
  expect(await outcomes(writes)).toEqual(['struck', 'struck', 'struck']);
  expect(await ids()).toEqual([]);
});

test('statements that a writer did not wait for are taken back with it, and late ones are refused', async () => {
  const held = Promise.withResolvers<void>();
  let late: Promise<unknown> | undefined;
  fault = (sql) => (sql === 'INSERT INTO total VALUES (2, 2)' ? setImmediate() : undefined);
  const writes = [
    store.write((tx) => insert(tx, 1)),
    store.write(async (tx) => {
      late = held.promise.then(() => insert(tx, 7));
      await Promise.all([tx.run('INSERT INTO total VALUES (2, 2)'), Promise.reject(new Error('no'))]);
    }),
    store.write(async (tx) => {
      held.resolve();
      await expect(late).rejects.toThrow('over');
      await insert(tx, 3);
    }),
  ];
  expect(await outcomes(writes)).toEqual(['saved', 'no', 'saved']);
  expect(await ids()).toEqual([1, 3]);
  expect(await store.all('SELECT * FROM total')).toHaveLength(1);
});

test('apart and in turns: what was acknowledged is read at once by whoever reads often', async () => {
  const total = async () => (await store.one<{ n: number }>('SELECT n FROM total WHERE one = ?', [1]))!.n;
  const add = async (tx: Transaction) => {
    const row = await tx.one<{ n: number }>('SELECT n FROM total WHERE one = 1');
    await tx.run('UPDATE total SET n = ? WHERE one = 1', [row!.n + 1]);
    return row!.n + 1;
  };
  let over = false;
  const reading = (async () => {
    let least = 0;
    while (!over) {
      const n = await total();
      // Never backwards.
      expect(n).toBeGreaterThanOrEqual(least);
      least = n;
      await total();
      await setImmediate();
    }
  })();
  for (let round = 0; round < 40; round++) {
    await Promise.all(
      [false, true, false, false, true].map(async (apart) => {
        const written = await store.write(add, { apart });
        expect(await total()).toBeGreaterThanOrEqual(written);
      }),
    );
  }
  over = true;
  await reading;
  expect(await total()).toBe(200);
});

test('in whatever order writers come, fail, try, are put apart, and faults strike: the rows are those that were acknowledged', async () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = seeded(seed);
    const among = (most: number) => Math.floor(random() * most);
    const base = seed * 1000;
    let chance = 0.02;
    const strikes = /^(?:BEGIN|SAVEPOINT|RELEASE|COMMIT|INSERT)/;
    fault = (sql) => {
      if (strikes.test(sql) && random() < chance) throw new Error('struck');
      return random() < 0.1 ? setImmediate() : undefined;
    };
    const acknowledged = new Map<number, number>();
    const writing = async (id: number) => {
      for (let waits = among(6); waits > 0; waits--) await setImmediate();
      const kind = among(8);
      // How many rows it saw: in the order of the turns, none between is lost.
      const work = async (tx: Transaction): Promise<number> => {
        const row = await tx.one<{ n: number }>('SELECT count(*) AS n FROM thing WHERE id > ?', [base]);
        await tx.run(INSERT, [id, row!.n, '']);
        if (kind === 0) throw new Error('no');
        return row!.n;
      };
      const saved = store.write(work, { rollBack: kind === 1, apart: kind === 2 });
      const n = await saved.catch(() => null);
      if (kind === 1 || n === null) {
        expect(await store.one('SELECT id FROM thing WHERE id = ?', [id])).toBeUndefined();
        return;
      }
      acknowledged.set(id, n);
      expect(await store.one('SELECT id FROM thing WHERE id = ?', [id])).toEqual({ id });
    };
    await Promise.all(Array.from({ length: 60 }, (_, n) => writing(base + n + 1)));
    chance = 0;
    const rows = await store.all<{ id: number; before: number }>(
      'SELECT id, before FROM thing WHERE id > ? ORDER BY before',
      [base],
    );
    expect(rows.map(({ before }) => before)).toEqual(rows.map((_, n) => n));
    expect({ seed, rows: rows.map(({ id }) => id).sort() }).toEqual({ seed, rows: [...acknowledged.keys()].sort() });
    expect(new Map(rows.map(({ id, before }) => [id, before]))).toEqual(new Map([...acknowledged]));
  }
});

test('each writer goes on in the context of who asked, and turns begin in the order in which writers came', async () => {
  const order: number[] = [];
  await Promise.all(
    Array.from({ length: 80 }, (_, n) =>
      store.write(
        async (tx) => {
          order.push(n);
          await insert(tx, n);
        },
        { apart: n % 17 === 5 },
      ),
    ),
  );
  expect(order).toEqual(Array.from({ length: 80 }, (_, n) => n));
});

test('who waits when the store closes is served first', async () => {
  const writes = Array.from({ length: 70 }, (_, n) => store.write((tx) => insert(tx, n), { apart: n === 40 }));
  const closing = store.close();
  expect(new Set(await outcomes(writes))).toEqual(new Set(['saved']));
  await closing;
  store = await Store.open(store.file);
  expect(await ids()).toHaveLength(70);
});
