// A full disk is told once a minute, and once that it is over.
import { expect, test } from '@jest/globals';
import { Trouble } from '../../../../shared/services/kms/serving/trouble.ts';

const full = new Error('database or disk is full');

test('each look meets it, the log has it once a minute with how often', () => {
  let now = 0;
  const lines: unknown[] = [];
  const log = (message: string, more: unknown) => void lines.push([message, more]);
  const trouble = new Trouble({ error: log, info: log } as never, 'not written', () => now);
  trouble.over();
  for (; now < 90_000; now += 500) trouble.met(full);
  const failure = { message: full.message };
  expect(lines).toEqual([
    ['not written', { failure, times: 1 }],
    ['not written', { failure, times: 120 }],
  ]);
  trouble.over();
  trouble.over();
  expect(lines.slice(2)).toEqual([['not written: over', { times: 59 }]]);
  trouble.met(full);
  expect(lines).toHaveLength(4);
});
