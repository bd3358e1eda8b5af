// Waiting for something to come true, with an end: a loop that outlives its test disturbs those that come after it.
// Its own timer is a real one, also in a test that stops the clock of others.
import { setTimeout as pause } from 'node:timers/promises';

/** Shorter than a test may take, so that it says what did not come. */
const LIMIT_MS = 110_000;
const EVERY_MS = 5;

/** @throws Error when it does not hold within `limit` ms */
export async function until(holds: () => boolean | Promise<boolean>, limit = LIMIT_MS): Promise<void> {
  const end = performance.now() + limit;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`It did not come true within ${limit} ms: ${holds}`);
    await pause(EVERY_MS);
  }
}
