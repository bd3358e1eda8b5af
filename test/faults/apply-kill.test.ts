// kill -9 at each named step of an apply, with the real dnsmasq, nft and real links in a namespace: after the restart every
// file in force belongs to one edit, the job has ended, nothing is locked, and dnsmasq answers what the files say.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Lab, makeLab } from '../setup/namespaces.ts';
import { bundleProgram, startProgram } from '../setup/program.ts';

const UNIT_STEPS = ['stage', 'check', 'save', 'swap', 'swapping', 'activate', 'probe', 'baseline', 'baseline:done'];
const UNITS = ['network', 'firewall', 'dns-dhcp'];
/** Of each step; more rounds only repeat. `npm run long` does several, of each unit's steps. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 0);
const STEPS = [
  'prepare',
  ...(ROUNDS > 0
    ? UNITS.flatMap((unit) => UNIT_STEPS.map((step) => `${unit}:${step}`))
    : // The units take their steps in one loop: each step once, by one unit after the other.
      UNIT_STEPS.map((step, at) => `${UNITS[at % UNITS.length]}:${step}`)),
];
const LANES = 2;

let program: string;
beforeAll(async () => {
  program = await bundleProgram('test/faults/apply-program.ts');
}, 120_000);
afterAll(() => rmSync(join(program, '..'), { recursive: true, force: true }));

interface Said {
  life?: string;
  took?: number;
  job?: string;
  locks?: unknown[];
  states?: { unit: string; applied: number }[];
  files?: { record: string; text: string; mtu: string; port: string; loaded: string };
  audit?: { ok: boolean };
  survived?: boolean;
  founded?: string;
}

type Judge = (said: Said, life: number, step: string, stderr: string, lab: Lab) => number;

async function lane(name: string, steps: string[], judge: Judge, ending: string[] = []) {
  const lab: Lab = makeLab(`kill${name}`);
  const data = mkdtempSync(join(tmpdir(), 'groundcrew-kill-'));
  let slowest = 0;
  try {
    for (const [life, step] of [...steps, 'never'].entries()) {
      const run = startProgram(program, [data, lab.appliance, step, String(life), ...ending]);
      const ended = await run.ended;
      const said = ended.lines.map((line) => JSON.parse(line) as Said);
      if (life > 0) slowest = Math.max(slowest, judge(said[0]!, life, steps[life - 1]!, ended.stderr, lab));
      else expect({ founded: said[0]?.founded, stderr: ended.stderr }).toEqual({ founded: 'succeeded', stderr: '' });
      expect({ step, signal: ended.signal, stderr: ended.stderr }).toEqual({
        step,
        signal: step === 'never' ? null : 'SIGKILL',
        stderr: '',
      });
    }
    return { kills: steps.length, slowest };
  } finally {
    lab.remove();
    rmSync(data, { recursive: true, force: true });
  }
}

/** What the files say of an edit, and what the kernel has of the packet filter. */
const filesOf = (edit: number) => ({
  record: String(10 + (edit % 200)),
  text: String(edit),
  mtu: String(1400 + (edit % 100)),
  port: String(20_000 + edit),
  loaded: String(20_000 + edit),
});

/** A life that was killed at any step goes on after its restart: the edit it made is in force, whole. */
function judge(said: Said, life: number, step: string, stderr: string, lab: Lab): number {
  const [edit, previous] = [filesOf(life), filesOf(life - 1)];
  const whole =
    JSON.stringify(said.files) === JSON.stringify(edit)
      ? 'applied'
      : JSON.stringify(said.files) === JSON.stringify(previous)
        ? 'previous'
        : said.files;
  expect({ step, whole, job: said.job, locks: said.locks, audit: said.audit?.ok, stderr }).toEqual({
    step,
    whole: 'applied',
    job: 'succeeded',
    locks: [],
    audit: true,
    stderr: '',
  });
  expect(said.states?.every((state) => state.applied === 1)).toBe(true);
  expect(lab.inClient('dig', '+short', '+time=2', '+tries=3', '@10.88.0.1', 'life.lab.example', 'TXT')).toMatch(
    /life \d+/,
  );
  return said.took ?? Number.POSITIVE_INFINITY;
}

test(`an apply killed at each of ${STEPS.length} steps, ${ROUNDS || 1} times, ends applied, never in between`, async () => {
  const all = Array.from({ length: ROUNDS || 1 }, () => STEPS).flat();
  const lanes = await Promise.all(
    Array.from({ length: LANES }, (_, number) =>
      lane(
        String(number),
        all.filter((_step, index) => index % LANES === number),
        judge,
      ),
    ),
  );
  const kills = lanes.reduce((sum, each) => sum + each.kills, 0);
  process.stdout.write(`${kills} kills, slowest recovery ${Math.max(...lanes.map((each) => each.slowest))} ms\n`);
  expect(kills).toBe(STEPS.length * (ROUNDS || 1));
}, 900_000);

const WINDOW_STEPS = [
  'window:armed',
  'network:swapping',
  'network:activate:done',
  'firewall:swap',
  'dns-dhcp:probe',
  'window:waiting',
  'window:ended',
];

// At the same time: their lives wait for windows to end, not for the machine.
test.concurrent.each([
  ['confirm', 'succeeded'],
  ['revert', 'failed'],
])(
  'one with a confirm window that ends by %s is in force whole or not at all, wherever it was killed',
  async (ending, job) => {
    // What is in force; a plan that was put back leaves that of the life before.
    let inForce = 0;
    const judged: Judge = (said, life, step, stderr) => {
      if (ending === 'confirm') inForce = life;
      expect({ step, files: said.files, job: said.job, locks: said.locks, audit: said.audit?.ok, stderr }).toEqual({
        step,
        // What the lives start from has the MTU that the link came with.
        files: { ...filesOf(inForce), ...(inForce === 0 && { mtu: '1500' }) },
        job,
        locks: [],
        audit: true,
        stderr: '',
      });
      expect(said.states?.filter(({ unit }) => UNITS.includes(unit)).every(({ applied }) => applied === 1)).toBe(
        ending === 'confirm',
      );
      return said.took ?? Number.POSITIVE_INFINITY;
    };
    const { kills, slowest } = await lane(ending, WINDOW_STEPS, judged, [ending]);
    process.stdout.write(`${kills} kills around a window (${ending}), slowest recovery ${slowest} ms\n`);
  },
  300_000,
);
