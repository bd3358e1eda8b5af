// How many statements an import takes: that, and not a clock, says that rows are saved and looked up in slices.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { systemEntropy } from '../../../../../../shared/ground/clock.ts';
import { openStore } from '../../../../../../shared/ground/store/open-store.ts';
import type { Store } from '../../../../../../shared/ground/store/store.ts';
import { type CheckedRow, saveRows } from '../../../../../../shared/services/dns-dhcp/dns/import/save.ts';

const NOW = '2026-01-01T00:00:00.000Z';

let data: string;
let store: Store;
const seen: string[] = [];
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'groundcrew-save-'));
  store = await openStore(data, (sql) => void seen.push(sql));
  await store.run('INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES (?, ?, ?, ?)', [
    'zone_a',
    'lab.test',
    NOW,
    NOW,
  ]);
});
afterEach(async () => {
  await store.close();
  rmSync(data, { recursive: true, force: true });
});

const rowsOf = (word: string, count: number): CheckedRow[] =>
  Array.from({ length: count }, (_, n) => ({
    fqdn: `${word}${n}.lab.test`,
    type: 'A',
    value: `10.1.${n >> 8}.${n & 255}`,
    description: '',
    enabled: true,
  }));

async function saved(rows: readonly CheckedRow[]) {
  const faults: { at: number; code: string }[] = [];
  seen.length = 0;
  await store.write(
    (tx) =>
      saveRows(tx, {
        rows,
        signal: new AbortController().signal,
        refuse: ({ at, code }) => faults.push({ at, code }),
        into: { tx, entropy: systemEntropy, now: NOW },
      }),
    { apart: true },
  );
  const count = (wanted: RegExp) => seen.filter((sql) => wanted.test(sql)).length;
  return { read: count(/^(?:SELECT|WITH)/), written: count(/^INSERT INTO dns_record/), faults };
}

const idsInOrder = async () =>
  (await store.all<{ id: string }>('SELECT id FROM dns_record ORDER BY rowid')).map(({ id }) => id);

test('a thousand rows are one statement, and what is saved is read in two, whatever the number of rows', async () => {
  expect(await saved(rowsOf('a', 3_000))).toEqual({ read: 2, written: 3, faults: [] });
  const ids = await idsInOrder();
  expect(ids).toEqual([...new Set(ids)].sort());
  expect(ids.length).toBe(3_000);
});

test('what is saved already is found, both where it is read whole and where it is looked up by the names', async () => {
  await saved(rowsOf('a', 10_000));
  const again = [...rowsOf('b', 1_500), rowsOf('a', 10_000)[9_999]!];
  expect(await saved(again)).toEqual({ read: 2, written: 1, faults: [{ at: 1_500, code: 'already_exists' }] });
  await saved(rowsOf('c', 1));
  // More than are read whole: one look at how many they are, and one for a thousand names.
  const others = [...rowsOf('d', 1_500), rowsOf('a', 10_000)[9_998]!];
  expect(await saved(others)).toEqual({ read: 3, written: 1, faults: [{ at: 1_500, code: 'already_exists' }] });
});
