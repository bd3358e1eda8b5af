// From the start of the process to its first answer, and the memory it holds when idle: the built appliance on a data
// folder that exists, as after every restart; beside it the first start ever, which migrates and hashes a password.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { serviceEnvironment } from '../setup/service-environment.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const ROUNDS = 6;
const PORT = 18_421;
const BARS = { start: 500, memory: 100 };
/** Milliseconds until what a start allocates is collected and the appliance is idle. */
const SETTLE = 3_000;

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function start(data: string): Promise<{ child: ChildProcess; took: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: ROOT,
    stdio: 'ignore',
    env: {
      ...process.env,
      ...serviceEnvironment,
      GROUNDCREW_DATA: data,
      GROUNDCREW_LISTEN: `127.0.0.1:${PORT}`,
      GROUNDCREW_ADMIN_PASSWORD: 'correct horse battery',
    },
  });
  while (!(await answers())) {
    if (performance.now() - began > 15_000) throw new Error('no answer within 15 s');
    await new Promise((done) => setTimeout(done, 2));
  }
  return { child, took: performance.now() - began };
}

/** Any HTTP answer counts; the listing of jobs without a token is one that went through the whole chain. */
function answers(): Promise<boolean> {
  return new Promise((done) => {
    const asked = request({ host: '127.0.0.1', port: PORT, path: '/api/v1/jobs', agent: false }, (answer) => {
      answer.resume().on('end', () => done(answer.statusCode === 401));
    });
    asked.on('error', () => done(false)).end();
  });
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((done) => child.on('exit', done));
  child.kill('SIGTERM');
  await ended;
}

const data = mkdtempSync(join(tmpdir(), 'groundcrew-bench-'));
try {
  const first = await start(data);
  await stop(first.child);
  const starts: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { child, took } = await start(data);
    starts.push(took);
    await new Promise((done) => setTimeout(done, SETTLE));
    memory.push(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024);
    await stop(child);
  }
  const verdict = (value: number, bar: number) => (value <= bar ? 'met' : 'MISSED');
  console.log(
    `start to first answer  ${median(starts).toFixed(0)} ms (${Math.min(...starts).toFixed(0)}–${Math.max(...starts).toFixed(0)}), bar ${BARS.start}: ${verdict(median(starts), BARS.start)}; first start ever ${first.took.toFixed(0)} ms`,
  );
  console.log(
    `idle memory            ${median(memory).toFixed(0)} MiB, bar ${BARS.memory}: ${verdict(median(memory), BARS.memory)}`,
  );
} finally {
  rmSync(data, { recursive: true, force: true });
}
