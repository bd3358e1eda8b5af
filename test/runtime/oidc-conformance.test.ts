// The provider beside the public lists of the OpenID Foundation's conformance suite: each module of the plans "Basic OP" and
// "Config OP", and what the comprehensive plan asks of redirect URIs and keys, by its name there. A module that asks for something
// that a provider may leave out says why it is left out here, and what is answered instead.
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type Answer, type Given, jsonOf, OidcFlow, type Sent } from '../setup/oidc-flow.ts';
import { CALLBACK, ISSUER, OidcScene, type Registered, Visitor } from '../setup/oidc-scene.ts';

const WITH_QUERY = 'https://app.lab.example/callback?foo=bar';

let scene: OidcScene;
let flow: OidcFlow;
let client: Registered;
/** Sends no code challenge. */
let plain: Registered;
let refreshing: Registered;
let other: Registered;

beforeAll(async () => {
  scene = await OidcScene.open();
  flow = new OidcFlow(scene);
  client = await scene.register({ requires_pkce: false, redirect_uris: [CALLBACK, WITH_QUERY] });
  plain = await scene.register({ name: 'Second', preset: 'vcenter' });
  refreshing = await scene.register({ name: 'Refreshing', refresh_tokens: true });
  other = await scene.register({ name: 'Other', refresh_tokens: true });
}, 300_000);
afterAll(() => scene?.close());
afterEach(() => void jest.useRealTimers());

/** So many seconds later, for the library as for us; only the date is changed, and it stands still. */
function later(seconds: number): void {
  const doNotFake = ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const;
  const timers = ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const;
  jest.useFakeTimers({ now: Date.now() + seconds * 1000, doNotFake: [...doNotFake, ...timers] });
}

const asksForPassword = (text: string): boolean => text.includes('name="password"');
const discovery = async (): Promise<Answer> => jsonOf(await scene.ask(`${ISSUER}/.well-known/openid-configuration`));

/** A request that comes to tokens. */
const succeeds =
  (more: Sent['more'] = {}, expected: object = {}) =>
  async () => {
    const { claims } = await flow.run(client, { more });
    expect(claims).toMatchObject({ iss: ISSUER, aud: client.client_id, sub: expect.any(String), ...expected });
  };

/** The client is told the error, at its own address. */
async function told(more: Sent['more'], error: string, visitor = new Visitor(scene)) {
  const { address } = flow.begin(client, { more });
  const { at } = await visitor.go(address);
  const { origin, pathname, searchParams } = new URL(at);
  expect([origin + pathname, searchParams.get('error'), searchParams.get('iss')]).toEqual([CALLBACK, error, ISSUER]);
  expect(searchParams.get('code')).toBeNull();
}

/** A page for the person, and no redirect. */
async function refusedHere(more: Sent['more']) {
  const { address } = flow.begin(client, { more });
  const heard = await scene.ask(address, { headers: { accept: 'text/html' } });
  expect([heard.status, heard.headers.location]).toEqual([400, undefined]);
  expect(heard.text).toContain('Sign-in not possible');
}

/** Both answers of the second sign-in in the same browser: whether the person was asked, and the tokens. */
async function again({ visitor }: Given, more: Sent['more']) {
  const asked = flow.begin(client, { more });
  const page = await visitor.go(asked.address);
  const { at } = asksForPassword(page.text) ? await flow.authorize(asked, visitor) : page;
  const code = new URL(at).searchParams.get('code')!;
  const { id_token } = jsonOf(await flow.redeem(asked, code));
  return { was_asked: asksForPassword(page.text), claims: await flow.claims(id_token, client) };
}

async function codeReused(seconds: number) {
  const first = await flow.run(client);
  expect((await flow.userinfo(first.tokens.access_token)).status).toBe(200);
  if (seconds > 0) later(seconds);
  const second = await flow.redeem(first, first.code);
  expect([second.status, jsonOf(second).error]).toEqual([400, 'invalid_grant']);
  expect((await flow.userinfo(first.tokens.access_token)).status).toBe(401);
}

async function userinfoBy(ask: (token: string) => Promise<{ status: number; text: string }>) {
  const { tokens, claims } = await flow.run(client);
  const heard = await ask(tokens.access_token);
  expect([heard.status, jsonOf(heard).sub]).toEqual([200, claims.sub]);
}

async function unsupportedScope(scope: string, claim: string) {
  expect((await discovery()).scopes_supported).not.toContain(scope);
  const { tokens, claims } = await flow.run(client, { more: { scope: `openid ${scope}` } });
  const info = jsonOf(await flow.userinfo(tokens.access_token));
  expect([claims[claim], info[claim]]).toEqual([undefined, undefined]);
}

/** A request object that nobody signed. */
const unsigned = (claims: object): string =>
  `${[{ alg: 'none' }, claims].map((each) => Buffer.from(JSON.stringify(each)).toString('base64url')).join('.')}.`;

interface Row {
  module: string;
  /** Why it does not apply; what is looked at then is that it is refused or left out as the standard wants. */
  absent?: string;
  run(): Promise<void>;
}

const NO_ADDRESS =
  'neither the directory nor the appliance has postal addresses or telephone numbers to tell of people';
const NO_OBJECTS = 'request objects are off, which is allowed and what discovery says';

const BASIC: readonly Row[] = [
  {
    module: 'oidcc-server',
    run: async () => {
      const { claims, tokens, response } = await flow.run(client, { more: { state: 's', nonce: 'n' } });
      expect([response.get('state'), claims.nonce, tokens.token_type]).toEqual(['s', 'n', 'Bearer']);
      expect(claims.exp - claims.iat).toBeGreaterThan(0);
    },
  },
  {
    module: 'oidcc-server-client-secret-post',
    run: async () => {
      const asked = flow.begin(client);
      const code = async () => new URL((await flow.authorize(asked)).at).searchParams.get('code')!;
      expect((await flow.redeem(asked, await code())).status).toBe(200);
      const none = { client_id: undefined, client_secret: undefined };
      const { client_id, client_secret } = client;
      const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
      const fields = { grant_type: 'authorization_code', redirect_uri: CALLBACK, code_verifier: asked.verifier };
      const basic = await flow.post('/token', { ...fields, ...none, code: await code() }, { authorization });
      expect(basic.status).toBe(200);
    },
  },
  { module: 'oidcc-response-type-missing', run: () => told({ response_type: undefined }, 'invalid_request') },
  {
    module: 'oidcc-userinfo-get',
    run: () => userinfoBy((token) => flow.userinfo(token)),
  },
  {
    module: 'oidcc-userinfo-post-header',
    run: () => userinfoBy((token) => flow.post('/me', {}, { authorization: `Bearer ${token}` })),
  },
  { module: 'oidcc-userinfo-post-body', run: () => userinfoBy((access_token) => flow.post('/me', { access_token })) },
  {
    module: 'oidcc-ensure-request-without-nonce-succeeds-for-code-flow',
    run: async () => {
      const { claims } = await flow.run(client, { more: { nonce: undefined } });
      expect('nonce' in claims).toBe(false);
    },
  },
  {
    module: 'oidcc-scope-profile',
    run: succeeds({ scope: 'openid profile' }, { preferred_username: expect.any(String), name: expect.any(String) }),
  },
  {
    module: 'oidcc-scope-email',
    // Users of the appliance have no mail address; the directory's have one.
    run: async () => {
      expect((await discovery()).claims_supported).toEqual(expect.arrayContaining(['email', 'email_verified']));
      await succeeds({ scope: 'openid email' })();
    },
  },
  { module: 'oidcc-scope-address', absent: NO_ADDRESS, run: () => unsupportedScope('address', 'address') },
  { module: 'oidcc-scope-phone', absent: NO_ADDRESS, run: () => unsupportedScope('phone', 'phone_number') },
  { module: 'oidcc-scope-all', run: succeeds({ scope: 'openid profile email address phone' }) },
  { module: 'oidcc-ensure-other-scope-order-succeeds', run: succeeds({ scope: 'email openid' }) },
  { module: 'oidcc-display-page', run: succeeds({ display: 'page' }) },
  { module: 'oidcc-display-popup', run: succeeds({ display: 'popup' }) },
  {
    module: 'oidcc-prompt-login',
    run: async () => {
      const first = await flow.run(client, { more: { max_age: '15000' } });
      later(2);
      const second = await again(first, { prompt: 'login', max_age: '15000' });
      expect(second.was_asked).toBe(true);
      expect(second.claims.sub).toBe(first.claims.sub);
      expect(second.claims.auth_time).toBeGreaterThan(first.claims.auth_time);
    },
  },
  { module: 'oidcc-prompt-none-not-logged-in', run: () => told({ prompt: 'none' }, 'login_required') },
  {
    module: 'oidcc-prompt-none-logged-in',
    run: async () => {
      const first = await flow.run(client);
      const second = await again(first, { prompt: 'none' });
      expect([second.was_asked, second.claims.sub]).toEqual([false, first.claims.sub]);
    },
  },
  {
    module: 'oidcc-max-age-1',
    run: async () => {
      const first = await flow.run(client, { more: { max_age: '15000' } });
      later(2);
      const second = await again(first, { max_age: '1' });
      expect(second.was_asked).toBe(true);
      expect(second.claims.auth_time).toBeGreaterThan(first.claims.auth_time);
    },
  },
  {
    module: 'oidcc-max-age-10000',
    run: async () => {
      const first = await flow.run(client, { more: { max_age: '15000' } });
      later(2);
      const second = await again(first, { max_age: '10000' });
      expect([second.was_asked, second.claims.auth_time]).toEqual([false, first.claims.auth_time]);
    },
  },
  { module: 'oidcc-ensure-request-with-unknown-parameter-succeeds', run: succeeds({ extra: 'foobar' }) },
  {
    module: 'oidcc-id-token-hint',
    run: async () => {
      const first = await flow.run(client);
      const hint = { prompt: 'none', id_token_hint: first.tokens.id_token };
      expect((await again(first, hint)).claims.sub).toBe(first.claims.sub);
      await told(hint, 'login_required');
      const [header, body, signature] = first.tokens.id_token.split('.') as [string, string, string];
      const forged = [header, body, `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`].join('.');
      await told({ prompt: 'none', id_token_hint: forged }, 'invalid_request', first.visitor);
    },
  },
  {
    module: 'oidcc-login-hint',
    run: async () => {
      const { address } = flow.begin(client, { more: { login_hint: 'ada' } });
      expect((await new Visitor(scene).go(address)).text).toMatch(/name="username"[^>]*value="ada"/);
      await succeeds({ login_hint: 'ada' })();
    },
  },
  { module: 'oidcc-ui-locales', run: succeeds({ ui_locales: 'se' }) },
  { module: 'oidcc-claims-locales', run: succeeds({ claims_locales: 'se' }) },
  { module: 'oidcc-ensure-request-with-acr-values-succeeds', run: succeeds({ acr_values: '1 2' }) },
  { module: 'oidcc-codereuse', run: () => codeReused(0) },
  { module: 'oidcc-codereuse-30seconds', run: () => codeReused(30) },
  {
    module: 'oidcc-ensure-registered-redirect-uri',
    run: () => refusedHere({ redirect_uri: 'https://app.lab.example/callback/other' }),
  },
  {
    module: 'oidcc-ensure-post-request-succeeds',
    run: async () => {
      const asked = flow.begin(client);
      const visitor = new Visitor(scene);
      const fields = Object.fromEntries(new URL(asked.address).searchParams);
      // Sent by a page of the client, hence from elsewhere.
      const form = await visitor.post(`${ISSUER}/auth`, fields, { origin: 'https://app.lab.example' });
      expect(asksForPassword(form.text)).toBe(true);
      const { at } = await visitor.signIn(form.at, scene.admin.user.name);
      expect((await flow.redeem(asked, new URL(at).searchParams.get('code')!)).status).toBe(200);
    },
  },
  {
    module: 'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported',
    absent: NO_OBJECTS,
    run: async () => {
      expect((await discovery()).request_parameter_supported ?? false).toBe(false);
      await told({ request: unsigned({ state: 'other' }) }, 'request_not_supported');
    },
  },
  {
    module: 'oidcc-claims-essential',
    absent: 'single claims can not be asked for, which is allowed and what discovery says; the request goes on without',
    run: async () => {
      expect((await discovery()).claims_parameter_supported).toBe(false);
      await succeeds({ claims: JSON.stringify({ userinfo: { name: { essential: true } } }) })();
    },
  },
  {
    module: 'oidcc-ensure-request-object-with-redirect-uri',
    absent: NO_OBJECTS,
    run: async () => {
      const request = unsigned({ redirect_uri: 'https://evil.example/callback' });
      await told({ request }, 'request_not_supported');
      await refusedHere({ request, redirect_uri: undefined });
    },
  },
  {
    module: 'oidcc-refresh-token',
    run: async () => {
      const first = await flow.run(refreshing, { more: { scope: 'openid offline_access', prompt: 'consent' } });
      const next = jsonOf(await flow.refresh(first, first.tokens.refresh_token));
      const claims = await flow.claims(next.id_token, refreshing);
      expect([claims.sub, claims.auth_time]).toEqual([first.claims.sub, first.claims.auth_time]);
      expect((await flow.userinfo(next.access_token)).status).toBe(200);
      // Of another client it is nothing.
      const foreign = await flow.refresh({ client: other }, next.refresh_token);
      expect([foreign.status, jsonOf(foreign).error]).toEqual([400, 'invalid_grant']);
    },
  },
  {
    module: 'oidcc-ensure-request-with-valid-pkce-succeeds',
    run: async () => {
      const asked = flow.begin(client);
      const { at } = await flow.authorize(asked);
      const code = new URL(at).searchParams.get('code')!;
      expect((await flow.redeem(asked, code, { code_verifier: 'x'.repeat(43) })).status).toBe(400);
      await succeeds()();
      await flow.run(plain, { pkce: false });
    },
  },
];

const CONFIG: readonly Row[] = [
  {
    module: 'oidcc-discovery-endpoint-verification',
    run: async () => {
      const found = await discovery();
      expect(found).toMatchObject({
        issuer: ISSUER,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
        authorization_response_iss_parameter_supported: true,
      });
      expect(found.scopes_supported).toContain('openid');
      expect(found.claims_supported.length).toBeGreaterThan(0);
      for (const [name, value] of Object.entries(found))
        if (/_endpoint$|_uri$/.test(name)) expect(String(value)).toMatch(/^https:\/\/id\.lab\.example\/identity\//);
      const keys = await flow.keys();
      expect(keys.length).toBeGreaterThan(0);
      expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
      for (const key of keys) {
        expect(key).toMatchObject({ kty: 'RSA', use: 'sig', alg: 'RS256', e: 'AQAB' });
        expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
        expect(Buffer.from(key.n!, 'base64url').length * 8).toBeGreaterThanOrEqual(2048);
      }
    },
  },
];

const COMPREHENSIVE: readonly Row[] = [
  {
    module: 'oidcc-ensure-redirect-uri-in-authorization-request',
    run: () => refusedHere({ redirect_uri: undefined }),
  },
  { module: 'oidcc-redirect-uri-query-OK', run: succeeds({ redirect_uri: WITH_QUERY }) },
  { module: 'oidcc-redirect-uri-query-mismatch', run: () => refusedHere({ redirect_uri: `${CALLBACK}?foo=baz` }) },
  { module: 'oidcc-redirect-uri-query-added', run: () => refusedHere({ redirect_uri: `${WITH_QUERY}&more=1` }) },
  {
    module: 'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported',
    absent: 'request objects by address are off: the provider calls nobody',
    run: async () => {
      expect((await discovery()).request_uri_parameter_supported ?? false).toBe(false);
      await told({ request_uri: 'https://evil.example/request' }, 'request_uri_not_supported');
    },
  },
  {
    module: 'oidcc-server-rotate-keys',
    run: async () => {
      const before = await flow.run(client);
      await scene.api('POST', '/api/v1/oidc/signing-keys/rotate', {});
      // What was signed before is still checked by the published keys.
      await flow.claims(before.tokens.id_token, client);
      await succeeds()();
    },
  },
];

describe.each([
  ['Basic OP', BASIC],
  ['Config OP', CONFIG],
  ['beyond the profiles', COMPREHENSIVE],
])('%s', (_plan, rows) => {
  test.each(
    rows.map((row) => [row.absent ? `${row.module} (does not apply: ${row.absent})` : row.module, row] as const),
  )('%s', async (_name, { run }) => run());
});
