// Who may call what, for every operation and page there is: each wrong credential, each missing scope, each forged form.
// The table of operations is walked, so that a new one is covered the moment it exists.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROLES, type Role, SCOPES, type Scope, scopesOfRole } from '../../shared/kernel/access/scopes.ts';
import type { AnySpec } from '../../shared/kernel/operation/operation.ts';
import { type Credentials, type Heard, House, type Send } from '../setup/house.ts';
import { EVERYTHING, filled } from './scenarios/scenario.ts';

const specs = EVERYTHING.map(({ spec }) => spec);
const named = (list: AnySpec[]) => list.map((spec) => [spec.id, spec] as const);
const api = named(specs.filter(({ plane }) => plane === 'api'));
const apiScoped = api.filter(([, spec]) => scopeOf(spec));
const forms = named(specs.filter(({ plane, effect }) => plane === 'management' && effect !== 'read'));
const signedIn = (spec: AnySpec) => spec.access !== 'public';
const pages = named(specs.filter((spec) => spec.plane === 'management' && spec.effect === 'read' && signedIn(spec)));

function scopeOf(spec: AnySpec): Scope | null {
  if (spec.access === 'public') return null;
  const scope = 'scope' in spec.access ? spec.access.scope : spec.access.session;
  return scope === 'any' ? null : scope;
}

let house: House;
let admin: Credentials;
/** Credentials that are no good (any more), by what is wrong with them. */
const bad: Record<string, { token: string; code: string }> = {};
const stale: Record<string, Credentials> = {};
/** Somebody whose role has none of the scope. */
const roles = new Map<Role, Credentials>();
let before: number;

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
  const write = (sql: string, parameters: string[]) => house.services.store.write((tx) => tx.run(sql, parameters));
  const expired = await house.actor('admin');
  await write('UPDATE api_token SET expires_at = ? WHERE id = ?', ['2020-01-01T00:00:00.000Z', expired.token_id]);
  const revoked = await house.actor('admin');
  await write('UPDATE api_token SET revoked_at = ? WHERE id = ?', ['2020-01-01T00:00:00.000Z', revoked.token_id]);
  const disabled = await house.actor('admin');
  await write('UPDATE user SET enabled = 0 WHERE id = ?', [disabled.user.id]);
  Object.assign(bad, {
    'a typing mistake in it': {
      token: `${admin.token.slice(0, -7)}x${admin.token.slice(-6)}`,
      code: 'credentials_invalid',
    },
    'a token that was never issued': { token: neverIssued(admin.token), code: 'credentials_invalid' },
    'an expired token': { token: expired.token, code: 'credentials_expired' },
    'a revoked token': { token: revoked.token, code: 'credentials_revoked' },
    'the token of a disabled user': { token: disabled.token, code: 'credentials_revoked' },
  });
  const [idle, old, gone] = [await house.actor('admin'), await house.actor('admin'), await house.actor('admin')];
  await write("UPDATE session SET last_seen_at = '2020-01-01T00:00:00.000Z' WHERE user_id = ?", [idle.user.id]);
  await write("UPDATE session SET created_at = '2020-01-01T00:00:00.000Z' WHERE user_id = ?", [old.user.id]);
  await write('UPDATE user SET enabled = 0 WHERE id = ?', [gone.user.id]);
  Object.assign(stale, {
    'an idle session': idle,
    'a session that is too old': old,
    'the session of a disabled user': gone,
  });
  for (const role of ROLES) roles.set(role, await house.actor(role));
  before = await house.lastAudit();
});

afterAll(() => house.close());

/** Well formed, with a right checksum, and known to nobody. */
function neverIssued(token: string): string {
  const body = `${token.slice(0, -16)}${token.slice(-16, -6).split('').reverse().join('')}`;
  return body + createHash('sha256').update(body).digest('hex').slice(0, 6);
}

/** An otherwise proper request, with parameters that nothing has. */
function request(spec: AnySpec, send: Send): Promise<Heard> {
  const body: Send = spec.body && spec.plane === 'api' ? { body: {} } : {};
  const form: Send = spec.form ? { form: {} } : {};
  return house.send(spec.method, filled(spec.path), { ...body, ...form, ...send });
}

const without = (scope: Scope): Scope[] => {
  const resource = scope.split(':')[1];
  // The write scope includes the read.
  return SCOPES.filter((other) => other !== scope && !(scope.startsWith('read:') && other === `write:${resource}`));
};
const roleWithout = (scope: Scope) => ROLES.find((role) => !scopesOfRole(role).has(scope));

/** Tokens by their scopes: making one is what takes the time. */
const tokens = new Map<string, Promise<string>>();
function tokenOf(scopes: Scope[]): Promise<string> {
  const key = scopes.join(' ');
  if (!tokens.has(key))
    tokens.set(
      key,
      house.actor('admin', scopes).then(({ token }) => token),
    );
  return tokens.get(key)!;
}

const refusal = ({ status, body }: Heard) => [status, body?.error_code];

describe('an operation of the API refuses', () => {
  test.each(api)('%s: no token, a malformed header, and tokens that are no good', async (_id, spec) => {
    const none = await request(spec, {});
    expect([...refusal(none), none.headers['www-authenticate']]).toEqual([
      401,
      'credentials_missing',
      'Bearer realm="groundcrew"',
    ]);
    for (const authorization of [
      'Basic YWRhOmFkYQ==',
      'Bearer',
      'Bearer ',
      `Bearer ${admin.token} ${admin.token}`,
      admin.token,
    ]) {
      expect(refusal(await request(spec, { headers: { authorization } }))).toEqual([401, 'credentials_invalid']);
    }
    for (const [what, { token, code }] of Object.entries(bad)) {
      const heard = await request(spec, { token });
      expect([what, ...refusal(heard), heard.headers['www-authenticate']]).toEqual([
        what,
        401,
        code,
        'Bearer realm="groundcrew", error="invalid_token"',
      ]);
    }
  });

  test.each(api)('%s: a session’s cookie instead of a token', async (_id, spec) => {
    const heard = await request(spec, { session: admin, headers: { 'content-type': 'application/json' }, raw: '{}' });
    expect(refusal(heard)).toEqual([401, 'credentials_missing']);
  });

  test.each(apiScoped)('%s: a token with every scope but the one it needs', async (_id, spec) => {
    const scope = scopeOf(spec)!;
    const heard = await request(spec, { token: await tokenOf(without(scope)) });
    expect([...refusal(heard), heard.body.scope, heard.body.lacks]).toEqual([
      403,
      'insufficient_scope',
      scope,
      'token',
    ]);
    expect(heard.headers['www-authenticate']).toBe(
      `Bearer realm="groundcrew", error="insufficient_scope", scope="${scope}"`,
    );
  });

  test.each(apiScoped)('%s: the right scope on the token of a user whose role has shrunk', async (_id, spec) => {
    const scope = scopeOf(spec)!;
    const role = roleWithout(scope);
    if (!role) return expect(ROLES.every((each) => scopesOfRole(each).has(scope))).toBe(true);
    const shrunk = await house.actor('admin', [scope]);
    await house.services.store.write((tx) => tx.run('UPDATE user SET role = ? WHERE id = ?', [role, shrunk.user.id]));
    const heard = await request(spec, { token: shrunk.token });
    expect([...refusal(heard), heard.body.scope, heard.body.lacks]).toEqual([403, 'insufficient_scope', scope, 'role']);
  });

  test.each(api.filter(([, { effect }]) => effect === 'read'))(
    '%s nobody who has just its scope',
    async (_id, spec) => {
      const heard = await request(spec, { token: await tokenOf([scopeOf(spec) ?? 'write:dns']) });
      // 422: what the query has to name is missing; only who may ask hears of it.
      expect([200, 404, 422]).toContain(heard.status);
    },
  );
});

describe('a form refuses', () => {
  const needSession = forms.filter(([, spec]) => signedIn(spec));
  const asProgram = { headers: { accept: 'application/json' } };

  test.each(needSession)('%s without a session, and with one that has ended', async (_id, spec) => {
    const none = await request(spec, {});
    expect([...refusal(none), none.headers['www-authenticate']]).toEqual([
      401,
      'session_required',
      'Bearer realm="groundcrew"',
    ]);
    for (const [what, session] of Object.entries(stale)) {
      expect([what, ...refusal(await request(spec, { session, ...asProgram }))]).toEqual([
        what,
        401,
        'session_required',
      ]);
      const browser = await request(spec, { session });
      // Back to the page of the form afterwards, not to the address that only takes posts.
      const back = new URL(browser.headers.location!, 'http://x').searchParams.get('return_to');
      const page = (spec as { form: { page: string } }).form.page
        .replaceAll('?', '\\?')
        .replaceAll(/\{\w+\}/g, '[^/]+');
      expect([browser.status, back]).toEqual([303, expect.stringMatching(new RegExp(`^${page}$`))]);
    }
    const cookie = { cookie: 'groundcrew_session=short', csrf: admin.csrf };
    expect(refusal(await request(spec, { session: cookie, ...asProgram }))).toEqual([401, 'session_required']);
    expect(refusal(await request(spec, { token: admin.token }))).toEqual([401, 'session_required']);
  });

  test.each(needSession)('%s without the CSRF token, and with that of another session', async (_id, spec) => {
    const other = roles.get('viewer')!;
    for (const csrf of ['', 'x', other.csrf, `${admin.csrf}x`]) {
      const heard = await request(spec, { session: { cookie: admin.cookie, csrf }, ...asProgram });
      expect(refusal(heard)).toEqual([403, 'csrf_failed']);
    }
  });

  test.each(forms)('%s from a page of another origin', async (_id, spec) => {
    const session = signedIn(spec) ? { session: admin } : {};
    for (const header of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${house.origin}.evil.example` },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const heard = await request(spec, {
        ...session,
        headers: { accept: 'application/json', ...header } as Record<string, string>,
      });
      expect(refusal(heard)).toEqual([403, 'foreign_origin']);
    }
  });

  const scoped = needSession.filter(([, spec]) => scopeOf(spec));

  test.each(scoped)('%s to a role without its scope', async (_id, spec) => {
    const scope = scopeOf(spec)!;
    const role = roleWithout(scope);
    if (!role) return expect(ROLES.every((each) => scopesOfRole(each).has(scope))).toBe(true);
    const heard = await request(spec, { session: roles.get(role)!, ...asProgram });
    expect([...refusal(heard), heard.body.scope]).toEqual([403, 'insufficient_scope', scope]);
  });

  test.each(forms)('%s as JSON, which a foreign page could send without asking', async (_id, spec) => {
    const session = signedIn(spec) ? { session: admin } : {};
    const heard = await house.send(spec.method, filled(spec.path), {
      ...session,
      raw: '{}',
      headers: { 'content-type': 'text/plain', accept: 'application/json' },
    });
    expect(refusal(heard)).toEqual([415, 'media_type_unsupported']);
  });

  test('every mutation of the management plane is a form', () => {
    expect(forms.filter(([, { form }]) => !form).map(([id]) => id)).toEqual([]);
  });
});

describe('a page refuses', () => {
  test.each(pages)(
    '%s: leads a browser without a session to the sign-in and back, tells a program',
    async (_id, spec) => {
      const path = filled(spec.path);
      const browser = await house.send('GET', `${path}?a=1`, { headers: { accept: 'text/html' } });
      const sign_in = `/ui/management/sign-in?return_to=${encodeURIComponent(`${path}?a=1`)}`;
      expect([browser.status, browser.headers.location]).toEqual([303, sign_in]);
      const program = await house.send('GET', path);
      expect([...refusal(program), program.headers['www-authenticate']]).toEqual([
        401,
        'session_required',
        'Bearer realm="groundcrew"',
      ]);
      for (const [what, session] of Object.entries(stale)) {
        expect([what, (await house.send('GET', path, { session })).status]).toEqual([what, 303]);
      }
      expect((await house.send('GET', path, { token: admin.token })).status).toBe(401);
    },
  );

  test.each(pages.filter(([, spec]) => scopeOf(spec)))('%s to a role without its scope', async (_id, spec) => {
    const scope = scopeOf(spec)!;
    const role = roleWithout(scope);
    if (!role) return expect(ROLES.every((each) => scopesOfRole(each).has(scope))).toBe(true);
    const session = roles.get(role)!;
    const program = await house.send('GET', filled(spec.path), { session, headers: { accept: 'application/json' } });
    expect([...refusal(program), program.body.scope]).toEqual([403, 'insufficient_scope', scope]);
    const browser = await house.send('GET', filled(spec.path), { session });
    expect([browser.status, browser.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
  });
});

describe('the public plane refuses', () => {
  const guarded = named(specs.filter((spec) => spec.plane === 'public' && signedIn(spec)));
  const posted = guarded.filter(([, { effect }]) => effect !== 'read');
  let guest: { cookie: string; csrf: string };

  beforeAll(async () => {
    guest = await house.guest(admin);
  });

  async function outside({ method, path }: AnySpec, headers: Record<string, string>, fields?: Record<string, string>) {
    const { host, port } = house.appliance.public!;
    const body = fields && new URLSearchParams(fields);
    const init = { method, headers, redirect: 'manual' as const, ...(body && { body }) };
    const answer = await fetch(`http://${host}:${port}${filled(path)}`, init);
    const text = await answer.text();
    const code = text.startsWith('{') ? (JSON.parse(text) as { error_code: string }).error_code : '';
    return [answer.status, code || answer.headers.get('location')];
  }
  const fieldsOf = (spec: AnySpec) => (spec.form ? {} : undefined);

  test.each(guarded)('%s without a session of its own: that of the management pages is none', async (_id, spec) => {
    const [, id = ''] = admin.cookie.split('=');
    const [, own = ''] = guest.cookie.split('=');
    for (const cookie of [
      '',
      admin.cookie,
      `groundcrew_public=${id}`,
      `groundcrew_session=${own}`,
      'groundcrew_public=x',
    ]) {
      const program = await outside(spec, { cookie, accept: 'application/json' }, fieldsOf(spec));
      expect([cookie, ...program]).toEqual([cookie, 401, 'session_required']);
      const browser = await outside(spec, { cookie, accept: 'text/html' }, fieldsOf(spec));
      expect([cookie, ...browser]).toEqual([cookie, 303, '/ui/public/sign-in']);
    }
    expect(await outside(spec, { authorization: `Bearer ${admin.token}` }, fieldsOf(spec))).toEqual([
      401,
      'session_required',
    ]);
  });

  test.each(posted)('%s without its CSRF token, and from another origin', async (_id, spec) => {
    const headers = { cookie: guest.cookie, accept: 'application/json' };
    for (const csrf of ['', 'x', admin.csrf])
      expect(await outside(spec, headers, { csrf })).toEqual([403, 'csrf_failed']);
    const foreign = { ...headers, origin: 'https://evil.example' };
    expect(await outside(spec, foreign, { csrf: guest.csrf })).toEqual([403, 'foreign_origin']);
  });

  test('what is not switched on, and nothing of the management plane takes its session', async () => {
    const headers = { cookie: guest.cookie, accept: 'application/json' };
    for (const [id, spec] of guarded.filter(([, { effect }]) => effect === 'read'))
      expect([id, ...(await outside(spec, headers))]).toEqual([id, 404, 'route_not_found']);
    const session = { cookie: `groundcrew_session=${guest.cookie.split('=')[1]}`, csrf: guest.csrf };
    for (const [id, spec] of pages) {
      const heard = await house.send('GET', filled(spec.path), { session, headers: { accept: 'application/json' } });
      expect([id, ...refusal(heard)]).toEqual([id, 401, 'session_required']);
    }
    expect(guarded.length).toBeGreaterThan(5);
  });
});

describe('a listener serves its planes alone', () => {
  const paths = (planes: string[]) =>
    new Set(specs.filter(({ plane }) => planes.includes(plane)).map(({ path }) => path));

  test('the public one has nothing of the API and of the management plane', async () => {
    const outside = paths(['public']);
    const asked = specs.filter(({ plane, path }) => (plane === 'api' || plane === 'management') && !outside.has(path));
    const { host, port } = house.appliance.public!;
    const answers: Record<string, unknown> = {};
    for (const { method, path, id } of asked) {
      const headers = { authorization: `Bearer ${admin.token}`, cookie: admin.cookie };
      const answer = await fetch(`http://${host}:${port}${filled(path)}`, { method, headers });
      const { error_code } = (await answer.json()) as { error_code: string };
      if (answer.status !== 404 || error_code !== 'route_not_found') answers[id] = [answer.status, error_code];
    }
    expect(answers).toEqual({});
    expect(asked.length).toBeGreaterThan(30);
  });

  test('the management one has nothing of the public plane that it does not share', async () => {
    const inside = paths(['api', 'management']);
    for (const { path } of specs.filter(({ plane, path }) => plane === 'public' && !inside.has(path))) {
      expect((await house.send('GET', filled(path))).status).toBe(404);
    }
  });
});

test('nothing that was refused wrote an audit event', async () => {
  expect(await house.audited(before)).toEqual([]);
});
