// Disks for real (needs root): loop devices stand for them, the kernel mounts what mkfs(8) made, and a whole appliance in this
// process orders, reviews and applies. What systemd and udev do on the appliance, this test does.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { compareHost } from '../../shared/appliance/apply/drift.ts';
import { preparePlan, storePlan } from '../../shared/appliance/apply/make-plan.ts';
import { submitPlan } from '../../shared/appliance/apply/submit.ts';
import { execProgram } from '../../shared/ground/machine/exec.ts';
import type { ExecResult, Host } from '../../shared/ground/machine/host.ts';
import { findJob } from '../../shared/kernel/jobs/job.ts';
import { fingerprintOf } from '../../shared/services/storage/disk-fitness.ts';
import { WORK_UNIT } from '../../shared/services/storage/disk-grammar.ts';
import type { Exec } from '../../shared/services/storage/disk-look.ts';
import {
  DISKS_FOLDER,
  NO_RECORD,
  orderLines,
  readRecord,
  type Work,
  writeRecord,
} from '../../shared/services/storage/disk-order.ts';
import { workOn } from '../../shared/services/storage/disk-work.ts';
import { mountsIn, SEEN } from '../../shared/services/storage/disks.ts';
import { mountUnit } from '../../shared/services/storage/files.ts';
import { diskNamed, disksOf } from '../../shared/services/storage/inventory.ts';
import { storageUnit } from '../../shared/services/storage/unit.ts';
import { type Credentials, House } from '../setup/house.ts';
import { until } from '../setup/until.ts';

const SLOW = 120_000;
const SIZE = 400 << 20;
const LARGER = 700 << 20;
const run = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: 'utf8', timeout: 60_000 });
const must = (program: string, ...args: string[]): string => {
  const { status, stdout, stderr } = run(program, ...args);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
};
const place = `/srv/datastores/gct-${process.pid}`;

let folder: string;
let records: string;
let house: House;
let admin: Credentials;
/** Of a disk: its file, its loop device, and its name below /dev/disk/by-id. */
interface Loop {
  file: string;
  node: string;
  id: string;
}
const loops: Loop[] = [];
const former = { ...SEEN };
let resolve: Host['resolve'] = (path) => path;

/** What udev would write down of it now. */
function udev({ node, id }: Loop): void {
  const number = must('lsblk', '-dno', 'MAJ:MIN', node).trim();
  const said = run('blkid', '-p', '-o', 'udev', node).stdout.split('\n').filter(Boolean);
  const lines = [`S:disk/by-id/${id}`, `E:ID_SERIAL=${id}`, ...said.map((line) => `E:${line}`)];
  writeFileSync(join(folder, 'udev', `b${number}`), `${lines.join('\n')}\n`);
}

function disk(): Loop {
  const id = `scsi-gct${loops.length}`;
  const file = join(folder, `${id}.img`);
  writeFileSync(file, '');
  truncateSync(file, SIZE);
  const made = { file, node: must('losetup', '--find', '--show', file), id };
  loops.push(made);
  udev(made);
  return made;
}

const mounted = async (at: string) =>
  mountsIn(await readFile('/proc/self/mountinfo', 'utf8')).some((one) => one.at === at);
const OK: ExecResult = { code: 0, stdout: '', stderr: '' };
const failed = (stderr: string): ExecResult => ({ code: 1, stdout: '', stderr });
/** Of the next work on a disk: what comes between. */
let meanwhile: (() => void) | null = null;

async function startWork(name: string): Promise<ExecResult> {
  const [, work, uuid] = WORK_UNIT.exec(name)!;
  meanwhile?.();
  meanwhile = null;
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
async function api(method: string, path: string, body?: unknown): Promise<any> {
  const { status, body: answer } = await house.send(method, `/api/v1/storage/${path}`, { token: admin.token, body });
  return { status, ...answer };
}
const fitOf = async ({ id }: Loop) => {
  const { disks } = await api('GET', 'disks');
  return disks.find(({ ids }: { ids: string[] }) => ids.includes(`/dev/disk/by-id/${id}`));
};

async function plan() {
  const prepared = await preparePlan(house.services, [storageUnit], 'test', { units: ['storage'], reapply: true });
  await house.services.store.write((tx) => storePlan(tx, prepared));
  return prepared.plan;
}

async function submit({ id, digest }: Awaited<ReturnType<typeof plan>>) {
  const { services, appliance } = house;
  const { job_id } = await services.store.write((tx) => submitPlan(tx, services, id, { digest, note: '' }, 'test'));
  services.notify('queue');
  await appliance.runner.idle();
  const job = await findJob(services.store, job_id!);
  return { state: job.state, said: JSON.stringify(job) };
}

const drift = async () =>
  JSON.stringify(
    [...(await compareHost(house.services, [storageUnit])).findings.values()].map(({ finding }) => finding),
  );

async function volume(name: string, { id }: Loop) {
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

describe('a blank disk', () => {
  let one: Loop;
  let id: string;

  beforeAll(async () => {
    one = disk();
    id = await volume('one', one);
  });

  test('is told as such, and can’t be formatted without the typed name', async () => {
    expect(await fitOf(one)).toMatchObject({ fit: 'blank', obstacle: null, bytes: SIZE, volume: { name: 'one' } });
    const refused = await api('POST', `volumes/${id}/format`, { confirm: 'two' });
    expect([refused.status, refused.errors[0].pointer]).toEqual([422, '/confirm']);
  });

  test(
    'is formatted by the plan that the order belongs to, and mounted; the order is gone with it',
    async () => {
      const ordered = await api('POST', `volumes/${id}/format`, { confirm: 'one' });
      expect(ordered).toMatchObject({ status: 200, filesystem: 'xfs', ordered_work: 'format', filesystem_bytes: SIZE });
      const reviewed = await plan();
      expect(reviewed.units[0]).toMatchObject({ risk: 'high', check: { ok: true } });
      expect(reviewed.units[0]!.says.join()).toMatch(/is formatted with xfs/);
      const { state, said } = await submit(reviewed);
      expect([state, said]).toEqual(['succeeded', expect.stringMatching(/Volume one was formatted/)]);
      expect(must('blkid', '-p', '-s', 'UUID', '-o', 'value', one.node)).toBe(ordered.filesystem_uuid);
      expect(must('findmnt', '-no', 'FSTYPE', `${place}-one`)).toBe('xfs');
      writeFileSync(`${place}-one/payload`, 'x');
      expect(await api('GET', `volumes/${id}`)).toMatchObject({ ordered_work: '', filesystem: 'xfs' });
      expect(await drift()).toBe('[{"lines":[]}]');
    },
    SLOW,
  );

  test(
    'is not formatted again, by whatever plan',
    async () => {
      expect((await submit(await plan())).state).toBe('succeeded');
      expect(await readFile(`${place}-one/payload`, 'utf8')).toBe('x');
      const refused = await api('POST', `volumes/${id}/format`, { confirm: 'one' });
      expect([refused.status, refused.detail]).toEqual([
        409,
        expect.stringMatching(/is mounted at .*nothing is wiped/),
      ]);
    },
    SLOW,
  );

  test(
    'that grew is drift, and grows by a plan, while it is mounted',
    async () => {
      expect((await api('POST', `volumes/${id}/grow`, { confirm: 'one' })).detail).toMatch(/not larger/);
      truncateSync(one.file, LARGER);
      must('losetup', '-c', one.node);
      expect(await drift()).toMatch(
        /the disk of the volume one is larger \(0\.7 GiB\) than its filesystem \(0\.4 GiB\)/,
      );
      const before = Number(must('stat', '-f', '-c', '%b', `${place}-one`));
      expect(await api('POST', `volumes/${id}/grow`, { confirm: 'one' })).toMatchObject({ ordered_work: 'grow' });
      const reviewed = await plan();
      expect(reviewed.units[0]!.says.join()).toMatch(/filesystem of the volume one grows to the 0\.7 GiB/);
      expect(await submit(reviewed)).toMatchObject({ state: 'succeeded' });
      expect(Number(must('stat', '-f', '-c', '%b', `${place}-one`))).toBeGreaterThan(before * 1.5);
      expect(await readFile(`${place}-one/payload`, 'utf8')).toBe('x');
      expect(await drift()).toBe('[{"lines":[]}]');
    },
    SLOW,
  );
});

/** A partition table of DOS with one partition of 2 MiB behind the first. */
function partition(node: string): void {
  const table = Buffer.alloc(512);
  table.set([0, 0, 33, 0, 0x83, 0, 33, 0], 446);
  table.writeUInt32LE(2_048, 454);
  table.writeUInt32LE(4_096, 458);
  table.set([0x55, 0xaa], 510);
  const disk = openSync(node, 'r+');
  writeSync(disk, table, 0, 512, 0);
  closeSync(disk);
}

describe('a disk that carries something', () => {
  test(
    'is refused when it is ordered, by its name',
    async () => {
      const two = disk();
      must('mkfs.ext4', '-q', two.node);
      udev(two);
      const id = await volume('two', two);
      expect(await fitOf(two)).toMatchObject({ fit: 'filesystem' });
      const refused = await api('POST', `volumes/${id}/format`, { confirm: 'two' });
      expect([refused.status, refused.detail]).toEqual([409, expect.stringMatching(/volume two carries ext4/)]);
    },
    SLOW,
  );

  test.each<[string, (disk: Loop) => void, RegExp]>([
    ['a filesystem', ({ node }) => void must('mkfs.ext4', '-q', node), /carries ext4/],
    ['a partition table', ({ node }) => partition(node), /carries dos/],
    [
      'data without a signature',
      ({ node }) => void must('sh', '-c', `echo data | dd of=${node} bs=1 seek=5000 conv=notrunc`),
      /first or last MiB/,
    ],
    [
      'data at its end',
      ({ node }) => void must('sh', '-c', `echo data | dd of=${node} bs=1 seek=${SIZE - 100} conv=notrunc`),
      /first or last MiB/,
    ],
    [
      'another size',
      ({ file, node }) => void must('sh', '-c', `truncate -s ${LARGER} ${file}; losetup -c ${node}`),
      /not the disk that was reviewed/,
    ],
  ])(
    'by the time of the apply stops the plan: %s',
    async (_what, change, why) => {
      const other = disk();
      const id = await volume('two', other);
      const { filesystem_uuid } = await api('POST', `volumes/${id}/format`, { confirm: 'two', filesystem: 'ext4' });
      const reviewed = await plan();
      expect(reviewed.units[0]!.check!.faults).toEqual([]);
      // Between the last look of the service and root's own.
      meanwhile = () => change(other);
      const { state, said } = await submit(reviewed);
      expect([state, said]).toEqual(['failed', expect.stringMatching(why)]);
      expect(run('blkid', '-p', '-s', 'UUID', '-o', 'value', other.node).stdout).not.toContain(filesystem_uuid);
      expect((await readRecord(filesystem_uuid, records)).begun).toBe(false);
      // The order ended with the plan: the next one does nothing with the disk.
      expect(await api('GET', `volumes/${id}`)).toMatchObject({ ordered_work: '' });
      expect((await plan()).units[0]!.check!.ok).toBe(false);
    },
    SLOW,
  );
});

test(
  'a disk that changed between the review and the apply stops the plan before anything is touched',
  async () => {
    const other = disk();
    const id = await volume('two', other);
    await api('POST', `volumes/${id}/format`, { confirm: 'two' });
    const reviewed = await plan();
    must('mkfs.xfs', '-q', other.node);
    udev(other);
    const { state, said } = await submit(reviewed);
    expect([state, said]).toEqual(['failed', expect.stringMatching(/volume two carries xfs .*only a blank disk/)]);
  },
  SLOW,
);

/** What root writes down before the first byte. */
const begunOn = async ({ id }: Loop) => ({
  ...NO_RECORD,
  begun: true,
  fingerprint: fingerprintOf(diskNamed(await disksOf(SEEN), `/dev/disk/by-id/${id}`)!),
});

/** Growing a mounted ext4 takes CAP_SYS_RESOURCE (24 of capabilities(7)), which root in a container may lack. */
const mayGrow = async (): Promise<boolean> => {
  const [, effective = '0'] = /^CapEff:\s*([0-9a-f]+)$/m.exec(await readFile('/proc/self/status', 'utf8')) ?? [];
  return ((BigInt(`0x${effective}`) >> 24n) & 1n) === 1n;
};

describe('a format that was cut off', () => {
  let grown: { disk: string; volume: string; uuid: string };

  test(
    'is begun again while nothing but its own beginning stands there',
    async () => {
      const three = disk();
      const id = await volume('three', three);
      const { filesystem_uuid: uuid } = await api('POST', `volumes/${id}/format`, {
        confirm: 'three',
        filesystem: 'ext4',
      });
      const reviewed = await plan();
      meanwhile = () => {
        // Begun by an earlier run of the same plan, whose power was cut.
        must('mkfs.ext4', '-q', '-U', uuid, three.node);
      };
      const begun = await begunOn(three);
      await writeRecord(uuid, begun, records);
      expect(await submit(reviewed)).toMatchObject({ state: 'succeeded' });
      expect(await readRecord(uuid, records)).toEqual({ ...begun, made: true, bytes: SIZE });
      expect(must('findmnt', '-no', 'FSTYPE', `${place}-three`)).toBe('ext4');
      grown = { disk: three.id, volume: id, uuid };
    },
    SLOW,
  );

  test(
    'and carries ext4 then grows with its disk, while it is mounted, and keeps its data',
    async () => {
      const three = loops.find(({ id }) => id === grown.disk)!;
      const at = `${place}-three`;
      writeFileSync(`${at}/payload`, 'x'.repeat(100_000));
      truncateSync(three.file, LARGER);
      must('losetup', '-c', three.node);
      expect(await drift()).toMatch(/the disk of the volume three is larger \(0\.7 GiB\)/);
      const before = Number(must('stat', '-f', '-c', '%b', at));
      expect(await api('POST', `volumes/${grown.volume}/grow`, { confirm: 'three' })).toMatchObject({
        ordered_work: 'grow',
      });
      // Grown by resize2fs(8): of the disk, not of the place.
      const { state, said } = await submit(await plan());
      const after = Number(must('stat', '-f', '-c', '%b', at));
      expect(await readFile(`${at}/payload`, 'utf8')).toBe('x'.repeat(100_000));
      if (!(await mayGrow())) {
        // The appliance's service has the right; where root has not, the reason is told, and nothing changed.
        expect([state, said]).toEqual([
          'failed',
          expect.stringMatching(/could not be grown: Permission denied to resize/),
        ]);
        expect(after).toBe(before);
        return;
      }
      expect([state, said]).toEqual(['succeeded', expect.stringMatching(/Volume three fills its disk/)]);
      expect(after).toBeGreaterThan(before * 1.5);
      expect(await drift()).toBe('[{"lines":[]}]');
      // Once more it fills its disk already.
      const shop = { orders: resolve(DISKS_FOLDER), records, dev: '/dev', seen: SEEN, exec: execProgram };
      expect(await workOn('grow', grown.uuid, shop)).toBe('fills its disk now');
      expect((await api('POST', `volumes/${grown.volume}/grow`, { confirm: 'three' })).detail).toMatch(/not larger/);
    },
    SLOW,
  );

  test(
    'is not, over what somebody else made there meanwhile',
    async () => {
      const other = disk();
      const id = await volume('two', other);
      const { filesystem_uuid: uuid } = await api('POST', `volumes/${id}/format`, { confirm: 'two' });
      const reviewed = await plan();
      await writeRecord(uuid, await begunOn(other), records);
      meanwhile = () => void must('mkfs.xfs', '-q', '-f', other.node);
      const { state, said } = await submit(reviewed);
      expect([state, said]).toEqual(['failed', expect.stringMatching(/carries xfs with the UUID/)]);
    },
    SLOW,
  );
});

test.each(['xfs', 'ext4'] as const)(
  'killed at any moment, mkfs of %s leaves a disk that is formatted when it is begun again, or that is refused',
  async (kind) => {
    const ends: string[] = [];
    for (const limit of [1, 3, 6, 10, 15, 25, 40]) {
      const cut = disk();
      const found = diskNamed(await disksOf(SEEN), `/dev/disk/by-id/${cut.id}`)!;
      const uuid = randomUUID();
      const order = {
        device: found.ids[0]!,
        at: `${place}-cut`,
        kind,
        uuid,
        bytes: SIZE,
        fingerprint: fingerprintOf(found),
      };
      writeFileSync(join(folder, `${uuid}.disk`), orderLines(order).join('\n'));
      const shop = { orders: folder, records, dev: '/dev', seen: SEEN };
      const killed: Exec = (program, args) =>
        execProgram(program, args, program.startsWith('mkfs') ? { timeout: limit } : {});
      await workOn('format', uuid, { ...shop, exec: killed }).catch(() => undefined);
      udev(cut);
      const end = await workOn('format', uuid, { ...shop, exec: execProgram }).catch((error: Error) => error.message);
      ends.push(end.split(' ').slice(0, 3).join(' '));
      const { made } = await readRecord(uuid, records);
      const stands = run('blkid', '-p', '-s', 'UUID', '-o', 'value', cut.node).stdout.trim();
      if (made) expect(stands).toBe(uuid);
      else expect(end).toMatch(/first or last MiB/);
    }
    expect(ends.filter((end) => /^(?:carries|was formatted)/.test(end)).length).toBeGreaterThan(0);
  },
  SLOW,
);

test(
  'another filesystem under the name of the disk is not mounted in its place, and it is told',
  async () => {
    const one = loops[0]!;
    must('umount', `${place}-one`);
    // A namespace that another test made meanwhile may have a copy of the mount, as long as it lives.
    await until(() => run('sh', '-c', `wipefs -qa ${one.node} && mkfs.xfs -q -f ${one.node}`).status === 0);
    udev(one);
    expect(await drift()).toMatch(/the disk of the volume one carries xfs with the UUID [^"]*, not the volume’s own/);
    const reviewed = await plan();
    expect(reviewed.units[0]!.check!.faults.join()).toMatch(/disk of the volume one carries xfs/);
    expect(await mounted(`${place}-one`)).toBe(false);
  },
  SLOW,
);
