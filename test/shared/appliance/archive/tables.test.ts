// Every table of a migrated database says what an archive has of it, and names each of its columns.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DECLARED, TABLES } from '../../../../shared/appliance/archive/tables.ts';
import { openStore } from '../../../../shared/ground/store/open-store.ts';
import type { Store } from '../../../../shared/ground/store/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'groundcrew-tables-'));
let store: Store;
beforeAll(async () => {
  store = await openStore(folder);
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What SQLite and the migrations keep for themselves. */
const OWN = /^sqlite_|^schema_migration/;

test('no table is forgotten, and none is declared that is not there', async () => {
  const rows = await store.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const tables = rows.map(({ name }) => name).filter((name) => !OWN.test(name));
  expect([...DECLARED.keys()].sort()).toEqual(tables.sort());
});

test.each(TABLES.map((table) => [table.name, table] as const))('%s', async (name, table) => {
  const found = await store.all<{ name: string; notnull: number }>(`SELECT name FROM pragma_table_info('${name}')`);
  const counted = table.plain ? [] : ['revision', 'updated_at'];
  const dated = table.dated ? ['created_at'] : [];
  const declared = [table.id, ...table.columns, ...table.left, ...table.secret, ...counted, ...dated];
  expect(declared.sort()).toEqual(found.map((column) => column.name).sort());
  const listed = [...table.booleans, ...table.json, ...table.refers.keys(), ...table.interfaces, ...table.unique];
  expect(listed.filter((column) => !table.columns.includes(column))).toEqual([]);
  expect(table.key.filter((column) => column !== 'id' && !table.columns.includes(column))).toEqual([]);
  const before = TABLES.slice(0, TABLES.indexOf(table)).map((other) => other.name);
  expect([...table.refers.values()].filter((other) => !before.includes(other))).toEqual([]);
});

test('texts of a unique key are named in `unique`, and the natural key is unique', async () => {
  for (const { name, key, unique, meanwhile, columns, refers, id } of TABLES) {
    // Its owner writes it, and makes room first.
    if (name === 'interface') continue;
    const rows = await store.all<{ name: string; columns: string }>(
      `SELECT list.name, group_concat(info.name, ' ') AS columns FROM pragma_index_list('${name}') list
         JOIN pragma_index_info(list.name) info WHERE list."unique" = 1 GROUP BY list.name`,
    );
    const keys = rows.map((row) => row.columns.split(' ')).filter((each) => each.join() !== id);
    for (const each of keys) {
      const texts = each.filter((column) => columns.includes(column) && !refers.has(column));
      // What only refers to others, and is in the natural key, is the same row.
      expect([
        name,
        each.every((column) => key.includes(column)) ||
          texts.some((column) => unique.includes(column) || key.includes(column) || meanwhile.has(column)),
      ]).toEqual([name, true]);
    }
  }
});
