// Verifying an OVA of 1 GiB against the plain floor: reading the same file and hashing it, nothing else, in the same
// process. Rounds are interleaved; what counts is the median of the per-round ratios. Besides: what an index takes. Then
// every hostile OVA of the tests, and every one that asks for much: how long the slowest takes, and how far the memory goes
// of one process that checks them all, with the heap that Node gives it. OVA_GIB: size of the first, 1 by default.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { indexOva } from '../../shared/ground/ova/index-ova.ts';
import { verifyOva } from '../../shared/ground/ova/verify-ova.ts';
import { makeOva } from '../setup/make-ova.ts';
import { bundleProgram } from '../setup/program.ts';
import { HOSTILE_ARCHIVES } from '../shared/ground/ova/hostile-archives.ts';
import { HOSTILE_DESCRIPTORS } from '../shared/ground/ova/hostile-descriptors.ts';
import { HOSTILE_MANIFESTS } from '../shared/ground/ova/hostile-manifests.ts';
import { HOSTILE_SIGNATURES } from '../shared/ground/ova/hostile-signatures.ts';
import { LARGE } from '../shared/ground/ova/large.ts';

const BYTES = Math.round(Number(process.env.OVA_GIB ?? 1) * 2 ** 30);
const ROUNDS = 7;
const BAR = 0.9;
/** What the process may grow by, however large the file. */
const GROWTH_MOST = 32 << 20;
/** For each that is hostile or asks for much, milliseconds; and for a process that checks them all, bytes. */
const MOST = { ms: 2_000, peak: 200e6 };

const folder = mkdtempSync(join(tmpdir(), 'groundcrew-bench-'));
const path = join(folder, 'large.ova');
let program = '';

async function besideFloor(): Promise<void> {
  await makeOva({ path, disks: [{ size: BYTES }] });
  plain();
  await verifyOva(path);
  const before = process.memoryUsage.rss();
  const rounds: { plain: number; verify: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const measured = { plain: 0, verify: 0 };
    for (const what of round % 2 === 0 ? (['plain', 'verify'] as const) : (['verify', 'plain'] as const)) {
      const start = performance.now();
      if (what === 'plain') plain();
      else await verifyOva(path);
      measured[what] = BYTES / 1e6 / ((performance.now() - start) / 1000);
    }
    rounds.push(measured);
  }
  const growth = process.memoryUsage.rss() - before;
  const start = performance.now();
  await indexOva(path);
  const index = performance.now() - start;
  const ratio = median(rounds.map((round) => round.verify / round.plain));
  const speeds = (of: 'plain' | 'verify'): string => median(rounds.map((round) => round[of])).toFixed(0);
  console.log(`plain read and SHA-256 ${speeds('plain')} MB/s, verifyOva ${speeds('verify')} MB/s`);
  console.log(
    `ratio ${ratio.toFixed(2)} (bar ${BAR}), memory +${(growth / 2 ** 20).toFixed(0)} MiB, index ${index.toFixed(1)} ms`,
  );
  if (ratio < BAR || growth > GROWTH_MOST) process.exitCode = 1;
}

interface Checked {
  checks: { outcome: string; ms: number }[];
  peak: number;
}

/** All kinds one after the other in one process; what each asked for is not given back in between. */
async function hostile(): Promise<void> {
  const small = [...HOSTILE_ARCHIVES, ...HOSTILE_MANIFESTS, ...HOSTILE_SIGNATURES, ...HOSTILE_DESCRIPTORS].map(
    ([kind, outcome, bytes]) => ({
      ...{ kind, outcome: outcome as string },
      write: (to: string): unknown => writeFileSync(to, bytes()),
    }),
  );
  const large = Object.entries(LARGE).map(([kind, [outcome, write]]) => ({ kind, outcome, write }));
  const all = [...small, ...large].map((one, index) => ({ ...one, at: join(folder, `${index}.ova`) }));
  for (const { at, write } of all) await write(at);
  program = await bundleProgram('test/shared/ground/ova/memory-program.ts');
  const { peak: start } = checked([]);
  const { checks, peak } = checked(all.map(({ at }) => at));
  const told = all.map((one, index) => ({ ...one, got: checks[index]?.outcome, ms: checks[index]?.ms ?? 0 }));
  const slow = told.toSorted((one, other) => other.ms - one.ms);
  const most = slow.slice(0, 3).map(({ kind, ms }) => `${kind} ${ms.toFixed(0)} ms`);
  console.log(
    `${small.length} hostile and ${large.length} large: the slowest are ${most.join(', ')} (bar ${MOST.ms} ms each)`,
  );
  console.log(`memory at most ${mb(peak)} (bar ${mb(MOST.peak)}), of it ${mb(start)} before the first`);
  const wrong = told.filter(({ outcome, got }) => got !== outcome);
  for (const { kind, got } of wrong) console.log(`${kind}: ended with ${got}`);
  if (wrong.length > 0 || (slow[0]?.ms ?? 0) > MOST.ms || peak > MOST.peak) process.exitCode = 1;
}

const checked = (paths: string[]): Checked =>
  JSON.parse(execFileSync(process.execPath, [program, ...paths], { encoding: 'utf8' })) as Checked;

const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

/** One buffer, no events, nothing between two reads: as fast as one thread gets. */
function plain(): void {
  const file = openSync(path, 'r');
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafeSlow(1 << 20);
  for (let bytes = readSync(file, buffer); bytes > 0; bytes = readSync(file, buffer))
    hash.update(buffer.subarray(0, bytes));
  hash.digest();
  closeSync(file);
}

const median = (of: number[]): number => [...of].sort((a, b) => a - b)[Math.floor(of.length / 2)] ?? 0;

try {
  await besideFloor();
  await hostile();
} finally {
  rmSync(folder, { recursive: true, force: true });
  if (program !== '') rmSync(dirname(program), { recursive: true, force: true });
}
