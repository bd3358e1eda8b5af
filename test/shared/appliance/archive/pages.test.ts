// However many rows there are, an archive has no more than a page of them in one piece, and a restore takes a handful of
// statements: neither is counted in seconds or bytes, so that it holds on any machine.
import { afterEach, expect, test } from '@jest/globals';
import { withCopy } from '../../../../shared/appliance/archive/copy.ts';
import { totalOf } from '../../../../shared/appliance/archive/difference.ts';
import { exportArchive } from '../../../../shared/appliance/archive/export.ts';
import { readArchive } from '../../../../shared/appliance/archive/read.ts';
import { House } from '../../../setup/house.ts';
import { bytesOf, restore } from './scene.ts';

const PAGE = 2000;
const MANY = 5000;
const opened: House[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

let statements = 0;
const another = async (): Promise<House> => {
  const house = await House.open({
    ticker: false,
    observe: () => {
      statements += 1;
    },
  });
  opened.push(house);
  return house;
};

/** With records as the API would have saved them. */
async function withRecords(count: number): Promise<House> {
  const house = await another();
  const at = '2026-01-01T00:00:00.000Z';
  await house.services.store.write(async (tx) => {
    await tx.run(
      `INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES ('zone_1', 'lab.example', '${at}', '${at}')`,
    );
    await tx.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO dns_record (id, zone_id, fqdn, type, value, created_at, updated_at) SELECT printf('rec_%06d', i),
         'zone_1', 'h' || i || '.lab.example', 'A', '10.1.' || (i / 256) || '.' || (i % 256), '${at}', '${at}' FROM n`,
      [count],
    );
  });
  return house;
}

test('a piece of an archive that is written has at most a page of rows', async () => {
  const { services, data } = await withRecords(MANY);
  const about = { program: '', host_name: '', created_at: '', created_by: '' };
  let lines = 0;
  for await (const piece of withCopy(services.store, data, (copy) =>
    exportArchive(copy, services, { about, sealed: true }),
  )) {
    const rows = piece.toString('utf8').split('"fqdn":').length - 1;
    expect(rows).toBeLessThanOrEqual(PAGE);
    lines += rows;
  }
  expect(lines).toBe(MANY);
});

test('of one that is read at most a page is handed on at once', async () => {
  let rows = 0;
  for await (const piece of readArchive([await bytesOf(await withRecords(MANY), true)], null)) {
    if (!('table' in piece) || piece.table !== 'dns_record') continue;
    expect(piece.rows.length).toBeLessThanOrEqual(PAGE);
    rows += piece.rows.length;
  }
  expect(rows).toBe(MANY);
});

test('a restore of thousands takes hardly more statements than one of a few', async () => {
  const counts: number[] = [];
  for (const records of [10, MANY]) {
    const bytes = await bytesOf(await withRecords(records), true);
    const empty = await another();
    statements = 0;
    const { differences } = await restore(empty, bytes);
    counts.push(statements);
    expect(totalOf(differences.find(({ collection }) => collection === 'dns_records')!)).toBe(records);
  }
  expect(counts[1]! - counts[0]!).toBeLessThan(10);
});
