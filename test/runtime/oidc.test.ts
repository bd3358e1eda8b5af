// The OpenID Connect provider, as openid-client and a browser meet it: at its listener, after an apply.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as oidc from 'openid-client';
import { scheduled as lookAfterOidc } from '../../handlers/scheduled/look-after-oidc.ts';
import { updateUser } from '../../shared/kernel/access/user-changes.ts';
import { PASSWORD } from '../setup/house.ts';
import { CALLBACK, hidden, ID_NAME, ISSUER, OidcScene, type Registered, Visitor } from '../setup/oidc-scene.ts';
import { until } from '../setup/until.ts';

const AFTER = 'https://app.lab.example/bye';
const TICK = { source: 'groundcrew.ticker', id: 'tick', time: '' } as const;
const SCOPE = 'openid profile email groups';

let scene: OidcScene;
/** With a code challenge, refresh tokens, and a place to go after signing out. */
let app: Registered;
/** Neither. */
let plain: Registered;
let username = '';
const logged: string[] = [];
/** What must be nowhere but in the hands of who was given it. */
const secrets: string[] = [];

beforeAll(async () => {
  scene = await OidcScene.open({ log: (line) => logged.push(line) });
  app = await scene.register({ refresh_tokens: true, logout_uris: [AFTER] });
  plain = await scene.register({
    name: 'vCenter',
    preset: 'vcenter',
    sends_groups: [{ group: 'admin', as: 'vc-admins' }],
  });
  username = scene.admin.user.name;
  secrets.push(app.client_secret, plain.client_secret, PASSWORD);
}, 300_000);
afterAll(() => scene?.close());

interface Begun {
  config: oidc.Configuration;
  address: URL;
  state: string;
  nonce: string;
  verifier: string | undefined;
}

async function begin(
  client: Registered,
  { pkce = true, more = {}, auth }: { pkce?: boolean; more?: object; auth?: oidc.ClientAuth } = {},
): Promise<Begun> {
  const config = await scene.discover(client, auth);
  const verifier = pkce ? oidc.randomPKCECodeVerifier() : undefined;
  const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
  const challenge = verifier && {
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  const asked = { redirect_uri: CALLBACK, scope: SCOPE, state, nonce, ...challenge, ...more };
  return { config, address: oidc.buildAuthorizationUrl(config, asked), state, nonce, verifier };
}

async function redeem({ config, state, nonce, verifier }: Begun, at: string) {
  const tokens = await oidc.authorizationCodeGrant(config, new URL(at), {
    expectedState: state,
    expectedNonce: nonce,
    ...(verifier !== undefined && { pkceCodeVerifier: verifier }),
  });
  secrets.push(new URL(at).searchParams.get('code')!, tokens.access_token);
  if (tokens.refresh_token) secrets.push(tokens.refresh_token);
  return tokens;
}

async function signedIn(client: Registered, how: Parameters<typeof begin>[1] = {}, visitor = new Visitor(scene)) {
  const begun = await begin(client, how);
  const back = await visitor.signIn(begun.address, username);
  if (!back.at.startsWith(CALLBACK)) throw new Error(`${back.at} ${back.text}`);
  return { ...begun, visitor, at: back.at, tokens: await redeem(begun, back.at) };
}

const userinfo = (token: string) => scene.ask(`${ISSUER}/me`, { headers: { authorization: `Bearer ${token}` } });
const errorOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error: { error?: string; message: string }) => error.error ?? error.message,
  );

describe('signing in', () => {
  test('discovery names the issuer, and nothing that is off', async () => {
    const { text } = await scene.ask(`${ISSUER}/.well-known/openid-configuration`);
    const found = JSON.parse(text);
    expect(found).toMatchObject({
      issuer: ISSUER,
      jwks_uri: `${ISSUER}/jwks`,
      authorization_endpoint: `${ISSUER}/auth`,
      token_endpoint: `${ISSUER}/token`,
      userinfo_endpoint: `${ISSUER}/me`,
      end_session_endpoint: `${ISSUER}/session/end`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      id_token_signing_alg_values_supported: ['RS256'],
      subject_types_supported: ['public'],
    });
    expect(found.grant_types_supported.sort()).toEqual(['authorization_code', 'refresh_token']);
    const off = /registration|introspection|pushed|device|dpop|mtls|backchannel|ciba/i;
    expect(Object.keys(found).filter((key) => off.test(key))).toEqual([]);
  });

  test.each([
    ['basic', undefined],
    ['post', true],
  ])(
    'with a code challenge, authenticated by %s: nonce, state, issuer, groups in the ID token',
    async (_name, post) => {
      const auth = post ? oidc.ClientSecretPost(app.client_secret) : oidc.ClientSecretBasic(app.client_secret);
      const { config, tokens, at } = await signedIn(app, { auth });
      expect(new URL(at).searchParams.get('iss')).toBe(ISSUER);
      const claims = tokens.claims()!;
      expect(claims).toMatchObject({
        iss: ISSUER,
        aud: app.client_id,
        preferred_username: username,
        groups: ['admin'],
      });
      const info = await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
      expect(info).toMatchObject({ sub: claims.sub, preferred_username: username, groups: ['admin'] });
    },
  );

  test('without a code challenge, where the product sends none; groups as this client calls them', async () => {
    const { tokens } = await signedIn(plain, { pkce: false });
    expect(tokens.claims()).toMatchObject({ aud: plain.client_id, groups: ['vc-admins'] });
    expect(tokens.refresh_token).toBeUndefined();
  });

  test('the person is the same UUID to every client, and no session of the management UI comes from it', async () => {
    const [one, other] = [await signedIn(app), await signedIn(plain, { pkce: false })];
    expect(one.tokens.claims()!.sub).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(other.tokens.claims()!.sub).toBe(one.tokens.claims()!.sub);
    const sessions = 'SELECT count(*) AS count FROM session WHERE user_id = ?';
    const { store } = scene.house.services;
    expect(await store.one(sessions, [scene.admin.user.id])).toEqual({ count: 1 });
    expect(one.visitor.said.length).toBeGreaterThan(0);
    for (const line of one.visitor.said) {
      expect(line).toMatch(/^groundcrew_(identity|signing_in|signing_in_on)(\.sig)?=/);
      expect(line.toLowerCase()).toContain('httponly');
      if (!/expires=Thu, 01 Jan 1970/i.test(line))
        expect(line.toLowerCase()).toMatch(/; samesite=lax; secure|; secure/);
    }
  });

  test('a browser that is signed in is not asked again, but where the client says so', async () => {
    const { visitor } = await signedIn(app);
    const silent = await begin(app);
    const { at } = await visitor.go(String(silent.address));
    expect(at.startsWith(CALLBACK)).toBe(true);
    await redeem(silent, at);
    const asked = await begin(app, { more: { prompt: 'login' } });
    expect((await visitor.go(String(asked.address))).text).toContain('name="password"');
    const old = await begin(app, { more: { max_age: '0' } });
    expect((await visitor.go(String(old.address))).text).toContain('name="password"');
  });

  test('refresh tokens are good for one use, and a second one ends them all', async () => {
    const { config, tokens } = await signedIn(app);
    const next = await oidc.refreshTokenGrant(config, tokens.refresh_token!);
    secrets.push(next.access_token, next.refresh_token!);
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect((await userinfo(next.access_token)).status).toBe(200);
    expect(await errorOf(oidc.refreshTokenGrant(config, tokens.refresh_token!))).toBe('invalid_grant');
    expect(await errorOf(oidc.refreshTokenGrant(config, next.refresh_token!))).toBe('invalid_grant');
    expect((await userinfo(next.access_token)).status).toBe(401);
  });

  test('signing out ends the session and its tokens, and leads back where that is set up', async () => {
    const { tokens, visitor } = await signedIn(plain, { pkce: false });
    const other = await signedIn(app, {}, visitor);
    const address = oidc.buildEndSessionUrl(other.config, {
      id_token_hint: other.tokens.id_token!,
      post_logout_redirect_uri: AFTER,
      state: 'back',
    });
    const page = await visitor.go(String(address));
    expect(page.text).toContain('Sign out everywhere');
    expect(page.headers['content-security-policy']).toContain("form-action 'self' https://app.lab.example");
    const out = await visitor.post(`${ISSUER}/session/end/confirm`, { xsrf: hidden(page.text, 'xsrf'), logout: 'yes' });
    expect(out.at).toBe(`${AFTER}?state=back`);
    expect((await userinfo(tokens.access_token)).status).toBe(401);
    expect((await userinfo(other.tokens.access_token)).status).toBe(401);
    const again = await begin(plain, { pkce: false });
    expect((await visitor.go(String(again.address))).text).toContain('name="password"');
  });
});

describe('refused', () => {
  test('a code that is redeemed again ends the tokens of the first time', async () => {
    const first = await signedIn(app);
    expect((await userinfo(first.tokens.access_token)).status).toBe(200);
    expect(await errorOf(redeem(first, first.at))).toBe('invalid_grant');
    expect((await userinfo(first.tokens.access_token)).status).toBe(401);
    expect(await errorOf(oidc.refreshTokenGrant(first.config, first.tokens.refresh_token!))).toBe('invalid_grant');
  });

  test('of two who redeem a code at once, one at most gets tokens, and they do not live', async () => {
    const begun = await begin(app);
    const { at } = await new Visitor(scene).signIn(begun.address, username);
    const both = await Promise.allSettled([redeem(begun, at), redeem(begun, at)]);
    const given = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(given.length).toBeLessThanOrEqual(1);
    for (const { access_token } of given) expect((await userinfo(access_token)).status).toBe(401);
  });

  const asks = (more: Record<string, string | undefined>) => {
    const all = {
      client_id: app.client_id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid',
      state: 's',
      ...more,
    };
    const sent = Object.entries(all).filter((each): each is [string, string] => each[1] !== undefined);
    return scene.ask(`${ISSUER}/auth?${new URLSearchParams(sent)}`, { headers: { accept: 'text/html' } });
  };

  test.each<[what: string, more: Record<string, string | undefined>, status: number]>([
    ['a redirect URI that is not set up', { redirect_uri: 'https://evil.example/callback' }, 400],
    ['one with a path more', { redirect_uri: `${CALLBACK}/more` }, 400],
    ['one with a query more', { redirect_uri: `${CALLBACK}?a=b` }, 400],
    ['one in capitals', { redirect_uri: 'https://APP.lab.example/callback' }, 400],
    ['one over plain HTTP', { redirect_uri: 'http://app.lab.example/callback' }, 400],
    ['no redirect URI', { redirect_uri: undefined }, 400],
    ['an unknown client', { client_id: 'oidcclient_nobody' }, 400],
    ['no client', { client_id: undefined }, 400],
  ])('%s: a page, and no redirect', async (_what, more, status) => {
    const heard = await asks(more);
    expect(heard.status).toBe(status);
    expect(heard.headers.location).toBeUndefined();
    expect(heard.text).toContain('Sign-in not possible');
    expect(heard.text).not.toContain('evil.example');
  });

  test.each<[what: string, more: Record<string, string | undefined>, error: string]>([
    ['no code challenge', {}, 'invalid_request'],
    ['a plain code challenge', { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
    ['the implicit flow', { response_type: 'id_token token', nonce: 'n' }, 'unsupported_response_type'],
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['a request object', { request: 'e30.e30.' }, 'request_not_supported'],
    ['a request by address', { request_uri: 'https://evil.example/request' }, 'request_uri_not_supported'],
    [
      'no sign-in page, with nobody signed in',
      { prompt: 'none', code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' },
      'login_required',
    ],
    [
      'a prompt that contradicts itself',
      { prompt: 'none login', code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' },
      'invalid_request',
    ],
  ])('%s: the client is told %s', async (_what, more, error) => {
    const { status, headers } = await asks(more);
    expect(status).toBe(303);
    const told = new URL(headers.location!);
    expect(told.origin + told.pathname).toBe(CALLBACK);
    const params = told.hash ? new URLSearchParams(told.hash.slice(1)) : told.searchParams;
    expect([params.get('error'), params.get('state'), params.get('iss')]).toEqual([error, 's', ISSUER]);
  });

  test.each<[what: string, change: (sent: Record<string, string>) => object, error: string]>([
    ['a wrong secret', () => ({ client_secret: 'wrong' }), 'invalid_client'],
    ['the digest of the secret', () => ({ client_secret: 'digest' }), 'invalid_client'],
    ['an unknown client', () => ({ client_id: 'oidcclient_nobody' }), 'invalid_client'],
    ['no secret', () => ({ client_secret: undefined }), 'invalid_client'],
    ['another redirect URI', () => ({ redirect_uri: `${CALLBACK}2` }), 'invalid_grant'],
    ['no redirect URI', () => ({ redirect_uri: undefined }), 'invalid_request'],
    ['another code verifier', () => ({ code_verifier: 'b'.repeat(43) }), 'invalid_grant'],
    ['no code verifier', () => ({ code_verifier: undefined }), 'invalid_grant'],
    ['another code', ({ code }) => ({ code: `${code!.slice(0, -1)}_` }), 'invalid_grant'],
    [
      'a code of another client',
      () => ({ client_id: plain.client_id, client_secret: plain.client_secret }),
      'invalid_grant',
    ],
    ['another grant', () => ({ grant_type: 'client_credentials' }), 'unsupported_grant_type'],
    ['a password grant', () => ({ grant_type: 'password', username: 'a', password: 'b' }), 'unsupported_grant_type'],
  ])('at the token address: %s', async (what, change, error) => {
    const begun = await begin(app);
    const { at } = await new Visitor(scene).signIn(begun.address, username);
    const code = new URL(at).searchParams.get('code')!;
    secrets.push(code);
    const usual = {
      grant_type: 'authorization_code',
      redirect_uri: CALLBACK,
      code,
      code_verifier: begun.verifier!,
      ...idOf(app),
    };
    const all: Record<string, string | undefined> = { ...usual, ...change(usual) };
    if (what === 'the digest of the secret') {
      const sql = 'SELECT secret_sha256 FROM oidc_client WHERE id = ?';
      all.client_secret = (await scene.house.services.store.one<{ secret_sha256: string }>(sql, [
        app.client_id,
      ]))!.secret_sha256;
    }
    const sent = Object.entries(all).filter((each): each is [string, string] => each[1] !== undefined);
    const heard = await scene.ask(`${ISSUER}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(sent).toString(),
    });
    expect([heard.status, JSON.parse(heard.text).error]).toEqual([error === 'invalid_client' ? 401 : 400, error]);
    expect(heard.headers['cache-control']).toBe('no-store');
  });

  test.each(['', 'Bearer', 'Bearer nothing', 'Basic YTpi'])('userinfo with “%s”', async (authorization) => {
    const heard = await scene.ask(`${ISSUER}/me`, { headers: { authorization } });
    expect([400, 401]).toContain(heard.status);
  });

  test('a form of the sign-in that another page sent, or another browser', async () => {
    const { address } = await begin(app);
    const visitor = new Visitor(scene);
    const form = await visitor.go(String(address));
    const fields = { csrf: hidden(form.text, 'csrf'), username, password: PASSWORD };
    expect((await visitor.post(form.at, fields, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await visitor.post(form.at, fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await visitor.post(form.at, { ...fields, csrf: '' })).status).toBe(403);
    const stranger = await new Visitor(scene).post(form.at, fields);
    expect([stranger.status, stranger.text.includes('begun in another browser')]).toEqual([400, true]);
    expect(form.headers['x-frame-options']).toBe('DENY');
    const policy = form.headers['content-security-policy']!;
    expect(policy).toContain("form-action 'self' https://app.lab.example");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(form.text).not.toContain('<script');
    expect((await visitor.post(form.at, fields)).at.startsWith(CALLBACK)).toBe(true);
  });

  test('a wrong password is refused, counted and written down without it', async () => {
    const { address } = await begin(app);
    const visitor = new Visitor(scene);
    const wrong = await visitor.signIn(address, username, 'not the password of anybody');
    secrets.push('not the password of anybody');
    expect([wrong.status, wrong.text.includes('is wrong')]).toEqual([401, true]);
    const { store } = scene.house.services;
    const last = await store.one('SELECT action, outcome, actor_name FROM audit_event ORDER BY seq DESC LIMIT 1');
    expect(last).toEqual({ action: 'oidc.session.refuse', outcome: 'failure', actor_name: 'anonymous' });
  });

  test('a Host of somebody else changes no address', async () => {
    const path = `${ISSUER}/.well-known/openid-configuration`;
    const usual = (await scene.ask(path)).text;
    for (const headers of [
      { host: 'evil.example' },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
      { forwarded: 'host=evil.example' },
    ]) {
      const { status, text } = await scene.ask(path, { headers: { host: ID_NAME, ...headers } });
      expect([421, 200]).toContain(status);
      expect(status === 200 ? text : usual).toBe(usual);
    }
  });
});

const idOf = ({ client_id, client_secret }: Registered) => ({ client_id, client_secret });

describe('what is changed while it runs', () => {
  test('signing keys are rotated while tokens are held', async () => {
    const before = await signedIn(app);
    const kids = async () =>
      JSON.parse((await scene.ask(`${ISSUER}/jwks`)).text).keys.map(({ kid }: { kid: string }) => kid);
    const [signs, next] = await kids();
    const { items } = await scene.api('POST', '/api/v1/oidc/signing-keys/rotate', {});
    expect(items.map(({ state }: { state: string }) => state)).toEqual(['current', 'next', 'previous']);
    await until(async () => (await kids())[0] === next);
    expect(await kids()).toContain(signs);
    expect((await userinfo(before.tokens.access_token)).status).toBe(200);
    const after = await oidc.refreshTokenGrant(before.config, before.tokens.refresh_token!);
    const header = JSON.parse(Buffer.from(after.id_token!.split('.')[0]!, 'base64url').toString());
    expect(header).toMatchObject({ alg: 'RS256', kid: next });
    const { text } = await scene.ask(`${ISSUER}/jwks`);
    expect(text).not.toMatch(/"(d|p|q|dp|dq|qi)":/);
  });

  test('a secret is replaced, and the former one taken for a while', async () => {
    const client = await scene.register({ name: 'Rotating' });
    const path = `/api/v1/oidc/clients/${client.client_id}/rotate-secret`;
    const next = (await scene.api('POST', path, { overlap_seconds: 60 })).client_secret;
    secrets.push(client.client_secret, next);
    await signedIn(client);
    await signedIn({ ...client, client_secret: next });
    const last = (await scene.api('POST', path, { overlap_seconds: 0 })).client_secret;
    secrets.push(last);
    const auth = oidc.ClientSecretPost(next);
    expect(await errorOf(signedIn(client, { auth }))).toMatch(/invalid_client|challenge/);
    await signedIn({ ...client, client_secret: last });
  });

  test('who is disabled is out with the next use of any token', async () => {
    const user = await scene.house.actor('viewer');
    const begun = await begin(app);
    const visitor = new Visitor(scene);
    const { at } = await visitor.signIn(begun.address, user.user.name);
    const tokens = await redeem(begun, at);
    expect(tokens.claims()).toMatchObject({ groups: ['viewer'] });
    const { services } = scene.house;
    await services.store.write((tx) => updateUser(tx, services, user.user.id, { enabled: false }, null));
    expect((await userinfo(tokens.access_token)).status).toBe(401);
    expect(await errorOf(oidc.refreshTokenGrant(begun.config, tokens.refresh_token!))).toBe('invalid_grant');
    const again = await begin(app);
    expect((await visitor.go(String(again.address))).text).toContain('name="password"');
  });

  test('a client that is off signs nobody in, and its tokens open nothing', async () => {
    const client = await scene.register({ name: 'Switched' });
    const { tokens } = await signedIn(client);
    await scene.api('PATCH', `/api/v1/oidc/clients/${client.client_id}`, { enabled: false });
    expect((await userinfo(tokens.access_token)).status).toBe(401);
    expect(await errorOf(signedIn(client))).toContain('Sign-in not possible');
  });

  test('the client’s page says for whom it was last given tokens', async () => {
    await signedIn(app);
    await until(
      async () => (await scene.api('GET', `/api/v1/oidc/clients/${app.client_id}`)).last_token_for === username,
    );
  });

  test('what has run out is swept, and nothing else', async () => {
    const { store, clock } = scene.house.services;
    const count = async () =>
      (await store.one<{ count: number }>('SELECT count(*) AS count FROM oidc_artifact'))!.count;
    const { tokens } = await signedIn(app);
    await lookAfterOidc.spec.run(scene.house.services, TICK);
    expect((await userinfo(tokens.access_token)).status).toBe(200);
    const later = { ...scene.house.services, clock: { now: () => new Date(clock.now().getTime() + 15 * 86_400_000) } };
    await lookAfterOidc.spec.run(later, TICK);
    expect(await count()).toBe(0);
  });
});

test('no secret, code, token or password is in the log, in the audit log or in the database', async () => {
  const { store } = scene.house.services;
  const audit = await store.all('SELECT * FROM audit_event');
  const artifacts = await store.all('SELECT * FROM oidc_artifact');
  const clients = await store.all('SELECT * FROM oidc_client');
  const listed = await scene.api('GET', '/api/v1/oidc/clients');
  const all = [logged.join('\n'), ...[audit, artifacts, clients, listed].map((each) => JSON.stringify(each))].join(
    '\n',
  );
  expect(secrets.length).toBeGreaterThan(20);
  for (const secret of new Set(secrets)) expect(all.includes(secret)).toBe(false);
});
