// The schedule over the API, on its pages and by the clock: what is refused, what is made up for, what a restart leaves, what
// the overview says, and where the secrets of targets must not be left.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { scheduleJob } from '../../../shared/appliance/archive/schedule/job.ts';
import { queueDue } from '../../../shared/appliance/archive/schedule/queue.ts';
import { targetSecret } from '../../../shared/appliance/archive/schedule/target-store.ts';
import { PASSWORD } from '../../setup/house.ts';
import { OWNER, SCHEDULE, TARGETS, TargetScene } from '../../shared/appliance/archive/schedule/scene.ts';

const UI = '/ui/management/archives/schedule';
const CANARY = 'C4nary-Password';
const SFTP = { kind: 'sftp', host: 'backup01.lab.example', username: 'lab', path: 'archives' };

let scene: TargetScene;
let now = Date.parse('2026-11-25T12:00:00Z');
let count = 0;

beforeAll(async () => {
  scene = await TargetScene.open({ services: { clock: { now: () => new Date(now) } } });
});
afterAll(() => scene.close());
beforeEach(async () => {
  count += 1;
  await scene.house.services.store.write((tx) => tx.run('DELETE FROM archive_target'));
});

/** Sets the clock. */
async function at(milliseconds: number): Promise<void> {
  now = milliseconds;
  await scene.renew();
}
const path = (name = `t${count}`) => join(scene.house.data, 'copies', name);
const folder = (name = `folder ${count}`) => scene.target({ name, kind: 'folder', path: path() });
const post = (to: string, form: Record<string, string>) => scene.house.send('POST', to, { session: scene.admin, form });
const pointers = (body: { errors?: { pointer: string }[] }) => body.errors?.map(({ pointer }) => pointer);

describe('what is refused, at its member', () => {
  test.each([
    ['a folder elsewhere', { kind: 'folder', path: '/etc' }, ['/path']],
    ['a folder that climbs out', { kind: 'folder', path: '/srv/datastores/../../etc' }, ['/path']],
    ['a folder that is not absolute', { kind: 'folder', path: 'copies' }, ['/path']],
    ['a member of another kind', { kind: 'folder', path: '/srv/datastores/a', host: 'a.example' }, ['/host']],
    ['no password and no key', SFTP, ['/password']],
    ['a password and a key', { ...SFTP, password: 'a', private_key: 'b' }, ['/private_key']],
    ['a secret of another kind', { ...SFTP, secret_access_key: 'a' }, ['/secret_access_key']],
    ['a host with a port', { ...SFTP, host: 'a.example:22022', password: 'a' }, ['/host']],
    ['S3 without TLS', { kind: 's3', endpoint: 'http://s3.example', bucket: 'abc', access_key_id: 'A' }, ['/endpoint']],
    ['nothing of S3', { kind: 's3' }, ['/endpoint', '/bucket', '/access_key_id']],
    [
      'a certificate that is none',
      { kind: 's3', endpoint: 'https://s3.example', bucket: 'abc', access_key_id: 'A', ca_certificate: 'PEM' },
      ['/ca_certificate'],
    ],
  ])('%s', async (_name, body, at) => {
    const answer = await scene.api('POST', TARGETS, { name: 'refused', ...body });
    expect([answer.status, pointers(answer.body)]).toEqual([422, at]);
  });

  test('a schedule that is on without a recipient, and one that is none', async () => {
    const none = await scene.api('PATCH', SCHEDULE, { enabled: true, recipients: [] });
    expect([none.status, pointers(none.body)]).toEqual([422, ['/recipients']]);
    const wrong = await scene.api('PATCH', SCHEDULE, { recipients: ['age1x'], at: '24:00', keep_last: 0 });
    expect([wrong.status, pointers(wrong.body)?.sort()]).toEqual([422, ['/at', '/keep_last', '/recipients/0']]);
  });

  test('recipients read the vaults: the scope of archives alone does not name them', async () => {
    const other = await scene.house.actor('admin', ['write:archives']);
    const answer = await scene.house.send('PATCH', SCHEDULE, { token: other.token, body: { keep_last: 3 } });
    expect([answer.status, answer.body.error_code]).toEqual([403, 'insufficient_scope']);
  });

  test('a run without a target in use', async () => {
    const answer = await scene.api('POST', `${SCHEDULE}/run`);
    expect([answer.status, answer.body.error_code]).toEqual([409, 'state_conflict']);
  });
});

test('a folder behind a link that leads elsewhere, and one where no volume is mounted', async () => {
  mkdirSync(join(scene.house.data, 'copies'), { recursive: true });
  symlinkSync('/tmp', path());
  const id = await folder();
  const linked = await scene.api('POST', `${TARGETS}/${id}/test`);
  expect([linked.status, linked.body.detail]).toEqual([
    409,
    expect.stringContaining('A link on its way leads elsewhere.'),
  ]);
  const mounted = '/srv/datastores/nvme0/archives';
  mkdirSync(scene.house.services.host.resolve(mounted), { recursive: true });
  await scene.api('PATCH', `${TARGETS}/${id}`, { path: mounted });
  const bare = await scene.api('POST', `${TARGETS}/${id}/test`);
  expect([bare.status, bare.body.detail]).toEqual([409, expect.stringContaining('No volume is mounted there')]);
});

test('a secret is for one machine: another one needs it again, and its host key', async () => {
  const id = await scene.target({ name: 'sftp', ...SFTP, password: CANARY });
  const moved = await scene.api('PATCH', `${TARGETS}/${id}`, { host: 'elsewhere.lab.example' });
  expect([moved.status, pointers(moved.body)]).toEqual([422, ['/password']]);
  const { store } = scene.house.services;
  const confirmed = `SHA256:${'A'.repeat(43)}`;
  await store.write((tx) =>
    tx.run("UPDATE archive_target SET place = json_set(place, '$.host_key_sha256', ?) WHERE id = ?", [confirmed, id]),
  );
  const renamed = await scene.api('PATCH', `${TARGETS}/${id}`, { name: 'renamed' });
  expect(renamed.body).toMatchObject({ name: 'renamed', host_key_sha256: confirmed, stored_secret: 'password' });
  const again = await scene.api('PATCH', `${TARGETS}/${id}`, { host: 'elsewhere.lab.example', password: CANARY });
  expect(again.body).toMatchObject({ host: 'elsewhere.lab.example', host_key_sha256: null });
});

describe('by the clock', () => {
  const DAY = 86_400_000;
  const runs = async () =>
    (await scene.api('GET', '/api/v1/jobs?kind=archive-schedule')).body.items as { id: string; created_by: string }[];
  const idle = () => scene.house.appliance.runner.idle();

  test('a time that comes is run once; of many that were missed one is made up; an edit loses none', async () => {
    await folder();
    await scene.api('PATCH', SCHEDULE, { enabled: true, every: 'daily', at: '13:00', recipients: [OWNER.recipient] });
    const before = (await runs()).length;
    const ticked = async () => {
      await queueDue(scene.house.services);
      await idle();
      return (await runs()).length - before;
    };
    expect(await ticked()).toBe(0);
    await at(Date.parse('2026-11-25T13:00:05Z'));
    // Before the clock looks.
    await scene.api('PATCH', SCHEDULE, { keep_last: 9 });
    expect([await ticked(), await ticked()]).toEqual([1, 1]);
    expect((await runs())[0]!.created_by).toBe('Clock of the service');
    await at(now + 9 * DAY);
    expect([await ticked(), await ticked()]).toEqual([2, 2]);
    expect(readdirSync(path())).toHaveLength(2);
    await scene.api('PATCH', SCHEDULE, { enabled: false });
    await at(now + DAY);
    expect(await ticked()).toBe(2);
  });

  test('copies that are over go, and only those that were verified here', async () => {
    await folder();
    await scene.api('PATCH', SCHEDULE, { keep_last: 2, keep_daily: 0, keep_weekly: 0, keep_monthly: 0 });
    const names: string[] = [];
    for (let day = 0; day < 4; day += 1) {
      await at(now + DAY);
      const { result } = await scene.run();
      names.push(result!.archive);
      if (day === 0)
        writeFileSync(join(path(), 'groundcrew-gc01-20200101T000000Z.gcarchive.age'), 'of another appliance');
    }
    expect(readdirSync(path()).sort()).toEqual(['groundcrew-gc01-20200101T000000Z.gcarchive.age', ...names.slice(2)]);
  });

  test('overdue: said by the API, the schedule, the archives and the overview, and only to whoever may read archives', async () => {
    const id = await folder('nas');
    await scene.api('PATCH', SCHEDULE, { enabled: true });
    const standing = async () => (await scene.api('GET', SCHEDULE)).body.standing;
    expect(await standing()).toMatchObject({ state: 'overdue', late: [{ id, name: 'nas', newest_verified_at: null }] });
    const pages = ['/ui/management', '/ui/management/archives', UI];
    for (const page of pages) expect((await scene.page(page)).text).toContain('Copies of archives are overdue');
    const viewer = await scene.house.actor('viewer');
    const seen = await scene.house.send('GET', '/ui/management', { session: viewer });
    expect([seen.status, seen.text.includes('overdue')]).toEqual([200, false]);
    await scene.run();
    expect(await standing()).toMatchObject({ state: 'current', late: [] });
    for (const page of pages) expect((await scene.page(page)).text).not.toContain('Copies of archives are overdue');
    await at(now + 2 * DAY + 1000);
    expect(await standing()).toMatchObject({ state: 'overdue' });
    await scene.api('PATCH', `${TARGETS}/${id}`, { enabled: false });
    expect(await standing()).toMatchObject({ state: 'no-target' });
    await scene.api('PATCH', SCHEDULE, { enabled: false });
    expect(await standing()).toMatchObject({ state: 'off', next_at: null });
  });
});

test('a run that was cut off goes on after a restart, without what it left', async () => {
  await folder();
  const { body } = await scene.api('POST', `${SCHEDULE}/run`);
  await scene.house.appliance.runner.idle();
  // As the process would have been killed between the name and the note: the file is there, and nothing says so.
  const { store } = scene.house.services;
  const [left] = readdirSync(path());
  const part = `${left}.${body.job_id}.part`;
  writeFileSync(join(path(), part), 'half');
  await store.write(async (tx) => {
    await tx.run('DELETE FROM archive_copy');
    await tx.run("UPDATE task SET state = 'running', finished_at = NULL WHERE job_id = ? AND name <> 'make'", [
      body.job_id,
    ]);
    await tx.run(
      "UPDATE job SET state = 'running', finished_at = NULL, result = NULL, lease_owner = 'elsewhere/1/1', lease_until = '2020-01-01T00:00:00.000Z' WHERE id = ?",
      [body.job_id],
    );
  });
  now += 5000;
  await scene.house.appliance.runner.idle();
  const ran = await scene.job(body.job_id);
  expect([ran.state, ran.said]).toEqual([
    'succeeded',
    expect.stringContaining('left unfinished there was removed: 2 files'),
  ]);
  expect(readdirSync(path())).toEqual([ran.result!.archive]);
  expect(ran.result!.archive).not.toBe(left);
  const scratch = readdirSync(join(scene.house.data, 'archives')).filter((name) => name.startsWith('scratch-'));
  expect([scratch, scheduleJob.lane]).toEqual([[], 'remote']);
});

test('the pages work without script: edit, add, test, run, delete', async () => {
  const edit = {
    every: 'weekly',
    weekday: 'monday',
    at: '04:00',
    recipients: OWNER.recipient,
    keep_last: '3',
    keep_daily: '0',
    keep_weekly: '4',
    keep_monthly: '0',
  };
  const wrong = await post(`${UI}/edit`, { ...edit, own_password: 'another', at: '25:00' });
  expect([wrong.status, wrong.text.includes('25:00')]).toEqual([422, true]);
  const saved = await post(`${UI}/edit`, { ...edit, own_password: PASSWORD });
  expect([saved.status, saved.headers.location]).toEqual([303, UI]);
  const refused = await post(`${UI}/targets/new`, {
    name: 'nas',
    kind: 'sftp',
    host: 'a b',
    port: '22',
    username: 'lab',
    remote_path: 'x',
    password: CANARY,
  });
  expect([refused.status, refused.text.includes(CANARY), refused.text.includes('Type it again')]).toEqual([
    422,
    false,
    true,
  ]);
  const added = await post(`${UI}/targets/new`, {
    name: 'nas',
    kind: 'folder',
    path: path(),
    enabled: 'true',
    host: 'ignored',
  });
  expect(added.status).toBe(303);
  const page = added.headers.location!.split('?')[0]!;
  expect((await scene.page(page)).text).toContain('No copy was verified there yet.');
  const tested = await post(`${page}/test`, {});
  expect(tested.status).toBe(303);
  const ran = await post(`${UI}/run`, {});
  expect(ran.headers.location).toMatch(/^\/ui\/management\/jobs\/job_/);
  await scene.house.appliance.runner.idle();
  // A long name may break before its ending.
  const shown = (await scene.page(page)).text.replaceAll('<wbr/>', '');
  expect(shown).toContain(readdirSync(path())[0]);
  expect((await scene.page(UI)).text).toContain('Every Monday at 04:00 UTC');
  expect((await post(`${page}/delete`, {})).status).toBe(303);
  expect(readdirSync(path())).toHaveLength(1);
});

test('no secret of a target is in an answer, a page, the log, a job, the audit log or an archive without encryption', async () => {
  const id = await scene.target({ name: 'sftp', ...SFTP, password: CANARY });
  await scene.api('PATCH', `${TARGETS}/${id}`, { private_key: `-----BEGIN ${CANARY}-----` });
  await scene.run();
  await scene.api('POST', `${TARGETS}/${id}/test`);
  for (const at of ['', '/edit', '/delete']) await scene.page(`${UI}/targets/${id}${at}`);
  const { body: plain } = await scene.api('POST', '/api/v1/archives', { encryption: 'none' });
  const bytes = readFileSync(join(scene.house.data, 'archives', `${plain.id}.gcarchive`));
  expect([bytes.includes(CANARY), bytes.includes('archive_target')]).toEqual([false, false]);
  const { store } = scene.house.services;
  const rows = [
    ...(await store.all('SELECT * FROM job')),
    ...(await store.all('SELECT * FROM task')),
    ...(await store.all('SELECT * FROM audit_event')),
    ...(await store.all('SELECT * FROM archive_target')),
  ];
  expect(rows.length).toBeGreaterThan(10);
  const answers = scene.house.heard.map(({ answer }) => answer.body);
  for (const text of [JSON.stringify(rows), scene.lines.join('\n'), answers.join('\n')])
    expect(text).not.toContain(CANARY);
});

test('the rotation of the vaults’ key takes the secrets of targets along', async () => {
  const id = await scene.target({ name: 'sftp', ...SFTP, password: CANARY });
  const { store } = scene.house.services;
  const sealedUnder = async () =>
    (await store.one<{ kek_id: string }>('SELECT kek_id FROM archive_target WHERE id = ?', [id]))!.kek_id;
  const before = await sealedUnder();
  const { body } = await scene.api('POST', '/api/v1/vaults/rotate-key');
  await scene.house.appliance.runner.idle();
  expect((await scene.job(body.job_id)).state).toBe('succeeded');
  expect(await sealedUnder()).not.toBe(before);
  expect(await targetSecret(store, scene.house.services, id)).toBe(CANARY);
});

test('an encrypted archive brings schedule and targets to another appliance, with their secrets', async () => {
  await scene.target({ name: 'sftp', ...SFTP, password: CANARY });
  const passphrase = 'of this archive alone';
  const { body } = await scene.api('POST', '/api/v1/archives', { encryption: 'passphrase', passphrase });
  const id = (await scene.api('GET', TARGETS)).body.items[0].id;
  await scene.api('DELETE', `${TARGETS}/${id}`);
  await scene.api('PATCH', SCHEDULE, { recipients: [], at: '23:00' });
  const restored = await scene.api('POST', `/api/v1/archives/${body.id}/restore`, {
    passphrase,
    units: [{ unit: 'archives' }],
  });
  expect([restored.status, restored.body.units?.map(({ unit }: { unit: string }) => unit)]).toEqual([
    200,
    ['archives'],
  ]);
  const [back] = (await scene.api('GET', TARGETS)).body.items;
  expect(back).toMatchObject({ name: 'sftp', stored_secret: 'password', host: SFTP.host });
  expect(await targetSecret(scene.house.services.store, scene.house.services, back.id)).toBe(CANARY);
  expect((await scene.api('GET', SCHEDULE)).body).toMatchObject({ recipients: [OWNER.recipient] });
  await rm(path(), { recursive: true, force: true });
});
