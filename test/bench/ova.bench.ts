// Verifying an OVA of 1 GiB against the plain floor: reading the same file and hashing it, nothing else, in the same
// process. Rounds are interleaved; what counts is the median of the per-round ratios. Besides: what an index takes.
import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexOva } from '../../shared/ova/index-ova.ts';
import { verifyOva } from '../../shared/ova/verify-ova.ts';
import { makeOva } from '../setup/make-ova.ts';

const BYTES = 2 ** 30;
const ROUNDS = 7;
const BAR = 0.9;
/** What the process may grow by, however large the file. */
const GROWTH_MOST = 32 << 20;

const folder = mkdtempSync(join(tmpdir(), 'groundcrew-bench-'));
const path = join(folder, 'large.ova');

async function main(): Promise<void> {
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
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
