// Sending an OVA: what a deployment does against the plain floor of reading, hashing and sending over TLS, interleaved rounds
// in one run; memory at two sizes; how long a GET of the job takes meanwhile. OVA_STREAM_GIB: size, 4 by default.
//
// The bar is on the sending. Its floor hashes as well, which the sending does not: the manifest was held against every byte
// before the first one left. What both passes take is printed beside it, and costs more than the floor's single one.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeOva } from '../setup/make-ova.ts';
import { bundleProgram } from '../setup/program.ts';

const GIB = 2 ** 30;
const LARGE = Number(process.env.OVA_STREAM_GIB ?? 4);
const SMALL = Math.max(LARGE / 4, 0.25);
const ROUNDS = Number(process.env.OVA_STREAM_ROUNDS ?? 3);
const BARS = { ratio: 0.9, peak: 200e6, p99: 20, growth: 32 * 2 ** 20 };
/** Between two GETs, milliseconds. */
const EVERY_MS = 20;

const folder = mkdtempSync(join(tmpdir(), 'groundcrew-bench-'));
const children: ChildProcess[] = [];
let program = '';

interface Figures {
  verify: number;
  upload: number;
  peak: number;
}

async function main(): Promise<void> {
  program = await bundleProgram('test/bench/ova-stream-program.ts');
  const sink = await started<{ port: number; sha256: string }>(join(import.meta.dirname, 'ova-stream-sink.ts'), []);
  const to = [String(sink.first.port), sink.first.sha256];
  const [small, large] = [await made(SMALL), await made(LARGE)];
  const rounds: { floor: Figures; job: Figures }[] = [];
  const waits: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const one: Partial<(typeof rounds)[number]> = {};
    for (const mode of round % 2 === 0 ? (['floor', 'job'] as const) : (['job', 'floor'] as const)) {
      // What is asked beside it would slow the floor down as well: both are timed without, and once more with.
      one[mode] = (await run(mode, large, to, null)).figures;
    }
    rounds.push(one as (typeof rounds)[number]);
  }
  const beside = await run('job', large, to, waits);
  const quiet: number[] = [];
  await run('rest', small, to, quiet);
  const few = (await run('job', small, to, null)).figures;
  const rate = (figures: Figures[], took: (one: Figures) => number) =>
    `${median(figures.map((one) => LARGE / took(one))).toFixed(2)} GiB/s`;
  const sending = ({ upload }: Figures) => upload;
  const both = ({ verify, upload }: Figures) => verify + upload;
  const ratio = median(rounds.map(({ floor, job }) => floor.upload / job.upload));
  const whole = median(rounds.map(({ floor, job }) => floor.upload / both(job)));
  const floors = rounds.map(({ floor }) => floor);
  const jobs = rounds.map(({ job }) => job);
  console.log(
    `${LARGE} GiB: floor (read, hash and send in one pass, by hand) ${rate(floors, sending)}, job ${rate(jobs, sending)}, ratio ${ratio.toFixed(2)}`,
  );
  console.log(
    `job with its check of the manifest beforehand (a second pass): ${rate(jobs, both)}, ratio ${whole.toFixed(2)}`,
  );
  const peak = Math.max(...jobs.map((one) => one.peak), beside.figures.peak);
  console.log(
    `memory at most: ${mb(few.peak)} with ${SMALL} GiB, ${mb(peak)} with ${LARGE} GiB (${mb(beside.resident)} at rest)`,
  );
  console.log(
    `${quiet.length} GETs at rest: p50 ${at(quiet, 0.5).toFixed(1)} ms, p99 ${at(quiet, 0.99).toFixed(1)} ms`,
  );
  const [p50, p99] = [at(waits, 0.5), at(waits, 0.99)];
  console.log(
    `${waits.length} GETs meanwhile: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, most ${Math.max(...waits).toFixed(1)} ms`,
  );
  const faults = [
    ...(ratio < BARS.ratio ? [`ratio below ${BARS.ratio}`] : []),
    ...(peak > BARS.peak ? [`memory above ${mb(BARS.peak)}`] : []),
    ...(peak - few.peak > BARS.growth ? ['memory grows with the size'] : []),
    ...(p99 > BARS.p99 ? [`p99 above ${BARS.p99} ms`] : []),
  ];
  console.log(faults.length === 0 ? 'holds' : `DOES NOT HOLD: ${faults.join(', ')}`);
  if (faults.length > 0) process.exitCode = 1;
}

const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
const median = (all: number[]): number => at(all, 0.5);
const at = (all: number[], share: number): number =>
  all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0;

/** Two disks, the second the larger one. */
async function made(gib: number): Promise<string> {
  const path = join(folder, `${gib}.ova`);
  const bytes = Math.round(gib * GIB);
  await makeOva({ path, disks: [{ size: Math.floor(bytes / 4) }, { size: bytes - Math.floor(bytes / 4) }] });
  return path;
}

let runs = 0;
async function run(mode: 'floor' | 'job' | 'rest', ova: string, to: string[], waits: number[] | null) {
  const data = join(folder, `data-${runs++}`);
  mkdirSync(data);
  const { child, first, next } = await started<{ origin: string; token: string; id: string; resident: number }>(
    program,
    [mode, data, ova, ...to],
  );
  let over = false;
  const asking = waits && ask(first, waits, () => over);
  const figures = await next<Figures>();
  over = true;
  await asking;
  await new Promise((resolve) => (child.exitCode === null ? child.once('exit', resolve) : resolve(null)));
  return { figures, resident: first.resident };
}

async function ask(
  { origin, token, id }: { origin: string; token: string; id: string },
  waits: number[],
  over: () => boolean,
): Promise<void> {
  while (!over()) {
    const began = performance.now();
    await get(`${origin}/api/v1/jobs/${id}`, token).catch(() => undefined);
    if (!over()) waits.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}

const get = (url: string, token: string): Promise<void> =>
  new Promise((resolve, reject) => {
    request(url, { headers: { authorization: `Bearer ${token}` } }, (answer) => answer.resume().on('end', resolve))
      .on('error', reject)
      .end();
  });

/** Starts a program; its first line, and a way to the next one. */
async function started<T>(program: string, args: string[]) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const next = async <L>(): Promise<L> => JSON.parse(String((await lines.next()).value ?? 'null')) as L;
  return { child, first: await next<T>(), next };
}

try {
  await main();
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
  if (program !== '') rmSync(dirname(program), { recursive: true, force: true });
}
