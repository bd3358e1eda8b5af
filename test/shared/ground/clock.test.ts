// Ids of many rows at once: as those of one, and in order.
import { expect, test } from '@jest/globals';
import { ascendingIds, newId, systemEntropy } from '../../../shared/ground/clock.ts';

test('ids of one load ascend over all that are taken, look like any other, and none is there twice', () => {
  const ids = ascendingIds('rec', 5_000, systemEntropy);
  const taken = [...ids(1), ...ids(999), ...ids(4_000)];
  expect(taken).toEqual([...taken].sort());
  expect(new Set(taken).size).toBe(5_000);
  const shape = /^rec_[a-km-np-z2-9]{16}$/;
  expect(taken.filter((id) => !shape.test(id))).toEqual([]);
  expect(newId('rec', systemEntropy)).toMatch(shape);
});

test.each([0, 255])('of chance that is all %i they ascend, too', (byte) => {
  const ids = ascendingIds('rec', 40, { ...systemEntropy, bytes: (count) => Buffer.alloc(count, byte) })(40);
  expect(ids).toEqual([...new Set(ids)].sort());
  expect(ids.map((id) => id.length)).toEqual(Array(40).fill(20));
});
