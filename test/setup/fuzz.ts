// What every fuzz property asks: a generated input is accepted or refused with a Problem, and takes no more than 50 ms.
import fc from 'fast-check';
import { Problem } from '../../shared/ground/problems.ts';

export const RUNS = 10_000;
/** Milliseconds of the processor for one input, whatever else it does meanwhile: ordinary ones take less than one. */
export const LIMIT = 50;

/** A slow machine is slow once; a slow input is slow each time. */
async function slowest(work: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5; attempt++) {
    const started = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(started);
    best = Math.min(best, (user + system) / 1000);
    if (best <= LIMIT) break;
  }
  return best;
}

/** Runs `validate` on RUNS inputs. Anything thrown but a Problem, and any slow input, fails with that input shown. */
export async function acceptsOrRefuses<T>(
  arbitrary: fc.Arbitrary<T>,
  validate: (input: T) => unknown,
  runs = RUNS,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(arbitrary, async (input) => {
      const took = await slowest(async () => {
        try {
          await validate(input);
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
        }
      });
      if (took > LIMIT) throw new Error(`took ${took.toFixed(0)} ms`);
    }),
    { numRuns: runs },
  );
}

/** Text that looks like what a field expects, broken here and there: plain random text seldom gets past the first check. */
export function nearly(...examples: string[]): fc.Arbitrary<string> {
  const piece = fc.oneof(
    fc.constantFrom(...examples),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      '',
      ' ',
      '.',
      ':',
      '/',
      '-',
      '_',
      '*',
      '"',
      '\\',
      '\n',
      '\0',
      ',',
      '#',
      '%',
      '\u200b',
      'ä',
      'x'.repeat(300),
    ),
  );
  return fc.oneof(
    fc.constantFrom(...examples),
    fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    fc
      .tuple(fc.constantFrom(...examples), fc.nat(40), fc.string({ unit: 'binary', maxLength: 3 }))
      .map(([text, at, put]) => text.slice(0, at) + put + text.slice(at + put.length)),
    fc.string({ unit: 'grapheme', maxLength: 64 }),
  );
}
