// A push to a SCIM service when something is in its way: the token, the certificate, a busy target, a kill in the middle; and
// that the token is nowhere.
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { scheduled } from '../../../handlers/scheduled/push-scim.ts';
import { openStore } from '../../../shared/ground/store/open-store.ts';
import { createUser } from '../../../shared/kernel/access/user.ts';
import { putInForce } from '../../setup/automation-ldap-house.ts';
import { DEAD } from '../../setup/job-scene.ts';
import { groupsAt, ScimScene, usersAt } from '../../setup/scim-scene.ts';
import { until } from '../../setup/until.ts';

jest.setTimeout(180_000);

const TOKEN = 'Scim-canary-token.0815/AbCdEf+gh==';
const logged: string[] = [];
let scene: ScimScene;
beforeAll(async () => {
  scene = await ScimScene.open({ log: (line) => void logged.push(line) }, true);
});
afterAll(() => scene.close());

const busy = (seconds: number) => ({
  status: 429,
  headers: { 'retry-after': `${seconds}` },
  json: { detail: 'Slow.' },
});
const allReasons = async (at: string) => JSON.stringify(await scene.api('GET', `${at}/objects?limit=1000`));

test('a wrong token ends the push with a clear sentence, whatever the target repeats of it', async () => {
  const fake = await scene.fake({ token: TOKEN });
  const at = await scene.directoryTarget(fake, {}, { token: 'Another-canary-token-4711' });
  const job = await scene.push(at);
  expect([job.state, job.error.error_code]).toEqual(['failed', 'remote_login_refused']);
  expect(job.error.detail).toContain('does not accept the token (status 401)');
  const standing = await scene.api('GET', at);
  expect([standing.last_outcome, standing.last_reason]).toEqual(['failed', job.error.detail]);
  // Both schemes were tried, and nothing else.
  expect([fake.calls, fake.authorizations.map((sent) => sent.split(' ')[0])]).toEqual([
    ['GET /Users', 'GET /Users'],
    ['Bearer', 'HZN'],
  ]);
  expect(JSON.stringify([job, standing])).not.toContain('canary');
  expect((await scene.send('PUT', at, { base_url: fake.base_url, token: TOKEN })).status).toBe(200);
  expect((await scene.push(at)).state).toBe('succeeded');
});

test('a vCenter that wants its own scheme gets it', async () => {
  const fake = await scene.fake({ token: TOKEN, scheme: 'HZN' });
  const at = await scene.directoryTarget(fake);
  expect([(await scene.push(at)).state, usersAt(fake)]).toEqual(['succeeded', ['ada', 'grace']]);
  expect(new Set(fake.authorizations.slice(1))).toEqual(new Set([`HZN ${TOKEN}`]));
});

test('without a confirmed certificate, and with another one, nothing is sent', async () => {
  const fake = await scene.fake({ token: TOKEN });
  const at = await scene.directoryTarget(fake);
  const looked = await scene.api('POST', `${at}/look-at-certificate`);
  expect(looked).toMatchObject({ sha256: fake.sha256, confirmed: true, address: '127.0.0.1' });
  fake.changeCertificate();
  const job = await scene.push(at);
  expect([job.state, job.error.error_code, fake.calls, fake.bytes]).toEqual(['failed', 'certificate_changed', [], 0]);

  const confirm = await scene.send('POST', `${at}/confirm-certificate`, { sha256: fake.sha256 });
  expect([confirm.status, confirm.body.error_code]).toEqual([409, 'certificate_changed']);
  const seen = await scene.api('POST', `${at}/look-at-certificate`);
  expect([seen.confirmed, seen.sha256 === fake.sha256]).toEqual([false, false]);
  await scene.api('POST', `${at}/confirm-certificate`, { sha256: seen.sha256 });
  expect((await scene.push(at)).state).toBe('succeeded');

  // Another server: its token and its certificate anew.
  const other = await scene.fake({ token: TOKEN });
  const moved = await scene.send('PUT', at, { base_url: other.base_url });
  expect([moved.status, moved.body.errors]).toEqual([
    422,
    [{ pointer: '/token', detail: 'Enter it again: the target is another server now.' }],
  ]);
  expect(await scene.api('PUT', at, { base_url: other.base_url, token: TOKEN })).toMatchObject({ sha256: null });
  const unconfirmed = await scene.send('POST', `${at}/push`);
  expect([unconfirmed.status, unconfirmed.body.error_code, other.calls]).toEqual([409, 'state_conflict', []]);
  expect(await scene.objects(at)).toEqual([]);
});

test('a busy target is waited for as it asks, and given up when it asks for too much', async () => {
  const fake = await scene.fake({ token: TOKEN });
  const at = await scene.directoryTarget(fake);
  fake.faults.push({ call: 'GET /Users', answer: busy(0) }, { call: 'POST /Users', answer: busy(1) });
  expect([(await scene.push(at)).state, usersAt(fake)]).toEqual(['succeeded', ['ada', 'grace']]);
  expect(fake.calls.filter((call) => call.startsWith('POST /Users'))).toHaveLength(3);
  fake.faults.push({ call: 'GET /Users', answer: busy(3600) });
  const job = await scene.push(at);
  expect([job.state, job.error.error_code]).toEqual(['failed', 'remote_not_ready']);
  expect(job.error.detail).toContain('did not take the request within the time that a push waits');
});

test('one object that the target refuses holds up no other; one that always fails ends the push', async () => {
  const fake = await scene.fake({ token: TOKEN });
  const at = await scene.directoryTarget(fake);
  fake.faults.push({ call: 'POST /Users', answer: { status: 400, json: { detail: `No. ${TOKEN}` } } });
  const job = await scene.push(at);
  expect([job.state, usersAt(fake), groupsAt(fake)]).toEqual([
    'succeeded',
    ['grace'],
    ['admins:', 'nobody-yet:', 'operators:'],
  ]);
  expect(await scene.reason(at, 'ada')).toMatch(/^The target does not take it as it is\. It says: No\. \[removed\]/);
  expect([(await scene.push(at)).state, groupsAt(fake)]).toEqual([
    'succeeded',
    ['admins: ada', 'nobody-yet:', 'operators: ada'],
  ]);
  fake.faults.push({ call: 'GET /Groups', answer: { status: 302, headers: { location: 'https://192.0.2.1/' } } });
  expect((await scene.push(at)).error.error_code).toBe('remote_answer_unusable');
});

test('a push that was killed in the middle begins anew, and nothing is made twice', async () => {
  const fake = await scene.fake({ token: TOKEN });
  const at = await scene.directoryTarget(fake);
  let folder = '';
  // The first user was made and could not be written down.
  const keep = () => {
    folder = scene.copy();
  };
  fake.before.push({ call: 'POST /Groups', work: keep });
  await scene.push(at);
  fake.groups.clear();
  const [grace] = [...fake.users.values()].filter(({ userName }) => userName === 'grace');
  fake.users.delete(grace!.id);
  const left = await openStore(folder);
  await left.write((tx) => tx.run("UPDATE job SET lease_owner = ? WHERE state = 'running'", [DEAD]));
  await left.close();
  const second = await ScimScene.open({ data: folder });
  try {
    const { store } = second.house.services;
    const newest = 'SELECT state FROM job ORDER BY created_at DESC LIMIT 1';
    const state = async () => (await store.one<{ state: string }>(newest))!.state;
    await until(async () => (await state()) !== 'running');
    expect([await state(), usersAt(fake), groupsAt(fake)]).toEqual([
      'succeeded',
      ['ada', 'grace'],
      ['admins: ada', 'nobody-yet:', 'operators: ada'],
    ]);
  } finally {
    await second.house.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the clock pushes after a change, not without one, and not at once after a failure', async () => {
  const { services } = scene.house;
  await services.store.write((tx) => tx.run('UPDATE scim_target SET enabled = 0'));
  const fake = await scene.fake({ token: TOKEN });
  const at = await scene.directoryTarget(fake);
  const tick = async () => {
    fake.calls.length = 0;
    await scheduled.spec.run(services, {} as never);
    await scene.house.appliance.runner.idle();
    return fake.calls.length > 0;
  };
  expect([await tick(), usersAt(fake), await tick()]).toEqual([true, ['ada', 'grace'], false]);
  const { items } = await scene.api('GET', '/api/v1/ldap/users?uid=grace');
  await scene.api('PATCH', `/api/v1/ldap/users/${items[0].id}`, { enabled: false });
  fake.faults.push({ call: 'GET /Users', answer: { status: 500 } });
  expect([await tick(), (await scene.api('GET', at)).last_outcome, await tick()]).toEqual([true, 'failed', false]);
  await services.store.write((tx) => tx.run("UPDATE scim_target SET next_at = '2020-01-01T00:00:00.000Z'"));
  expect([await tick(), usersAt(fake)]).toEqual([true, ['-grace', 'ada']]);
  await scene.api('PATCH', `/api/v1/ldap/users/${items[0].id}`, { enabled: true });
  await putInForce(scene.house);
});

test('500 users in pages, and a group of all of them', async () => {
  const fake = await scene.fake({ token: TOKEN });
  const { services } = scene.house;
  await services.store.write(async (tx) => {
    for (let at = 0; at < 500; at++)
      await createUser(tx, services, { name: `user-${at}`, role: 'viewer', password_hash: 'none' });
  });
  const at = await scene.target(fake, { name: 'many' }, { groups: ['viewer'], enabled: false });
  expect((await scene.push(at)).result).toMatchObject({ created: 501, refused: 0 });
  expect([fake.users.size, [...fake.groups.values()][0]!.members.length]).toEqual([500, 500]);
  fake.calls.length = 0;
  expect((await scene.push(at)).result).toMatchObject({ unchanged: 501 });
  // Five pages of users, and one of groups.
  expect(fake.calls).toEqual([...new Array(5).fill('GET /Users'), 'GET /Groups']);
});

test('the token is in no log line, no file in the clear, no audit row, no job and no answer', async () => {
  const { house } = scene;
  const files = readdirSync(house.data, { recursive: true, encoding: 'utf8' })
    .map((name) => join(house.data, name))
    .filter((path) => statSync(path).isFile());
  const forms = [TOKEN, Buffer.from(TOKEN).toString('base64'), encodeURIComponent(TOKEN), 'Another-canary-token-4711'];
  const answers = [
    await scene.send('GET', '/api/v1/audit?limit=1000'),
    await scene.send('GET', '/api/v1/jobs?limit=1000'),
  ].map(({ text }) => text);
  for (const form of forms) {
    for (const path of files) expect([path, readFileSync(path).includes(form)]).toEqual([path, false]);
    for (const text of [...answers, ...logged]) expect(text.includes(form)).toBe(false);
  }
  expect(answers[0]).toContain('oidc.scim.pushed');
  expect(await allReasons((await clientsAt())[0]!)).not.toContain('canary');
});

const clientsAt = async (): Promise<string[]> =>
  (await scene.api('GET', '/api/v1/oidc/clients?limit=1000')).items.map(
    ({ id }: { id: string }) => `/api/v1/oidc/clients/${id}/scim`,
  );
