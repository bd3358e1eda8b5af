// V8 optimizes again once the service has started or could not, in processes of their own.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { transformSync } from 'esbuild';

// As JavaScript: Node reads TypeScript by WebAssembly, which a process without machine code lacks.
const SOURCE = readFileSync(join(import.meta.dirname, '../../runtime/starting.ts'), 'utf8');
const MODULE = `data:text/javascript,${encodeURIComponent(transformSync(SOURCE, { loader: 'ts' }).code)}`;

function run(script: string, ...options: string[]) {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const text = `import { whileStarting } from ${JSON.stringify(MODULE)};\n${script}`;
  const args = [...options, '--input-type=module', '--eval', text];
  return spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: 120_000 });
}

/** Calls a function until there is machine code of a compiler that optimizes, or there was much time for it. */
const WARM = `
  const work = (n) => { let sum = 0; for (let i = 0; i < n; i++) sum += i % 7; return sum; };
  const optimized = async (calls) => {
    for (let i = 0; i < calls; i++) {
      for (let turn = 0; turn < 100; turn++) work(1000);
      // Bits of V8's OptimizationStatus: by Maglev, by Turbofan.
      if ((%GetOptimizationStatus(work) & 0b110000) !== 0) return true;
      await new Promise((done) => setTimeout(done, 1));
    }
    return false;
  };`;

test.each([
  ['started', '{}'],
  ['not started', "{ throw new Error('no'); }"],
])('%s: what is called often is optimized, and was not before', (_, end) => {
  const { stdout, stderr } = run(
    `${WARM}
    let during;
    await whileStarting(async () => { during = await optimized(100); ${end} }).catch(() => {});
    console.log(during, await optimized(20_000));`,
    '--allow-natives-syntax',
  );
  expect([stdout, stderr]).toEqual(['false true\n', '']);
});

test.each(['--jitless', '--no-opt'])('a process that was started with %s stays as it is', (option) => {
  const { status, signal, stdout } = run(
    `await whileStarting(async () => {}, 0);
    await new Promise((done) => setTimeout(done, 100));
    const work = (n) => { let sum = 0; for (let i = 0; i < n; i++) sum += i % 7; return sum; };
    for (let i = 0; i < 20_000; i++) work(1000);
    console.log('works');`,
    option,
  );
  expect([status, signal, stdout]).toEqual([0, null, 'works\n']);
});
