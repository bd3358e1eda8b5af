// What becomes of sessions and tokens when their user or their maker changes, the own account, and the question for the own
// password before what an open browser alone must not do.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Scope } from '../../../shared/kernel/access/scopes.ts';
import { startSession } from '../../../shared/kernel/access/session.ts';
import { type Credentials, House, PASSWORD } from '../../setup/house.ts';

const UI = '/ui/management';
const NEW = 'a new passphrase of mine';
let house: House;
let admin: Credentials;

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin', undefined, 'ada');
  await house.services.store.write((tx) => tx.run("UPDATE api_token SET expires_at = '2099-01-01T00:00:00.000Z'"));
});
afterAll(() => house.close());

const api = (method: string, path: string, body?: object, token = admin.token) =>
  house.send(method, `/api/v1${path}`, { token, ...(body && { body }) });
const post = (path: string, form: Record<string, string>, session: Pick<Credentials, 'cookie' | 'csrf'> = admin) =>
  house.send('POST', `${UI}${path}`, { session, form });
const works = async (token: string) => (await api('GET', '/account', undefined, token)).status === 200;
const signedIn = async (session: Pick<Credentials, 'cookie' | 'csrf'>) =>
  (await house.send('GET', UI, { session })).status === 200;

interface Made {
  token: { id: string; expires_at: string; created_by_token: string | null };
  secret: string;
}

async function make(
  by: string,
  lifetime_seconds = 86_400,
  scopes: Scope[] = ['write:tokens', 'read:dns'],
): Promise<Made> {
  const heard = await api('POST', '/tokens', { name: 'made', scopes, lifetime_seconds }, by);
  expect(heard.status).toBe(201);
  return heard.body as Made;
}

/** A second browser of the same user. */
async function secondSession({ user }: Credentials): Promise<Pick<Credentials, 'cookie' | 'csrf'>> {
  return house.services.store.write(async (tx) => {
    const { id } = await startSession(tx, house.services, user.id, '10.1.2.3', null);
    const row = await tx.one<{ csrf_token: string }>(
      "SELECT csrf_token FROM session WHERE user_id = ? AND source_address = '10.1.2.3'",
      [user.id],
    );
    return { cookie: `groundcrew_session=${id}`, csrf: row!.csrf_token };
  });
}

async function lastDetail(): Promise<{ action: string; outcome: string; detail: Record<string, unknown> }> {
  const row = await house.services.store.one<{ action: string; outcome: string; detail: string }>(
    'SELECT action, outcome, detail FROM audit_event ORDER BY seq DESC LIMIT 1',
  );
  return { ...row!, detail: JSON.parse(row!.detail) };
}

describe('a token that a token made', () => {
  test('expires no later than its maker, whatever was asked for, and names it', async () => {
    const maker = await make(admin.token, 7200);
    const { token } = await make(maker.secret, 86_400);
    expect([token.created_by_token, token.expires_at]).toEqual([maker.token.id, maker.token.expires_at]);
    expect((await make(maker.secret, 3600)).token.expires_at < maker.token.expires_at).toBe(true);
    expect(maker.token.created_by_token).toBe(admin.token_id);
  });

  test('ends with its maker, and so does what it made; what else there is goes on', async () => {
    const first = await make(admin.token);
    const second = await make(first.secret);
    const third = await make(second.secret);
    const other = await make(admin.token);
    const heard = await api('POST', `/tokens/${first.token.id}/revoke`);
    expect(heard.body).toMatchObject({ state: 'revoked', tokens_ended: 3 });
    expect(await Promise.all([first, second, third, other].map(({ secret }) => works(secret)))).toEqual([
      ...[false, false, false, true],
    ]);
    const ids = [second.token.id, third.token.id].sort();
    const { detail } = await lastDetail();
    expect({ ...detail, token_ids: (detail.token_ids as string[]).sort() }).toEqual({
      name: 'made',
      also_ended: 2,
      token_ids: ids,
    });
  });

  test('is not made by a maker that was revoked after it was let in', async () => {
    const maker = await make(admin.token);
    const { write } = house.services.store;
    let first = true;
    house.services.store.write = (async (...work: Parameters<typeof write>) => {
      if (first) {
        first = false;
        await write.call(house.services.store, (tx) =>
          tx.run("UPDATE api_token SET revoked_at = '2026-01-01T00:00:00.000Z' WHERE id = ?", [maker.token.id]),
        );
      }
      return write.apply(house.services.store, work);
    }) as typeof write;
    try {
      const heard = await api('POST', '/tokens', { name: 'late', scopes: ['read:dns'] }, maker.secret);
      expect([heard.status, heard.body.error_code]).toEqual([401, 'credentials_revoked']);
    } finally {
      house.services.store.write = write;
    }
  });
});

describe('a change of a user', () => {
  let user: Credentials;
  let path: string;

  beforeEach(async () => {
    user = await house.actor('service-admin');
    path = `/users/${user.user.id}`;
  });

  test('a new password ends sessions and tokens, and says how many', async () => {
    await secondSession(user);
    const heard = await api('PATCH', path, { password: NEW });
    expect(heard.body).toMatchObject({ sessions_ended: 2, tokens_ended: 1, tokens_kept: 0 });
    expect([await works(user.token), await signedIn(user)]).toEqual([false, false]);
    const numbers = { sessions_ended: 2, tokens_ended: 1, tokens_kept: 0, token_ids: [user.token_id] };
    expect((await lastDetail()).detail).toMatchObject({ changed: ['password'], ...numbers });
  });

  test('a new password with keep_tokens ends the sessions alone', async () => {
    const heard = await api('PATCH', path, { password: NEW, keep_tokens: true });
    expect(heard.body).toMatchObject({ ...ENDED, tokens_ended: 0, tokens_kept: 1 });
    expect([await works(user.token), await signedIn(user)]).toEqual([true, false]);
  });

  test('disabling ends the tokens for good: enabling again does not bring them back', async () => {
    expect((await api('PATCH', path, { enabled: false })).body).toMatchObject({ sessions_ended: 1, tokens_ended: 1 });
    expect((await api('PATCH', path, { enabled: true })).body).toMatchObject({ tokens_ended: 0, tokens_kept: 0 });
    expect(await works(user.token)).toBe(false);
  });

  test('disabling can’t keep the tokens', async () => {
    const heard = await api('PATCH', path, { enabled: false, keep_tokens: true });
    expect([heard.status, heard.body.errors[0].pointer]).toEqual([422, '/keep_tokens']);
  });

  test('a new role leaves the tokens, which reach no further; the refusal names the role', async () => {
    const heard = await api('PATCH', path, { role: 'viewer' });
    expect(heard.body).toMatchObject({ ...ENDED, tokens_ended: 0, tokens_kept: 1 });
    const refused = await api('POST', '/dns/zones', { name: 'x.test' }, user.token);
    expect(refused.body).toMatchObject({ scope: 'write:dns', lacks: 'role', role: 'viewer' });
    expect(refused.body.detail).toBe(
      'This token lists write:dns, but the role of its user, viewer, does not include it.',
    );
  });

  test('a refusal for want of a scope on the token names the token', async () => {
    const { secret } = await make(user.token, 3600, ['read:dns']);
    const refused = await api('POST', '/dns/zones', { name: 'x.test' }, secret);
    expect(refused.body).toMatchObject({ scope: 'write:dns', lacks: 'token', role: 'service-admin' });
    expect(refused.body.detail).toBe('This token does not include write:dns.');
  });

  test('the page says beforehand what ends, the answer what ended', async () => {
    await secondSession(user);
    const page = await house.send('GET', `${UI}${path}`, { session: admin });
    expect(page.text).toContain('2 sessions and 1 API token');
    expect(page.text).toContain('Otherwise a new password ends the user’s API token.');
    const sent = { role: 'service-admin', enabled: 'true', password: NEW, revision: '1', own_password: PASSWORD };
    const heard = await post(path, sent);
    expect(decodeURIComponent(heard.cookies[0]!)).toContain('is saved. Ended: 2 sessions and 1 API token.');
    const removal = await house.send('GET', `${UI}${path}/delete`, { session: admin });
    expect(removal.text).toContain('0 sessions and 0 API tokens');
  });
});

describe('the own account', () => {
  test('any token may ask who it is, whatever it may do', async () => {
    const narrow = await make(admin.token, 3600, ['write:ntp']);
    const heard = await api('GET', '/account', undefined, narrow.secret);
    expect(heard.body).toEqual({
      user_id: admin.user.id,
      user_name: 'ada',
      role: 'admin',
      scopes: ['read:ntp', 'write:ntp'],
      credential: expect.objectContaining({ kind: 'token', id: narrow.token.id, scopes: ['write:ntp'] }),
    });
    expect(heard.text).not.toContain(narrow.secret);
  });

  test('shows this session among the others, and ends the others alone', async () => {
    const user = await house.actor('viewer');
    const second = await secondSession(user);
    const page = await house.send('GET', `${UI}/account`, { session: user });
    expect(page.text.match(/This browser/g)).toHaveLength(1);
    expect(page.text).toContain('End everywhere but here');
    expect(page.text).toContain('looks at everything but vaults, users, archives, recordings of terminals and logs');
    const heard = await post('/account/end-other-sessions', {}, user);
    expect(heard.status).toBe(303);
    expect([await signedIn(user), await signedIn(second)]).toEqual([true, false]);
    expect(await lastDetail()).toMatchObject({ action: 'account.sessions.end', detail: { sessions_ended: 1 } });
  });

  const change = (user: Credentials, more: Record<string, string> = {}) =>
    post('/account/password', { own_password: PASSWORD, new_password: NEW, repeated_password: NEW, ...more }, user);

  test('every role changes its own password: this session goes on, other sessions and the tokens end', async () => {
    const user = await house.actor('viewer');
    const second = await secondSession(user);
    const heard = await change(user);
    expect([heard.status, heard.headers.location]).toEqual([303, `${UI}/account`]);
    expect(decodeURIComponent(heard.cookies[0]!)).toContain('Ended: 1 session and 1 API token.');
    expect([await signedIn(user), await signedIn(second), await works(user.token)]).toEqual([true, false, false]);
    expect((await change(user)).text).toMatch(/id="own_password-error"[\s\S]*This is not your password\./);
  });

  test('the tokens go on when the box is ticked', async () => {
    const user = await house.actor('network-admin');
    expect((await change(user, { keep_tokens: 'true' })).status).toBe(303);
    expect(await works(user.token)).toBe(true);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    [
      'two that differ',
      { repeated_password: 'something else again' },
      /id="repeated_password-error"[\s\S]*The two new passwords differ/,
    ],
    ['a common one', { new_password: 'Password2024!', repeated_password: 'Password2024!' }, /id="new_password-error"/],
  ])('%s is refused at its field, and nothing ends', async (_what, typed, says) => {
    const user = await house.actor('viewer');
    const heard = await change(user, typed);
    expect(heard.status).toBe(422);
    expect(heard.text).toMatch(says);
    expect(heard.text).not.toContain(PASSWORD);
    expect([await works(user.token), await signedIn(user)]).toEqual([true, true]);
  });
});

/** Of the management UI, and of OpenID Connect. */
const ENDED = { sessions_ended: 1, oidc_sessions_ended: 0 };

describe('the own password by API', () => {
  const change = (token: string, body: object = {}) =>
    api('POST', '/account/password', { current_password: PASSWORD, new_password: NEW, ...body }, token);

  test.each(['viewer', 'service-admin', 'network-admin'] as const)(
    'is changed by a %s, with any token',
    async (role) => {
      const user = await house.actor(role, ['read:jobs']);
      const heard = await change(user.token, { keep_tokens: true });
      expect([heard.status, heard.body]).toEqual([200, { ...ENDED, tokens_ended: 0, tokens_kept: 1 }]);
      expect([await signedIn(user), await works(user.token)]).toEqual([false, true]);
      expect(await lastDetail()).toMatchObject({ action: 'account.password', outcome: 'success' });
      const again = await change(user.token);
      expect([again.status, again.body.errors]).toEqual([
        422,
        [{ pointer: '/current_password', detail: 'This is not your password.' }],
      ]);
    },
  );

  test('ends the calling token too, unless tokens are kept', async () => {
    const user = await house.actor('viewer');
    expect((await change(user.token)).body).toEqual({ ...ENDED, tokens_ended: 1, tokens_kept: 0 });
    expect(await works(user.token)).toBe(false);
  });

  test('a common one is refused at its member, and nothing ends', async () => {
    const user = await house.actor('viewer');
    const heard = await change(user.token, { new_password: 'Password2024!' });
    expect([heard.status, heard.body.errors[0].pointer]).toEqual([422, '/new_password']);
    expect([await works(user.token), await signedIn(user)]).toEqual([true, true]);
  });

  test('guesses are recorded and slowed like a sign-in', async () => {
    const user = await house.actor('viewer');
    const statuses = [];
    for (let i = 0; i < 7; i++) statuses.push((await change(user.token, { current_password: `wrong ${i}` })).status);
    expect(statuses.slice(0, 5)).toEqual(Array(5).fill(422));
    expect(statuses).toContain(429);
    expect(await lastDetail()).toMatchObject({ action: 'account.password', outcome: 'failure' });
  });
});

describe('the own password is asked for', () => {
  const target = async () => (await house.actor('viewer')).user;
  const FORMS: [what: string, action: string, send: () => Promise<[string, Record<string, string>]>][] = [
    ['a token', 'token.create', async () => ['/api-tokens', { name: 'x', lifetime_days: '1', scopes: 'read:dns' }]],
    ['a new user', 'user.create', async () => ['/users/new', { name: 'new-one', role: 'viewer', password: NEW }]],
    [
      'a changed user',
      'user.update',
      async () => [`/users/${(await target()).id}`, { role: 'admin', enabled: 'true' }],
    ],
    ['a removed user', 'user.delete', async () => [`/users/${(await target()).id}/delete`, {}]],
  ];

  test.each(FORMS)(
    'before %s: a wrong or missing one is refused at its field and recorded',
    async (_what, action, send) => {
      const session = await house.actor('admin');
      const [path, form] = await send();
      for (const own_password of ['not my password', '']) {
        const heard = await post(path, { ...form, own_password }, session);
        expect(heard.status).toBe(422);
        expect(heard.text).toMatch(/id="own_password-error"[\s\S]*This is not your password\./);
        expect(heard.text).not.toContain('not my password');
        expect(await lastDetail()).toMatchObject({ action, outcome: 'failure', detail: { refused: 'password' } });
      }
    },
  );

  /** A busy machine takes longer for a few guesses than some of them count. */
  async function atOneInstant(work: () => Promise<void>): Promise<void> {
    const { clock } = house.services;
    const now = clock.now();
    house.services.clock = { now: () => now };
    await work().finally(() => {
      house.services.clock = clock;
    });
  }

  test('it counts as a failed sign-in, and a right one later does not help until the time is over', () =>
    atOneInstant(async () => {
      const session = await house.actor('admin');
      const form = { name: 'x', lifetime_days: '1', scopes: 'read:dns' };
      for (let i = 0; i < 6; i++) await post('/api-tokens', { ...form, own_password: `wrong ${i}` }, session);
      const heard = await post('/api-tokens', { ...form, own_password: PASSWORD }, session);
      expect(heard.status).toBe(429);
      expect(heard.text).toContain('Too many failed sign-ins');
      const form_of_sign_in = { username: session.user.name, password: PASSWORD };
      expect((await house.send('POST', `${UI}/sign-in`, { form: form_of_sign_in })).status).toBe(429);
    }));

  test('guesses in one session are slowed from wherever they come; another session of the user is not', () =>
    atOneInstant(async () => {
      const session = await house.actor('admin');
      const fields = { name: 'x', lifetime_days: '1', scopes: 'read:dns' };
      const guess = (i: number, own_password: string, { cookie, csrf } = session) =>
        house.send('POST', `${UI}/api-tokens`, {
          session: { ...session, cookie, csrf },
          form: { ...fields, own_password },
          over: { remote: `192.0.2.${i}`, local: '127.0.0.1' },
        });
      for (let i = 0; i < 10; i++) expect((await guess(i, 'wrong')).status).toBe(422);
      expect((await guess(10, PASSWORD)).status).toBe(429);
      expect((await guess(10, PASSWORD, { ...session, ...(await secondSession(session)) })).status).toBe(200);
    }));

  test('a session that ended while the password was checked changes nothing', async () => {
    const session = await house.actor('admin');
    const { one } = house.services.store;
    const { store } = house.services;
    store.one = (async (sql: string, parameters: never[]) => {
      const row = await one.call(store, sql, parameters);
      if (sql.includes('FROM user WHERE name')) {
        await store.write((tx) => tx.run('DELETE FROM session WHERE user_id = ?', [session.user.id]));
      }
      return row;
    }) as typeof one;
    try {
      const heard = await post(
        '/users/new',
        { name: 'late', role: 'admin', password: NEW, own_password: PASSWORD },
        session,
      );
      expect([heard.status, heard.headers.location]).toEqual([303, expect.stringContaining('/sign-in')]);
    } finally {
      store.one = one;
    }
    expect((await api('GET', '/users?name=late')).body.items).toEqual([]);
  });

  test('a program with a token is not asked', async () => {
    expect((await api('POST', '/users', { name: 'by-api', role: 'viewer', password: NEW })).status).toBe(201);
  });
});
