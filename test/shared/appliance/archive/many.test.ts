// A restore of very many records: it is compared before its transaction and written in pages, what changed in between is
// compared again, and never are more rows than a page handed over at once.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { bringForward, type Forward } from '../../../../shared/appliance/archive/bring-forward.ts';
import { totalOf } from '../../../../shared/appliance/archive/difference.ts';
import { ROWS_TOLD, WRITTEN } from '../../../../shared/appliance/archive/many/many-rows.ts';
import { rehearse, restoreState } from '../../../../shared/appliance/archive/restore.ts';
import { MANY_TABLES, PARTS, TABLES } from '../../../../shared/appliance/archive/tables.ts';
import type { SqlValue, Transaction } from '../../../../shared/ground/store/database.ts';
import { systemActor } from '../../../../shared/kernel/access/actor.ts';
import { House } from '../../../setup/house.ts';
import { ALL, bytesOf } from './scene.ts';

const AT = '2026-01-01T00:00:00.000Z';
let bytes: Map<number, Buffer>;
let house: House;
let forward: Forward;

async function sow({ services }: House, count: number): Promise<void> {
  await services.store.write(async (tx) => {
    await tx.run(
      "INSERT OR IGNORE INTO dns_zone (id, name, created_at, updated_at) VALUES ('zone_1', 'z.example', ?, ?)",
      [AT, AT],
    );
    await tx.run(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ? - 1)
       INSERT OR IGNORE INTO dns_record (id, zone_id, fqdn, type, value, created_at, updated_at)
       SELECT printf('rec_%06d', i), 'zone_1', 'h' || i || '.z.example', 'A', printf('10.0.%d.%d', i / 256, i % 256),
         '${AT}', '${AT}' FROM n`,
      [count],
    );
  });
}

const [FEW, MANY] = [WRITTEN, 5 * WRITTEN];

beforeAll(async () => {
  const full = await House.open({ ticker: false });
  bytes = new Map();
  for (const count of [FEW, MANY]) {
    await sow(full, count);
    bytes.set(count, await bytesOf(full, true));
  }
  await full.close();
}, 120_000);
beforeEach(async () => {
  house = await House.open({ ticker: false });
});
afterEach(async () => {
  await forward.close();
  await house.close();
});
afterAll(() => bytes.clear());

const open = async (count: number): Promise<void> => {
  forward = await bringForward(`${house.data}/archives`, [bytes.get(count)!], null);
};

interface Seen {
  statements: string[];
  /** Longest list that was handed over. */
  longest: number;
}

/** In one transaction. */
async function restored(): Promise<Seen> {
  const { services } = house;
  const seen: Seen = { statements: [], longest: 0 };
  const note = (statement: unknown, parameters: readonly SqlValue[] = []): void => {
    seen.statements.push(String(statement));
    for (const each of parameters)
      if (typeof each === 'string' && each.startsWith('['))
        seen.longest = Math.max(seen.longest, JSON.parse(each).length);
  };
  await services.store.write((tx) => {
    const watched: Transaction = {
      all: async <R>(statement: never, parameters?: readonly SqlValue[]) => {
        note(statement, parameters);
        const rows = await tx.all<R>(statement, parameters);
        seen.longest = Math.max(seen.longest, rows.length);
        return rows;
      },
      one: async <R>(statement: never, parameters?: readonly SqlValue[]) => {
        note(statement, parameters);
        return tx.one<R>(statement, parameters);
      },
      run: async (statement: never, parameters?: readonly SqlValue[]) => {
        note(statement, parameters);
        return tx.run(statement, parameters);
      },
    };
    return restoreState(watched, services, systemActor('test'), forward, ALL);
  });
  return seen;
}

const about = (seen: Seen): string[] => seen.statements.filter((each) => /\bdns_record\b/.test(each));
const records = async (): Promise<number> =>
  (await house.services.store.one<{ count: number }>('SELECT count(*) AS count FROM dns_record'))!.count;

test('its transaction has a statement more for each page of rows, and no list is longer than a page', async () => {
  const counts: number[] = [];
  for (const count of [FEW, MANY]) {
    await open(count);
    await rehearse(house.services.store, house.services, forward, ALL);
    const seen = await restored();
    expect(await records()).toBe(count);
    expect(seen.longest).toBeLessThanOrEqual(WRITTEN);
    expect(about(seen).filter((each) => each.includes('SELECT json_array('))).toEqual([]);
    counts.push(seen.statements.length);
    await forward.close();
    await house.close();
    house = await House.open({ ticker: false });
  }
  await open(FEW);
  const pages = (MANY - FEW) / WRITTEN;
  expect(counts[1]! - counts[0]!).toBeLessThanOrEqual(pages);
}, 120_000);

test('the difference tells the first of them and counts all', async () => {
  await open(MANY);
  const { picked } = await rehearse(house.services.store, house.services, forward, ALL);
  const difference = picked.find(({ collection }) => collection === 'dns_records')!;
  expect([totalOf(difference), difference.rows.length]).toEqual([MANY, ROWS_TOLD]);
  expect(forward.state.has('dns_record')).toBe(false);
});

test('what was saved since it was compared is compared again', async () => {
  await open(FEW);
  await rehearse(house.services.store, house.services, forward, ALL);
  const { store } = house.services;
  await store.write(async (tx) => {
    await tx.run("INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES ('zone_9', 'other.example', ?, ?)", [
      AT,
      AT,
    ]);
    await tx.run(
      `INSERT INTO dns_record (id, zone_id, fqdn, type, value, created_at, updated_at)
       VALUES ('rec_000007', 'zone_9', 'late.other.example', 'A', '10.9.9.9', ?, ?)`,
      [AT, AT],
    );
  });
  const seen = await restored();
  expect(about(seen).some((each) => each.includes('SELECT json_array('))).toBe(true);
  expect(await records()).toBe(FEW);
  expect(await store.all("SELECT id FROM dns_record WHERE fqdn = 'late.other.example'")).toEqual([]);
  // The one whose id was taken meanwhile has another.
  const row = await store.one<{ id: string }>("SELECT id FROM dns_record WHERE fqdn = 'h7.z.example'");
  expect(row!.id).toMatch(/^rec_/);
});

test('a table of very many rows is one that statements can compare', async () => {
  expect(MANY_TABLES.map(({ name }) => name)).toEqual(['dns_record']);
  for (const table of MANY_TABLES) {
    const { name, json, secret, interfaces, key, refers, dated, plain } = table;
    expect([name, json.size, secret.length, interfaces.length, dated, plain]).toEqual([name, 0, 0, 0, true, false]);
    expect(key.filter((column) => refers.has(column))).toEqual([]);
    for (const other of TABLES) {
      expect([...other.refers.values()]).not.toContain(name);
      expect([...other.owners.values()]).not.toContain(name);
    }
    // Each write to it makes the version of its unit another: by that it is known whether something changed.
    const part = PARTS.find(({ tables }) => tables.includes(table))!;
    const triggers = await house.services.store.all<{ sql: string }>(
      "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? AND sql NOT LIKE '% WHEN %'",
      [name],
    );
    for (const event of ['INSERT', 'UPDATE', 'DELETE'])
      expect(
        triggers.filter(({ sql }) => sql.includes(`AFTER ${event} ON`) && sql.includes(`'${part.id}'`)),
      ).toHaveLength(1);
    const unit = await house.services.store.one('SELECT 1 FROM unit_state WHERE unit = ?', [part.id]);
    expect(unit).toBeDefined();
  }
});
