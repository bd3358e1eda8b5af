// How V8 works until the service runs, and what was loaded last has settled. Loading makes much that lives on and some that does
// not: the young generation grows for it to a size that an idle service never needs, and V8 would keep the pages. So it may only grow
// after that. What runs once is not worth machine code either, the loader of modules first of all: the compilers that optimize wait
// as long, and an idle service never has their pages.
import { setFlagsFromString } from 'node:v8';

/**
 * What lives on in the young generation, of a service, is little: one thread moves it sooner than it wakes others, which would take
 * turns with it where the machine has few cores.
 */
const COLLECTOR = '--no-parallel-scavenge';

/**
 * The old generation is collected when it has grown to three times of what lived the last time. By V8's own rule it may grow by some
 * megabytes only where little of what is asked lives on, and a collection takes longer than answering a hundred requests.
 */
const GROWING = '--heap-growing-percent=200';

/** Flag while the service starts → flag from then on. */
const GROWTH: Flags = [['--semi-space-growth-factor=1', '--semi-space-growth-factor=2']];
const COMPILERS: Flags = [
  ['--no-opt', '--opt'],
  ['--no-maglev', '--maglev'],
];
type Flags = readonly (readonly [during: string, after: string])[];

/** Whoever starts Node without the compilers means it: V8 crashes when they come back in a process without machine code. */
const CHOSEN = /^--(?:no[-_]?)?(?:opt|turbofan|maglev)$/;

/** Without machine code (`--jitless`) there is no WebAssembly either. */
const byChoice = (): boolean =>
  typeof WebAssembly === 'undefined' || process.execArgv.some((option) => CHOSEN.test(option));

/** Milliseconds after the start in which what works beside the first answers is loaded. */
const SETTLED = 2_000;

/**
 * Does the start. However that ends, V8 works as always `settled` milliseconds later; then the machine has back what only the start
 * needed, where V8 was started with `--expose-gc`, as the unit of the service does it.
 */
export async function whileStarting(start: () => Promise<void>, settled = SETTLED): Promise<void> {
  const flags = byChoice() ? GROWTH : [...GROWTH, ...COMPILERS];
  for (const flag of [COLLECTOR, GROWING]) setFlagsFromString(flag);
  for (const [during] of flags) setFlagsFromString(during);
  try {
    await start();
  } finally {
    const settle = () => {
      for (const [, after] of flags) setFlagsFromString(after);
      globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' });
    };
    setTimeout(settle, settled).unref();
  }
}
