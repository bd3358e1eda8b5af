// The store acknowledges a transaction when a sync that began after its commit is done, one sync for all that wait; and
// nothing any more once a sync has failed.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { databaseAnswers } from '../../../../shared/ground/store/health.ts';
import { DATABASE_FILE, openStore } from '../../../../shared/ground/store/open-store.ts';
import { Store } from '../../../../shared/ground/store/store.ts';

const ZONE = "INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES (?, ?, '', '')";

/** A disk that syncs when it is told to. */
class Disk {
  readonly begun: { committed: number; end(error?: Error): void }[] = [];
  inode: number | undefined;
  /** Commits of the store so far. */
  committed = 0;

  readonly sync = async (file: FileHandle): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Before a test is told that it began: the answer takes the time that a busy machine takes.
    this.inode = (await file.stat()).ino;
    this.begun.push({ committed: this.committed, end: (error) => (error ? reject(error) : resolve()) });
    await promise;
  };

  async begins(count: number): Promise<void> {
    const deadline = Date.now() + 30_000;
    while (this.begun.length < count && Date.now() < deadline) await setImmediate();
    expect(this.begun).toHaveLength(count);
  }
}

let folder: string;
let disk: Disk;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-log-sync-'));
  await (await openStore(folder)).close();
  disk = new Disk();
  store = await Store.open(join(folder, DATABASE_FILE), undefined, disk.sync);
});
afterEach(async () => {
  for (const { end } of disk.begun) end();
  await store.close();
  rmSync(folder, { recursive: true });
});

interface Write {
  done: Promise<string>;
  acknowledged: boolean;
}

function write(id: string): Write {
  const saved = store.write(async (tx) => {
    await tx.run(ZONE, [id, `${id}.example`]);
  });
  return watched(saved);
}

function watched(work: Promise<unknown>): Write {
  const watching: Write = { done: Promise.resolve(''), acknowledged: false };
  watching.done = work.then(
    () => {
      watching.acknowledged = true;
      return 'saved';
    },
    (error: Error & { code?: string }) => `${error.code ?? error.message}`,
  );
  return watching;
}

/** Until so many zones are committed: readers see a commit before its sync. */
async function committed(count: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const [row] = await store.all<{ n: number }>('SELECT count(*) AS n FROM dns_zone');
    disk.committed = row!.n;
    if (row!.n >= count) return;
  }
  throw new Error(`${disk.committed} of ${count} were committed`);
}

test('it syncs the write-ahead log itself, and acknowledges nothing before that', async () => {
  expect(await databaseAnswers(store)).toBe(true);
  const first = write('a');
  await disk.begins(1);
  await committed(1);
  for (let turn = 0; turn < 50; turn++) await setImmediate();
  expect(first.acknowledged).toBe(false);
  expect(disk.inode).toBe(statSync(`${store.file}-wal`).ino);
  disk.begun[0]!.end();
  expect(await first.done).toBe('saved');
});

test('twenty that commit while one is synced share the next sync', async () => {
  const first = write('first');
  await disk.begins(1);
  await committed(1);
  const others = Array.from({ length: 20 }, (_, n) => write(`other-${n}`));
  await committed(21);
  disk.begun[0]!.end();
  expect(await first.done).toBe('saved');
  await disk.begins(2);
  expect(others.filter(({ acknowledged }) => acknowledged)).toEqual([]);
  disk.begun[1]!.end();
  for (const other of others) expect(await other.done).toBe('saved');
  expect(disk.begun).toHaveLength(2);
});

test('one that commits while a sync runs is not acknowledged by that sync', async () => {
  const first = write('a');
  await disk.begins(1);
  const second = write('b');
  await committed(2);
  disk.begun[0]!.end();
  await first.done;
  await disk.begins(2);
  expect(second.acknowledged).toBe(false);
  disk.begun[1]!.end();
  expect(await second.done).toBe('saved');
});

test('one that only reads waits for what it may have read', async () => {
  const first = write('a');
  await disk.begins(1);
  const reading = watched(store.write(async (tx) => tx.all('SELECT name FROM dns_zone')));
  for (let turn = 0; turn < 50; turn++) await setImmediate();
  expect(reading.acknowledged).toBe(false);
  disk.begun[0]!.end();
  await Promise.all([first.done, reading.done]);
  await store.write(async (tx) => tx.all('SELECT name FROM dns_zone'));
  await store.write((tx) => tx.run(ZONE, ['x', 'x.example']), { rollBack: true });
  await expect(store.write(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(disk.begun).toHaveLength(1);
});

test('rows that a trigger writes for a view wait for the disk, which SQLite does not count', async () => {
  const preparing = watched(
    store.write(async (tx) => {
      await tx.run('CREATE TEMP VIEW zone_write AS SELECT NULL AS id');
      await tx.run(`CREATE TEMP TRIGGER zone_written INSTEAD OF INSERT ON zone_write BEGIN
        INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES (NEW.id, NEW.id, '', ''); END`);
    }),
  );
  await disk.begins(1);
  disk.begun[0]!.end();
  await preparing.done;
  const saving = watched(store.run('INSERT INTO zone_write (id) VALUES (?)', ['a']));
  await committed(1);
  for (let turn = 0; turn < 50; turn++) await setImmediate();
  expect(saving.acknowledged).toBe(false);
  await disk.begins(2);
  disk.begun[1]!.end();
  expect(await saving.done).toBe('saved');
});

test('what tells the rows that it changed waits for the disk', async () => {
  const saving = watched(store.write((tx) => tx.all(`${ZONE} RETURNING id`, ['a', 'a.example'])));
  await committed(1);
  for (let turn = 0; turn < 50; turn++) await setImmediate();
  expect(saving.acknowledged).toBe(false);
  await disk.begins(1);
  disk.begun[0]!.end();
  const other = watched(store.write((tx) => tx.one(`${ZONE} RETURNING id`, ['b', 'b.example'])));
  await disk.begins(2);
  expect([await saving.done, other.acknowledged]).toEqual(['saved', false]);
  disk.begun[1]!.end();
  expect(await other.done).toBe('saved');
});

test('a failed sync acknowledges nothing, and nothing is written any more', async () => {
  const first = write('a');
  await disk.begins(1);
  const second = write('b');
  await committed(2);
  disk.begun[0]!.end(new Error('EIO'));
  expect([await first.done, await second.done]).toEqual(['SQLITE_IOERR', 'SQLITE_IOERR']);
  expect(await write('c').done).toBe('SQLITE_IOERR');
  // A monitor hears of it, though all can be read.
  expect(await databaseAnswers(store)).toBe(false);
  expect(await watched(store.run(ZONE, ['d', 'd.example'])).done).toBe('SQLITE_IOERR');
  const names = await store.all<{ name: string }>('SELECT name FROM dns_zone ORDER BY name');
  expect(names.map(({ name }) => name)).toEqual(['a.example', 'b.example']);
  expect(disk.begun).toHaveLength(1);
});

test('who reads what a failed sync was of, and began before it failed, is refused', async () => {
  const first = write('a');
  await disk.begins(1);
  const { promise: failed, resolve: goOn } = Promise.withResolvers<void>();
  const reading = watched(
    store.write(async (tx) => {
      const rows = await tx.all('SELECT name FROM dns_zone');
      await failed;
      return rows;
    }),
  );
  for (let turn = 0; turn < 50; turn++) await setImmediate();
  disk.begun[0]!.end(new Error('EIO'));
  expect(await first.done).toBe('SQLITE_IOERR');
  goOn();
  expect(await reading.done).toBe('SQLITE_IOERR');
});

test('it closes when the last sync is done', async () => {
  const last = write('a');
  const closing = watched(store.close());
  await disk.begins(1);
  for (let turn = 0; turn < 50; turn++) await setImmediate();
  expect(closing.acknowledged).toBe(false);
  disk.begun[0]!.end();
  expect([await last.done, await closing.done]).toEqual(['saved', 'saved']);
  store = await Store.open(store.file, undefined, disk.sync);
});
