// Addresses of those who showed who they are are remembered for a while, and never more than a few.
import { expect, test } from '@jest/globals';
import { KnownAddresses } from '../../../shared/access/known-addresses.ts';

test('an address is known for as long as a session may live, from the last time on', () => {
  let now = 0;
  const known = new KnownAddresses(() => now);
  known.note('192.0.2.1');
  now = 8 * 3600_000;
  known.note('192.0.2.1');
  now = 19 * 3600_000;
  expect([known.has('192.0.2.1'), known.has('192.0.2.2')]).toEqual([true, false]);
  now = 20 * 3600_000;
  expect(known.has('192.0.2.1')).toBe(false);
});

test('of too many, those that were quiet for longest are forgotten', () => {
  const known = new KnownAddresses();
  known.note('192.0.2.1');
  for (let at = 0; at < 600; at++) {
    known.note(`198.51.100.${at}`);
    known.note('192.0.2.1');
  }
  expect([known.has('192.0.2.1'), known.has('198.51.100.0'), known.has('198.51.100.599')]).toEqual([true, false, true]);
});
