// `npm test`: builds, compares what is generated, checks types and house rules, runs the suites, and ends with one line
// `N passed, N failed`. `npm test -- types unit` picks steps by name. With CI=true nothing is skipped: what the machine
// can't run counts as failed.
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNode, stopChild } from './child.ts';
import {
  type Counts,
  countsLine,
  countsOfJest,
  FAILED,
  type FileTime,
  failuresOfJest,
  type JestReport,
  longest,
  NOTHING,
  PASSED,
  sum,
  timesOfJest,
} from './counts.ts';
import { describeNeed, install, missingOf } from './machine.ts';
import { filesBelow, ROOT } from './source-tree.ts';
import { named, SUITES, type Suite, suiteOf } from './suites.ts';

/**
 * Minutes that the whole run may take on two idle cores. More is reported, not a failure: a busy machine takes longer.
 */
const BUDGET = 40;
/** Milliseconds after which the run is taken to hang: whatever runs then is ended, and failed. `npm run long` gives it more. */
const HANGS = Number(process.env.RUN_MINUTES ?? 86) * 60_000;
const CI = /^(?:1|true)$/.test(process.env.CI ?? '');

interface Step {
  name: string;
  says: string;
  /** Starts together with the step before it: each of the two keeps one processor busy. */
  besideFormer?: true;
  /** Only where it is named, as `npm run long` does. */
  long?: true;
  /** Programs write to `output`, a file's descriptor. */
  run(output?: number): Promise<Counts>;
}

const BIN = 'node_modules/.bin';
/** By its path: `.bin/tsc` is of whichever of the two versions npm linked last. */
const TSC = 'node_modules/typescript/bin/tsc';
/**
 * Variables of every program of a run. What Node compiled, and TypeScript that it stripped, is kept for the next start of
 * the same program: tests start hundreds, and a watchdog from its sources takes a third of the processor time so.
 */
const ENVIRONMENT = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(ROOT, 'node_modules/.cache/node') };
/**
 * Arguments of the Node that a suite runs on, and its workers. Each test file has its modules for itself, so that much
 * memory is short-lived: with more room for it a tenth of the processor time is saved.
 */
const NODE_OPTIONS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--max-semi-space-size=64'];
/** On a developer's machine only what changed since the last time is checked again. */
const REMEMBERING = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'];
const OPENAPI_CHECK = 'build/openapi.ts';

/** Steps that aren't suites: name → what it does, the programs to run (arguments of node), each must exit with 0. */
const TOOL_STEPS: readonly (Omit<Step, 'run'> & { programs: readonly string[][] })[] = [
  { name: 'bundle', says: 'dist/', programs: [['build/bundle.ts']] },
  {
    name: 'generated',
    says: 'import lists and the picture of the floors match their sources',
    programs: [
      ['build/registry.ts', '--check'],
      ['build/floors-picture.ts', '--check'],
    ],
  },
  {
    name: 'types',
    says: 'tsc',
    programs: [[TSC, '--noEmit', '--pretty', 'false', '-p', '.', ...(CI ? [] : REMEMBERING)]],
  },
  {
    name: 'lint',
    says: 'biome and the house rules',
    besideFormer: true,
    programs: [
      [`${BIN}/biome`, 'ci', '--max-diagnostics=50', ...(process.stdout.isTTY ? [] : ['--colors=off']), '.'],
      ['build/lint.ts'],
    ],
  },
  ...(existsSync(join(ROOT, OPENAPI_CHECK))
    ? [{ name: 'openapi', says: 'the checked-in document', programs: [[OPENAPI_CHECK, '--check']] }]
    : []),
  {
    name: 'mutation',
    says: 'that tests notice changes of the pure cores',
    long: true,
    programs: [['build/mutation.ts']],
  },
];

const started = performance.now();
const tmp = tmpdir();
const scratch = mkdtempSync(join(tmp, 'groundcrew-test-'));

/** Where Linux keeps files in memory, and how much of it has to be free: a container may have next to nothing there. */
const MEMORY = '/dev/shm';
const MEMORY_FREE = 2 << 30;
/** Suites whose data is on a disk, like the service's: real daemons, whole machines. */
const ON_DISK: ReadonlySet<string> = new Set(['system', 'machines']);

let interrupted = false;

/** What failed so far, in lines that the run's end repeats. */
const failures: string[] = [];

/** How many of the longest test files the end of a run names. */
const LONGEST = 40;
/** How long each test file took so far. */
const times: FileTime[] = [];

/** Folder for the temporary files of the other suites: their many small databases commit without waiting for a disk. */
const memory = ((): string => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < MEMORY_FREE) return tmp;
    const folder = mkdtempSync(join(MEMORY, 'groundcrew-test-'));
    chmodSync(folder, 0o1777); // as /tmp: tests with other users mean their own folders to keep those out
    return folder;
  } catch {
    return tmp; // no such folder, or not ours to write to
  }
})();

const limit = (): number => Math.max(1, HANGS - (performance.now() - started));

async function runTool(programs: readonly string[][], output?: number): Promise<Counts> {
  let ok = true;
  for (const args of programs) {
    if (interrupted) break;
    const { code, timedOut } = await runNode(args, limit(), ENVIRONMENT, output);
    if (timedOut) console.log(`it hangs: ${args.join(' ')}`);
    if (code !== 0) failures.push(`node ${args.join(' ')}: exit code ${code}`);
    ok &&= code === 0; // the next one runs anyway: one run tells everything
  }
  return ok ? PASSED : FAILED;
}

/** Runs suites in one go: what they need is there for each, or the run counts all their files. */
async function runSuites(suites: readonly [Suite, ...Suite[]], files: readonly string[]): Promise<Counts> {
  if (files.length === 0) {
    console.log('no test files');
    return NOTHING;
  }
  const [suite] = suites;
  const missing = install(missingOf([...new Set(suites.flatMap(({ needs }) => needs))]));
  if (missing.length > 0) {
    console.log(`${files.length} test files can't run here, missing: ${missing.map(describeNeed).join(', ')}`);
    return { ...NOTHING, [CI ? 'failed' : 'skipped']: files.length };
  }
  const report = join(scratch, `${suite.name}.json`);
  process.env.TMPDIR = ON_DISK.has(suite.name) ? tmp : memory;
  const { timedOut } = await runNode(
    [
      ...NODE_OPTIONS,
      'node_modules/jest/bin/jest.js',
      ...['-c', 'build/jest.config.mjs', '--maxWorkers=2', '--json', `--outputFile=${report}`],
      ...(CI ? ['--ci'] : []),
      ...['--runTestsByPath', ...files],
    ],
    limit(),
    { ...ENVIRONMENT, ...suite.again?.environment },
  );
  if (timedOut) console.log(`it hangs: the whole run was ended after ${HANGS / 60_000} minutes`);
  if (timedOut || !existsSync(report)) {
    failures.push(`${suite.name}: ${timedOut ? 'hung' : 'left no report'}`);
    return FAILED;
  }
  const results = JSON.parse(readFileSync(report, 'utf8')) as JestReport;
  failures.push(...failuresOfJest(results, ROOT));
  times.push(...timesOfJest(results, ROOT));
  return countsOfJest(results);
}

/** All steps in order. A picked suite that drives dist/ brings the bundle step with it. */
function stepsFor(picked: readonly string[]): Step[] {
  const tests = filesBelow('test').filter((path) => /\.test\.tsx?$/.test(path));
  const suites = SUITES.filter(({ name }) => picked.length === 0 || picked.includes(name));
  const wanted = new Set(suites.some(({ bundled }) => bundled) ? ['bundle', ...picked] : picked);
  return [
    ...TOOL_STEPS.filter(({ name, long }) => (picked.length === 0 ? !long : wanted.has(name))).map(
      ({ programs, ...step }) => ({
        ...step,
        run: (output?: number) => runTool(programs, output),
      }),
    ),
    ...together(suites).map((group) => {
      const files = group.flatMap((suite) =>
        tests.filter((path) => (suite.again ? named(suite.again.files, path) : suiteOf(path) === suite)),
      );
      return {
        name: group.map(({ name }) => name).join('+'),
        says: `${group.map(({ proves }) => proves).join('; ')} (${files.length} files)`,
        run: () => runSuites(group, files),
      };
    }),
  ];
}

/** The suites in the groups that run in one go. */
function together(suites: readonly Suite[]): [Suite, ...Suite[]][] {
  const groups: [Suite, ...Suite[]][] = [];
  for (const suite of suites) {
    const former = groups.at(-1);
    if (suite.besideFormer && former) former.push(suite);
    else groups.push([suite]);
  }
  return groups;
}

/**
 * Begins to count; answers how busy the machine's processors were since, by whomever, in percent. A step that took long
 * with idle processors waited; one beside other work says so.
 */
function processorsBusy(): () => string {
  const look = (): { idle: number; all: number } => {
    const times = cpus().map((cpu) => cpu.times);
    const idle = times.reduce((before, time) => before + time.idle, 0);
    return { idle, all: times.reduce((before, { user, nice, sys, irq }) => before + user + nice + sys + irq, idle) };
  };
  const first = look();
  return () => {
    const last = look();
    const all = last.all - first.all;
    return all > 0 ? `${Math.round(100 * (1 - (last.idle - first.idle) / all))} %` : '';
  };
}

interface Row {
  name: string;
  counts: Counts;
  seconds: number;
  busy: string;
}

async function runStep({ name, says, run }: Step, output?: number): Promise<Row> {
  if (output === undefined) console.log(`\n== ${name}: ${says}`);
  const since = performance.now();
  const busy = processorsBusy();
  const counts = await run(output);
  return { name, counts, seconds: (performance.now() - since) / 1000, busy: busy() };
}

/** The output of the second is kept, and follows that of the first. */
async function runBoth(first: Step, second: Step): Promise<Row[]> {
  const path = join(scratch, `${second.name}.log`);
  const output = openSync(path, 'w');
  try {
    const rows = await Promise.all([runStep(first), runStep(second, output)]);
    console.log(`\n== ${second.name}: ${second.says}\n${readFileSync(path, 'utf8').trimEnd()}`);
    return rows;
  } finally {
    closeSync(output);
  }
}

async function main(picked: readonly string[]): Promise<void> {
  const known = [...TOOL_STEPS, ...SUITES].map(({ name }) => name);
  const unknown = picked.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    console.log(`unknown step ${unknown.join(', ')}; known: ${known.join(', ')}`);
    console.log(countsLine(FAILED));
    process.exitCode = 2;
    return;
  }
  const whole = processorsBusy();
  const rows: Row[] = [];
  const steps = stepsFor(picked);
  for (const [at, step] of steps.entries()) {
    if (interrupted) break;
    if (step.besideFormer && at > 0) continue;
    const beside = steps[at + 1]?.besideFormer ? steps[at + 1] : undefined;
    rows.push(...(await (beside ? runBoth(step, beside) : Promise.all([runStep(step)]))));
  }
  if (times.length > 1) console.log(`\n== longest\n${longest(times, LONGEST).join('\n')}`);
  if (failures.length > 0) console.log(`\n== failed\n${failures.join('\n')}`);
  console.log('');
  for (const { name, counts, seconds, busy } of rows) {
    console.log(`${name.padEnd(15)} ${seconds.toFixed(1).padStart(6)} s ${busy.padStart(5)}  ${countsLine(counts)}`);
  }
  if (interrupted) console.log('interrupted');
  const total = sum([...rows.map(({ counts }) => counts), interrupted ? FAILED : NOTHING]);
  const seconds = (performance.now() - started) / 1000;
  const over = seconds > BUDGET * 60 ? `, more than the ${BUDGET} minutes of two idle cores` : '';
  console.log(
    `${'in all'.padEnd(15)} ${seconds.toFixed(1).padStart(6)} s ${whole().padStart(5)}  Node ${process.versions.node}${over}`,
  );
  console.log(countsLine(total));
  process.exitCode = interrupted ? 130 : total.failed > 0 ? 1 : 0;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interrupted = true;
    stopChild();
  });
}
try {
  await main(process.argv.slice(2));
} finally {
  rmSync(scratch, { recursive: true, force: true });
  if (memory !== tmp) rmSync(memory, { recursive: true, force: true });
}
