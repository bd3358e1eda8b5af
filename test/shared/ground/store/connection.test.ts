// Prepared statements of one connection: each once, and of more than are kept, the one that was not used for longest goes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Connection } from '../../../../shared/ground/store/connection.ts';
import { preferDriver } from '../../../../shared/ground/store/driver.ts';

let folder: string;
let connection: Connection;
let prepared: string[];
beforeEach(async () => {
  preferDriver('node:sqlite');
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-connection-'));
  connection = await Connection.open(join(folder, 'some.sqlite'), 'writer');
  prepared = [];
  const { prepare } = DatabaseSync.prototype;
  jest.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, sql) {
    prepared.push(sql);
    return prepare.call(this, sql);
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await connection.close();
  rmSync(folder, { recursive: true });
});

const ask = (n: number) => connection.all<{ n: number }>(`SELECT ${n} AS n`, []);

test('is prepared once, also by two that ask at the same time', async () => {
  expect(await Promise.all([ask(1), ask(1), ask(1)])).toEqual([[{ n: 1 }], [{ n: 1 }], [{ n: 1 }]]);
  await ask(1);
  expect(prepared).toEqual(['SELECT 1 AS n']);
});

test('one that is used now and then stays, however many come and go', async () => {
  for (let n = 0; n < 2_000; n++) {
    expect(await ask(n)).toEqual([{ n }]);
    if (n % 50 === 0) await ask(0);
  }
  expect(prepared.filter((sql) => sql === 'SELECT 0 AS n')).toHaveLength(1);
  expect(prepared).toHaveLength(2_000);
  // The last 200 of them, 0 among them.
  for (let n = 1_999; n > 1_801; n--) await ask(n);
  expect(prepared).toHaveLength(2_000);
  await ask(1_500);
  expect(prepared).toHaveLength(2_001);
});

test('one that can’t be prepared is tried again', async () => {
  await expect(connection.all('SELECT * FROM later', [])).rejects.toThrow('later');
  await connection.run('CREATE TABLE later (n INTEGER)', []);
  expect(await connection.all('SELECT * FROM later', [])).toEqual([]);
});
