// A confirm window in trouble: an attacker is stopped while it is open, it is not extended for ever, its record is damaged,
// and its watchdog gives nothing away.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { Credentials } from '../setup/house.ts';
import {
  api,
  confirm,
  damage,
  house,
  inState,
  LOOPBACK,
  look,
  mtu,
  open,
  openAgain,
  PAGE,
  PLANS,
  planOf,
  post,
  rewrite,
  units,
  until,
  waiting,
  windowOf,
} from './confirm-window-scene.ts';

afterEach(() => house.close());

/** What a later release might write. */
const FUTURE = '{"format":2,"sha256":"","plan_id":"plan_x","state":"armed","units":[],"touched":[]}';

test('is watched by a program that does not know the first password', async () => {
  process.env.GROUNDCREW_ADMIN_PASSWORD = 'correct horse battery';
  await open();
  const { id } = await waiting();
  delete process.env.GROUNDCREW_ADMIN_PASSWORD;
  const of = (pid: string, file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
  const watchdogs = readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && of(pid, 'cmdline').includes(`watchdog`) && of(pid, 'cmdline').includes(house.data);
    } catch {
      return false;
    }
  });
  expect(watchdogs).toHaveLength(1);
  expect(of(watchdogs[0]!, 'environ')).not.toContain('GROUNDCREW_ADMIN_PASSWORD');
  expect(of(watchdogs[0]!, 'environ')).toContain('PATH=');
  await api('POST', `${PLANS}/${id}/cancel`);
  await inState(id, 'reverted');
});

test('lasts 60 minutes in all: an extension beyond that is refused and says how much is left', async () => {
  await open();
  const { id } = await waiting();
  const { opened_uptime_ms } = (await windowOf().read())!;
  await rewrite({ opened_uptime_ms: opened_uptime_ms! - 3_500_000 });
  const { extendable_seconds } = (await planOf(id)).window;
  expect([extendable_seconds > 30, extendable_seconds < 100]).toEqual([true, true]);
  expect(await look(`${PAGE}/${id}`)).toMatch(/At most \d\d seconds now; 60 minutes in all/);
  const refused = await api('POST', `${PLANS}/${id}/extend`, { confirm_timeout: 600 });
  expect([refused.status, refused.body.error_code]).toEqual([409, 'state_conflict']);
  expect(refused.body.detail).toMatch(/lasts at most 60 minutes in all\. It can be extended to at most \d\d seconds/);
  const page = await post(`${PAGE}/${id}/extend`, { confirm_timeout: '600' });
  expect([page.status, page.text.includes('lasts at most 60 minutes in all')]).toEqual([409, true]);
  expect((await api('POST', `${PLANS}/${id}/extend`, { confirm_timeout: 30 })).status).toBe(200);
  await rewrite({ opened_uptime_ms: opened_uptime_ms! - 3_599_000 });
  const spent = await look(`${PAGE}/${id}`);
  expect(spent).toContain('The window can’t be extended any more');
  expect(spent).not.toContain('More time');
  await api('POST', `${PLANS}/${id}/cancel`);
  await inState(id, 'reverted');
});

test.each(['{', '', '{"plan_id":"plan_x","state":"open"}', FUTURE])(
  'whose record is damaged (%j) is told of everywhere, can not be confirmed, and is put back when it is asked for',
  async (content) => {
    await open();
    const { id, nonce, before, states } = await waiting();
    damage(content);
    expect((await planOf(id)).window).toMatchObject({ state: 'damaged', nonce: null, seconds_left: null });
    expect(await look('/ui/management')).toContain('its confirm window is damaged; roll it back');
    expect(await look(`${PAGE}/${id}`)).toMatch(/Roll back now.*The record of the confirm window is damaged/);
    for (const [verb, body] of [
      ['confirm', { nonce }],
      ['extend', { confirm_timeout: 60 }],
    ] as const) {
      const refused = await api('POST', `${PLANS}/${id}/${verb}`, body, { over: LOOPBACK });
      expect([refused.body.error_code, refused.body.detail]).toEqual([
        'window_closed',
        expect.stringMatching(/damaged/),
      ]);
    }
    expect((await post(`${PAGE}/${id}/cancel`, {})).status).toBe(303);
    await inState(id, 'reverted');
    expect([await mtu(), await units()]).toEqual(['1500', states]);
    expect((await planOf(id)).window.ended).toMatchObject({ by: 'alice', cause: 'cancelled', unrestored: [] });
    expect(await house.audited(before)).toEqual(['job.cancel', 'apply.reverted']);
    expect((await api('POST', PLANS, {})).body.units).toHaveLength(1);
  },
);

test('whose record is damaged when the service comes up again is put back; one of a plan that is over stops nobody', async () => {
  await open();
  const { id } = await waiting();
  await house.close(true);
  damage('{"plan');
  await openAgain();
  await inState(id, 'reverted');
  expect(await mtu()).toBe('1500');
  await house.appliance.runner.idle();
  writeFileSync(join(house.data, 'apply/window.json'), '{"plan');
  expect(await look('/ui/management')).toMatch(/The record of a confirm window is damaged .*Look at it and clear it/);
  const plan = (await api('POST', PLANS, {})).body;
  const body = { digest: plan.digest, confirm_timeout: 60 };
  const { confirm: opened } = (await api('POST', `${PLANS}/${plan.id}/submit`, body, { over: LOOPBACK })).body;
  await inState(plan.id, 'confirming');
  expect((await confirm(plan.id, opened.nonce)).status).toBe(200);
  await inState(plan.id, 'applied');
});

test('whose record alone is damaged goes on by its copy, and is confirmed', async () => {
  await open();
  const { id, nonce } = await waiting();
  damage('{"plan', { copy: false });
  expect((await planOf(id)).window).toMatchObject({ state: 'open', nonce });
  expect((await confirm(id, nonce)).status).toBe(200);
  await inState(id, 'applied');
  await until('the record is gone', async () => (await windowOf().read()) === null);
});

test('whose record is damaged can be cleared with a reason, which puts back what was kept', async () => {
  await open();
  const { id, before } = await waiting();
  const viewer = await house.actor('viewer');
  const clear = (body: object, send = {}) => api('POST', '/api/v1/apply/window/clear', body, send);
  expect((await clear({ reason: 'whole' })).body.error_code).toBe('state_conflict');
  damage('{');
  const page = await look(PAGE);
  expect(page).toMatch(
    /The record of a confirm window is damaged .*A plan waits in this window.*Reason for the audit log/,
  );
  expect((await post(`${PAGE}/window/clear`, { reason: ' ' })).text).toContain('id="reason-error"');
  expect((await clear({ reason: 'x' }, { token: viewer.token })).status).toBe(403);
  expect((await clear({ reason: 'A disk went bad.' })).body).toEqual({
    plan_id: id,
    said: ['Network: The previous files are in force again'],
    unrestored: [],
  });
  await inState(id, 'reverted');
  expect([await mtu(), await house.audited(before)]).toEqual(['1500', ['window.clear', 'apply.reverted']]);
  const row = await house.services.store.one<{ detail: string }>(
    "SELECT detail FROM audit_event WHERE action = 'window.clear'",
  );
  expect(JSON.parse(row!.detail)).toMatchObject({ reason: 'A disk went bad.', plan_id: id });
});

test('whose record is damaged and whose way back is gone is not said to be rolled back', async () => {
  await open();
  const { id } = await waiting();
  damage('{');
  rmSync(join(house.data, 'apply/work'), { recursive: true });
  const cleared = await api('POST', '/api/v1/apply/window/clear', { reason: 'Both are gone.' });
  expect(cleared.body).toMatchObject({ plan_id: id, unrestored: ['network'] });
  await inState(id, 'cancelled');
  expect((await planOf(id)).window).toMatchObject({ state: 'unreverted', ended: { unrestored: ['network'] } });
  expect(await house.services.store.all('SELECT * FROM mutation_lock')).toEqual([]);
});

test('of which a damaged record is left over keeps no plan without a window from being applied', async () => {
  await open();
  damage('{', { copy: false });
  const plan = (await api('POST', PLANS, {})).body;
  await api('POST', `${PLANS}/${plan.id}/submit`, { digest: plan.digest });
  await inState(plan.id, 'applied');
});

test('locks mutations, saying what ends it; what takes rights away is never locked, what gives them is', async () => {
  await open();
  const bob = await house.actor('admin', undefined, 'bob');
  const carol = await house.actor('network-admin', undefined, 'carol');
  const { id, before } = await waiting();
  const locked = (await api('POST', '/api/v1/dns/zones', { name: 'lab.example' })).body;
  expect(locked.detail).toContain('Confirm it or roll it back first');
  expect(locked.owner).toMatchObject({
    job_id: expect.any(String),
    page: `${PAGE}/${id}`,
    window: {
      plan_id: id,
      opened_by: 'alice (token test)',
      seconds_left: expect.any(Number),
      confirm: `${PLANS}/${id}/confirm`,
      put_back: `${PLANS}/${id}/cancel`,
    },
  });
  const left = locked.owner.window.seconds_left;
  expect([left > 30, left <= 60]).toEqual([true, true]);
  expect(locked.detail).toMatch(/of alice \(token test\) is in force.*goes back in \d\d seconds/);
  const form = await post('/ui/management/dns/zones/new', { name: 'lab.example' });
  expect([form.status, form.text.includes('Confirm it or roll it back first')]).toEqual([423, true]);
  expect(form.text).toMatch(new RegExp(`<a [^>]*href="${PAGE}/${id}"[^>]*>Confirm the plan or roll it back</a>`));
  expect(Number(form.headers['retry-after'])).toBeGreaterThan(30);
  const user = (who: Credentials, body: object) => api('PATCH', `/api/v1/users/${who.user.id}`, body);
  expect((await user(bob, { enabled: false })).status).toBe(200);
  expect((await house.send('GET', '/api/v1/dns/zones', { token: bob.token })).body.error_code).toBe(
    'credentials_revoked',
  );
  expect((await user(carol, { role: 'viewer' })).status).toBe(200);
  expect((await user(carol, { password: 'another long passphrase', keep_tokens: true })).status).toBe(200);
  for (const [who, more] of [
    [bob, { enabled: true }],
    [carol, { role: 'network-admin' }],
    [carol, { role: 'viewer', enabled: true, password: 'yet another passphrase', keep_tokens: true }],
  ] as const) {
    const refused = await user(who, more);
    const gives = !('password' in more);
    expect([refused.status, refused.body.error_code]).toEqual(gives ? [423, 'mutation_locked'] : [200, undefined]);
  }
  expect((await api('POST', `/api/v1/tokens/${carol.token_id}/revoke`)).status).toBe(200);
  expect((await api('DELETE', `/api/v1/users/${carol.user.id}`)).status).toBe(204);
  expect((await post('/ui/management/sign-out', {})).status).toBe(303);
  expect(await house.audited(before)).toEqual([
    ...['user.update', 'user.update', 'user.update', 'user.update', 'token.revoke', 'user.delete', 'session.end'],
  ]);
  await api('POST', `${PLANS}/${id}/cancel`);
  await inState(id, 'reverted');
});
