// What a small input may cost its reader, said without a clock: how its cost grows with its size. A machine that is slow or
// busy makes both sizes dear alike.

/** Processor milliseconds below which nothing is told apart: a collection, or code that is not compiled yet. */
const FLOOR = 5;
const ROUNDS = 4;
/** Milliseconds after which no further round is needed: what is dear is hidden by nothing. */
const ENOUGH = 1000;

/**
 * Between a cost that grows with the size and one that grows with its square, for a factor of 4: with the former the
 * growth is about 4, with the latter about 16. What is larger also fits worse into a processor's own memory, and into the
 * room that is left before the next collection: work with many megabytes needs the larger factor.
 */
export const NEARLY_LINEAR = 11;
/** The same for a factor of 16: about 16 against about 256. */
export const NEARLY_LINEAR_16 = 90;

/**
 * Processor time of this thread that `work` takes, in milliseconds: the least of several rounds, after one to warm up. What
 * it waits for is not counted, nor what other processes take from it meanwhile.
 */
async function cost(work: () => unknown): Promise<number> {
  await work();
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0, spent = 0; round < ROUNDS && spent < ENOUGH; round++) {
    const began = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(began);
    const took = (user + system) / 1000;
    least = Math.min(least, took);
    spent += took;
  }
  return Math.max(least, FLOOR);
}

/**
 * How many times as much `work` costs with an input of `factor` times the `small` size. Where the defect is there, the
 * small size has to cost well above five milliseconds, or nothing is seen of it.
 */
export async function growth(work: (size: number) => unknown, small: number, factor = 4): Promise<number> {
  const least = await cost(() => work(small));
  return (await cost(() => work(small * factor))) / least;
}
