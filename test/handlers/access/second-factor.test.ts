// Second factors, as browsers without script and programs meet them: adding an authenticator, signing in with it, what a code
// is worth twice, recovery codes, and what nobody gets around.
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Usage } from '../../../runtime/cli/command.ts';
import { resetSecondFactors } from '../../../runtime/cli/user.ts';
import { later } from '../../../shared/ground/clock.ts';
import type { GatewayAnswer } from '../../../shared/kernel/operation/event.ts';
import { authenticatorCode, secretBytes } from '../../setup/authenticator.ts';
import { type Credentials, type Heard, House, PASSWORD } from '../../setup/house.ts';
import { rotate } from '../../setup/vault-scene.ts';

const UI = '/ui/management';
const API = '/api/v1/account/second-factors';
const SECOND = `${UI}/sign-in/second-factor`;
const ENROL = `${UI}/sign-in/enrol`;

let house: House;
let now = new Date();
const lines: string[] = [];

beforeAll(async () => {
  house = await House.open({
    ticker: false,
    services: { clock: { now: () => now } },
    log: (line) => lines.push(line),
  });
});
afterAll(() => house.close());
// Each test has a step of its own: no code of one was used in another.
beforeEach(() => pass(90));

const pass = (seconds: number) => {
  now = later(now, seconds);
};

/** As a browser without script sends a form; `from`: its address. */
async function post(path: string, fields: Record<string, string>, cookie = '', from = '127.0.0.1'): Promise<Heard> {
  const event = house.event('POST', path, {
    raw: new URLSearchParams(fields).toString(),
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
  });
  event.cookies = cookie === '' ? [] : [cookie];
  event.requestContext.http.sourceIp = from;
  return heardOf(await house.appliance.answer(event));
}

async function get(path: string, cookie: string): Promise<Heard> {
  const event = house.event('GET', path, { headers: { accept: 'text/html' } });
  event.cookies = [cookie];
  return heardOf(await house.appliance.answer(event));
}

const heardOf = ({ statusCode, headers, cookies = [], body }: GatewayAnswer): Heard => ({
  status: statusCode,
  headers,
  cookies,
  text: body,
  body: undefined,
});

const codeOf = (secret: string, seconds = 0): string => authenticatorCode(secret, later(now, seconds));

interface Enrolled extends Credentials {
  secret: string;
  factor_id: string;
  codes: string[];
}

/** A user with an authenticator, over the API. */
async function enrolled(role: 'admin' | 'viewer' | 'service-admin' = 'viewer'): Promise<Enrolled> {
  const user = await house.actor(role);
  const { token } = user;
  const begun = await house.send('POST', `${API}/totp`, { token, body: { name: 'Phone', own_password: PASSWORD } });
  expect(begun.status).toBe(200);
  const { secret, factor_id } = begun.body;
  const body = { code: codeOf(secret) };
  const confirmed = await house.send('POST', `${API}/${factor_id}/confirm`, { token, body });
  expect(confirmed.status).toBe(200);
  pass(90);
  return { ...user, secret, factor_id, codes: confirmed.body.recovery_codes };
}

const cookieOf = ({ cookies }: Heard, name: string): string =>
  cookies.find((cookie) => cookie.startsWith(`${name}=`))?.split(';')[0] ?? '';

const password = (name: string, fields: Record<string, string> = {}) =>
  post(`${UI}/sign-in`, { username: name, password: PASSWORD, ...fields });

/** The cookie of the second step. */
async function step(name: string, fields: Record<string, string> = {}): Promise<string> {
  const heard = await password(name, fields);
  expect([heard.status, heard.headers.location]).toEqual([303, SECOND]);
  expect(cookieOf(heard, 'groundcrew_session')).toBe('');
  return cookieOf(heard, 'groundcrew_step');
}

const second = (cookie: string, code: string) => post(SECOND, { code }, cookie);

describe('with an authenticator', () => {
  test('the password opens nothing but the second step; its code starts the session and leads back', async () => {
    const user = await enrolled();
    const cookie = await step(user.user.name, { return_to: `${UI}/jobs` });
    for (const path of [UI, `${UI}/account`]) {
      const heard = await get(path, cookie);
      expect(heard.headers.location).toMatch(/sign-in\?return_to=/);
    }
    const before = await house.lastAudit();
    const heard = await second(cookie, codeOf(user.secret));
    expect([heard.status, heard.headers.location]).toEqual([303, `${UI}/jobs`]);
    expect(cookieOf(heard, 'groundcrew_session')).toMatch(/=[\w-]{43}$/);
    expect(await house.audited(before)).toEqual(['session.start']);
    // The step was used up.
    pass(60);
    expect((await second(cookie, codeOf(user.secret))).headers.location).toContain(`${UI}/sign-in?`);
  });

  test('a code works once, and so does none before it', async () => {
    const user = await enrolled();
    const [one, two, three] = [await step(user.user.name), await step(user.user.name), await step(user.user.name)];
    const code = codeOf(user.secret);
    expect((await second(one, code)).status).toBe(303);
    const again = await second(two, code);
    expect([again.status, again.text.includes('used before')]).toEqual([422, true]);
    expect((await second(three, codeOf(user.secret, -30))).status).toBe(422);
    // Of two that come at once, one wins.
    pass(30);
    const next = codeOf(user.secret);
    const both = await Promise.all([second(two, next), second(three, next)]);
    expect(both.map(({ status }) => status).sort()).toEqual([303, 422]);
  });

  test.each([
    [-60, 422],
    [-30, 303],
    [0, 303],
    [30, 303],
    [60, 422],
  ])('a phone whose clock is off by %i s: %i', async (seconds, status) => {
    const user = await enrolled();
    expect((await second(await step(user.user.name), codeOf(user.secret, seconds))).status).toBe(status);
  });

  test('a code of somebody else is worth nothing', async () => {
    const [mine, yours] = [await enrolled(), await enrolled()];
    expect((await second(await step(mine.user.name), codeOf(yours.secret))).status).toBe(422);
    expect((await second(await step(mine.user.name), yours.codes[0]!)).status).toBe(422);
    expect((await second(await step(mine.user.name), mine.codes[0]!)).status).toBe(303);
  });

  test('the step lasts five minutes, for one network, and ends with the password and with the account', async () => {
    const user = await enrolled();
    const late = await step(user.user.name);
    pass(301);
    expect((await second(late, codeOf(user.secret))).headers.location).toContain(`${UI}/sign-in?`);
    const moved = await step(user.user.name);
    const elsewhere = await post(SECOND, { code: codeOf(user.secret) }, moved, '10.9.9.9');
    expect(elsewhere.headers.location).toContain(`${UI}/sign-in?`);
    const changed = await step(user.user.name);
    const { token } = await house.actor('admin');
    const body = { enabled: false };
    expect((await house.send('PATCH', `/api/v1/users/${user.user.id}`, { token, body })).status).toBe(200);
    expect((await second(changed, codeOf(user.secret))).headers.location).toContain(`${UI}/sign-in?`);
    expect((await post(SECOND, { code: '123456' })).headers.location).toContain(`${UI}/sign-in?`);
  });

  test('guesses are slowed per user wherever they come from, recorded, and the right code waits with them', async () => {
    const user = await enrolled();
    const before = await house.lastAudit();
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++) {
      // From another network each time, with a step of its own.
      const from = `10.20.${guess}.1`;
      const signed = await post(`${UI}/sign-in`, { username: user.user.name, password: PASSWORD }, '', from);
      statuses.push((await post(SECOND, { code: '000000' }, cookieOf(signed, 'groundcrew_step'), from)).status);
    }
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(422));
    expect(statuses.slice(10)).toEqual([429, 429]);
    expect((await house.audited(before)).filter((action) => action === 'session.refuse')).toHaveLength(10);
    expect((await second(await step(user.user.name), codeOf(user.secret))).status).toBe(429);
    pass(61);
    expect((await second(await step(user.user.name), codeOf(user.secret))).status).toBe(303);
  });
});

describe('recovery codes', () => {
  test('each signs in once, however it is typed; of two at once one wins', async () => {
    const { user, codes, token } = await enrolled();
    expect(new Set(codes).size).toBe(10);
    const typed = codes[0]!.toUpperCase().replaceAll('-', ' ');
    expect((await second(await step(user.name), typed)).status).toBe(303);
    expect((await second(await step(user.name), codes[0]!)).status).toBe(422);
    const steps = [await step(user.name), await step(user.name)];
    const both = await Promise.all(steps.map((cookie) => second(cookie, codes[1]!)));
    expect(both.map(({ status }) => status).sort()).toEqual([303, 422]);
    expect((await house.send('GET', API, { token })).body.recovery_codes_left).toBe(8);
  });

  test('new ones take the place of all earlier ones, for who knows the password', async () => {
    const { user, codes, token } = await enrolled();
    const path = '/api/v1/account/recovery-codes';
    const wrong = await house.send('POST', path, { token, body: { own_password: 'not the password' } });
    expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, '/own_password']);
    const { body } = await house.send('POST', path, { token, body: { own_password: PASSWORD } });
    expect((await second(await step(user.name), codes[0]!)).status).toBe(422);
    expect((await second(await step(user.name), body.recovery_codes[0])).status).toBe(303);
    const none = await house.actor('viewer');
    const refused = await house.send('POST', path, { token: none.token, body: { own_password: PASSWORD } });
    expect(refused.body.error_code).toBe('state_conflict');
  });
});

describe('adding and removing', () => {
  test('needs the own password, and the first code within ten minutes', async () => {
    const { token, user } = await house.actor('viewer');
    const begin = (own_password: string) =>
      house.send('POST', `${API}/totp`, { token, body: { name: 'Phone', own_password } });
    const before = await house.lastAudit();
    expect((await begin('not the password')).status).toBe(422);
    expect(await house.audited(before)).toEqual(['account.second_factor.begin']);
    const { body } = await begin(PASSWORD);
    expect(body.otpauth_uri).toBe(
      `otpauth://totp/gc01.lab.example:${user.name}?secret=${body.secret}&issuer=gc01.lab.example&algorithm=SHA1&digits=6&period=30`,
    );
    const confirm = (id: string, code: string) => house.send('POST', `${API}/${id}/confirm`, { token, body: { code } });
    expect((await confirm(body.factor_id, codeOf(body.secret, 300))).body.errors[0].pointer).toBe('/code');
    // Until it is confirmed the password alone signs in.
    expect((await password(user.name)).headers.location).toBe(UI);
    pass(601);
    expect((await confirm(body.factor_id, codeOf(body.secret))).status).toBe(404);
    const again = (await begin(PASSWORD)).body;
    const other = await house.actor('viewer');
    const theirs = { token: other.token, body: { code: codeOf(again.secret) } };
    expect((await house.send('POST', `${API}/${again.factor_id}/confirm`, theirs)).status).toBe(404);
    expect((await confirm(again.factor_id, codeOf(again.secret))).status).toBe(200);
    // The code that confirmed it signs nobody in.
    expect((await second(await step(user.name), codeOf(again.secret))).status).toBe(422);
  });

  test('other sessions end when one is added, and the last one takes the recovery codes with it', async () => {
    const user = await enrolled();
    const session = { cookie: user.cookie, csrf: user.csrf };
    expect((await house.send('GET', `${UI}/account`, { session })).status).toBe(303);
    const remove = (own_password: string) =>
      house.send('POST', `${API}/${user.factor_id}/remove`, { token: user.token, body: { own_password } });
    expect((await remove('not the password')).status).toBe(422);
    expect((await remove(PASSWORD)).body.name).toBe('Phone');
    const left = await house.send('GET', API, { token: user.token });
    expect(left.body).toEqual({ items: [], recovery_codes_left: 0, required: false });
    expect((await password(user.user.name)).headers.location).toBe(UI);
  });

  test('an administrator resets them: the sessions end, and it is recorded', async () => {
    const user = await enrolled();
    const { token } = await house.actor('admin');
    const path = `/api/v1/users/${user.user.id}/second-factors`;
    const seen = await house.send('GET', path, { token });
    expect(seen.body.items.map(({ kind, name }: { kind: string; name: string }) => [kind, name])).toEqual([
      ['totp', 'Phone'],
    ]);
    const cookie = await step(user.user.name);
    const before = await house.lastAudit();
    expect((await house.send('POST', `${path}/reset`, { token })).body.factors_removed).toBe(1);
    expect(await house.audited(before)).toEqual(['user.second_factors.reset']);
    expect((await second(cookie, codeOf(user.secret))).headers.location).toContain(`${UI}/sign-in?`);
    expect((await password(user.user.name)).headers.location).toBe(UI);
    expect((await house.send('POST', `${path}/reset`, { token: user.token })).status).toBe(403);
  });
});

describe('a role that must have one', () => {
  const policy = async (roles: string[]) =>
    house.send('PUT', '/api/v1/second-factor-policy', {
      token: (await house.actor('admin')).token,
      body: { roles, user_verification: 'preferred' },
    });

  test('who has none adds one before anything else opens; tokens go on', async () => {
    expect((await policy(['viewer'])).body).toMatchObject({ roles: ['viewer'], user_verification: 'preferred' });
    const user = await house.actor('viewer');
    const heard = await password(user.user.name, { return_to: `${UI}/jobs` });
    expect([heard.headers.location, cookieOf(heard, 'groundcrew_session')]).toEqual([ENROL, '']);
    const cookie = cookieOf(heard, 'groundcrew_step');
    // The second step itself lets nobody in who has no factor.
    expect((await second(cookie, '000000')).status).toBe(422);
    const begun = await post(ENROL, { name: 'Phone' }, cookie);
    const secret = /<code id="secret-value">([A-Z2-7 ]+)</.exec(begun.text)![1]!.replaceAll(' ', '');
    const factor_id = /name="factor_id" value="(factor_\w+)"/.exec(begun.text)![1]!;
    expect(begun.text).toContain('<svg class="qr"');
    const wrong = await post(`${ENROL}/confirm`, { factor_id, code: '000000' }, cookie);
    expect([wrong.status, wrong.text.includes(secret)]).toEqual([422, false]);
    expect(wrong.text).toContain(`name="factor_id" value="${factor_id}"`);
    const done = await post(`${ENROL}/confirm`, { factor_id, code: codeOf(secret) }, cookie);
    expect(done.status).toBe(200);
    expect(done.text.match(/<li><code>/g)).toHaveLength(10);
    expect(done.text).toContain(`href="${UI}/jobs"`);
    const session = cookieOf(done, 'groundcrew_session');
    expect((await get(`${UI}/account`, session)).status).toBe(200);
    expect((await house.send('GET', API, { token: user.token })).body.required).toBe(true);
    await policy([]);
  });

  test('who has one can’t add another with the password alone', async () => {
    await policy(['viewer']);
    const user = await enrolled();
    const cookie = await step(user.user.name);
    const heard = await post(ENROL, { name: 'Mine' }, cookie);
    expect([heard.status, heard.text.includes('secret-value')]).toEqual([409, false]);
    await policy([]);
  });
});

describe('from the shell', () => {
  /** What it said on standard error. */
  async function reset(...words: string[]): Promise<string> {
    const said: string[] = [];
    const spy = jest.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
    try {
      expect(await resetSecondFactors.parse(words)(house.services)).toBe(0);
    } finally {
      spy.mockRestore();
    }
    return said.join('');
  }

  test('all factors, codes, sessions and sign-ins under way of one user go, and nobody else’s', async () => {
    const [user, other] = [await enrolled(), await enrolled()];
    const session = cookieOf(await second(await step(user.user.name), codeOf(user.secret)), 'groundcrew_session');
    pass(60);
    expect((await get(`${UI}/account`, session)).status).toBe(200);
    const [cookie, others] = [await step(user.user.name), await step(other.user.name)];
    const before = await house.lastAudit();
    const said = await reset(user.user.name);
    expect(said).toContain(`Second factors of ${user.user.name} that were removed: 1.`);
    expect(said).toMatch(/Sessions ended: 1\./);
    expect(await house.audited(before)).toEqual(['user.second_factors.reset']);
    expect((await second(cookie, user.codes[0]!)).headers.location).toContain(`${UI}/sign-in?`);
    expect((await get(`${UI}/account`, session)).headers.location).toContain('sign-in');
    expect((await house.send('GET', '/api/v1/account', { token: user.token })).status).toBe(200);
    const heard = await password(user.user.name);
    expect([heard.headers.location, cookieOf(heard, 'groundcrew_session')]).toEqual([UI, expect.stringMatching(/=/)]);
    expect((await second(others, codeOf(other.secret))).status).toBe(303);
  });

  test('of nobody, of two, and of a disabled one', async () => {
    expect(() => resetSecondFactors.parse([])).toThrow(Usage);
    expect(() => resetSecondFactors.parse(['ada', 'bob'])).toThrow(Usage);
    await expect(resetSecondFactors.parse(['nobody'])(house.services)).rejects.toThrow('There is no user nobody.');
    const { user } = await enrolled();
    await house.services.store.write((tx) => tx.run('UPDATE user SET enabled = 0 WHERE id = ?', [user.id]));
    expect(await reset(user.name)).toContain('is disabled and still can');
  });
});

test('another key of the vaults seals the secret anew, and the phone goes on', async () => {
  const user = await enrolled();
  const sealed = async () =>
    (await house.services.store.one<{ kek_id: string; sealed_key: string }>(
      'SELECT kek_id, sealed_key FROM second_factor WHERE id = ?',
      [user.factor_id],
    ))!;
  const before = await sealed();
  const kek_id = await rotate(house.services);
  const after = await sealed();
  expect(after.kek_id).toBe(kek_id);
  expect(after.sealed_key).not.toBe(before.sealed_key);
  // Nothing opens with the former key any more: it is gone.
  expect(await house.services.keyring.find(before.kek_id)).toBeFalsy();
  const cookie = await step(user.user.name);
  expect((await second(cookie, '000000')).status).toBe(422);
  expect((await second(cookie, codeOf(user.secret))).status).toBe(303);
});

test('no secret and no code is in a log line, an audit row or the database', async () => {
  const user = await enrolled();
  const session = await second(await step(user.user.name), codeOf(user.secret));
  expect(session.status).toBe(303);
  const rows = await house.services.store.all<{ text: string }>('SELECT detail AS text FROM audit_event');
  const stored = await house.services.store.all<Record<string, unknown>>('SELECT * FROM second_factor');
  const codes = await house.services.store.all<Record<string, unknown>>('SELECT * FROM recovery_code');
  const everything = JSON.stringify([lines, rows, stored, codes]);
  const planted = [
    user.secret,
    secretBytes(user.secret).toString('base64'),
    secretBytes(user.secret).toString('hex'),
    ...user.codes,
  ];
  expect(planted.filter((secret) => everything.includes(secret))).toEqual([]);
});
