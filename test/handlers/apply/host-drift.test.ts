// What somebody changed on the host by hand is shown in the review and overwritten only where that is asked for.
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { admin, api, applied, house, open, PLANS, saved, submitted } from './apply-scene.ts';

const FORM = '/ui/management/appliance-apply';
const page = async (path: string) =>
  (await house.send('GET', path, { session: admin })).text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

let file = '';
const onHost = () => join(house.data, 'host/rehearsal/etc/systemd/network', file);
const byHand = (line = 'DNS=192.0.2.53') => appendFileSync(onHost(), `${line}\n`);
const submit = async (plan: { id: string; digest: string }, more: object = {}) => {
  const heard = await api('POST', `${PLANS}/${plan.id}/submit`, { digest: plan.digest, ...more });
  await house.appliance.runner.idle();
  return heard;
};
const stateOf = async ({ id }: { id: string }) => (await api('GET', `${PLANS}/${id}`)).body.state;

describe('a change made by hand on the host', () => {
  beforeEach(async () => {
    await open();
    await applied();
    [file] = readdirSync(join(house.data, 'host/rehearsal/etc/systemd/network')) as [string];
  });

  test('stands in the review with its lines, secrets masked', async () => {
    byHand();
    for (const line of [
      'password = hunter2',
      'admin_password="two hunter2"',
      'client_secret: hunter2',
      'rootpw hunter2',
    ])
      byHand(`# ${line}`);
    const { body: plan } = await api('POST', PLANS, {});
    const { drift } = plan.units.find(({ id }: { id: string }) => id === 'network');
    expect(drift.lines).toEqual([`/etc/systemd/network/${file} was changed`]);
    expect(drift.raw).toContain('+DNS=192.0.2.53');
    // Nor in the diff from the host to what would be written, which is kept with the plan.
    expect(JSON.stringify(plan)).not.toContain('hunter2');
    const text = await page(`${FORM}/${plan.id}`);
    expect(text).toContain('Changed on the host by hand');
    expect(text).toContain('+DNS=192.0.2.53');
    expect(text).toContain('Overwrite what was changed on the host');
    expect(text).toContain('Network changed on the host');
  });

  test('is not overwritten unless the unit is named', async () => {
    byHand();
    const { body: plan } = await api('POST', PLANS, {});
    const refused = await submit(plan);
    expect([refused.status, refused.body.error_code, refused.body.units]).toEqual([
      409,
      'drift_unconfirmed',
      ['network'],
    ]);
    expect(readFileSync(onHost(), 'utf8')).toContain('192.0.2.53');
    const form = await house.send('POST', `${FORM}/${plan.id}/submit`, {
      session: admin,
      form: { digest: plan.digest, note: 'kept' },
    });
    expect([form.status, form.text.includes('Nothing was applied: the host was changed by hand')]).toEqual([409, true]);
    expect((await submit(plan, { overwrite_drift: ['network'] })).status).toBe(202);
    expect(await stateOf(plan)).toBe('applied');
    expect(readFileSync(onHost(), 'utf8')).not.toContain('192.0.2.53');
    expect((await api('GET', `${PLANS}/${plan.id}`)).body.overwrite_drift).toEqual(['network']);
  });

  test('is overwritten from the page where it is chosen', async () => {
    byHand();
    const { body: plan } = await api('POST', PLANS, {});
    const form = { digest: plan.digest, note: '', overwrite_drift: 'network' };
    expect((await house.send('POST', `${FORM}/${plan.id}/submit`, { session: admin, form })).status).toBe(303);
    await house.appliance.runner.idle();
    expect(await stateOf(plan)).toBe('applied');
  });

  test('that came after the review is refused, named or not', async () => {
    byHand();
    const { body: plan } = await api('POST', PLANS, {});
    byHand('NTP=192.0.2.123');
    const refused = await submit(plan, { overwrite_drift: ['network'] });
    expect([refused.status, refused.body.error_code, refused.body.units]).toEqual([409, 'plan_stale', ['network']]);
    expect(readFileSync(onHost(), 'utf8')).toContain('192.0.2.123');
  });

  test('that came between the submit and the write is refused, not overwritten', async () => {
    await saved(['PATCH', '/api/v1/interfaces/physical/ens192', { mtu: 9000 }]);
    const { body: plan } = await api('POST', PLANS, {});
    house.services.checkpoint = (step) => {
      if (step === 'network:stage') byHand();
    };
    await submit(plan);
    expect(await stateOf(plan)).toBe('failed');
    expect(readFileSync(onHost(), 'utf8')).toContain('192.0.2.53');
    const { job_id } = (await api('GET', `${PLANS}/${plan.id}`)).body;
    const { error } = (await api('GET', `/api/v1/jobs/${job_id}`)).body;
    expect([error.error_code, error.detail]).toEqual([
      'plan_stale',
      expect.stringContaining('was changed on the host after this plan was made'),
    ]);
  });

  test('that was saved here too, so that the file is as it is to be, is overwritten by nobody', async () => {
    await saved(['PATCH', '/api/v1/interfaces/physical/ens192', { mtu: 9000 }]);
    await applied();
    const wanted = readFileSync(onHost(), 'utf8');
    await saved(['PATCH', '/api/v1/interfaces/physical/ens192', { mtu: 1500 }]);
    await applied();
    writeFileSync(onHost(), wanted);
    await saved(['PATCH', '/api/v1/interfaces/physical/ens192', { mtu: 9000 }]);
    const { body: plan } = await api('POST', PLANS, {});
    expect(plan.units.map(({ id, drift }: { id: string; drift: unknown }) => [id, drift])).toEqual([['network', null]]);
    expect((await submit(plan)).status).toBe(202);
    expect(await stateOf(plan)).toBe('applied');
    expect(readFileSync(onHost(), 'utf8')).toBe(wanted);
  });

  test('is what a plan with reapply is for: its units count as named', async () => {
    byHand();
    const { body: plan } = await api('POST', PLANS, { units: ['network'], reapply: true });
    expect(plan.overwrite_drift).toEqual(['network']);
    expect((await submitted(plan)).status).toBe(202);
    expect(await stateOf(plan)).toBe('applied');
  });

  test('of a unit that is not in the plan can’t be named', async () => {
    byHand();
    const { body: plan } = await api('POST', PLANS, {});
    const refused = await submit(plan, { overwrite_drift: ['ntp'] });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/overwrite_drift']);
  });

  test('stays where the unit is left out', async () => {
    byHand();
    await saved(['PATCH', '/api/v1/firewall/settings', { enabled: false }]);
    const { body: plan } = await api('POST', PLANS, {});
    const text = await page(`${FORM}/${plan.id}`);
    expect(text).toContain('Leave Network out');
    const form = { units: 'firewall' };
    const left = await house.send('POST', FORM, { session: admin, form });
    const { body: other } = await api('GET', `${PLANS}/${left.headers.location!.split('/').pop()}`);
    expect([other.units.map(({ id }: { id: string }) => id), other.left_out]).toEqual([['firewall'], ['Network']]);
    expect((await submit(other)).status).toBe(202);
    expect(readFileSync(onHost(), 'utf8')).toContain('192.0.2.53');
  });

  test('is found at once by a comparison on demand, and not told of a unit that matches', async () => {
    const of = async (heard: Promise<{ body: { items: { unit: string; state: string }[] } }>) =>
      (await heard).body.items.find(({ unit }) => unit === 'network')!.state;
    expect(await of(api('GET', '/api/v1/apply/drift'))).toBe('none');
    byHand();
    expect(await of(api('POST', '/api/v1/apply/drift/compare'))).toBe('drifted');
    expect(await of(api('GET', '/api/v1/apply/drift'))).toBe('drifted');
    const form = await house.send('POST', `${FORM}/drift/compare`, { session: admin, form: {} });
    expect([form.status, form.headers.location]).toEqual([303, FORM]);
  });
});

test('a review says who changed its units, and that all of them are in it', async () => {
  await open();
  await applied();
  await saved(['PATCH', '/api/v1/interfaces/physical/ens192', { mtu: 9000 }]);
  const { body: plan } = await api('POST', PLANS, {});
  const text = await page(`${FORM}/${plan.id}`);
  expect(text).toMatch(/Changed by alice/);
  expect(text).toContain('It is in this plan');
  const viewer = await house.actor('viewer', undefined, 'victor');
  const seen = (await house.send('GET', `${FORM}/${plan.id}`, { session: viewer })).text;
  expect(seen).toMatch(/<title>Plan of [-0-9]+ [:0-9]+ UTC · Groundcrew<\/title>/);
});

test('a plan in force is not offered to be brought back, and its page reads itself again only while it runs', async () => {
  await open();
  const id = await applied();
  const html = (await house.send('GET', `${FORM}/${id}`, { session: admin })).text;
  expect(html).not.toContain('Restore this configuration');
  expect(html).not.toContain('http-equiv="refresh"');
  expect(await page(FORM)).not.toContain('>Restore<');
  await saved(['PATCH', '/api/v1/interfaces/physical/ens192', { mtu: 9000 }]);
  const { body: plan } = await api('POST', PLANS, {});
  house.appliance.runner.wake = () => undefined;
  await api('POST', `${PLANS}/${plan.id}/submit`, { digest: plan.digest });
  for (const path of [`${FORM}/${plan.id}`, FORM, '/ui/management/jobs', '/ui/management'])
    expect((await house.send('GET', path, { session: admin })).text).toContain('http-equiv="refresh"');
  delete (house.appliance.runner as { wake?: unknown }).wake;
});

test('404 and 403 keep the navigation of whoever is signed in', async () => {
  await open();
  const viewer = await house.actor('viewer', undefined, 'victor');
  const html = { accept: 'text/html' };
  const missing = await house.send('GET', `${FORM}/plan_none`, { session: admin, headers: html });
  expect([missing.status, missing.text.includes('aria-label="Main"')]).toEqual([404, true]);
  const refused = await house.send('GET', '/ui/management/vaults/import', { session: viewer, headers: html });
  expect([refused.status, refused.text.includes('aria-label="Main"')]).toEqual([403, true]);
  const nobody = await house.send('GET', '/ui/management/nowhere', { headers: html });
  expect(nobody.text.includes('aria-label="Main"')).toBe(false);
});
