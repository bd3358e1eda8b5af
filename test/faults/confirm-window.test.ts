// Confirmed commit over the API and the pages: what opens a window, who may end it, and what is left afterwards. In
// rehearsal, where a window is opened when it is asked for; the drill with real links is in test/system.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, request as ask, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Host } from '../../shared/ground/machine/host.ts';
import { READER_DONE } from '../../shared/platform/host/networkd.ts';
import { LINKS, PASSWORD } from '../setup/house.ts';
import {
  admin,
  api,
  confirm,
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
  submitted,
  units,
  until,
  waiting,
  windowOf,
} from './confirm-window-scene.ts';

afterEach(() => house.close());

/** What can be asked of a window, with a body that would do. */
const VERBS = (nonce: string) =>
  [
    ['confirm', { nonce }],
    ['extend', { confirm_timeout: 60 }],
    ['cancel', undefined],
  ] as const;

describe('a plan with a window', () => {
  test('is in force and not recorded until it is confirmed; then it is recorded', async () => {
    await open();
    const { id, nonce, before, states } = await waiting();
    expect(await mtu()).toBe('9000');
    const plan = await planOf(id);
    expect(plan.window).toEqual({
      state: 'open',
      timeout_seconds: 60,
      because: [],
      deadline_at: expect.any(String),
      seconds_left: expect.any(Number),
      extendable_seconds: 600,
      addresses: ['127.0.0.1', '10.10.0.5', 'fd00:10::5'],
      nonce,
      ended: null,
    });
    expect(plan.window.seconds_left).toBeGreaterThan(50);
    expect(states.find((state) => state.unit === 'network')).not.toMatchObject({ plan_id: id });
    expect((await confirm(id, nonce)).body).toMatchObject({ state: 'confirmed', ended: { by: 'alice (token test)' } });
    // Once more, as a client does that lost the answer.
    expect((await confirm(id, nonce)).status).toBe(200);
    await inState(id, 'applied');
    const after = await planOf(id);
    expect(after.window).toMatchObject({ state: 'confirmed', nonce: null, ended: { cause: 'confirmed', said: [] } });
    expect((await units()).find((state) => state.unit === 'network')).toMatchObject({ plan_id: id });
    expect(await house.audited(before)).toEqual(['plan.confirm', 'plan.confirm', 'apply.succeeded']);
    await until('the record is gone', async () => (await windowOf().read()) === null);
    // However it is asked for once more, it says how it ended.
    for (const [verb, body] of VERBS(nonce)) {
      const { status, body: problem } = await api('POST', `${PLANS}/${id}/${verb}`, body, { over: LOOPBACK });
      expect([verb, status, problem.detail]).toEqual([
        verb,
        409,
        expect.stringMatching(/is over: alice \(token test\) confirmed the plan at .*, and it stays/),
      ]);
    }
  });

  test('goes back by the watchdog when nobody confirms it, and the next plan is the same again', async () => {
    await open();
    const { id, before, states } = await waiting();
    await windowOf().extend(id, 1);
    await inState(id, 'reverted');
    expect(await mtu()).toBe('1500');
    expect(await units()).toEqual(states);
    const plan = await planOf(id);
    expect(plan.window).toMatchObject({
      state: 'reverted',
      nonce: null,
      ended: { by: 'the watchdog', cause: 'timeout', said: ['Network: The previous files are in force again'] },
    });
    expect(plan.units.map(({ reached }: { reached: string }) => reached)).toEqual(['restored']);
    expect((await api('GET', `/api/v1/jobs/${plan.job_id}`)).body).toMatchObject({
      state: 'failed',
      error: { error_code: 'not_confirmed' },
    });
    expect(await house.audited(before)).toEqual(['apply.reverted']);
    const [row] = await house.services.store.all<{ detail: string }>(
      'SELECT detail FROM audit_event ORDER BY seq DESC LIMIT 1',
    );
    expect(JSON.parse(row!.detail).confirm_window).toMatchObject({ cause: 'timeout', by: 'the watchdog' });
    for (const [verb, body] of VERBS('x'.repeat(32))) {
      const { status, body: problem } = await api('POST', `${PLANS}/${id}/${verb}`, body, { over: LOOPBACK });
      expect([verb, status, problem.detail]).toEqual([
        verb,
        409,
        expect.stringMatching(/Nobody confirmed it in time; the watchdog rolled the plan back at 2/),
      ]);
    }
    expect((await api('POST', PLANS, {})).body.units).toHaveLength(1);
  });

  test('is put back at once when it is cancelled, also when nothing waits for it', async () => {
    await open();
    const { id, before, states } = await waiting();
    expect((await api('POST', `${PLANS}/${id}/cancel`)).status).toBe(202);
    // Long before the window itself would end.
    await until('the record says so', async () => (await windowOf().read())?.state !== 'armed');
    await inState(id, 'reverted');
    expect([await mtu(), await units()]).toEqual(['1500', states]);
    expect((await planOf(id)).window.ended).toMatchObject({ by: 'alice (token test)', cause: 'cancelled' });
    expect(await house.audited(before)).toEqual(['job.cancel', 'apply.reverted']);
  });

  test('that is stopped before its window opens changes nothing', async () => {
    await open();
    const { plan_id } = await submitted();
    expect((await planOf(plan_id)).window).toMatchObject({ state: 'opening', seconds_left: null });
    await api('POST', `${PLANS}/${plan_id}/cancel`);
    await inState(plan_id, 'cancelled');
    expect((await planOf(plan_id)).window).toMatchObject({ state: 'closed', ended: { cause: 'cancelled' } });
    expect(await mtu()).toBe('1500');
  });

  test('counts anew when it is extended, by anybody who may apply', async () => {
    await open();
    const { id, before } = await waiting();
    const extended = await api('POST', `${PLANS}/${id}/extend`, { confirm_timeout: 600 });
    expect([extended.status, extended.body.seconds_left]).toEqual([200, 600]);
    expect((await planOf(id)).window).toMatchObject({ timeout_seconds: 600 });
    expect(await house.audited(before)).toEqual(['plan.extend']);
    await api('POST', `${PLANS}/${id}/cancel`);
    await inState(id, 'reverted');
    expect((await api('POST', `${PLANS}/${id}/extend`, { confirm_timeout: 600 })).body.error_code).toBe(
      'window_closed',
    );
  });

  test('survives a stop of the service and is confirmed after the next start', async () => {
    await open();
    const { id, nonce } = await waiting();
    // The job that waits for the window, which is open for a minute, is not waited for.
    await house.close(true);
    await openAgain();
    await inState(id, 'confirming');
    expect((await confirm(id, nonce)).status).toBe(200);
    await inState(id, 'applied');
    expect(await mtu()).toBe('9000');
  });

  test('that was open when the machine went down is put back at the next start', async () => {
    await open();
    const { id, states } = await waiting();
    await house.close(true);
    await rewrite({ boot_id: 'of another start' });
    await openAgain();
    await inState(id, 'reverted');
    expect([await mtu(), await units()]).toEqual(['1500', states]);
    expect((await planOf(id)).window.ended.cause).toBe('restart');
  });

  test('locks mutations, but neither signing in nor what ends it', async () => {
    await open();
    const { id, nonce } = await waiting();
    expect((await api('POST', '/api/v1/dns/zones', { name: 'lab.example' })).body.error_code).toBe('mutation_locked');
    const signIn = await house.send('POST', '/ui/management/sign-in', {
      form: { username: 'alice', password: PASSWORD },
      over: LOOPBACK,
    });
    expect([signIn.status, signIn.cookies.join()]).toEqual([303, expect.stringContaining('groundcrew_session=')]);
    expect((await post(`${PAGE}/${id}/extend`, { confirm_timeout: '90' })).status).toBe(303);
    expect((await post(`${PAGE}/${id}/confirm`, { nonce })).status).toBe(303);
    await inState(id, 'applied');
  });
});

describe('a confirmation', () => {
  test.each([
    ['with another nonce', { nonce: 'x'.repeat(32) }, LOOPBACK, 'wrong_nonce'],
    ['over a connection of which nothing is known', {}, null, 'wrong_path'],
    ['over a connection that was there before', {}, { ...LOOPBACK, open_ms: 3_600_000 }, 'wrong_path'],
    ['at an address that no listener will have', {}, { local: '10.10.0.77', remote: '10.10.0.9' }, 'wrong_path'],
  ])('%s is refused, and the plan goes on waiting', async (_how, body, over, code) => {
    await open();
    const { id, nonce, before } = await waiting();
    const refused = await confirm(id, (body as { nonce?: string }).nonce ?? nonce, over);
    expect([refused.status, refused.body.error_code]).toEqual([409, code]);
    expect(refused.headers.connection).toBe(over && 'open_ms' in over ? 'close' : undefined);
    expect(await house.audited(before)).toEqual([]);
    expect((await planOf(id)).state).toBe('confirming');
    await api('POST', `${PLANS}/${id}/cancel`);
    await inState(id, 'reverted');
  });

  test('over loopback is only taken for a plan that was submitted over loopback', async () => {
    await open();
    const { id, nonce } = await waiting({ local: '10.10.0.5', remote: '10.10.0.9' });
    expect((await confirm(id, nonce)).body).toMatchObject({
      error_code: 'wrong_path',
      detail: expect.stringContaining('sign in at 10.10.0.5 or fd00:10::5'),
    });
    expect((await confirm(id, nonce, { local: '10.10.0.5', remote: '10.10.0.9' })).status).toBe(200);
    await inState(id, 'applied');
  });

  test('of a plan without a window is refused, as are one by a viewer and one with a wrong body', async () => {
    await open();
    const viewer = await house.actor('viewer');
    const plan = (await api('POST', PLANS, {})).body;
    const path = `${PLANS}/${plan.id}/confirm`;
    expect((await api('POST', path, { nonce: 'a' })).body.error_code).toBe('window_closed');
    expect((await house.send('POST', path, { token: viewer.token, body: { nonce: 'a' } })).status).toBe(403);
    expect((await api('POST', path, {})).body.errors[0].pointer).toBe('/nonce');
    expect((await api('POST', `${PLANS}/plan_none/confirm`, { nonce: 'a' })).status).toBe(404);
  });
});

test.each([29, 601, 45.5, '60'])('a window of %s seconds is refused', async (confirm_timeout) => {
  await open();
  const plan = (await api('POST', PLANS, {})).body;
  const refused = await api('POST', `${PLANS}/${plan.id}/submit`, { digest: plan.digest, confirm_timeout });
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/confirm_timeout']);
  const extended = await api('POST', `${PLANS}/${plan.id}/extend`, { confirm_timeout });
  expect([extended.status, extended.body.errors[0].pointer]).toEqual([422, '/confirm_timeout']);
  const typed = String(confirm_timeout === '60' ? 'sixty' : confirm_timeout);
  const page = await post(`${PAGE}/${plan.id}/submit`, { digest: plan.digest, confirm_timeout: typed });
  expect(page.status).toBe(422);
  expect(page.text).toContain('id="confirm_timeout-error"');
  expect(page.text).toContain(`value="${typed}"`);
});

describe('the pages', () => {
  test('of everything else tell of the open window, the plan itself of all of it', async () => {
    await open();
    const { id } = await waiting();
    const elsewhere = await look('/ui/management/dns');
    expect(elsewhere).toContain('In force, waiting for you. Unless it is confirmed, the plan rolls back at');
    expect(elsewhere).toMatch(/Confirm.*Roll back now.*More time/);
    const plan = await look(`${PAGE}/${id}`);
    for (const said of ['1 unit applied, waiting for confirmation', 'To be confirmed at', '10.10.0.5', 'Rolls back at'])
      expect(plan).toContain(said);
    const { text } = await house.send('GET', `${PAGE}/${id}`, { session: admin, over: LOOPBACK });
    expect(text).not.toContain(' style=');
    expect(text).toContain('http://10.10.0.5:8080/ui/management/appliance-apply/');
    // A script shows it when the address is gone: where to go on.
    expect(text).toMatch(
      /<div data-lost="true" role="alert" hidden>.*?The appliance does not answer at this address any more.*?href="http:\/\/10\.10\.0\.5:8080/s,
    );
    const refused = await post(`${PAGE}/${id}/extend`, { confirm_timeout: '7' });
    expect([refused.status, refused.text.includes('id="confirm_timeout-error"')]).toEqual([422, true]);
    expect((await house.send('POST', `${PAGE}/${id}/confirm`, { session: { ...admin, csrf: 'no' } })).status).toBe(403);
    expect((await post(`${PAGE}/${id}/cancel`, {})).status).toBe(303);
    await inState(id, 'reverted');
    const ended = await look(`${PAGE}/${id}`);
    for (const said of [
      '1 unit rolled back',
      'The plan was rolled back',
      'Somebody stopped it.',
      'Rolled back by alice',
    ])
      expect(ended).toContain(said);
    expect(await look('/ui/management/dns')).not.toContain('waiting for you');
  });

  test('take countdown and Confirm away as soon as somebody asked to roll it back', async () => {
    await open();
    const { id } = await waiting();
    // Asked for, and not a file put back yet.
    await house.services.store.write((tx) => tx.run('UPDATE job SET cancel_requested = 1 WHERE subject = ?', [id]));
    for (const page of [`${PAGE}/${id}`, '/ui/management/dns']) {
      const { text } = await house.send('GET', page, { session: admin, over: LOOPBACK });
      expect(text).toContain('It is being rolled back');
      expect(text).not.toMatch(/data-until|\/confirm"|\/extend"|Roll back now/);
    }
    await api('POST', `${PLANS}/${id}/cancel`);
    await inState(id, 'reverted');
  });

  test('show a viewer the window and none of its buttons, and no list shows the nonce', async () => {
    await open();
    const { id, nonce } = await waiting();
    const viewer = await house.actor('viewer');
    const { text } = await house.send('GET', `${PAGE}/${id}`, { session: viewer, over: LOOPBACK });
    expect(text).toContain('In force, waiting for you.');
    expect(text).not.toContain(nonce);
    expect(text).not.toMatch(/\/confirm"|\/extend"|Roll back now/);
    const seen = await house.send('GET', `${PLANS}/${id}`, { token: viewer.token });
    expect(seen.body.window).toMatchObject({ state: 'open', nonce: null });
    const list = await api('GET', PLANS);
    expect(list.body.items[0].window).toMatchObject({ state: 'open', nonce: null });
    expect(list.text).not.toContain(nonce);
    await api('POST', `${PLANS}/${id}/cancel`);
    await inState(id, 'reverted');
  });

  test('are read over a connection that ends when it is older than the change', async () => {
    await open();
    const { id } = await waiting();
    const over = { ...LOOPBACK, open_ms: 3_600_000 };
    const old = await house.send('GET', `${PAGE}/${id}`, { session: admin, over });
    expect(old.headers.connection).toBe('close');
    expect(
      (await house.send('GET', `${PAGE}/${id}`, { session: admin, over: LOOPBACK })).headers.connection,
    ).toBeUndefined();
    await api('POST', `${PLANS}/${id}/cancel`);
    await inState(id, 'reverted');
  });
});

/** One request; the agent keeps its connection for the next one. */
function overSocket(agent: Agent, url: string, body: unknown) {
  type Answered = { status?: number | undefined; closes?: string | undefined; body: ReturnType<typeof JSON.parse> };
  return new Promise<Answered>((resolve, reject) => {
    const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' };
    const request = ask(url, { method: 'POST', agent, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () =>
        resolve({ status: answer.statusCode, closes: answer.headers.connection, body: JSON.parse(text) }),
      );
    });
    request.on('error', reject).end(JSON.stringify(body));
  });
}

test('over real sockets the answer is there before anything is changed, and an old connection does not confirm', async () => {
  const seen: string[] = [];
  const once = (what: string) => void (seen.includes(what) || seen.push(what));
  let changed = 0;
  await open((rehearsal) => ({
    ...rehearsal,
    async write(file) {
      changed ||= performance.now();
      once('changed');
      await rehearsal.write(file);
    },
  }));
  const written = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    if (request.url?.endsWith('/submit')) once('answered');
  };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (path: string, body: unknown) => overSocket(agent, `${house.origin}${PLANS}${path}`, body);
  const { body: plan } = await send('', {});
  const asked = performance.now();
  subscribe('http.server.response.finish', written);
  const submit = send(`/${plan.id}/submit`, { digest: plan.digest, confirm_timeout: 60 });
  const { body: answer } = await submit.finally(() => unsubscribe('http.server.response.finish', written));
  await inState(plan.id, 'confirming');
  expect(seen).toEqual(['answered', 'changed']);
  // Time to read it. However busy the machine is, that makes it longer.
  expect(changed - asked).toBeGreaterThan(500);
  const { nonce } = answer.confirm;
  // The agent has one connection, so this goes over the one that the submit came over.
  const old = await send(`/${plan.id}/confirm`, { nonce });
  expect([old.status, old.body.error_code, old.closes]).toEqual([409, 'wrong_path', 'close']);
  expect((await send(`/${plan.id}/confirm`, { nonce })).status).toBe(200);
  await inState(plan.id, 'applied');
  agent.destroy();
});

describe('where it is enforced', () => {
  /** Whatever it is asked to do, it has done. */
  const willing = (rehearsal: Host): Host => ({
    ...rehearsal,
    enforces: true,
    links: async () => LINKS,
    daemonRunning: async () => true,
    exec: async (program, args) => {
      if (program === 'unshare') return { code: 0, stdout: `${READER_DONE}\n`, stderr: '' };
      const links = LINKS.map(({ name, mtu }) => ({ ifname: name, flags: ['UP'], mtu, addr_info: [] }));
      if (program === 'nft' && args.includes('list'))
        return { code: 1, stdout: '', stderr: 'No such file or directory' };
      return {
        code: 0,
        stdout: args.includes('-j') && !args.includes('route') ? JSON.stringify(links) : '',
        stderr: '',
      };
    },
  });
  const over = { local: '10.10.0.5', remote: '10.10.0.9' };

  test('the review says why it has to be confirmed, and the submit opens a window by itself', async () => {
    await open(willing);
    const made = await api('POST', PLANS, {}, { over });
    expect(made.body.confirm).toEqual({
      because: [
        'The network is put in force for the first time.',
        'The packet filter changes, which decides who reaches the management UI.',
      ],
      addresses_before: ['10.10.0.5'],
      addresses_after: ['10.10.0.5', 'fd00:10::5'],
    });
    const page = await look(`${PAGE}/${made.body.id}`, { over });
    expect(page).toContain('Has to be confirmed, or goes back');
    expect(page).toContain('The network is put in force for the first time.');
    house.appliance.runner.wake = () => undefined;
    const answer = await api('POST', `${PLANS}/${made.body.id}/submit`, { digest: made.body.digest }, { over });
    expect(answer.body.confirm).toMatchObject({ timeout_seconds: 120, addresses: ['10.10.0.5', 'fd00:10::5'] });
    expect((await planOf(made.body.id)).window).toMatchObject({ state: 'opening', because: made.body.confirm.because });
  });

  test('whoever comes in over loopback needs none', async () => {
    await open(willing);
    const made = await api('POST', PLANS, {}, { over: LOOPBACK });
    expect(made.body.confirm).toBeNull();
    house.appliance.runner.wake = () => undefined;
    const answer = await api(
      'POST',
      `${PLANS}/${made.body.id}/submit`,
      { digest: made.body.digest },
      { over: LOOPBACK },
    );
    expect(answer.body.confirm).toBeNull();
  });
});
