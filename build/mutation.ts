// `npm run mutation [<core> …]`: changes the pure cores a little, one change at a time, and counts how many of the
// changes their tests notice. Prints a score for each core and the unnoticed changes; fails where a core is below its
// required score.
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { Said } from './mutation/child.ts';
import { CORES, type Core } from './mutation/cores.ts';
import type { Mutant } from './mutation/mutants.ts';

/**
 * A mutant hangs, which is noticed, when its tests take so many times as long as all tests without it; or milliseconds,
 * at least.
 */
const HANGS = { times: 20, least: 20_000 };
/** The same for each test without it, and for loading them. */
const LOADS = 300_000;

interface Outcome {
  mutants: Mutant[];
  noticed: Set<number>;
  unreached: Set<number>;
  /** Tests that fail without any mutant. */
  broken: string[];
  /** Milliseconds without a word after which a mutant is taken to hang. */
  patience: number;
}

async function test(core: Core): Promise<Outcome> {
  const outcome: Outcome = { mutants: [], noticed: new Set(), unreached: new Set(), broken: [], patience: LOADS };
  let left: number[] = [];
  do {
    const hung = await runOnce(core, left, outcome);
    const done = hung ?? Number.POSITIVE_INFINITY;
    left = outcome.mutants.map(({ id }) => id).filter((id) => id > done);
    if (hung !== null) outcome.noticed.add(hung);
  } while (left.length > 0 && outcome.broken.length === 0);
  return outcome;
}

/** Answers the mutant that hung or ended the process; null when all have been met. */
function runOnce(core: Core, left: readonly number[], outcome: Outcome): Promise<number | null> {
  return new Promise((resolve) => {
    const child: ChildProcess = fork(
      new URL('./mutation/child.ts', import.meta.url),
      [core.name, ...left.map(String)],
      {
        execArgv: ['--disable-warning=ExperimentalWarning', '--disable-warning=PromiseRejectionHandledWarning'],
      },
    );
    let at: number | null = null;
    let done = false;
    const end = () => child.kill('SIGKILL');
    let watch = setTimeout(end, LOADS);
    child.on('message', (said: Said) => {
      clearTimeout(watch);
      if ('mutants' in said) {
        outcome.mutants = said.mutants;
        outcome.patience = Math.max(HANGS.least, HANGS.times * said.milliseconds);
      }
      watch = setTimeout(end, outcome.patience);
      if ('mutants' in said || 'alive' in said) return;
      if ('broken' in said) outcome.broken = said.broken;
      else if ('begun' in said) at = said.begun;
      else if ('done' in said) done = true;
      else if (said.noticed) outcome.noticed.add(said.ended);
      else if (!said.reached) outcome.unreached.add(said.ended);
    });
    child.on('exit', (code) => {
      clearTimeout(watch);
      if (!done && at === null && outcome.broken.length === 0) outcome.broken = [`ended with code ${code}`];
      resolve(done ? null : at);
    });
  });
}

function report({ name, least }: Core, { mutants, noticed, unreached, broken }: Outcome): boolean {
  for (const text of broken) console.log(`${name}: fails without any change: ${text}`);
  if (broken.length > 0) return false;
  for (const { id, path, line, from, to } of mutants) {
    if (noticed.has(id)) continue;
    console.log(`${path}:${line} ${unreached.has(id) ? 'no test comes to it' : 'not noticed'}: ${from} → ${to}`);
  }
  const score = (100 * noticed.size) / mutants.length;
  const held = score >= least;
  console.log(
    `${name}: ${score.toFixed(1)} % (${noticed.size} of ${mutants.length}) noticed, at least ${least} %${held ? '' : ': too few'}`,
  );
  return held;
}

const picked = process.argv.slice(2);
const cores = CORES.filter(({ name }) => picked.length === 0 || picked.includes(name));
const waiting = [...cores];
const results = new Map<Core, Outcome>();
await Promise.all(
  Array.from({ length: Math.min(availableParallelism(), 2) }, async () => {
    for (let core = waiting.shift(); core; core = waiting.shift()) results.set(core, await test(core));
  }),
);
const held = cores.map((core) => report(core, results.get(core)!));
if (held.includes(false) || cores.length === 0) process.exitCode = 1;
