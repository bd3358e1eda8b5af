// What the tests of disks share (needs root): loop devices stand for disks, the kernel mounts what mkfs(8) made, and a whole
// appliance in this process orders, reviews and applies. What systemd and udev do on the appliance, this does.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { compareHost } from '../../shared/appliance/apply/drift.ts';
import { preparePlan, storePlan } from '../../shared/appliance/apply/make-plan.ts';
import { submitPlan } from '../../shared/appliance/apply/submit.ts';
import { execProgram } from '../../shared/ground/machine/exec.ts';
import type { ExecResult, Host } from '../../shared/ground/machine/host.ts';
import { findJob } from '../../shared/kernel/jobs/job.ts';
import { WORK_UNIT } from '../../shared/services/storage/disk-grammar.ts';
import { DISKS_FOLDER, type Work } from '../../shared/services/storage/disk-order.ts';
import { workOn } from '../../shared/services/storage/disk-work.ts';
import { mountsIn, SEEN } from '../../shared/services/storage/disks.ts';
import { mountUnit } from '../../shared/services/storage/files.ts';
import { storageUnit } from '../../shared/services/storage/unit.ts';
import { type Credentials, House } from '../setup/house.ts';

export const SLOW = 120_000;
export const SIZE = 400 << 20;
export const LARGER = 700 << 20;
export const run = (program: string, ...args: string[]) =>
  spawnSync(program, args, { encoding: 'utf8', timeout: 60_000 });
export const must = (program: string, ...args: string[]): string => {
  const { status, stdout, stderr } = run(program, ...args);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
};
export const place = `/srv/datastores/gct-${process.pid}`;

export let folder: string;
export let records: string;
let house: House;
let admin: Credentials;
/** Of a disk: its file, its loop device, and its name below /dev/disk/by-id. */
export interface Loop {
  file: string;
  node: string;
  id: string;
}
export const loops: Loop[] = [];
const former = { ...SEEN };
export let resolve: Host['resolve'] = (path) => path;

/** What udev would write down of it now. */
export function udev({ node, id }: Loop): void {
  const number = must('lsblk', '-dno', 'MAJ:MIN', node).trim();
  const said = run('blkid', '-p', '-o', 'udev', node).stdout.split('\n').filter(Boolean);
  const lines = [`S:disk/by-id/${id}`, `E:ID_SERIAL=${id}`, ...said.map((line) => `E:${line}`)];
  writeFileSync(join(folder, 'udev', `b${number}`), `${lines.join('\n')}\n`);
}

export function disk(): Loop {
  const id = `scsi-gct${loops.length}`;
  const file = join(folder, `${id}.img`);
  writeFileSync(file, '');
  truncateSync(file, SIZE);
  const made = { file, node: must('losetup', '--find', '--show', file), id };
  loops.push(made);
  udev(made);
  return made;
}

export const mounted = async (at: string) =>
  mountsIn(await readFile('/proc/self/mountinfo', 'utf8')).some((one) => one.at === at);
const OK: ExecResult = { code: 0, stdout: '', stderr: '' };
export const failed = (stderr: string): ExecResult => ({ code: 1, stdout: '', stderr });
/** Of the next work on a disk: what comes between. */
export const between: { work: (() => void) | null } = { work: null };

async function startWork(name: string): Promise<ExecResult> {
  const [, work, uuid] = WORK_UNIT.exec(name)!;
  between.work?.();
  between.work = null;
  const shop = { orders: resolve(DISKS_FOLDER), records, dev: '/dev', seen: SEEN, exec: execProgram };
  return workOn(work as Work, uuid!, shop)
    .then(
      () => OK,
      (error: Error) => failed(error.message),
    )
    .finally(() => loops.forEach(udev));
}

/** The part of systemd that the unit asks. */
async function systemctl([verb, ...args]: string[]): Promise<ExecResult> {
  const name = args.at(-1) ?? '';
  const at = name.endsWith('.mount') && loops.length > 0 ? placeOf(name) : null;
  if (verb === 'show') return { ...OK, stdout: 'loaded\n' };
  if (verb === 'start') return startWork(name);
  if (verb === 'is-active') return at !== null && (await mounted(at)) ? OK : failed('');
  if (verb === 'stop') return run('umount', at!).status === 0 ? OK : failed('busy');
  if (verb !== 'enable') return OK;
  const text = await readFile(name, 'utf8');
  const [, what] = /^What=\/dev\/disk\/by-id\/(\S+)$/m.exec(text) ?? [];
  if (await mounted(at!)) return OK;
  mkdirSync(at!, { recursive: true });
  const ran = run('mount', '-o', 'nodev,nosuid,noexec', loops.find(({ id }) => id === what)!.node, at!);
  return ran.status === 0 ? OK : failed(ran.stderr);
}
const placeOf = (name: string): string | null =>
  ['one', 'two', 'three'].map((each) => `${place}-${each}`).find((at) => name.endsWith(mountUnit(at))) ?? null;

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export async function api(method: string, path: string, body?: unknown): Promise<any> {
  const { status, body: answer } = await house.send(method, `/api/v1/storage/${path}`, { token: admin.token, body });
  return { status, ...answer };
}
export const fitOf = async ({ id }: Loop) => {
  const { disks } = await api('GET', 'disks');
  return disks.find(({ ids }: { ids: string[] }) => ids.includes(`/dev/disk/by-id/${id}`));
};

export async function plan() {
  const prepared = await preparePlan(house.services, [storageUnit], 'test', { units: ['storage'], reapply: true });
  await house.services.store.write((tx) => storePlan(tx, prepared));
  return prepared.plan;
}

export async function submit({ id, digest }: Awaited<ReturnType<typeof plan>>) {
  const { services, appliance } = house;
  const { job_id } = await services.store.write((tx) => submitPlan(tx, services, id, { digest, note: '' }, 'test'));
  services.notify('queue');
  await appliance.runner.idle();
  const job = await findJob(services.store, job_id!);
  return { state: job.state, said: JSON.stringify(job) };
}

export const drift = async () =>
  JSON.stringify(
    [...(await compareHost(house.services, [storageUnit])).findings.values()].map(({ finding }) => finding),
  );

export async function volume(name: string, { id }: Loop) {
  const made = await api('POST', 'volumes', { name, device: `/dev/disk/by-id/${id}`, mount_path: `${place}-${name}` });
  return made.id as string;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gct-disks-'));
  records = join(folder, 'records');
  mkdirSync(join(folder, 'udev'));
  Object.assign(SEEN, { udev: join(folder, 'udev') });
  house = await House.open({
    host: (rehearsal) => {
      resolve = rehearsal.resolve;
      return {
        ...rehearsal,
        kind: 'system',
        enforces: true,
        exec: async (program, args) => (program === 'systemctl' ? systemctl(args) : OK),
      };
    },
  });
  admin = await house.actor('admin');
  await api('PATCH', 'settings', { enabled: true });
}, SLOW);

/** Whatever became of a test, the next one begins without its volume. */
afterEach(async () => {
  const { items } = await api('GET', 'volumes');
  for (const { id, name } of items) if (name === 'two') await api('DELETE', `volumes/${id}`);
});

afterAll(async () => {
  await house?.close();
  for (const name of ['one', 'two', 'three']) {
    run('umount', `${place}-${name}`);
    rmSync(`${place}-${name}`, { recursive: true, force: true });
  }
  for (const { node } of loops) run('losetup', '-d', node);
  Object.assign(SEEN, former);
  rmSync(folder, { recursive: true, force: true });
});
