// Remembered reads give what a read of the database gives, whatever is written meanwhile and by whom.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Row, SqlValue } from '../../../../shared/ground/store/database.ts';
import { preferDriver } from '../../../../shared/ground/store/driver.ts';
import { noteWrite, RememberedReads } from '../../../../shared/ground/store/remembered-reads.ts';
import { Store } from '../../../../shared/ground/store/store.ts';
import { seeded } from '../../../setup/seeded.ts';

let folder: string;
let file: string;
/** Reads and writes past all that is remembered, as another process does. */
let other: DatabaseSync;

beforeEach(() => {
  preferDriver('node:sqlite');
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-remembered-'));
  file = join(folder, 'some.sqlite');
  other = new DatabaseSync(file);
  other.exec(`PRAGMA journal_mode = WAL; CREATE TABLE thing (id TEXT PRIMARY KEY, size INTEGER NOT NULL, zone TEXT) STRICT;
    CREATE INDEX thing_zone ON thing (zone)`);
});
afterEach(() => {
  other.close();
  rmSync(folder, { recursive: true });
});

const READS = [
  'SELECT * FROM thing WHERE id = ?',
  'SELECT size FROM thing WHERE zone = ? ORDER BY id',
  'SELECT (SELECT count(*) FROM thing) AS n, ? AS asked',
];
const UPSERT =
  'INSERT INTO thing VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET size = excluded.size, zone = excluded.zone';

test('whatever order reads, edits, failures, dry runs and edits of another process come in', async () => {
  const store = await Store.open(file);
  try {
    for (let seed = 1; seed <= 20; seed++) {
      const random = seeded(seed);
      const among = (most: number) => Math.floor(random() * most);
      const values = (): SqlValue[] => [`k${among(4)}`, among(1000), `k${among(3)}`];
      for (let step = 0; step < 120; step++) {
        const kind = among(12);
        if (kind === 0) await store.write((tx) => tx.run(UPSERT, values()));
        else if (kind === 1) await store.run('DELETE FROM thing WHERE id = ?', [`k${among(4)}`]);
        else if (kind === 2) await store.write((tx) => tx.run(UPSERT, values()), { rollBack: true });
        else if (kind === 3) {
          const failing = store.write(async (tx) => {
            await tx.run(UPSERT, values());
            // A read beside an open transaction sees nothing of it, now and later.
            await store.all(READS[0]!, [`k${among(4)}`]);
            throw new Error('no');
          });
          await expect(failing).rejects.toThrow('no');
        } else if (kind === 4) {
          other.prepare(UPSERT).run(...(values() as never[]));
          await setImmediate();
        } else {
          const sql = READS[among(READS.length)]!;
          const key = `k${among(4)}`;
          const plain = other.prepare(sql).all(key) as Row[];
          expect({ seed, step, rows: await store.all(sql, [key]) }).toEqual({ seed, step, rows: plain });
        }
      }
    }
  } finally {
    await store.close();
  }
});

describe('of one statement', () => {
  const reading = (sql = READS[0]!) => {
    const database = new DatabaseSync(file);
    const remembered = new RememberedReads(database).of(sql);
    const statement = database.prepare(sql);
    let reads = 0;
    const ask = (...parameters: SqlValue[]) =>
      remembered?.rows(parameters, () => {
        reads++;
        return statement.all(...(parameters as never[])) as Row[];
      });
    return { ask, reads: () => reads, close: () => database.close(), remembered };
  };

  test('the third time nothing is read, until somebody writes', async () => {
    other.prepare(UPSERT).run('a', 1, null);
    const { ask, reads, close } = reading();
    for (let n = 0; n < 5; n++) expect(ask('a')).toEqual([{ id: 'a', size: 1, zone: null }]);
    expect(reads()).toBe(2);
    other.prepare(UPSERT).run('a', 2, null);
    // As a connection of this process does it: seen at once.
    noteWrite();
    expect(ask('a')).toEqual([{ id: 'a', size: 2, zone: null }]);
    // As another process does it: seen in the next turn.
    for (let n = 0; n < 3; n++) ask('a');
    other.prepare(UPSERT).run('a', 3, null);
    await setImmediate();
    expect(ask('a')).toEqual([{ id: 'a', size: 3, zone: null }]);
    close();
  });

  test('a look is good for a moment, however long the turn lasts: as in what setImmediate began, and requests come after it', () => {
    other.prepare(UPSERT).run('a', 1, null);
    const { ask, close } = reading();
    for (let n = 0; n < 4; n++) ask('a');
    other.prepare(UPSERT).run('a', 2, null);
    for (const since = performance.now(); performance.now() - since < 3; );
    expect(ask('a')).toEqual([{ id: 'a', size: 2, zone: null }]);
    close();
  });

  test('nobody changes what another one is given, and what differs only in kind is not the same', () => {
    other.prepare(UPSERT).run('1', 1, null);
    const { ask, close } = reading();
    for (let n = 0; n < 4; n++) {
      const [row] = ask('1')!;
      expect(row).toEqual({ id: '1', size: 1, zone: null });
      row!.size = 7;
      expect(ask(null)).toEqual([]);
    }
    close();
  });

  test('however many are asked for, few are kept, and no large ones', () => {
    const insert = other.prepare(UPSERT);
    for (let n = 0; n < 1200; n++) insert.run(`k${n}`, n, 'z');
    insert.run('large', 1, 'x'.repeat(5000));
    const { ask, reads, close } = reading();
    for (let n = 0; n < 3; n++) ask('large');
    // What is asked for by a long name, as a stranger may, is not kept either.
    for (let n = 0; n < 3; n++) expect(ask('x'.repeat(5000))).toEqual([]);
    expect(reads()).toBe(6);
    for (let round = 0; round < 3; round++)
      for (let n = 0; n < 1200; n++) expect(ask(`k${n}`)).toEqual([{ id: `k${n}`, size: n, zone: 'z' }]);
    expect(reads()).toBe(6 + 3600);
    close();
    const { ask: many, reads: manyReads, close: end } = reading(READS[1]);
    for (let n = 0; n < 3; n++) expect(many('z')).toHaveLength(1200);
    expect(manyReads()).toBe(3);
    end();
  });

  test.each([
    'SELECT random() AS n FROM thing',
    "SELECT * FROM thing WHERE zone > strftime('%Y', 'now')",
    'SELECT *, CURRENT_TIMESTAMP AS at FROM thing',
    'SELECT unixepoch() AS at FROM thing',
    'SELECT datetime(?) AS at FROM thing',
    "SELECT strftime('%s') AS at FROM thing",
  ])('what changes by itself is not remembered: %s', (sql) => {
    const { remembered, close } = reading(sql);
    expect(remembered).toBeNull();
    close();
  });
});
