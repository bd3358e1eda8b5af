// What others try at the provider: names that are not its own, answers of another issuer, codes in the wrong hands, forms and frames
// of other pages, and ways to make it send a browser somewhere.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as oidc from 'openid-client';
import { PASSWORD } from '../setup/house.ts';
import { jsonOf, OidcFlow } from '../setup/oidc-flow.ts';
import { CALLBACK, hidden, ID_NAME, ISSUER, OidcScene, type Registered, Visitor } from '../setup/oidc-scene.ts';

const AFTER = 'https://app.lab.example/bye';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

let scene: OidcScene;
let flow: OidcFlow;
let client: Registered;
let other: Registered;
let username = '';

beforeAll(async () => {
  scene = await OidcScene.open();
  flow = new OidcFlow(scene);
  client = await scene.register({ logout_uris: [AFTER] });
  other = await scene.register({ name: 'Other', requires_pkce: false });
  username = scene.admin.user.name;
}, 300_000);
afterAll(() => scene?.close());

/** A sign-in page, and the browser that has it open. */
async function opened(of = client) {
  const asked = flow.begin(of);
  const visitor = new Visitor(scene);
  const page = await visitor.go(asked.address);
  return { asked, visitor, page, fields: { csrf: hidden(page.text, 'csrf'), username, password: PASSWORD } };
}

describe('names', () => {
  const DISCOVERY = `${ISSUER}/.well-known/openid-configuration`;

  test.each<[what: string, headers: Record<string, string>, servername?: string]>([
    ['another Host than the name of the connection', { host: 'evil.example' }],
    ['another port', { host: `${ID_NAME}:8443` }],
    ['another Host where no name was given', { host: 'evil.example' }, ''],
    ['X-Forwarded-Host', { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }],
    ['Forwarded', { forwarded: 'host=evil.example;proto=http' }],
    ['X-Original-URL', { 'x-original-url': '/evil', 'x-rewrite-url': '/evil' }],
  ])('%s changes no address of an answer', async (_what, headers, servername = ID_NAME) => {
    const usual = (await scene.ask(DISCOVERY)).text;
    const found = await scene.ask(DISCOVERY, { headers: { host: ID_NAME, ...headers } }, servername).catch(() => null);
    if (found?.status === 200) expect(found.text).toBe(usual);
    else expect([undefined, 421]).toContain(found?.status);
    const { address } = flow.begin(client);
    const asked = await scene.ask(address, { headers: { host: ID_NAME, ...headers } }, servername).catch(() => null);
    expect(JSON.stringify([asked?.headers.location ?? '', asked?.text ?? ''])).not.toContain('evil');
  });

  test.each(['https://evil.example', `https://${ID_NAME}`, '//evil.example', 'evil.example:443', '*'])(
    'a target that begins with %s is refused',
    async (before) => {
      const { pathname, search } = new URL(flow.begin(client).address);
      const heard = await scene.ask(ISSUER, { target: /^[*e]/.test(before) ? before : before + pathname + search });
      expect([400, 421]).toContain(heard.status);
      expect(heard.headers.location).toBeUndefined();
    },
  );

  test('a page of another name that leads to our address can not send the form', async () => {
    const { visitor, page, fields } = await opened();
    const rebound = { host: 'evil.example', origin: 'https://evil.example', ...FORM };
    const body = new URLSearchParams(fields).toString();
    expect([403, 421]).toContain((await visitor.ask(page.at, { method: 'POST', headers: rebound, body })).status);
  });
});

describe('issuers', () => {
  test('every answer names ours, so that a client which speaks to two tells them apart', async () => {
    const { response } = await flow.run(client);
    expect(response.get('iss')).toBe(ISSUER);
    const { address } = flow.begin(client, { more: { prompt: 'none' } });
    const { at } = await new Visitor(scene).go(address);
    expect(new URL(at).searchParams.get('iss')).toBe(ISSUER);
  });

  test.each(['https://evil.example/identity', null])('a client takes no answer of the issuer %s', async (iss) => {
    const config = await scene.discover(other);
    const asked = { redirect_uri: CALLBACK, scope: 'openid', state: 's' };
    const { at } = await new Visitor(scene).signIn(oidc.buildAuthorizationUrl(config, asked), username);
    const answer = new URL(at);
    if (iss === null) answer.searchParams.delete('iss');
    else answer.searchParams.set('iss', iss);
    const refused = oidc.authorizationCodeGrant(config, answer, { expectedState: 's' });
    await expect(refused).rejects.toMatchObject({ cause: { message: expect.stringMatching(/"iss"/) } });
  });
});

describe('codes in the wrong hands', () => {
  const codeOf = async (asked: ReturnType<OidcFlow['begin']>) =>
    new URL((await flow.authorize(asked)).at).searchParams.get('code')!;

  test('another client gets nothing for it, whatever it knows', async () => {
    const asked = flow.begin(client);
    const code = await codeOf(asked);
    for (const changed of [{ ...other }, { ...other, code_verifier: undefined }, { client_id: other.client_id }]) {
      const heard = await flow.redeem(asked, code, changed);
      expect([heard.status, jsonOf(heard).access_token]).toEqual([expect.any(Number), undefined]);
      expect(['invalid_grant', 'invalid_client']).toContain(jsonOf(heard).error);
    }
  });

  test('cut out of one sign-in and pasted into another of the same client', async () => {
    const [stolen, own] = [flow.begin(client), flow.begin(client)];
    const code = await codeOf(stolen);
    await codeOf(own);
    const heard = await flow.redeem(own, code);
    expect([heard.status, jsonOf(heard).error]).toEqual([400, 'invalid_grant']);
  });

  test('where no challenge is demanded: the nonce of the ID token is that of the sign-in it came from', async () => {
    const stolen = flow.begin(other, { pkce: false, more: { nonce: 'of the victim' } });
    const { id_token } = jsonOf(await flow.redeem(stolen, await codeOf(stolen)));
    expect((await flow.claims(id_token, other)).nonce).toBe('of the victim');
  });

  test('a verifier where no challenge was sent is refused: nobody takes the challenge out on the way', async () => {
    const asked = flow.begin(other, { more: { code_challenge: undefined, code_challenge_method: undefined } });
    const heard = await flow.redeem(asked, await codeOf(asked));
    expect([heard.status, jsonOf(heard).error]).toEqual([400, 'invalid_grant']);
  });

  test('an access token is no code, a code no access token, and an ID token neither', async () => {
    const { tokens, ...asked } = await flow.run(client);
    for (const wrong of [tokens.access_token, tokens.id_token])
      expect(jsonOf(await flow.redeem(asked, wrong)).error).toBe('invalid_grant');
    for (const wrong of [asked.code, tokens.id_token]) expect((await flow.userinfo(wrong)).status).toBe(401);
  });
});

describe('forms of other pages', () => {
  test('the token of one sign-in is none of another in the same browser', async () => {
    const { visitor, page, fields } = await opened();
    const second = await visitor.go(flow.begin(other).address);
    expect(second.at).not.toBe(page.at);
    const heard = await visitor.post(second.at, fields);
    expect([heard.status, heard.text.includes('was not sent by the page')]).toEqual([403, true]);
  });

  test('a sign-in that somebody else began is not finished in this browser', async () => {
    const [theirs, mine] = [await opened(), await opened()];
    for (const fields of [theirs.fields, mine.fields]) {
      const heard = await mine.visitor.post(theirs.page.at, fields);
      expect([heard.status, heard.at]).toEqual([400, theirs.page.at]);
    }
  });

  test('what stands in the address signs nobody in', async () => {
    const { visitor, page, fields } = await opened();
    const heard = await visitor.go(`${page.at}?${new URLSearchParams(fields)}`);
    expect([heard.headers.location, heard.text.includes(PASSWORD)]).toEqual([undefined, false]);
  });

  test.each(['text/plain', 'application/json', 'multipart/form-data; boundary=x'])(
    'a body of %s is no form',
    async (type) => {
      const { visitor, page, fields } = await opened();
      const body = new URLSearchParams(fields).toString();
      const headers = { 'content-type': type, origin: `https://${ID_NAME}` };
      expect((await visitor.ask(page.at, { method: 'POST', headers, body })).status).toBe(403);
    },
  );

  test('a form that is too large is refused, at the sign-in and at the question of a product', async () => {
    const { visitor, page } = await opened();
    const heard = await visitor.post(page.at, { username: 'x'.repeat(64 << 10) });
    expect(heard.status).toBe(413);
    expect((await visitor.post(`${ISSUER}/auth`, { state: 'x'.repeat(64 << 10) })).status).toBe(413);
  });

  test('nobody is signed out without the token of the page', async () => {
    const { visitor } = await flow.run(client);
    await visitor.go(`${ISSUER}/session/end`);
    for (const xsrf of ['', 'guessed']) {
      const heard = await visitor.post(`${ISSUER}/session/end/confirm`, { xsrf, logout: 'yes' });
      expect(heard.status).toBe(400);
    }
    const silent = await visitor.go(flow.begin(client, { more: { prompt: 'none' } }).address);
    expect(new URL(silent.at).searchParams.get('code')).not.toBeNull();
  });
});

test('no page of it is shown in a frame, and none may run or load what is not ours', async () => {
  const { visitor, page, fields } = await opened();
  const wrong = await visitor.post(page.at, { ...fields, password: 'wrong' });
  const foreign = await visitor.post(page.at, fields, { origin: 'https://evil.example' });
  const stranger = await new Visitor(scene).go(page.at);
  const unknown = await scene.ask(`${ISSUER}/auth?client_id=nobody`, { headers: { accept: 'text/html' } });
  const { visitor: inside } = await flow.run(client);
  const out = await inside.go(`${ISSUER}/session/end`);
  const done = await visitor.go(`${ISSUER}/session/end/success`);
  const nowhere = await scene.ask(`${ISSUER}/nowhere`, { headers: { accept: 'text/html' } });
  const pages = [page, wrong, foreign, stranger, unknown, out, done, nowhere];
  expect(pages.map(({ status }) => status)).toEqual([200, 401, 403, 400, 400, 200, 200, 404]);
  for (const { headers, text } of pages) {
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['x-content-type-options']).toBe('nosniff');
    const policy = headers['content-security-policy'] ?? '';
    for (const directive of ["default-src 'none'", "script-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"])
      expect(policy).toContain(directive);
    expect(text).not.toContain('<script');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
});

describe('ways to send a browser somewhere', () => {
  const ELSEWHERE = [
    'https://evil.example/callback',
    'https://app.lab.example.evil.example/callback',
    'https://app.lab.example@evil.example/callback',
    'https://evil.example\\@app.lab.example/callback',
    'https://evil.example#https://app.lab.example/callback',
    'https://app.lab.example:8443/callback',
    'https://app.lab.example./callback',
    'https://app.lab.example/callback/../evil',
    'https://app.lab.example/callback%2f..%2fevil',
    'https://app.lab.example/callback#',
    'https://app.lab.example/callback ',
    'https://app.lab.example/callback\0',
    'http://app.lab.example/callback',
    'http://localhost/callback',
    '//app.lab.example/callback',
    '/callback',
    'javascript:alert(1)',
    'data:text/html,hello',
    '',
  ];

  test.each(ELSEWHERE)('redirect_uri %j', async (redirect_uri) => {
    const heard = await scene.ask(flow.begin(client, { more: { redirect_uri } }).address, {
      headers: { accept: 'text/html' },
    });
    expect([heard.status, heard.headers.location]).toEqual([400, undefined]);
    expect(heard.headers['content-security-policy']).toContain("form-action 'self'");
    expect(heard.headers['content-security-policy']).not.toMatch(/evil|lab\.example/);
  });

  test('two redirect URIs in one request', async () => {
    const twice = `${flow.begin(client).address}&redirect_uri=https%3A%2F%2Fevil.example%2F`;
    for (const heard of [
      await scene.ask(twice, { headers: { accept: 'text/html' } }),
      await new Visitor(scene).post(`${ISSUER}/auth?redirect_uri=https%3A%2F%2Fevil.example%2F`, {}),
    ])
      expect([heard.status, heard.headers.location]).toEqual([400, undefined]);
  });

  test.each(ELSEWHERE.filter((each) => each !== ''))('post_logout_redirect_uri %j', async (uri) => {
    const { tokens, visitor } = await flow.run(client);
    const sent = { id_token_hint: tokens.id_token, client_id: client.client_id, post_logout_redirect_uri: uri };
    const heard = await visitor.go(`${ISSUER}/session/end?${new URLSearchParams(sent)}`);
    expect([heard.status, heard.headers.location]).toEqual([400, undefined]);
    expect(heard.headers['content-security-policy']).not.toMatch(/evil|lab\.example/);
  });

  test('post_logout_redirect_uri of another client, or of nobody', async () => {
    const { visitor } = await flow.run(client);
    for (const client_id of [other.client_id, undefined]) {
      const sent = new URLSearchParams({ post_logout_redirect_uri: AFTER, ...(client_id && { client_id }) });
      const heard = await visitor.go(`${ISSUER}/session/end?${sent}`);
      expect(heard.headers.location).toBeUndefined();
      expect(heard.headers['content-security-policy']).not.toContain('app.lab.example');
    }
  });

  test('a product that posts its question is sent on to ours alone, with nothing of it but fields', async () => {
    const body = 'redirect_uri=https://evil.example/&state=a%0d%0aset-cookie:%20x=y&//evil.example';
    const heard = await scene.ask(`${ISSUER}/auth?x=//evil.example`, { method: 'POST', headers: FORM, body });
    expect(heard.status).toBe(303);
    const at = new URL(heard.headers.location!, ISSUER);
    expect(at.origin + at.pathname).toBe(`${ISSUER}/auth`);
    expect(heard.headers['set-cookie']).toBeUndefined();
    expect((await scene.ask(heard.headers.location!)).headers.location).toBeUndefined();
  });
});

test('an answer by form goes to the client’s address alone, and its one script is the one that the policy names', async () => {
  const asked = flow.begin(client, { more: { response_mode: 'form_post' } });
  const visitor = new Visitor(scene);
  const form = await flow.authorize(asked, visitor);
  expect(form.status).toBe(200);
  expect(form.text).toContain(`action="${CALLBACK}"`);
  const policy = form.headers['content-security-policy']!;
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(form.text) ?? [];
  const digest = createHash('sha256').update(script).digest('base64');
  expect(policy).toContain(`script-src 'sha256-${digest}'`);
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain("form-action 'self' https://app.lab.example");
  // Without script there is a button.
  expect(form.text).toMatch(/<noscript>.*<button[^>]*type="submit"/s);
  const code = /name="code" value="([^"]*)"/.exec(form.text)![1]!;
  expect((await flow.redeem(asked, code)).status).toBe(200);
});
