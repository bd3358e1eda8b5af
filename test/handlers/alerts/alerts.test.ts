// Alerts from conditions to their end: opened, acknowledged, closed by themselves, over the API and on their page; rules; and
// what a restart leaves.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { watchConditions } from '../../../shared/appliance/health/watch.ts';
import { takeSamples } from '../../../shared/appliance/metrics/sampled.ts';
import { CLOSED_MOST } from '../../../shared/vcf/alerts/alert-store.ts';
import { ALERTS, AlertScene, FAILING, RULES } from '../../setup/alert-scene.ts';

let scene: AlertScene;

beforeAll(async () => {
  scene = await AlertScene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  await scene.house.services.store.write((tx) => tx.run('DELETE FROM alert'));
});

test('an alert opens, is acknowledged by somebody, and closes by itself', async () => {
  expect(await scene.look(FAILING)).toEqual([null]);
  expect((await scene.api('GET', ALERTS)).items).toEqual([]);
  scene.pass(61);
  expect(await scene.look(FAILING)).toEqual(['opened']);
  const [alert] = (await scene.api('GET', `${ALERTS}?state=open`)).items;
  expect(alert).toMatchObject({ condition: 'unit_failing', subject: 'ntp', state: 'open', closed_at: null });
  expect(await scene.api('POST', `${ALERTS}/${alert.id}/acknowledge`)).toMatchObject({
    state: 'acknowledged',
    acknowledged_by: expect.stringContaining(scene.admin.user.name),
  });
  const again = await scene.send('POST', `${ALERTS}/${alert.id}/acknowledge`);
  expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining(scene.admin.user.name)]);
  const { body: log } = await scene.send('GET', '/api/v1/audit?action=alert.acknowledge');
  expect(log.items[0]).toMatchObject({ resource: { type: 'alert', id: alert.id }, detail: { subject: 'ntp' } });
  await scene.look();
  scene.pass(121);
  expect(await scene.look()).toEqual(['closed']);
  expect(await scene.api('GET', `${ALERTS}/${alert.id}`)).toMatchObject({ state: 'closed' });
  expect((await scene.send('POST', `${ALERTS}/${alert.id}/acknowledge`)).status).toBe(409);
});

test('the page lists them by state, and its button acknowledges', async () => {
  await scene.open(FAILING, { ...FAILING, subject: 'kms', says: 'KMS does not answer as applied.' });
  const { items } = await scene.api('GET', ALERTS);
  const page = await scene.page('/alerts');
  expect(page.text).toContain('NTP does not answer as applied.');
  const posted = await scene.post(`/alerts/${items[0].id}/acknowledge`, {});
  expect([posted.status, posted.headers.location]).toEqual([303, '/ui/management/alerts']);
  expect((await scene.page('/alerts?state=acknowledged')).text.match(/does not answer as applied/g)).toHaveLength(1);
  expect((await scene.page('/alerts?state=closed')).text).toContain('No alert matches this filter.');
  const refused = await scene.post(`/alerts/${items[0].id}/acknowledge`, {});
  expect([refused.status, refused.text.includes('was acknowledged by')]).toEqual([409, true]);
});

test('a viewer reads them and acknowledges none', async () => {
  await scene.open(FAILING);
  const viewer = await scene.house.actor('viewer');
  const { items } = (await scene.house.send('GET', ALERTS, { token: viewer.token })).body;
  const at = `${ALERTS}/${items[0].id}/acknowledge`;
  expect((await scene.house.send('POST', at, { token: viewer.token })).status).toBe(403);
  const { text } = await scene.house.send('GET', '/ui/management/alerts', { session: viewer });
  expect([text.includes('NTP does not'), text.includes('Acknowledge</')]).toEqual([true, false]);
});

test('real conditions become alerts by the clock, and end with what caused them', async () => {
  const { services } = scene.house;
  const { store } = services;
  await takeSamples(services);
  const failed = (failures: number) =>
    store.write(async (tx) => {
      await tx.run("DELETE FROM sign_in_throttle WHERE key LIKE 'address %'");
      await tx.run('INSERT INTO sign_in_throttle (key, failures, last_failure_at) VALUES (?, ?, ?)', [
        'address 192.0.2.7',
        failures,
        scene.now.toISOString(),
      ]);
    });
  const found = async () =>
    (await scene.api('GET', `${ALERTS}?condition=sign_ins_refused`)).items.map(({ state }: { state: string }) => state);
  await failed(60);
  await watchConditions(services);
  scene.pass(61);
  await watchConditions(services);
  expect(await found()).toEqual(['open']);
  await failed(2);
  await watchConditions(services);
  scene.pass(121);
  await watchConditions(services);
  expect(await found()).toEqual(['closed']);
});

test('a threshold of the rules holds for the page Health too, and a silent condition opens nothing', async () => {
  const { services } = scene.house;
  await services.store.write((tx) =>
    tx.run('INSERT OR REPLACE INTO sign_in_throttle (key, failures, last_failure_at) VALUES (?, 9, ?)', [
      'address 192.0.2.8',
      scene.now.toISOString(),
    ]),
  );
  const ids = async () => (await scene.api('GET', '/api/v1/health')).conditions.map(({ id }: { id: string }) => id);
  expect(await ids()).not.toContain('sign_ins_refused');
  const saved = await scene.api('PATCH', RULES, { failed_sign_ins: 5, silent: ['sign_ins_refused'] });
  expect(saved).toMatchObject({ failed_sign_ins: 5, certificate_days: 14, revision: 1 });
  expect(await ids()).toContain('sign_ins_refused');
  await watchConditions(services);
  scene.pass(61);
  await watchConditions(services);
  expect((await scene.api('GET', `${ALERTS}?condition=sign_ins_refused`)).items).toEqual([]);
  expect((await scene.send('PATCH', RULES, { disk_percent: 12 })).body.errors[0].pointer).toBe('/disk_percent');
  expect((await scene.send('PATCH', RULES, { silent: ['nonsense'] })).status).toBe(422);
});

test('the form of the rules saves numbers and boxes', async () => {
  const { revision } = await scene.api('GET', RULES);
  const fields = {
    ...{
      certificate_days: '30',
      disk_percent: '80',
      pool_percent: '85',
      clock_offset_ms: '250',
      failed_sign_ins: '20',
    },
    ...{ open_after_seconds: '60', close_after_seconds: '120', reminder_hours: '24' },
  };
  const posted = await scene.post('/alert-rules', {
    ...fields,
    told: ['unit_failing', 'disk_full'],
    revision: `${revision}`,
  });
  expect(posted.status).toBe(303);
  expect(await scene.api('GET', RULES)).toMatchObject({
    reminder_hours: 24,
    silent: expect.arrayContaining(['pool_full']),
  });
  const wrong = await scene.post('/alert-rules', { ...fields, reminder_hours: 'often', revision: `${revision + 1}` });
  expect([wrong.status, wrong.text.includes('Reminder after (hours)')]).toEqual([422, true]);
  await scene.api('PATCH', RULES, { silent: [], reminder_hours: 0, failed_sign_ins: 50 });
});

test('after a restart nothing is opened or told twice', async () => {
  await scene.open(FAILING);
  await scene.restart();
  expect(await scene.look(FAILING)).toEqual([]);
  expect((await scene.api('GET', ALERTS)).items).toHaveLength(1);
});

test('the history is bounded by count and by age', async () => {
  const { store } = scene.house.services;
  await store.write((tx) =>
    tx.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO alert (id, condition, subject, severity, says, state, since, opened_at, closed_at)
       SELECT 'alert_' || i, 'disk_full', 'data', 'critical', '', 'closed', ?2, ?2, ?2 FROM n`,
      [CLOSED_MOST + 50, scene.now.toISOString()],
    ),
  );
  await scene.open(FAILING);
  const count = async () =>
    (await store.one<{ n: number }>("SELECT count(*) AS n FROM alert WHERE state = 'closed'"))!.n;
  expect(await count()).toBe(CLOSED_MOST);
  scene.pass(91 * 86_400);
  await scene.look(FAILING, { ...FAILING, subject: 'kms' });
  expect(await count()).toBe(0);
});
