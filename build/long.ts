// `npm run long`: the suites that `npm test` samples, in full, and the mutation run, which it leaves out. The counts are read where each test is.
import { runNode, stopChild } from './child.ts';

/** Of a machine that is slow and busy. */
const MINUTES = 240;

const FULL: Readonly<Record<string, string>> = {
  RUN_MINUTES: String(MINUTES),
  KILL_ROUNDS: '4',
  MUTATION_KILLS: '1000',
  BOOT_KILLS: '100',
  DEPLOY_KILLS: 'all',
  NTH_STRIDE: '1',
  ARCHIVE_KILLS: 'all',
  HOSTILE_EVERY: '2',
  RESTARTS: 'all',
  KMS_KILLS: '500',
  LOOKS: 'all',
  GROUNDCREW_FUZZ_EDITS: '20000',
  GROUNDCREW_FUZZ_CERTIFICATES: '10000',
  GROUNDCREW_FUZZ_ARCHIVES: '20000',
};

/** The mutation run, and the suites that read one of them. */
const SAMPLED = ['mutation', 'faults', 'machines', 'browser', 'fuzz'];

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stopChild);
const { code } = await runNode(['build/test.ts', ...SAMPLED], (MINUTES + 1) * 60_000, FULL);
process.exitCode = code ?? 1;
