// Writers that wait share one transaction: each is whole or nothing by itself, and none is answered before all of it is on the
// disk.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Store } from '../../../../shared/ground/store/store.ts';

let folder: string;
let file: string;
const stores: Store[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-turns-'));
  file = join(folder, 'some.sqlite');
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE thing (id INTEGER PRIMARY KEY, size INTEGER NOT NULL) STRICT');
  database.close();
});
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  rmSync(folder, { recursive: true });
});

type Options = Parameters<typeof Store.open>;

/** With what its writer is asked for. */
async function opened(observe: Options[1] = () => undefined, sync?: Options[2]) {
  const asked: string[] = [];
  const watching: Options[1] = (sql, connection) => {
    if (connection === 'writer') asked.push(sql);
    return observe(sql, connection);
  };
  const store = await Store.open(file, watching, sync);
  stores.push(store);
  asked.length = 0;
  return { store, asked };
}

const INSERT = 'INSERT INTO thing VALUES (?, ?)';
const ids = async (store: Store) =>
  (await store.all<{ id: number }>('SELECT id FROM thing ORDER BY id')).map(({ id }) => id);
const count = (asked: readonly string[], sql: string) => asked.filter((each) => each === sql).length;

/** What became of each. */
const outcomes = async (writes: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(writes)).map((settled) =>
    settled.status === 'fulfilled' ? settled.value : (settled.reason as Error).message,
  );

test('one alone takes BEGIN and COMMIT, one statement alone neither', async () => {
  const { store, asked } = await opened();
  await store.write((tx) => tx.run(INSERT, [1, 1]));
  await store.run(INSERT, [2, 2]);
  expect(asked.filter((sql) => !sql.startsWith('PRAGMA'))).toEqual(['BEGIN IMMEDIATE', INSERT, 'COMMIT', INSERT]);
});

test('those that wait share one COMMIT and one sync; a failing one and a dry run take back only themselves', async () => {
  let syncs = 0;
  const { store, asked } = await opened(undefined, async (log) => {
    syncs++;
    await log.datasync();
  });
  const seen: number[] = [];
  const writes = [
    store.write((tx) => tx.run(INSERT, [1, 1])),
    store.write(async (tx) => {
      await tx.run(INSERT, [2, 2]);
      throw new Error('no');
    }),
    store.write((tx) => tx.run(INSERT, [1, 7])).then(() => 'twice'),
    store.write(
      async (tx) => {
        await tx.run(INSERT, [3, 3]);
        return 'as if';
      },
      { rollBack: true },
    ),
    store.run(INSERT, [4, 4]),
    store.write(async (tx) => {
      const [row] = await tx.all<{ n: number }>('SELECT count(*) AS n FROM thing');
      seen.push(row!.n);
      return tx.run(INSERT, [5, 5]);
    }),
  ];
  expect(await outcomes(writes)).toEqual([1, 'no', expect.stringContaining('already in use'), 'as if', 1, 1]);
  expect(seen).toEqual([2]);
  expect(await ids(store)).toEqual([1, 4, 5]);
  expect([count(asked, 'BEGIN IMMEDIATE'), count(asked, 'COMMIT'), syncs]).toEqual([1, 1, 1]);
});

test('four of a turn at most write before whatever else waits on the event loop; a read that comes then sees none of it', async () => {
  const { store, asked } = await opened();
  expect(await ids(store)).toEqual([]);
  // Of each turn of the event loop: it was there first, so it runs before the writers do.
  let now = 0;
  let counts = true;
  const turn = () => {
    now++;
    if (counts) setImmediate(turn);
  };
  setImmediate(turn);
  const wrote: number[] = [];
  let read: Promise<[seen: number[], writers: number]> | undefined;
  const come = async (): Promise<[number[], number]> => [await ids(store), wrote.length];
  const writes = Array.from({ length: 32 }, (_, id) =>
    store.write(async (tx) => {
      await tx.run(INSERT, [id, id]);
      wrote.push(now);
      if (id === 0) setImmediate(() => (read = come()));
    }),
  );
  await Promise.all(writes);
  counts = false;
  const each = [...Map.groupBy(wrote, (at) => at).values()];
  const most = Math.max(...each.map(({ length }) => length));
  expect(most).toBeLessThanOrEqual(4);
  expect(count(asked, 'COMMIT')).toBe(1);
  const [seen, writers] = await read!;
  expect(seen).toEqual([]);
  expect(writers).toBeLessThan(32);
});

test('none is answered before the sync, whichever came first', async () => {
  const held = Promise.withResolvers<void>();
  const { store } = await opened(undefined, () => held.promise);
  let answered = 0;
  const writes = [1, 2, 3].map((id) => store.write((tx) => tx.run(INSERT, [id, id])).then(() => answered++));
  // They are committed: a reader sees them.
  while ((await ids(store)).length < 3) await new Promise((resolve) => setImmediate(resolve));
  expect(answered).toBe(0);
  held.resolve();
  await Promise.all(writes);
  expect(answered).toBe(3);
});

test('when COMMIT fails, or the sync, none of them is acknowledged; what fails by itself says why the whole failed', async () => {
  let failing = true;
  const { store } = await opened((sql) => {
    if (sql === 'COMMIT' && failing) throw new Error('no room');
  });
  const three = () => [
    store.write((tx) => tx.run(INSERT, [1, 1])),
    store.write((tx) => tx.run(INSERT, [1, 2])),
    store.run(INSERT, [3, 3]),
  ];
  expect(await outcomes(three())).toEqual(['no room', 'no room', 'no room']);
  expect(await ids(store)).toEqual([]);
  failing = false;
  expect(await outcomes(three())).toEqual([1, expect.stringContaining('already in use'), 1]);
  const { store: other } = await opened(undefined, () => Promise.reject(new Error('bad disk')));
  const lost = await outcomes([4, 5].map((id) => other.write((tx) => tx.run(INSERT, [id, id]))));
  expect(lost).toEqual([expect.stringContaining('bad disk'), expect.stringContaining('bad disk')]);
});

test('when SQLite takes back the whole transaction, so is each of them, and the next ones work', async () => {
  const { store } = await opened();
  const writes = [
    store.write((tx) => tx.run(INSERT, [1, 1])),
    // As SQLite does by itself when a disk is full.
    store.write((tx) => tx.run('ROLLBACK').then(() => tx.run(INSERT, ['no number', 2]))),
    store.write((tx) => tx.run(INSERT, [3, 3])),
  ];
  const said = await outcomes(writes);
  expect(said.every((each) => typeof each === 'string')).toBe(true);
  expect(await ids(store)).toEqual([]);
  expect(await outcomes([store.write((tx) => tx.run(INSERT, [1, 1]))])).toEqual([1]);
});

test('a fault at the n-th statement of a shared turn, for every n: what was acknowledged is there, and nothing else', async () => {
  let countdown = Number.POSITIVE_INFINITY;
  const { store } = await opened((sql, connection) => {
    if (connection === 'writer' && !sql.startsWith('ROLLBACK') && --countdown === 0) throw new Error('injected');
  });
  let all = false;
  for (let n = 1; !all; n++) {
    countdown = n;
    const base = n * 10;
    const said = await outcomes(
      [1, 2, 3].map((k) =>
        store.write(async (tx) => {
          await tx.run(INSERT, [base + k, 0]);
          await tx.run('UPDATE thing SET size = ? WHERE id = ?', [k, base + k]);
          return 'saved';
        }),
      ),
    );
    countdown = Number.POSITIVE_INFINITY;
    const rows = await store.all<{ id: number; size: number }>('SELECT * FROM thing WHERE id > ? ORDER BY id', [base]);
    const acknowledged = [1, 2, 3].filter((k) => said[k - 1] === 'saved');
    expect([n, rows.map(({ id, size }) => [id, size])]).toEqual([n, acknowledged.map((k) => [base + k, k])]);
    all = acknowledged.length === 3;
  }
});
