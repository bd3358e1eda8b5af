// Which reads Node's own SQLite does on the event loop: those of small tables, and those that find few rows by keys. All others
// are done on a thread, with the same answer.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Apart } from '../../../../shared/ground/store/apart.ts';
import { Tables } from '../../../../shared/ground/store/bounded-reader.ts';
import { Connection } from '../../../../shared/ground/store/connection.ts';
import { preferDriver } from '../../../../shared/ground/store/driver.ts';
import { nodeDriver } from '../../../../shared/ground/store/driver-node.ts';

const LARGE = 20_000;

let folder: string;
let file: string;
let database: DatabaseSync;

beforeAll(async () => {
  preferDriver('node:sqlite');
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-bounded-'));
  file = join(folder, 'some.sqlite');
  database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE large (id TEXT PRIMARY KEY, zone TEXT NOT NULL, size INTEGER NOT NULL) STRICT;
    CREATE INDEX large_zone ON large (zone, id);
    CREATE TABLE small (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;
    CREATE TABLE without (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    CREATE TABLE few (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${LARGE})
      INSERT INTO large SELECT 'row' || i, CASE WHEN i % 2 THEN 'odd' ELSE 'z' || i END, i FROM n;
    INSERT INTO without SELECT id FROM large LIMIT 3000;
    INSERT INTO few VALUES ('a');
    INSERT INTO small VALUES ('a', 'one'), ('b', 'two');`);
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const mayBeLong = (sql: string): boolean => {
  const tables = new Tables(database);
  return tables.mayBeLong(tables.reading(sql));
};

describe('a read is short', () => {
  test.each([
    ['by a key of a large table', 'SELECT * FROM large WHERE id = ?'],
    ['by many keys', 'SELECT * FROM large WHERE id IN (SELECT value FROM json_each(?))'],
    ['by an index', 'SELECT * FROM large AS l WHERE l.zone = ?'],
    ['by an index, a page of it in its order', 'SELECT * FROM large WHERE zone = ? AND id > ? ORDER BY id LIMIT 10'],
    ['by an index backwards', 'SELECT id, size + 1 FROM large WHERE zone = ? ORDER BY id DESC LIMIT 10'],
    ['of whether an index has any', 'SELECT EXISTS (SELECT 1 FROM large WHERE zone = ?) AS some'],
    ['by a key and a filter', 'SELECT * FROM large WHERE id = ? AND size > ?'],
    [
      'of a small table, whole, sorted and counted',
      'SELECT name, count(*) FROM small GROUP BY name ORDER BY name DESC',
    ],
    ['of nothing', 'SELECT ? + 1 AS n'],
    ['of a setting', 'PRAGMA user_version'],
    ['of a table without rowids by its key', 'SELECT * FROM without WHERE id = ?'],
    ['of a small one without rowids, whole', 'SELECT count(*) FROM few'],
  ])('%s', (_says, sql) => expect([sql, mayBeLong(sql)]).toEqual([sql, false]));

  test.each([
    ['of a large table, whole', 'SELECT * FROM large'],
    ['of a large table under another name', 'SELECT * FROM large AS small WHERE size > 7'],
    ['of an index of it, whole', 'SELECT zone FROM large'],
    ['of a large table, sorted', 'SELECT * FROM large WHERE zone = ? ORDER BY size'],
    ['of a large table, counted', 'SELECT count(*) FROM large'],
    ['by an index, filtered', 'SELECT * FROM large WHERE zone = ? AND size > ?'],
    ['by an index, filtered, the first of them', 'SELECT * FROM large WHERE zone = ? AND size > ? ORDER BY id LIMIT 1'],
    [
      'of whether an index has any that fits',
      'SELECT EXISTS (SELECT 1 FROM large WHERE zone = ? AND size > ?) AS some',
    ],
    ['by an index from a place on', 'SELECT * FROM large WHERE zone = ? ORDER BY id LIMIT 10 OFFSET ?'],
    [
      'by an index, with what another one may not have',
      'SELECT l.* FROM large l JOIN small s ON s.id = l.id WHERE l.zone = ?',
    ],
    [
      'by an index, listed in each row of a small table',
      'SELECT name, (SELECT json_group_array(id) FROM large WHERE zone = small.id) FROM small',
    ],
    ['of rows by an index, summed', 'SELECT sum(size) FROM large WHERE zone = ?'],
    ['of a large table within another statement', 'SELECT (SELECT max(size) FROM large) AS most FROM small'],
    ['of a table without rowids, whole', 'SELECT * FROM without'],
    ['of what counts up by itself', 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n'],
    [
      'of a small table beside a large one, sorted',
      'SELECT * FROM small s JOIN large l ON l.id = s.id ORDER BY s.name',
    ],
  ])('never %s', (_says, sql) => expect([sql, mayBeLong(sql)]).toEqual([sql, true]));
});

test('a table that grows is no longer small, without preparing anew', () => {
  database.exec('CREATE TABLE growing (id INTEGER PRIMARY KEY) STRICT');
  const tables = new Tables(database);
  const reading = tables.reading('SELECT count(*) FROM growing');
  expect(tables.mayBeLong(reading)).toBe(false);
  database.exec(
    'INSERT INTO growing WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT i FROM n',
  );
  expect(tables.mayBeLong(reading)).toBe(true);
});

test('short or long, the answer is the same, and each sees what was committed before it', async () => {
  const reader = await Connection.open(file, 'reader');
  const writer = await Connection.open(file, 'writer');
  try {
    // More rows by an index than may be read on the loop; a whole table; a sum.
    const statements = [
      "SELECT id, size FROM large WHERE zone = 'odd'",
      'SELECT * FROM large',
      'SELECT sum(size) AS n FROM large',
      "SELECT * FROM large WHERE id = 'row7'",
    ];
    for (let round = 0; round < 3; round++) {
      await writer.run('UPDATE large SET size = size + 1 WHERE id = ?', ['row7']);
      for (const sql of statements) expect(await reader.all(sql, [])).toEqual(database.prepare(sql).all());
    }
    expect(await reader.all('SELECT typeof(?) AS whole, count(*) AS n FROM large', [20])).toEqual([
      { whole: 'integer', n: LARGE },
    ]);
    await expect(reader.all('SELECT json(id) FROM large', [])).rejects.toThrow(/malformed JSON/);
    await expect(reader.all('SELECT unknown FROM large', [])).rejects.toThrow(/no such column/);
    expect(await reader.all('SELECT count(*) AS n FROM small', [])).toEqual([{ n: 2 }]);
  } finally {
    await reader.close();
    await writer.close();
  }
});

test('a long read holds nobody up', async () => {
  const reader = await Connection.open(file, 'reader');
  try {
    let turns = 0;
    let over = false;
    const reading = reader
      .all('SELECT count(*) AS n FROM large a JOIN large b ON b.size < a.size AND a.size < 500', [])
      .finally(() => {
        over = true;
      });
    while (!over) {
      await reader.all('SELECT * FROM large WHERE id = ?', ['row7']);
      await new Promise((resolve) => setImmediate(resolve));
      turns++;
    }
    expect(await reading).toEqual([{ n: 124_250 }]);
    expect(turns).toBeGreaterThan(50);
  } finally {
    await reader.close();
  }
});

describe('a connection apart', () => {
  test('has the codes of errors that the store reads', async () => {
    const connection = await nodeDriver.open(file, 'apart');
    const insert = await connection.prepare('INSERT INTO small VALUES (?, ?)');
    await expect(insert.run(['a', 'again'])).rejects.toMatchObject({
      code: 'SQLITE_CONSTRAINT',
      message: expect.stringMatching(/^SQLITE_CONSTRAINT: UNIQUE/),
    });
    expect(await insert.run(['c', 'three'])).toBe(1);
    await connection.close();
    expect(database.prepare('SELECT count(*) AS n FROM small').get()).toEqual({ n: 3 });
  });

  test('begins again after its thread is gone, with its settings', async () => {
    const connection = new Apart(file, 1);
    await connection.exec('PRAGMA query_only = ON');
    const insert = await connection.prepare('INSERT INTO small VALUES (?, ?)');
    for (let round = 0; round < 3; round++) {
      await setTimeout(100);
      await expect(insert.run(['d', 'four'])).rejects.toThrow(/readonly/);
    }
    await connection.close();
  });

  test('answers what was asked before it was closed, and opens the file no more', async () => {
    const connection = await nodeDriver.open(file, 'apart');
    const count = await connection.prepare('SELECT count(*) AS n FROM large');
    const asked = [count.all([]), count.all([])];
    await connection.close();
    expect(await Promise.all(asked)).toEqual([[{ n: LARGE }], [{ n: LARGE }]]);
    await expect(count.all([])).rejects.toThrow('closed');
    await connection.close();
  });

  test('refuses what can’t be handed over, and goes on', async () => {
    const connection = await nodeDriver.open(file, 'apart');
    const one = await connection.prepare('SELECT ? AS n');
    await expect(one.all([(() => undefined) as never])).rejects.toThrow('could not be cloned');
    expect(await one.all([1])).toEqual([{ n: 1 }]);
    await connection.close();
  });

  test('of a file that can’t be opened says so', async () => {
    const connection = await nodeDriver.open(join(folder, 'no', 'such.sqlite'), 'apart');
    await expect(connection.exec('SELECT 1')).rejects.toThrow(/unable to open|ended/);
    await connection.close();
  });
});
