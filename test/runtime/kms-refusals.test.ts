// Strangers at the KMIP server: one line an address and minute, with their number, however many addresses there are.
import { beforeEach, expect, test } from '@jest/globals';
import { Refusals } from '../../runtime/kms-refusals.ts';

let now: number;
let lines: { source_address: string; sha256: string | null; times: number }[];
let refusals: Refusals;
beforeEach(() => {
  now = 0;
  lines = [];
  const warn = (_message: unknown, more: unknown) => void lines.push(more as (typeof lines)[number]);
  refusals = new Refusals({ warn } as never, () => now);
});

test('the first is told at once, the others of the minute together when it is over', () => {
  for (let count = 0; count < 1_000; count++) refusals.add('192.0.2.1', 'AA');
  refusals.add('192.0.2.2', null);
  expect(lines).toEqual([
    { source_address: '192.0.2.1', sha256: 'AA', times: 1 },
    { source_address: '192.0.2.2', sha256: null, times: 1 },
  ]);
  now = 59_999;
  refusals.tell();
  expect(lines).toHaveLength(2);
  now = 60_000;
  refusals.tell();
  expect(lines.slice(2)).toEqual([{ source_address: '192.0.2.1', sha256: 'AA', times: 999 }]);
  // One that stayed away is new when it comes again.
  now = 120_000;
  refusals.tell();
  refusals.add('192.0.2.1', 'BB');
  expect(lines.slice(3)).toEqual([{ source_address: '192.0.2.1', sha256: 'BB', times: 1 }]);
});

test('beyond 256 addresses the others share a line', () => {
  for (let count = 0; count < 5_000; count++) refusals.add(`10.0.${count >> 8}.${count & 255}`, null);
  expect(lines).toHaveLength(257);
  expect(lines.at(-1)).toMatchObject({ source_address: 'others', times: 1 });
  now = 60_000;
  refusals.tell();
  expect(lines.at(-1)).toMatchObject({ source_address: 'others', times: 4_743 });
});
