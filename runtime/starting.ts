// How V8 works until the service runs. Loading it makes much that lives on and some that does not: the young generation grows
// for it to a size that an idle service never needs, and V8 would keep the pages. So it may only grow once the service runs. What
// runs once is not worth machine code either: the compilers that optimize wait until then, and an idle service never has their pages.
import { setFlagsFromString } from 'node:v8';

/**
 * What lives on in the young generation, of a service, is little: one thread moves it sooner than it wakes others, which would take
 * turns with it where the machine has few cores.
 */
const COLLECTOR = '--no-parallel-scavenge';

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

/** Does the start; however that ends, V8 works as always afterwards. */
export async function whileStarting(start: () => Promise<void>): Promise<void> {
  const flags = byChoice() ? GROWTH : [...GROWTH, ...COMPILERS];
  setFlagsFromString(COLLECTOR);
  for (const [during] of flags) setFlagsFromString(during);
  try {
    await start();
  } finally {
    for (const [, after] of flags) setFlagsFromString(after);
  }
}
