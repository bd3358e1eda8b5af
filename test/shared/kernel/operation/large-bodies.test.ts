// Places for large bodies: how many are held, who gets the next one, and who is told to come again.
import { expect, test } from '@jest/globals';
import { LargeBodies } from '../../../../shared/kernel/operation/large-bodies.ts';

const HOUR = 3_600_000;
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('the next ones wait for a place, in their order; one that is given back twice counts once', async () => {
  const bodies = new LargeBodies({ places: 2, waiting: 8, patience: HOUR });
  const came: number[] = [];
  const [one, two] = [await bodies.take(), await bodies.take()];
  const others = [3, 4, 5].map(async (n) => {
    const give = await bodies.take();
    came.push(n);
    return give;
  });
  await turn();
  expect(came).toEqual([]);
  one();
  one();
  await others[0];
  await turn();
  expect(came).toEqual([3]);
  two();
  (await others[0]!)();
  await Promise.all(others);
  expect(came).toEqual([3, 4, 5]);
});

test('who finds as many waiting as may, or waits too long, is told when to come again', async () => {
  const refused = expect.objectContaining({ code: 'too_many_attempts', status: 429, members: { retry_after: 8 } });
  const bodies = new LargeBodies({ places: 1, waiting: 1, patience: HOUR });
  const give = await bodies.take();
  const waits = bodies.take();
  await expect(bodies.take()).rejects.toEqual(refused);
  give();
  (await waits)();
  const hasty = new LargeBodies({ places: 1, waiting: 1, patience: 1 });
  const held = await hasty.take();
  const beat = setInterval(() => undefined, 50);
  await expect(hasty.take()).rejects.toEqual(refused);
  clearInterval(beat);
  // Who left took no place with them.
  held();
  (await hasty.take())();
});
