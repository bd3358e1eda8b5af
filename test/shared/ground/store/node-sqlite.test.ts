// Rows of Node's own SQLite as objects: as that makes them itself, of whatever columns, and of no one else's shape.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { rowsOf } from '../../../../shared/ground/store/node-sqlite.ts';

let database: DatabaseSync;
beforeEach(() => {
  database = new DatabaseSync(':memory:');
  database.exec(
    "CREATE TABLE thing (id TEXT, size INTEGER, data BLOB); INSERT INTO thing VALUES ('a', 1, x'00ff'), ('b', NULL, NULL)",
  );
});
afterEach(() => database.close());

const all = (statement: StatementSync) => {
  const row = rowsOf(statement);
  return statement.all().map(row);
};

test.each([
  'SELECT * FROM thing ORDER BY id',
  'SELECT size, size AS "a ""quoted"" name", id || \'’\' AS "über" FROM thing ORDER BY id',
  'SELECT id, size AS id FROM thing ORDER BY thing.id',
  'SELECT 1 AS "0", 2 AS "constructor", 3 AS "toString"',
  'SELECT id FROM thing WHERE id = 0',
  "INSERT INTO thing VALUES ('c', 3, NULL) RETURNING id, size",
  'PRAGMA table_info(thing)',
  'EXPLAIN QUERY PLAN SELECT * FROM thing',
])('%s', (sql) => {
  database.exec('BEGIN');
  const plain = database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }));
  database.exec('ROLLBACK');
  expect(all(database.prepare(sql))).toEqual(plain);
});

test('what is done to a row is done to none that comes after it', () => {
  const statement = database.prepare('SELECT id, size FROM thing ORDER BY id');
  const row = rowsOf(statement);
  const [first] = statement.all().map(row);
  Object.assign(first!, { id: 'z', more: 1 });
  expect(statement.all().map(row)).toEqual([
    { id: 'a', size: 1 },
    { id: 'b', size: null },
  ]);
});

test('a column that the table was given meanwhile is there', () => {
  const statement = database.prepare('SELECT * FROM thing ORDER BY id');
  const row = rowsOf(statement);
  expect(Object.keys(row(statement.all()[0]))).toEqual(['id', 'size', 'data']);
  database.exec("ALTER TABLE thing ADD COLUMN zone TEXT DEFAULT 'x'");
  expect(row(statement.all()[0])).toMatchObject({ id: 'a', zone: 'x' });
});
