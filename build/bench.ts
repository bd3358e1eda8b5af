// `npm run bench`: runs test/bench/*.bench.ts one after the other, in the order named on the command line (all of them,
// by name, when none is). Each is a program of its own that prints its figures; a machine's figures are its own.
import { basename } from 'node:path';
import { runNode, stopChild } from './child.ts';
import { describeNeed, install, missingOf } from './machine.ts';
import { filesBelow } from './source-tree.ts';
import { BENCH_NEEDS } from './suites.ts';

/** Milliseconds for one benchmark. */
const LIMIT = 10 * 60_000;

const known = new Map(
  filesBelow('test/bench')
    .filter((path) => path.endsWith('.bench.ts'))
    .map((path) => [basename(path, '.bench.ts'), path]),
);

async function main(named: readonly string[]): Promise<number> {
  const unknown = named.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    console.log(`unknown benchmark ${unknown.join(', ')}; known: ${[...known.keys()].join(', ') || 'none yet'}`);
    return 2;
  }
  if (known.size === 0) console.log('test/bench has no benchmarks yet');
  const missing = install(missingOf(BENCH_NEEDS));
  if (missing.length > 0)
    console.log(
      `benchmarks over HTTP, or with real services, can't run here, missing: ${missing.map(describeNeed).join(', ')}`,
    );
  let failed = 0;
  for (const name of named.length > 0 ? named : known.keys()) {
    console.log(`\n== ${name}`);
    const { code } = await runNode([known.get(name) ?? ''], LIMIT);
    if (code !== 0) failed += 1;
    if (stopped) break;
  }
  return failed > 0 ? 1 : 0;
}

let stopped = false;
process.on('SIGINT', () => {
  stopped = true;
  stopChild();
});
process.exitCode = await main(process.argv.slice(2));
