// The power of the whole appliance is cut at each step of formatting, mounting and exporting a disk, and of what is done with a
// datastore later. One machine does all of it once, with each write of its disks recorded; its disks as they stood at a moment,
// without some or all of what they had not been told to keep, then start again.
import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BOOT, deviceOf, GIB, HOST, PowerScene, SERIALS, SERVER, STEP, WHOLE } from './power-scene.ts';
import { enlarge, type Loss, type Recording, type Sample } from './recorded-machine.ts';

/** Each cut starts a machine of its own in software emulation: `npm run long` tries it. */
const longTest = process.env.RESTARTS === 'all' ? test : () => undefined;
const SCOPES = ['interfaces', 'storage', 'firewall', 'apply', 'jobs'].map((scope) => `write:${scope}`);
const [USED, BLANK, OLD] = SERIALS;
/** Place of the blank disk among the recorded ones. */
const EMPTY = 2;
const LAB = '/srv/datastores/used/lab';
const FRESH = '/srv/datastores/fresh/fresh';
const SUM = (path: string) => `sha256sum ${path} | cut -d ' ' -f 1`;

let scene: PowerScene;
/** What was done first, and what was done on the machine that came back from the last cut of it. */
let first: Recording;
let second: Recording;
let sums = { lab: '', fresh: '' };
const began = performance.now();
const times: string[] = [];
/** A file that gets what is noted at once, for whoever looks on while the cuts run. */
const NOTES = process.env.POWER_NOTES;
function note(what: string): void {
  const line = `${((performance.now() - began) / 1000).toFixed(1)} s ${what}`;
  times.push(line);
  if (NOTES) appendFileSync(NOTES, `${line}\n`);
}

const storage = (path: string) => `/api/v1/storage/${path}`;
const post = (path: string, body: unknown) => scene.operator.expect('POST', storage(path), body);
const patch = (path: string, body: unknown) => scene.operator.expect('PATCH', storage(path), body);
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Row = any;
const named = async (list: string, name: string): Promise<Row> =>
  (await scene.operator.expect('GET', storage(list))).items.find((row: Row) => row.name === name);
const datastoreOn = (name: string, volume_id: string) =>
  post('datastores', {
    ...{ name, volume_id, interface: 'enp0s9', address_families: ['ipv4'], ipv4_clients: [HOST, '10.20.0.3'] },
  });

/** Mounts it on the host, looks at it, and lets go of it. */
const mounts = (path: string, command: string): Promise<string> =>
  scene.types(
    `mount -t nfs4 -o vers=4.1,addr=${SERVER},clientaddr=${HOST},soft,timeo=100 ${SERVER}:${path} /b && { ${command}; umount /b; }`,
  );

/** A host goes on writing, and syncs each file before it begins the next one. */
async function writes(prefix: string): Promise<void> {
  const options = `vers=4.1,addr=${SERVER},clientaddr=${HOST},soft,timeo=100`;
  expect(await scene.types(`mount -t nfs4 -o ${options} ${SERVER}:${LAB} /a`)).toBe('');
  const one = `dd if=/dev/zero of=/a/${prefix}$n bs=64k count=1 conv=fsync`;
  await scene.types(`(n=0; while ${one}; do n=$((n + 1)); sleep 2; done) >/dev/null 2>&1 & :`);
}
const endsWriting = (): Promise<string> => scene.types('kill $!; sleep 3; umount /a');

async function prepares(): Promise<void> {
  await scene.operator.reaches(BOOT);
  note('first answer');
  const shown = /with this password, then change it:[\s\S]*?\]: {3,}(\S{20})\s/;
  const [, password = ''] = await scene.appliance.shows(shown, STEP);
  await scene.operator.signIn(password, SCOPES);
  const card = { role: 'access', ipv4_cidr: `${SERVER}/24`, enabled: true };
  await scene.operator.expect('PATCH', '/api/v1/interfaces/physical/enp0s9', card);
  await patch('settings', { enabled: true });
  const { id } = await post('volumes', { name: 'used', device: deviceOf(USED) });
  await datastoreOn('lab', id);
  await scene.applies('used');
  await scene.inside(`dd if=/dev/urandom of=${LAB}/payload bs=64k count=32 2>/dev/null; sync`);
  sums.lab = await scene.inside(SUM(`${LAB}/payload`));
  await scene.client.machine.shows(/client: up/, BOOT);
  await writes('w');
  note('in use');
}

/** Formats, mounts and exports a blank disk; limits, and takes the right of a host. */
async function doesFirst(): Promise<void> {
  const { id } = await scene.tells('volume', () => post('volumes', { name: 'fresh', device: deviceOf(BLANK) }));
  await scene.tells('order', () => post(`volumes/${id}/format`, { confirm: 'fresh' }));
  const datastore = await scene.tells('datastore', () => datastoreOn('fresh', id));
  await scene.applies('fresh');
  await scene.tells('payload', () =>
    scene.inside(`dd if=/dev/urandom of=${FRESH}/payload bs=64k count=16 conv=fsync 2>/dev/null; sync -f ${FRESH}`),
  );
  sums.fresh = await scene.inside(SUM(`${FRESH}/payload`));
  note('formatted');
  await scene.tells('limited', () => patch(`datastores/${datastore.id}`, { size_limit_gib: 1 }));
  await scene.applies('limit');
  await scene.tells('revoked', () => patch(`datastores/${datastore.id}`, { ipv4_clients: [HOST] }));
  await scene.applies('revoke');
  note('limited and revoked');
}

/** Grows the disk that was made larger, and takes one that carries a filesystem. */
async function doesSecond(): Promise<void> {
  const fresh = await named('volumes', 'fresh');
  await scene.tells('grow order', () => post(`volumes/${fresh.id}/grow`, { confirm: 'fresh' }));
  await scene.applies('grow');
  const { id } = await scene.tells('old volume', () => post('volumes', { name: 'old', device: deviceOf(OLD) }));
  await datastoreOn('old', id);
  await scene.applies('adopt');
  note('grown and adopted');
}

/** Whether the operator was told so before the cut. */
const toldBefore =
  ({ at }: Sample) =>
  (what: string): boolean =>
    scene.told.some((each) => each.what === what && each.ended <= at);

/** What the operator was told before the cut is there; what came later may be. */
async function remembers(sample: Sample): Promise<void> {
  const known = toldBefore(sample);
  const [volume, datastore] = [await named('volumes', 'fresh'), await named('datastores', 'fresh')];
  if (known('volume')) expect(volume).toMatchObject({ device: deviceOf(BLANK) });
  if (known('order')) expect(volume).toMatchObject({ filesystem: 'xfs' });
  if (known('datastore')) expect(datastore).toMatchObject({ volume_id: volume.id });
  if (known('limited')) expect(datastore).toMatchObject({ size_limit_gib: 1 });
  if (known('revoked')) expect(datastore).toMatchObject({ ipv4_clients: [`${HOST}/32`] });
  if (known('old volume')) expect(await named('volumes', 'old')).toMatchObject({ filesystem: 'ext4' });
  expect(await scene.database()).toEqual([[{ integrity_check: 'ok' }], []]);
}

/** The other volume is as it was; each file that was synced is whole. */
async function keepsOther(): Promise<void> {
  await scene.comes('findmnt -n -o FSTYPE /srv/datastores/used', /^xfs$/);
  expect(await scene.inside(SUM(`${LAB}/payload`))).toBe(sums.lab);
  const sizes = (await scene.inside(`cd ${LAB} && stat -c '%n %s' [wx]* | sort -V`)).split('\n');
  expect(sizes.length).toBeGreaterThan(0);
  for (const prefix of ['w', 'x']) {
    const written = sizes.filter((line) => line.startsWith(prefix));
    expect(written.slice(0, -1).filter((line) => !line.endsWith(' 65536'))).toEqual([]);
  }
  const disk = await scene.uuidOn(OLD);
  expect(disk).toMatch(/^[0-9a-f-]{36}$/);
}

/** The operator goes on: orders what is blank, or half made, and applies. Answers what had to be done with the disk. */
async function goesOn(sample: Sample): Promise<string> {
  let did = 'nothing';
  const volume =
    (await named('volumes', 'fresh')) ?? (await post('volumes', { name: 'fresh', device: deviceOf(BLANK) }));
  const made = await scene.wasMade(volume.filesystem_uuid);
  if (!made) {
    const order = () => scene.operator.call('POST', storage(`volumes/${volume.id}/format`), { confirm: 'fresh' });
    const answer = await order();
    did = 'ordered';
    if (answer.status !== 200) {
      // Half of a filesystem that is not known as our own: nothing is wiped, a person looks and does it.
      expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('Only a blank disk is formatted')]);
      await scene.inside(`wipefs -a ${deviceOf(BLANK)}; udevadm settle`);
      did = 'wiped by hand';
      expect((await order()).status).toBe(200);
    }
  } else if (
    (await scene.operator.call('POST', storage(`volumes/${volume.id}/format`), { confirm: 'fresh' })).status !== 409
  )
    throw new Error('a disk with a filesystem may be formatted');
  if (!(await named('datastores', 'fresh'))) await datastoreOn('fresh', volume.id);
  const { id } = await named('datastores', 'lab');
  await patch(`datastores/${id}`, { ipv4_clients: [HOST, '10.20.0.3', '10.20.0.4'] });
  const known = toldBefore(sample);
  if (known('grow order')) {
    // An order ends with its plan; one that was done to the end is refused.
    const { status } = await scene.operator.call('POST', storage(`volumes/${volume.id}/grow`), { confirm: 'fresh' });
    expect([200, 409]).toContain(status);
    did = status === 200 ? 'grown' : 'nothing to grow';
  }
  await scene.plans.apply();
  if (known('grow order')) {
    const kib = await scene.inside('df --output=size /srv/datastores/fresh | tail -n 1');
    expect(Number(kib)).toBeGreaterThan(1_500_000);
  }
  if (known('old volume')) expect(await scene.inside('cat /srv/datastores/old/old/theirs')).toBe('somebody wrote this');
  return did;
}

/** Starts the disks as they were left, and holds what must be true. */
async function comesBack(recording: Recording, sample: Sample, loss: Loss): Promise<void> {
  await scene.switchOff();
  const names = recording.files.map((_, disk) => `${scene.folder}/cut-${disk}`);
  recording.cut(sample, loss, names);
  const lost = recording.unflushed(sample);
  const from = performance.now();
  scene.switchOn(names, false);
  await scene.operator.reaches(BOOT);
  const booted = performance.now() - from;
  await remembers(sample);
  await keepsOther();
  await scene.settles();
  // Never half.
  await scene.isBeforeOrAfter(sample.at);
  const uuid = await scene.uuidOn(BLANK);
  const made = await scene.wasMade(uuid);
  const did = await goesOn(sample);
  if (made) expect([did, await scene.uuidOn(BLANK)]).toEqual([expect.stringMatching(/^(?:nothing|grown)/), uuid]);
  if (toldBefore(sample)('payload')) expect(await scene.inside(SUM(`${FRESH}/payload`))).toBe(sums.fresh);
  expect(await mounts(FRESH, 'ls /b')).not.toMatch(/mount:/);
  expect(await mounts(LAB, 'ls /b/payload')).toBe('/b/payload');
  expect(await scene.database()).toEqual([[{ integrity_check: 'ok' }], []]);
  note(
    `${(booted / 1000).toFixed(0)} s to start, not flushed ${lost.join('+')} (${loss} of it lost): ${made ? 'made' : `no whole filesystem, ${uuid || 'blank'}`}, ${did}`,
  );
}

/** Samples of an apply at which the blank disk had just been written to. */
function written(recording: Recording, apply: string): Sample[] {
  const { began, ended } = scene.was(apply);
  const all = recording.between(began, ended);
  return all.filter(({ counts }, turn) => turn > 0 && counts[EMPTY] !== all[turn - 1]!.counts[EMPTY]);
}

/** Samples of making the filesystem, and those from mounting it on: the longest pause is between them. */
function parts(): { made: Sample[]; mounted: Sample[] } {
  const all = written(first, 'fresh');
  const pauses = all.slice(1).map(({ at }, turn) => at - all[turn]!.at);
  const split = pauses.indexOf(Math.max(...pauses)) + 1;
  return { made: all.slice(0, split), mounted: all.slice(split) };
}
const at = (samples: readonly Sample[], part: number): Sample =>
  samples[Math.min(samples.length - 1, Math.floor(samples.length * part))]!;
const during = (recording: Recording, what: string, part: number): Sample => {
  const { began, ended } = scene.was(what);
  return at(recording.between(began, ended), part);
};

interface Cut {
  name: string;
  loss: Loss;
  of: () => [Recording, Sample];
}

const CUTS: readonly Cut[] = [
  { name: 'before the format', loss: 'all', of: () => [first, first.between(0, parts().made[0]!.at).at(-2)!] },
  { name: 'at the first write of the format', loss: 'half of the last', of: () => [first, parts().made[0]!] },
  { name: 'in the format', loss: 'each second', of: () => [first, at(parts().made, 0.5)] },
  { name: 'at the end of the format', loss: 'all', of: () => [first, parts().made.at(-1)!] },
  { name: 'in the mount', loss: 'nothing', of: () => [first, parts().mounted[0]!] },
  { name: 'after the mount', loss: 'all', of: () => [first, parts().mounted.at(-1)!] },
  { name: 'in the export', loss: 'each second', of: () => [first, during(first, 'fresh', 0.9)] },
  {
    name: 'right after it was told as applied',
    loss: 'all',
    of: () => [first, first.samples.find((each) => each.at >= scene.was('fresh').ended)!],
  },
  { name: 'while a size limit is set', loss: 'each second', of: () => [first, during(first, 'limit', 0.5)] },
  { name: 'at the end of setting a size limit', loss: 'all', of: () => [first, during(first, 'limit', 0.9)] },
  { name: 'while the right of a host is taken', loss: 'all', of: () => [first, during(first, 'revoke', 0.5)] },
  { name: 'before the filesystem grows', loss: 'all', of: () => [second, during(second, 'grow', 0.3)] },
  { name: 'while the filesystem grows', loss: 'half of the last', of: () => [second, at(written(second, 'grow'), 0)] },
  { name: 'after the filesystem grew', loss: 'all', of: () => [second, written(second, 'grow').at(-1)!] },
  { name: 'while a filesystem is taken over', loss: 'each second', of: () => [second, during(second, 'adopt', 0.5)] },
];

test('each step is cut in it or beside it, and each loss is tried', () => {
  const names = CUTS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const step of ['format', 'mount', 'export', 'size limit', 'right of a host', 'grow', 'taken over'])
    expect([step, names.filter((name) => name.includes(step)).length]).not.toContain(0);
  const losses: Loss[] = ['nothing', 'all', 'each second', 'half of the last'];
  expect([...new Set(CUTS.map(({ loss }) => loss))].sort()).toEqual(losses.sort());
});

beforeAll(() => {
  if (process.env.RESTARTS === 'all') scene = new PowerScene();
}, WHOLE);

afterAll(async () => {
  await scene?.remove();
  if (times.length > 0) console.log(times.join('\n'));
}, STEP);

/** Each is made when it is first asked for: a cut can be tried alone. */
const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
};

const recordsFirst = once(async () => {
  const { recording, other } = await scene.recorded('first', async () => {
    scene.switchOn(scene.blank(), true);
    await prepares();
    await doesFirst();
    await endsWriting();
    return sums;
  });
  [first, sums] = [recording, other];
  note(`recorded: ${JSON.stringify({ samples: first.samples.length, last: first.samples.at(-1)?.counts })}`);
});

const recordsSecond = once(async () => {
  await recordsFirst();
  const { recording } = await scene.recorded('second', async () => {
    await scene.switchOff();
    const names = first.files.map((_, disk) => `${scene.records}/second-${disk}`);
    first.cut(first.samples.at(-1)!, 'all', names);
    enlarge(names[EMPTY]!, GIB);
    scene.switchOn(names, true);
    await scene.operator.reaches(BOOT);
    await scene.settles();
    await keepsOther();
    await writes('x');
    await doesSecond();
    await endsWriting();
  });
  second = recording;
});

longTest(
  'a machine formats, mounts and exports a disk while a host writes to another one',
  async () => {
    await recordsFirst();
    const { made, mounted } = parts();
    expect(Math.min(made.length, mounted.length)).toBeGreaterThan(0);
  },
  WHOLE,
);

/** Tries these cuts of a recording, in their order. */
function tries(cuts: readonly Cut[], records: () => Promise<void>): void {
  for (const { name, loss, of } of cuts)
    longTest(
      `the power is cut ${name}`,
      async () => {
        await records();
        note(`cut ${name}`);
        await comesBack(...of(), loss).catch((error: Error) => {
          note(`failed: ${error.message}`);
          throw error;
        });
      },
      WHOLE,
    );
}

tries(CUTS.slice(0, 11), recordsFirst);
longTest('its disks, one of them larger, start again; it grows, and another one is taken over', recordsSecond, WHOLE);
tries(CUTS.slice(11), recordsSecond);
