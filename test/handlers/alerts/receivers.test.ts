// Receivers of alerts: what is saved, whom the appliance trusts, the queue with its retries and dead letters, and that no secret
// is anywhere. The servers are ours and speak real TLS.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { beginDeliveries, deliveriesSettled } from '../../../shared/vcf/alerts/deliver.ts';
import { ATTEMPTS_MOST, QUEUED_MOST } from '../../../shared/vcf/alerts/queue.ts';
import { findReceiver, receiverSecret } from '../../../shared/vcf/alerts/receiver-store.ts';
import { AlertScene, FAILING, type Got, RECEIVERS } from '../../setup/alert-scene.ts';

const CANARY = 'c4nary-of-the-mail-server';
const MAIL = {
  ...{ kind: 'mail', host: 'mail.lab.example', username: 'gc', sender: 'gc@lab.example' },
  recipients: ['ops@lab.example'],
};

let scene: AlertScene;

beforeAll(async () => {
  scene = await AlertScene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  await scene.house.services.store.write(async (tx) => {
    for (const table of ['alert', 'alert_receiver']) await tx.run(`DELETE FROM ${table}`);
  });
  Object.assign(scene, { status: 204, headers: {} });
  await scene.api('PATCH', '/api/v1/remote/settings', { allowed_networks: ['127.0.0.0/8'] });
  scene.got.length = 0;
});

const messages = async (id: string) => (await scene.api('GET', `${RECEIVERS}/${id}/messages`)).items;

/** With another implementation. */
function verified({ headers, body }: Got, secret: string): boolean {
  const input = `${headers['x-groundcrew-timestamp']}.${body}`;
  const said = String(execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret], { input }));
  return headers['x-groundcrew-signature'] === `v1=${said.trim().split('= ')[1]}`;
}

describe('a dry run', () => {
  test.each([
    ['webhook', { kind: 'webhook', url: 'https://hooks.lab.example/room' }],
    ['mail', { ...MAIL, port: 587, password: CANARY }],
    ['syslog', { kind: 'syslog', host: 'logs.lab.example', port: 6514 }],
  ])('of a %s answers as saving it would, and saves nothing', async (_kind, body) => {
    const path = (of: string) => `${of}?dry_run=true`;
    const dry = await scene.send('POST', path(RECEIVERS), { name: 'first', ...body });
    expect([dry.status, dry.headers.location]).toEqual([201, undefined]);
    expect(dry.text).not.toContain(CANARY);
    expect((await scene.api('GET', RECEIVERS)).items).toEqual([]);
    const saved = await scene.api('POST', RECEIVERS, { name: 'first', ...body });
    const { id, created_at, updated_at, ...same } = saved;
    expect(dry.body).toMatchObject(same);
    const one = `${RECEIVERS}/${id}`;
    expect(await scene.api('PATCH', path(one), { name: 'second', enabled: false })).toMatchObject({
      ...{ name: 'second', enabled: false, revision: saved.revision + 1 },
    });
    expect((await scene.send('DELETE', path(one))).status).toBe(204);
    expect(await scene.api('GET', one)).toEqual(saved);
    const { items } = await scene.api('GET', `/api/v1/audit?resource_type=alert_receiver&resource_id=${id}`);
    expect(items.map(({ action }: { action: string }) => action)).toEqual(['alert.receiver.create']);
  });

  test('refuses what saving would refuse, and a receiver that is deleted dry keeps its secret and what waits', async () => {
    const fake = await scene.server();
    const { id } = await scene.webhook(fake);
    const { name } = await scene.api('GET', `${RECEIVERS}/${id}`);
    const hook = { kind: 'webhook', url: 'https://hooks.lab.example/room' };
    const taken = await scene.send('POST', `${RECEIVERS}?dry_run=true`, { name, ...hook });
    expect([taken.status, taken.body.error_code]).toEqual([409, 'already_exists']);
    const bad = await scene.send('POST', `${RECEIVERS}?dry_run=true`, { name: 'next', ...hook, url: 'http://a/' });
    expect([bad.status, bad.body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([422, ['/url']]);
    await scene.open(FAILING);
    for (const [method, body] of [
      ['PATCH', { enabled: false, url: hook.url }],
      ['DELETE', undefined],
    ] as const)
      expect((await scene.send(method, `${RECEIVERS}/${id}?dry_run=true`, body)).status).toBeLessThan(300);
    await scene.deliver();
    expect(scene.got.map(({ body }) => JSON.parse(body).event)).toEqual(['opened']);
    const tested = await scene.send('POST', `${RECEIVERS}/${id}/test?dry_run=true`);
    expect([tested.status, tested.body.errors?.[0]?.pointer]).toEqual([422, '?dry_run']);
  });
});

describe('a webhook', () => {
  test('that could not be confirmed was looked at: the audit log says so', async () => {
    const fake = await scene.server();
    const url = `https://127.0.0.1:${fake.port}/`;
    const { id } = await scene.api('POST', RECEIVERS, { name: 'seen', kind: 'webhook', url });
    const confirm = () =>
      scene.send('POST', `${RECEIVERS}/${id}/confirm-certificate`, {
        sha256: 'AA'.repeat(32).replace(/..(?!$)/g, '$&:'),
      });
    expect((await confirm()).body.error_code).toBe('certificate_changed');
    await fake.stop();
    expect((await confirm()).body.error_code).toBe('remote_unreachable');
    const { items } = await scene.api('GET', '/api/v1/audit?action=remote.target.probe&limit=2');
    expect(items.map(({ outcome, detail }: { outcome: string; detail: object }) => [outcome, detail])).toEqual([
      ['failure', expect.objectContaining({ task: 'alerts', refused: 'remote_unreachable' })],
      ['success', expect.objectContaining({ task: 'alerts', sha256: fake.sha256 })],
    ]);
  });

  test('has a path in its URL that is shown to those alone who may change it', async () => {
    const url = `https://hooks.lab.example/${CANARY}?room=1`;
    const { id } = await scene.api('POST', RECEIVERS, { name: 'hook', kind: 'webhook', url });
    const { token } = await scene.house.actor('viewer');
    for (const path of [RECEIVERS, `${RECEIVERS}/${id}`]) {
      const { status, text } = await scene.house.send('GET', path, { token });
      expect([status, text.includes('https://hooks.lab.example/…')]).toEqual([200, true]);
      expect(text).not.toContain(CANARY);
    }
    expect((await scene.api('GET', `${RECEIVERS}/${id}`)).url).toBe(url);
  });

  test('is told once of opening and once of closing, each signed', async () => {
    const fake = await scene.server();
    const { id, secret } = await scene.webhook(fake);
    await scene.open(FAILING);
    await scene.deliver();
    await scene.look();
    scene.pass(121);
    await scene.look();
    await scene.deliver();
    expect(scene.got.map(({ path, body }) => [path, JSON.parse(body).event])).toEqual([
      ['/hook?room=1', 'opened'],
      ['/hook?room=1', 'closed'],
    ]);
    expect(scene.got.every((got) => verified(got, secret))).toBe(true);
    expect(verified({ ...scene.got[0]!, body: `${scene.got[0]!.body} ` }, secret)).toBe(false);
    expect(JSON.parse(scene.got[0]!.body)).toMatchObject({
      appliance: 'gc01.lab.example',
      alert: { condition: 'unit_failing', subject: 'ntp', severity: 'critical', says: FAILING.says },
    });
    expect((await messages(id)).map(({ state }: { state: string }) => state)).toEqual(['sent', 'sent']);
  });

  test('that refuses is tried again with the same id, later each time, and what it did not get stays in order', async () => {
    const fake = await scene.server();
    const { id } = await scene.webhook(fake);
    scene.status = 503;
    await scene.open(FAILING);
    await scene.deliver();
    await scene.deliver();
    expect(scene.got).toHaveLength(1);
    await scene.look();
    scene.pass(121);
    await scene.look();
    await scene.deliver();
    expect(scene.got).toHaveLength(2);
    expect(await scene.api('GET', `${RECEIVERS}/${id}`)).toMatchObject({
      failing_since: expect.any(String),
      last_reason: expect.stringContaining('answered 503'),
    });
    scene.status = 200;
    scene.pass(59);
    await scene.deliver();
    expect(scene.got).toHaveLength(2);
    scene.pass(2);
    await scene.deliver();
    expect(scene.got.map(({ body }) => JSON.parse(body).event)).toEqual(['opened', 'opened', 'opened', 'closed']);
    const ids = scene.got.map(({ headers }) => headers['x-groundcrew-delivery']);
    expect([new Set(ids.slice(0, 3)).size, new Set(ids).size]).toEqual([1, 2]);
    expect(await scene.api('GET', `${RECEIVERS}/${id}`)).toMatchObject({ failing_since: null, last_reason: '' });
  });

  test('that never answers again ends as a dead letter, which its page says, and later ones are tried', async () => {
    const fake = await scene.server();
    const { id } = await scene.webhook(fake, 'gone');
    await fake.stop();
    await scene.open(FAILING);
    for (let attempt = 0; attempt < ATTEMPTS_MOST; attempt++) {
      await scene.deliver();
      scene.pass(3601);
    }
    expect(await messages(id)).toMatchObject([{ state: 'dead', attempts: ATTEMPTS_MOST, next_at: null }]);
    expect((await scene.page(`/alert-receivers/${id}`)).text).toContain('refused the connection.');
    expect((await scene.page('/alert-receivers')).text).toContain('1 given up');
    const { conditions } = await scene.api('GET', '/api/v1/health');
    expect(conditions).toContainEqual(expect.objectContaining({ id: 'receiver_failing', subject: 'gone' }));
    expect(scene.lines.some((line) => line.includes('an alert was given up'))).toBe(true);
  });

  test('a redirect is not followed, wherever it leads', async () => {
    const fake = await scene.server();
    const inner = await scene.server();
    const { id } = await scene.webhook(fake);
    scene.status = 307;
    scene.headers = { location: `https://127.0.0.1:${inner.port}/inner` };
    const tried = await scene.send('POST', `${RECEIVERS}/${id}/test`);
    expect([tried.status, tried.body.error_code]).toEqual([409, 'remote_refused']);
    expect(tried.body.detail).toContain('a redirect, which is not followed');
    expect(inner.connections).toBe(0);
  });

  test('at an inner address is refused, also where the exception went after it was confirmed', async () => {
    const fake = await scene.server();
    const { id } = await scene.webhook(fake);
    await scene.api('PATCH', '/api/v1/remote/settings', { allowed_networks: [] });
    const before = fake.connections;
    const tried = await scene.send('POST', `${RECEIVERS}/${id}/test`);
    expect([tried.status, tried.body.error_code]).toEqual([409, 'target_refused']);
    for (const url of ['https://169.254.169.254/', 'https://[::1]/', 'https://localhost/']) {
      await scene.api('PATCH', `${RECEIVERS}/${id}`, { url });
      const looked = await scene.send('POST', `${RECEIVERS}/${id}/look-at-certificate`);
      expect([looked.status, looked.body.error_code]).toEqual([409, 'target_refused']);
    }
    expect(fake.connections).toBe(before);
  });

  test('that shows another certificate gets nothing', async () => {
    const fake = await scene.server();
    const { id } = await scene.webhook(fake);
    fake.changeCertificate();
    const tried = await scene.send('POST', `${RECEIVERS}/${id}/test`);
    expect([tried.status, tried.body.error_code]).toEqual([409, 'certificate_changed']);
    expect([scene.got.length, fake.bytes_after_change]).toEqual([0, 0]);
  });

  test('that hangs keeps neither the clock nor another receiver waiting, and is asked once at a time', async () => {
    const slow = await scene.server({ answer: (request) => void request.resume() });
    const quick = await scene.server();
    await scene.webhook(slow, 'slow');
    await scene.webhook(quick, 'quick');
    await scene.open(FAILING);
    const began = performance.now();
    await beginDeliveries(scene.house.services);
    expect(performance.now() - began).toBeLessThan(2000);
    while (scene.got.length === 0) await new Promise((done) => setTimeout(done, 20));
    await beginDeliveries(scene.house.services);
    await beginDeliveries(scene.house.services);
    expect(slow.requests).toHaveLength(1);
    slow.cut();
    await deliveriesSettled(scene.house.services);
  });

  test('is tested once at a time', async () => {
    const slow = await scene.server({ answer: (request) => void request.resume() });
    const { id } = await scene.webhook(slow);
    const test = () => scene.send('POST', `${RECEIVERS}/${id}/test`);
    const first = test();
    while (slow.requests.length === 0) await new Promise((done) => setTimeout(done, 20));
    expect((await test()).body.error_code).toBe('too_many_attempts');
    expect(slow.requests).toHaveLength(1);
    slow.cut();
    expect((await first).body.error_code).toBe('remote_unreachable');
    expect(
      (await scene.house.services.store.all('SELECT 1 FROM audit_event WHERE action = ?', ['alert.receiver.test']))
        .length,
    ).toBeGreaterThanOrEqual(2);
  });

  test('is told in order, also where the clock was set back between two messages', async () => {
    const fake = await scene.server();
    const { id } = await scene.webhook(fake);
    await scene.open(FAILING);
    scene.pass(-3600);
    await scene.look();
    await scene.look();
    scene.pass(121);
    await scene.look();
    await scene.deliver();
    expect(scene.got.map(({ body }) => JSON.parse(body).event)).toEqual(['opened', 'closed']);
    expect((await messages(id)).map(({ event }: { event: string }) => event)).toEqual(['closed', 'opened']);
    scene.pass(3600);
  });

  test('is told after a restart what was queued before it, once', async () => {
    const fake = await scene.server();
    await scene.webhook(fake);
    await scene.open(FAILING);
    await scene.restart();
    await scene.deliver();
    await scene.restart();
    await scene.deliver();
    expect(scene.got).toHaveLength(1);
  });

  test('without a secret or a confirmed certificate is told nothing', async () => {
    const fake = await scene.server();
    const url = `https://127.0.0.1:${fake.port}/`;
    const { id } = await scene.api('POST', RECEIVERS, { name: 'bare', kind: 'webhook', url });
    const codes = [];
    codes.push((await scene.send('POST', `${RECEIVERS}/${id}/test`)).body.error_code);
    const wrong = await scene.send('POST', `${RECEIVERS}/${id}/confirm-certificate`, {
      sha256: fake.sha256.replace(/^../, fake.sha256.startsWith('00') ? '11' : '00'),
    });
    codes.push(wrong.body.error_code);
    await scene.api('POST', `${RECEIVERS}/${id}/confirm-certificate`, { sha256: fake.sha256.toLowerCase() });
    codes.push((await scene.send('POST', `${RECEIVERS}/${id}/test`)).body.error_code);
    expect(codes).toEqual(['trust_missing', 'certificate_changed', 'remote_credential_gone']);
    expect(fake.application_bytes).toBe(0);
  });
});

test('a receiver that wants critical alerts alone hears of no other; one that is off hears nothing', async () => {
  const fake = await scene.server();
  await scene.webhook(fake, 'critical', { severity: 'critical' });
  const off = await scene.webhook(fake, 'off', { enabled: false });
  await scene.open({ ...FAILING, severity: 'warning' });
  await scene.deliver();
  expect([scene.got.length, (await messages(off.id)).length]).toEqual([0, 0]);
  await scene.open({ ...FAILING, subject: 'kms' });
  await scene.deliver();
  expect(scene.got).toHaveLength(1);
});

test('a queue is bounded, and what waits for a receiver that is switched off is given up', async () => {
  const fake = await scene.server();
  const { id } = await scene.webhook(fake);
  const many = Array.from({ length: QUEUED_MOST + 30 }, (_, at) => ({ ...FAILING, subject: `unit-${at}` }));
  await scene.open(...many);
  const states = async () => {
    const rows = await scene.house.services.store.all<{ state: string; n: number }>(
      'SELECT state, count(*) AS n FROM alert_message GROUP BY state ORDER BY state',
    );
    return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
  };
  expect(await states()).toEqual({ dead: 30, queued: QUEUED_MOST });
  await scene.api('PATCH', `${RECEIVERS}/${id}`, { enabled: false });
  expect(await states()).toEqual({ dead: QUEUED_MOST + 30 });
  expect((await messages(id))[0].reason).toBe('The receiver was switched off.');
});

test('secrets are for one server: another one needs its own, and its certificate anew', async () => {
  const { id } = await scene.api('POST', RECEIVERS, { name: 'mail', ...MAIL, password: CANARY });
  await scene.house.services.store.write((tx) => tx.run('UPDATE alert_receiver SET sha256 = ?', ['AA'.repeat(32)]));
  const moved = await scene.send('PATCH', `${RECEIVERS}/${id}`, { host: 'mail2.lab.example' });
  expect([moved.status, moved.body.errors[0].pointer]).toEqual([422, '/password']);
  const again = await scene.api('PATCH', `${RECEIVERS}/${id}`, { host: 'mail2.lab.example', password: 'another one' });
  expect(again).toMatchObject({ sha256: null, has_secret: true });
  // As a restore of an archive without secrets could do it.
  const { store } = scene.house.services;
  await store.write((tx) =>
    tx.run("UPDATE alert_receiver SET place = json_set(place, '$.host', 'evil.lab.example') WHERE id = ?", [id]),
  );
  const receiver = await findReceiver(store, id);
  expect([receiver.has_secret, await receiverSecret(store, scene.house.services, receiver)]).toEqual([false, null]);
});

test('a user name and a password come together', async () => {
  const post = (more: object) => scene.send('POST', RECEIVERS, { name: 'mail', ...MAIL, ...more });
  expect((await post({})).body.errors[0].pointer).toBe('/password');
  expect((await post({ username: '', password: CANARY })).body.errors[0].pointer).toBe('/username');
  expect((await post({ username: '' })).status).toBe(201);
  expect((await post({ username: '' })).body.error_code).toBe('already_exists');
  expect((await post({ name: 'other', password: CANARY, facility: 'local0' })).body.errors[0].pointer).toBe(
    '/facility',
  );
});

test('forms add, change, test, confirm and delete, and show the signing secret once', async () => {
  const fake = await scene.server();
  const added = await scene.post('/alert-receivers/new', {
    ...{ name: 'hook', enabled: 'true', severity: 'warning', kind: 'webhook', url: `https://127.0.0.1:${fake.port}/a` },
    ...{ mail_host: 'ignored', security: 'starttls', facility: 'daemon' },
  });
  expect(added.status).toBe(303);
  const page = added.headers.location!.replace('/ui/management', '');
  const looked = await scene.post(`${page}/look-at-certificate`, {});
  expect([looked.status, looked.text.includes(fake.sha256)]).toEqual([200, true]);
  expect((await scene.post(`${page}/confirm-certificate`, { sha256: fake.sha256 })).status).toBe(303);
  const made = await scene.post(`${page}/make-secret`, {});
  const secret = /<code id="secret-value">([\w-]{43})<\/code>/.exec(made.text)![1]!;
  expect((await scene.page(page)).text).not.toContain(secret);
  expect((await scene.post(`${page}/test`, {})).status).toBe(303);
  expect(verified(scene.got[0]!, secret)).toBe(true);
  scene.status = 500;
  const failed = await scene.post(`${page}/test`, {});
  expect([failed.status, failed.text.includes('answered 500')]).toEqual([409, true]);
  const { items } = await scene.api('GET', RECEIVERS);
  const edit = { name: 'renamed', severity: 'critical', kind: 'webhook', url: `https://127.0.0.1:${fake.port}/a` };
  expect((await scene.post(`${page}/edit`, { ...edit, revision: `${items[0].revision}` })).status).toBe(303);
  expect(await scene.api('GET', `${RECEIVERS}/${items[0].id}`)).toMatchObject({ name: 'renamed', enabled: false });
  const stale = await scene.post(`${page}/edit`, { ...edit, revision: `${items[0].revision}` });
  expect(stale.status).toBe(412);
  expect((await scene.post(`${page}/delete`, { revision: `${items[0].revision + 1}` })).status).toBe(303);
  expect((await scene.api('GET', RECEIVERS)).items).toEqual([]);
});

test('no secret is in an answer, a page, the log, the audit log, a message or an archive without encryption', async () => {
  const fake = await scene.server();
  const { id, secret } = await scene.webhook(fake);
  const mail = await scene.api('POST', RECEIVERS, { name: 'mail', ...MAIL, host: '127.0.0.1', password: CANARY });
  const heard = scene.house.heard.length;
  await scene.api('PATCH', `${RECEIVERS}/${mail.id}`, { password: CANARY });
  await scene.send('POST', `${RECEIVERS}/${mail.id}/test`);
  await scene.open(FAILING);
  await scene.deliver();
  for (const at of ['', '/edit', '/delete']) {
    await scene.page(`/alert-receivers/${id}${at}`);
    await scene.page(`/alert-receivers/${mail.id}${at}`);
  }
  await scene.post(`/alert-receivers/${mail.id}/edit`, { kind: 'mail', name: '', password: CANARY, mail_host: 'x' });
  const plain = await scene.api('POST', '/api/v1/archives', { encryption: 'none' });
  const bytes = readFileSync(join(scene.house.data, 'archives', `${plain.id}.gcarchive`), 'utf8');
  const { store } = scene.house.services;
  const rows = [];
  for (const table of ['alert', 'alert_receiver', 'alert_message', 'audit_event', 'job'])
    rows.push(...(await store.all(`SELECT * FROM ${table}`)));
  const answers = scene.house.heard.slice(heard).map(({ answer }) => answer.body);
  for (const text of [JSON.stringify(rows), scene.lines.join('\n'), answers.join('\n'), bytes, scene.got[0]!.body])
    for (const canary of [CANARY, secret]) expect(text).not.toContain(canary);
  // Nor their URLs: the path of a chat’s is a secret as well.
  expect(bytes).not.toContain('alert_receiver');
});

test('an encrypted archive brings receivers back with their secrets, one without encryption brings none', async () => {
  await scene.api('POST', RECEIVERS, { name: 'mail', ...MAIL, password: CANARY });
  const passphrase = 'of this archive alone';
  const sealed = await scene.api('POST', '/api/v1/archives', { encryption: 'passphrase', passphrase });
  const plain = await scene.api('POST', '/api/v1/archives', { encryption: 'none' });
  const back = async (archive: string, body: object) => {
    const { items } = await scene.api('GET', RECEIVERS);
    for (const { id } of items) await scene.api('DELETE', `${RECEIVERS}/${id}`);
    await scene.api('POST', `/api/v1/archives/${archive}/restore`, { ...body, units: [{ unit: 'alerts' }] });
    return (await scene.api('GET', RECEIVERS)).items;
  };
  expect(await back(plain.id, {})).toEqual([]);
  const [found] = await back(sealed.id, { passphrase });
  expect(found).toMatchObject({ name: 'mail', has_secret: true });
  const { store } = scene.house.services;
  expect(await receiverSecret(store, scene.house.services, await findReceiver(store, found.id))).toBe(CANARY);
});

test('the rotation of the vaults’ key takes the secrets of receivers along', async () => {
  const { id } = await scene.api('POST', RECEIVERS, { name: 'mail', ...MAIL, password: CANARY });
  const { store } = scene.house.services;
  const sealedUnder = async () =>
    (await store.one<{ kek_id: string }>('SELECT kek_id FROM alert_receiver_secret'))!.kek_id;
  const before = await sealedUnder();
  await scene.api('POST', '/api/v1/vaults/rotate-key');
  await scene.house.appliance.runner.idle();
  expect(await sealedUnder()).not.toBe(before);
  expect(await receiverSecret(store, scene.house.services, await findReceiver(store, id))).toBe(CANARY);
});
