// A snapshot that is put back: killed at each step, on a full disk, beside a service that runs. The folder has the database of
// before or the snapshot, whole, with the audit event that says so.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type PutBack, putBack } from '../../runtime/put-back.ts';
import { systemClock, systemEntropy } from '../../shared/ground/clock.ts';
import { DATABASE_FILE, SCHEMA_VERSION } from '../../shared/ground/store/open-store.ts';
import { listSnapshots, SNAPSHOTS_FOLDER, type Snapshot, takeSnapshot } from '../../shared/ground/store/snapshots.ts';
import { systemActor } from '../../shared/kernel/access/actor.ts';
import { takeLock } from '../../shared/kernel/access/mutation-lock.ts';
import { verifyAudit } from '../../shared/kernel/audit/audit.ts';
import { bundleProgram, startProgram } from '../setup/program.ts';
import { fill, keysFile, openSide, rotate } from '../setup/vault-scene.ts';

let program: string;
/** A folder whose snapshot has one token less than its database. */
let seed: string;
let data: string;
let snapshot: Snapshot;

const TOKEN = (name: string): string =>
  `INSERT INTO unit_settings (unit, document, updated_at) VALUES ('${name}', '{}', '')`;

beforeAll(async () => {
  program = await bundleProgram('test/faults/put-back-program.ts');
  seed = mkdtempSync(join(tmpdir(), 'groundcrew-put-back-'));
  const side = await openSide(seed);
  await fill(side, 2);
  await side.store.write((tx) => tx.run(TOKEN('old')));
  snapshot = await takeSnapshot(join(seed, DATABASE_FILE), 'before-migration', systemClock);
  await side.store.write((tx) => tx.run(TOKEN('new')));
  await side.store.close();
}, 300_000);
afterAll(() => {
  rmSync(join(program, '..'), { recursive: true, force: true });
  rmSync(seed, { recursive: true, force: true });
});
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'groundcrew-put-back-'));
  cpSync(seed, data, { recursive: true });
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const options = (more: Partial<PutBack> = {}): PutBack => ({
  data,
  name: snapshot.name,
  lose_values: false,
  clock: systemClock,
  entropy: systemEntropy,
  context: { at: '2026-05-01T08:00:00.000Z', actor: systemActor('test'), request_id: 'test', source_address: '' },
  ...more,
});

const file = (): string => join(data, DATABASE_FILE);
const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: Error) => error.message,
  );

/** What the folder has after a start. */
async function state(): Promise<{ units: string[]; restores: number; chain: boolean }> {
  const { store, keys } = await openSide(data);
  try {
    const units = await store.all<{ unit: string }>(
      "SELECT unit FROM unit_settings WHERE unit IN ('old', 'new') ORDER BY unit",
    );
    const restores = await store.all("SELECT 1 FROM audit_event WHERE action = 'data.restore'");
    const { ok } = await verifyAudit(store, keys);
    return { units: units.map(({ unit }) => unit), restores: restores.length, chain: ok };
  } finally {
    await store.close();
  }
}
const BEFORE = { units: ['new', 'old'], restores: 0, chain: true };
const AFTER = { units: ['old'], restores: 1, chain: true };

test('it goes through: what was there is kept, nothing is left over, all of it is the owner’s alone', async () => {
  const { kept } = await putBack(options());
  expect(await state()).toEqual(AFTER);
  expect(readdirSync(data).sort()).toEqual(['groundcrew.keys', DATABASE_FILE, SNAPSHOTS_FOLDER, 'vault.keys']);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  const there = new DatabaseSync(kept!.path, { readOnly: true });
  expect(there.prepare("SELECT count(*) AS n FROM unit_settings WHERE unit = 'new'").get()).toEqual({ n: 1 });
  there.close();
  // And back again.
  await putBack(options({ name: kept!.name }));
  expect(await state()).toEqual({ ...BEFORE, restores: 1 });
});

test.each(['checked', 'alone', 'kept', 'copied', 'recorded', 'named'])('killed at %s', async (step) => {
  expect(await startProgram(program, [data, snapshot.name, step]).ended).toMatchObject({
    signal: 'SIGKILL',
    stderr: '',
  });
  expect(await state()).toEqual(step === 'named' ? AFTER : BEFORE);
  expect(await startProgram(program, [data, snapshot.name]).ended).toMatchObject({ code: 0, stderr: '' });
  expect(await state()).toEqual(AFTER);
  expect(readdirSync(data)).toHaveLength(4);
});

test.each(['copied', 'synced', 'named'])('a copy that is killed at %s is whole or not there', async (step) => {
  expect(await startProgram(program, [data, 'take', step]).ended).toMatchObject({ signal: 'SIGKILL' });
  const taken = (await listSnapshots(data)).filter(({ occasion }) => occasion === 'on-request');
  expect(taken).toHaveLength(step === 'named' ? 1 : 0);
  expect(await state()).toEqual(BEFORE);
  expect(await startProgram(program, [data, 'take']).ended).toMatchObject({ code: 0 });
  expect(readdirSync(join(data, SNAPSHOTS_FOLDER)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

describe('it is refused, and nothing changes,', () => {
  afterEach(async () => expect(await state()).toEqual(BEFORE));

  test('while somebody else has the database open', async () => {
    const side = await openSide(data);
    expect(await messageOf(putBack(options()))).toMatch(/is in use: stop the service first/);
    await side.store.close();
  }, 60_000);

  test('without such a snapshot', async () => {
    for (const name of ['schema-1-20260501T080000000Z-on-request.sqlite', `../${DATABASE_FILE}`, '']) {
      expect(await messageOf(putBack(options({ name })))).toMatch(/^There is no snapshot .*There are:\n {2}schema-/);
    }
  });

  test('with one that is damaged, or of a newer program', async () => {
    const damaged = 'schema-3-20260501T080000000Z-on-request.sqlite';
    const newer = `schema-${SCHEMA_VERSION + 1}-20260501T080000000Z-on-request.sqlite`;
    const cut = 'schema-15-20260501T080000001Z-on-request.sqlite';
    writeFileSync(join(data, SNAPSHOTS_FOLDER, damaged), 'no database');
    copyFileSync(snapshot.path, join(data, SNAPSHOTS_FOLDER, newer));
    writeFileSync(join(data, SNAPSHOTS_FOLDER, cut), execFileSync('head', ['-c', '40960', snapshot.path]));
    expect(await messageOf(putBack(options({ name: damaged })))).toMatch(/is damaged; nothing was changed/);
    expect(await messageOf(putBack(options({ name: cut })))).toMatch(/is damaged; nothing was changed/);
    expect(await messageOf(putBack(options({ name: newer })))).toMatch(/has schema \d+; this program knows up to \d+/);
  });
});

test('while an unfinished job owns all changes it is refused, except for a copy that knows of the job', async () => {
  const side = await openSide(data);
  await side.store.write((tx) => takeLock(tx, 'all', 'job_a', '2026-05-01T08:00:00.000Z'));
  const meanwhile = await takeSnapshot(file(), 'before-migration', systemClock);
  await side.store.close();
  expect(await messageOf(putBack(options()))).toMatch(/^The job job_a owns all changes since 2026-05-01T08:00:00.000Z/);
  expect(await state()).toEqual(BEFORE);
  await putBack(options({ name: meanwhile.name }));
  expect(await state()).toEqual({ ...BEFORE, restores: 1 });
});

test('values that no key opens any more are lost only when somebody says so', async () => {
  const side = await openSide(data);
  await rotate(side);
  await side.store.close();
  expect(await messageOf(putBack(options()))).toMatch(/sealed under a key that .*vault\.keys doesn't have any more/);
  expect((await state()).units).toEqual(['new', 'old']);
  await putBack(options({ lose_values: true }));
  expect(await state()).toEqual(AFTER);
});

test('a snapshot takes the place of a database that is damaged, which is kept, or gone', async () => {
  writeFileSync(file(), 'no database at all, but long enough to be read as one'.repeat(100));
  expect((await putBack(options())).kept).toBeNull();
  expect(await state()).toEqual(AFTER);
  expect(readdirSync(data).filter((name) => name.includes('.damaged-'))).toHaveLength(1);
  rmSync(file());
  expect((await putBack(options())).kept).toBeNull();
  expect(await state()).toEqual(AFTER);
});

test('the keys of the appliance are where they were', async () => {
  const before = execFileSync('cat', [keysFile(data)]);
  await putBack(options());
  expect(execFileSync('cat', [keysFile(data)]).equals(before)).toBe(true);
});

test('on a full disk it is refused at whichever step, and nothing changes', async () => {
  const small = mkdtempSync(join(tmpdir(), 'groundcrew-put-back-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=700', 'tmpfs', small]);
  const whole = data;
  try {
    data = join(small, 'data');
    mkdirSync(data, { mode: 0o700 });
    cpSync(seed, data, { recursive: true });
    const size = statSync(snapshot.path).size;
    const said = new Set<string>();
    for (const room of [0, size / 2, size + 8192, size * 1.5, size * 2]) {
      const free = Number(execFileSync('df', ['-B1', '--output=avail', small], { encoding: 'utf8' }).split('\n')[1]);
      writeFileSync(join(small, 'filler'), Buffer.alloc(Math.max(0, free - Math.ceil(room))));
      said.add((await messageOf(putBack(options()))).replace(data, 'DATA').replace(/ in .*/, ''));
      rmSync(join(small, 'filler'));
      for (const { occasion, path } of await listSnapshots(data)) if (occasion === 'before-restore') rmSync(path);
      expect(await state()).toEqual(BEFORE);
    }
    expect([...said]).toEqual(['There is no room']);
    await putBack(options());
    expect(await state()).toEqual(AFTER);
  } finally {
    data = whole;
    execFileSync('umount', [small]);
    rmSync(small, { recursive: true, force: true });
  }
});
