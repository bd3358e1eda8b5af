// Waiting for something to come true, with an end: a loop that outlives its test disturbs those that come after it.

/** Shorter than a test may take, so that it says what did not come. */
const LIMIT_MS = 60_000;
const EVERY_MS = 5;

/** @throws Error when it does not hold within `limit` ms */
export async function until(holds: () => boolean | Promise<boolean>, limit = LIMIT_MS): Promise<void> {
  const end = performance.now() + limit;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`It did not come true within ${limit} ms: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
