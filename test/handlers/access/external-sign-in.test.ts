// Signing in at somebody else's provider: who is let in with which role, and what is never accepted.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { later } from '../../../shared/ground/clock.ts';
import { MOST } from '../../../shared/kernel/access/external/under-way.ts';
import { scopesOfRole } from '../../../shared/kernel/access/scopes.ts';
import { beginStep } from '../../../shared/kernel/access/second-factor/sign-in-step.ts';
import { createToken } from '../../../shared/kernel/access/token.ts';
import { type FakeProvider, startOpenIdProvider, visit } from '../../fakes/openid-provider.ts';
import { ADA, type Browser, ExternalScene, PROVIDER, SIGN_IN, UI } from '../../setup/external-scene.ts';
import { type Heard, PASSWORD } from '../../setup/house.ts';
import { rotate } from '../../setup/vault-scene.ts';

let scene: ExternalScene;
let now = new Date();
const lines: string[] = [];

beforeAll(async () => {
  scene = await ExternalScene.open({ services: { clock: { now: () => now } }, log: (line) => lines.push(line) });
});
afterAll(() => scene.close());
beforeEach(async () => {
  const { fake, house } = scene;
  Object.assign(fake, { person: ADA, spoil: null, userinfo: {}, foreign_key: false });
  await house.services.store.write((tx) => tx.run('DELETE FROM sign_in_throttle'));
});

const TOKEN = { name: 'of somebody who left', lifetime: 3600 };
const HOME = `${UI}/interfaces`;
const refusedIn = ({ status, text }: Heard) => ({ status, refused: /Sign-in failed/.test(text) });
const isIn = async (browser: Browser): Promise<number> => (await browser.get(HOME)).status;

/** Detail of the newest audit row of an action. */
async function lastOf(action: string): Promise<Record<string, unknown>> {
  const sql = 'SELECT detail FROM audit_event WHERE action = ? ORDER BY seq DESC LIMIT 1';
  const row = await scene.house.services.store.one<{ detail: string }>(sql, [action]);
  return JSON.parse(row!.detail);
}

async function userNamed(name: string) {
  const { body } = await scene.send('GET', `/api/v1/users?name=${name}`);
  return body.items[0];
}

test('The sign-in page offers it, and who comes back is let in with the highest role and led on', async () => {
  expect((await scene.browser().get(SIGN_IN)).text).toContain('Sign in with Lab identity');
  const before = await scene.house.lastAudit();
  const browser = scene.browser();
  const heard = await browser.signIn(HOME);
  expect([heard.status, heard.headers.location]).toEqual([303, HOME]);
  expect(await isIn(browser)).toBe(200);
  expect(await scene.house.audited(before)).toEqual(['session.external', 'user.create', 'session.start']);
  expect(await userNamed('ada.lovelace')).toMatchObject({ role: 'admin', external: true, enabled: true });
  expect(await lastOf('session.start')).toEqual({ external: true });
  expect((await browser.get(`${UI}/users`)).text).toContain('external');
});

test('The second time it is the same user, with the role of now, and sessions of the former role are over', async () => {
  const former = scene.browser();
  await former.signIn();
  scene.fake.person = { ...ADA, preferred_username: 'renamed', groups: ['gc-viewers'] };
  const before = await scene.house.lastAudit();
  const browser = scene.browser();
  expect((await browser.signIn()).status).toBe(303);
  expect(await scene.house.audited(before)).toEqual(['session.external', 'user.update', 'session.start']);
  expect(await userNamed('ada.lovelace')).toMatchObject({ role: 'viewer' });
  expect(await userNamed('renamed')).toBeUndefined();
  expect([await isIn(former), await isIn(browser)]).toEqual([303, 200]);
});

test('A name that is taken here is not taken over', async () => {
  await scene.house.actor('admin', undefined, 'grace');
  scene.fake.person = { sub: 'person-grace', preferred_username: 'grace', groups: ['gc-viewers'] };
  expect((await scene.browser().signIn()).status).toBe(303);
  expect(await userNamed('grace')).toMatchObject({ role: 'admin', external: false });
  expect(await userNamed('grace-2')).toMatchObject({ role: 'viewer', external: true });
});

test('Who is in no group with a role is refused, and no user is made', async () => {
  scene.fake.person = { sub: 'person-nobody', preferred_username: 'nobody', groups: ['GC-ADMINS'] };
  const browser = scene.browser();
  const heard = await browser.signIn();
  expect(heard.status).toBe(403);
  expect(heard.text).toContain('none of your groups there has a role here');
  expect(await userNamed('nobody')).toBeUndefined();
  expect(await isIn(browser)).toBe(303);
  expect(await lastOf('session.refuse')).toEqual({
    refused: 'no_role',
    issuer: scene.fake.issuer,
    subject: 'person-nobody',
  });
});

test('Who has lost the last group with a role loses sessions, open steps and tokens, and comes back with a role', async () => {
  const { services } = scene.house;
  scene.fake.person = { sub: 'person-left', preferred_username: 'left', groups: ['gc-admins'] };
  const browser = scene.browser();
  await browser.signIn();
  const { id, name } = await userNamed('left');
  const { secret } = await services.store.write(async (tx) => {
    const party = { rp_id: 'localhost', origin: scene.house.origin };
    await beginStep(tx, services, { user_id: id, source_address: '127.0.0.1', return_to: '', party });
    const reach = scopesOfRole('admin');
    return createToken(tx, services, { user_id: id, name, scopes: reach }, { ...TOKEN, scopes: [...reach] });
  });
  const byToken = async () => (await scene.house.send('GET', '/api/v1/users', { token: secret })).status;
  expect([await isIn(browser), await byToken()]).toEqual([200, 200]);
  scene.fake.person.groups = ['staff'];
  expect((await scene.browser().signIn()).status).toBe(403);
  expect([await isIn(browser), await byToken()]).toEqual([303, 401]);
  expect(await services.store.all('SELECT * FROM sign_in_step WHERE user_id = ?', [id])).toEqual([]);
  expect(await lastOf('session.refuse')).toMatchObject({
    ...{ refused: 'no_role', subject: 'person-left', sessions_ended: 1, tokens_ended: 1, tokens_kept: 0 },
  });
  scene.fake.person.groups = ['gc-viewers'];
  expect((await scene.browser().signIn()).status).toBe(303);
  expect([(await userNamed('left')).id, await byToken()]).toEqual([id, 401]);
});

test('Who refuses at the provider is told so', async () => {
  scene.fake.person = null;
  const heard = await scene.browser().signIn();
  expect(heard.status).toBe(403);
  expect(heard.text).toContain('The provider ended it: access_denied.');
});

const CHANGED: [string, (claims: Record<string, unknown>) => Record<string, unknown>][] = [
  ['another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
  ['another audience', (claims) => ({ ...claims, aud: 'another-client' })],
  ['another nonce', (claims) => ({ ...claims, nonce: 'another' })],
  ['no nonce', ({ nonce: _, ...claims }) => claims],
  ['a time that is over', (claims) => ({ ...claims, iat: 1_000_000_000, exp: 1_000_000_300 })],
];
test.each(CHANGED)('An ID token with %s is refused', async (_name, spoil) => {
  scene.fake.spoil = spoil;
  const browser = scene.browser();
  expect(refusedIn(await browser.signIn())).toEqual({ status: 403, refused: true });
  expect(await isIn(browser)).toBe(303);
  expect(await lastOf('session.refuse')).toEqual({ refused: 'external', code: 'external_sign_in_refused' });
});

test('An ID token that another key signed is refused', async () => {
  scene.fake.foreign_key = true;
  expect(refusedIn(await scene.browser().signIn())).toEqual({ status: 403, refused: true });
});

test('The answer of another provider is refused by its name (RFC 9207), and so is one without a name', async () => {
  for (const iss of ['https://evil.example', '']) {
    const browser = scene.browser();
    const callback = await visit((await browser.begin()).address);
    const asked = scene.fake.requests.filter((line) => line.includes('/token')).length;
    expect(refusedIn(await browser.finish(callback, { iss }))).toEqual({ status: 403, refused: true });
    // The code was not given away.
    expect(scene.fake.requests.filter((line) => line.includes('/token')).length).toBe(asked);
  }
});

test('An answer counts once, for the browser that began, with its own state, for ten minutes', async () => {
  const browser = scene.browser();
  const callback = await visit((await browser.begin()).address);
  const stranger = scene.browser();
  await stranger.begin();
  expect(refusedIn(await stranger.finish(callback))).toEqual({ status: 403, refused: true });
  expect(refusedIn(await browser.finish(callback, { state: 'x'.repeat(43) }))).toEqual({ status: 403, refused: true });
  expect((await browser.finish(callback)).status).toBe(303);
  expect(refusedIn(await browser.finish(callback))).toEqual({ status: 403, refused: true });

  const late = scene.browser();
  const lateCallback = await visit((await late.begin()).address);
  now = later(now, 601);
  expect(refusedIn(await late.finish(lateCallback))).toEqual({ status: 403, refused: true });
  now = new Date();
});

test('Nothing of it stands in the database but as a hash', async () => {
  const browser = scene.browser();
  const { address } = await browser.begin();
  const { state, nonce } = Object.fromEntries(new URL(address).searchParams);
  const rows = JSON.stringify(await scene.house.services.store.all('SELECT * FROM external_sign_in'));
  for (const value of [state!, nonce!, browser.jar.get('groundcrew_external')!]) expect(rows).not.toContain(value);
});

test('Both forms want the token of the visitor, refuse other sites, and lead to our own pages alone', async () => {
  const browser = scene.browser();
  await browser.get(SIGN_IN);
  expect((await browser.send('POST', `${SIGN_IN}/external`, { return_to: '' })).status).toBe(403);
  const foreign = { origin: 'https://evil.example' };
  for (const path of ['external', 'external/finish'])
    expect((await browser.send('POST', `${SIGN_IN}/${path}`, { state: 'x' }, foreign)).status).toBe(403);
  for (const trap of [
    'https://evil.example/',
    '//evil.example',
    `${UI}//evil.example`,
    '/ui/management@evil.example',
  ]) {
    const heard = await scene.browser().signIn(trap);
    expect([heard.status, heard.headers.location]).toEqual([303, UI]);
  }
});

test('Failures are slowed by the network that they come from', async () => {
  await scene.house.services.store.write((tx) => tx.run('DELETE FROM external_sign_in'));
  scene.fake.foreign_key = true;
  const seen = [];
  for (let time = 0; time < 6; time += 1) seen.push((await scene.browser().signIn()).status);
  expect(seen).toEqual([403, 403, 403, 403, 403, 429]);
});

test('An answer to what a browser did not begin counts as no failure, and leaves no row in the audit log', async () => {
  const { house } = scene;
  const { store } = house.services;
  const before = await house.lastAudit();
  const other = scene.browser();
  await other.begin();
  const began = await house.lastAudit();
  // A browser without the cookie, and one that began another sign-in, which goes on.
  for (let time = 0; time < 40; time += 1) {
    const browser = time % 2 === 0 ? scene.browser() : other;
    const heard = await browser.finish(`${house.origin}${SIGN_IN}/external/callback?state=wrong&code=x`);
    expect(refusedIn(heard)).toEqual({ status: 403, refused: true });
  }
  expect(await store.all('SELECT * FROM sign_in_throttle')).toEqual([]);
  expect([await house.audited(before), await house.audited(began)]).toEqual([['session.external'], []]);
  expect((await other.signIn()).status).toBe(303);
});

test('Whoever is disabled here stays out, at once and at the next sign-in', async () => {
  scene.fake.person = { sub: 'person-eve', preferred_username: 'eve', groups: ['gc-admins'] };
  const browser = scene.browser();
  await browser.signIn();
  const { id } = await userNamed('eve');
  const changed = await scene.send('PATCH', `/api/v1/users/${id}`, { enabled: false });
  expect([changed.status, changed.body.sessions_ended]).toEqual([200, 1]);
  expect(await isIn(browser)).toBe(303);
  const again = await browser.signIn();
  expect([again.status, again.text.includes('Your account is disabled')]).toEqual([403, true]);
  expect(await lastOf('session.refuse')).toMatchObject({ refused: 'disabled' });
});

test('An external user has no password here, gets none, and its role is not set here', async () => {
  scene.fake.person = { sub: 'person-mallory', preferred_username: 'mallory', groups: ['gc-admins'] };
  const browser = scene.browser();
  await browser.signIn();
  const { id } = await userNamed('mallory');
  const path = `/api/v1/users/${id}`;
  for (const [body, pointer] of [
    [{ password: 'a passphrase of nobody' }, '/password'],
    [{ role: 'viewer' }, '/role'],
  ] as const) {
    const heard = await scene.send('PATCH', path, body);
    expect([heard.status, heard.body.errors[0].pointer]).toEqual([422, pointer]);
  }
  const page = await browser.get(`${UI}/users/second-factor-policy`);
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)![1]!;
  const asked = { csrf, user_verification: 'preferred', own_password: '' };
  const heard = await browser.send('POST', `${UI}/users/second-factor-policy`, asked);
  expect([heard.status, heard.text.includes('have no password here')]).toEqual([422, true]);
  for (const password of ['', 'x', PASSWORD]) {
    const form = scene.browser();
    const token = /name="csrf" value="([^"]+)"/.exec((await form.get(SIGN_IN)).text)![1]!;
    const refused = await form.send('POST', SIGN_IN, { csrf: token, username: 'mallory', password, return_to: '' });
    expect([401, 422]).toContain(refused.status);
  }
  expect((await scene.send('DELETE', path)).status).toBe(204);
  expect(await isIn(browser)).toBe(303);
});

test('A second factor of the role is asked for here, unless the provider names one that is trusted', async () => {
  const policy = '/api/v1/second-factor-policy';
  await scene.send('PUT', policy, { roles: ['viewer'], user_verification: 'preferred' });
  await scene.put({ trusted_contexts: ['mfa'] });
  scene.fake.person = { sub: 'person-vi', preferred_username: 'vi', groups: ['gc-viewers'], amr: ['pwd'] };
  const browser = scene.browser();
  const heard = await browser.signIn(HOME);
  expect([heard.status, heard.headers.location]).toEqual([303, `${SIGN_IN}/enrol`]);
  expect(await isIn(browser)).toBe(303);
  expect((await browser.get(`${SIGN_IN}/enrol`)).status).toBe(200);
  scene.fake.person.amr = ['pwd', 'mfa'];
  const trusted = await browser.signIn(HOME);
  expect([trusted.status, trusted.headers.location]).toEqual([303, HOME]);
  await scene.send('PUT', policy, { roles: [], user_verification: 'preferred' });
  await scene.put();
});

test('Groups may come from userinfo; how somebody signed in is taken from the signed ID token alone', async () => {
  const policy = '/api/v1/second-factor-policy';
  await scene.send('PUT', policy, { roles: ['viewer'], user_verification: 'preferred' });
  await scene.put({ trusted_contexts: ['mfa'] });
  scene.fake.person = { sub: 'person-info', preferred_username: 'info', groups: ['gc-viewers'], amr: ['pwd'] };
  scene.fake.spoil = ({ groups: _, ...claims }) => claims;
  for (const userinfo of [{ acr: 'mfa' }, { amr: ['mfa'] }]) {
    scene.fake.userinfo = userinfo;
    const browser = scene.browser();
    const heard = await browser.signIn(HOME);
    expect([heard.status, heard.headers.location, await isIn(browser)]).toEqual([303, `${SIGN_IN}/enrol`, 303]);
  }
  // Nor where the ID token says nothing of it.
  scene.fake.spoil = ({ groups: _, amr: __, ...claims }) => claims;
  expect((await scene.browser().signIn(HOME)).headers.location).toBe(`${SIGN_IN}/enrol`);
  expect(await userNamed('info')).toMatchObject({ role: 'viewer' });
  await scene.send('PUT', policy, { roles: [], user_verification: 'preferred' });
  await scene.put();
});

test('The secret is in no answer, page, log line, audit row, nor readable in the database', async () => {
  const { house, fake, admin } = scene;
  await scene.browser().signIn();
  await house.send('GET', PROVIDER, { token: admin.token });
  await house.send('GET', `${UI}/users/sign-in-provider`, { session: admin });
  // A refused form does not show it again.
  const form = {
    name: '',
    issuer: 'http://x',
    client_id: 'x',
    client_secret: fake.client_secret,
    own_password: PASSWORD,
  };
  await house.send('POST', `${UI}/users/sign-in-provider`, { session: admin, form });
  const answers = house.heard.map(({ answer }) => JSON.stringify(answer)).join('\n');
  const rows = [];
  for (const table of ['audit_event', 'sign_in_provider', 'external_sign_in', 'external_person', 'user', 'job'])
    rows.push(...(await house.services.store.all(`SELECT * FROM ${table}`)));
  for (const place of [answers, lines.join('\n'), JSON.stringify(rows)])
    expect(place).not.toContain(fake.client_secret);
});

test('After the key of the vaults was rotated the secret still opens', async () => {
  await rotate(scene.house.services);
  expect((await scene.browser().signIn()).status).toBe(303);
});

test('Settings: another server wants its secret and its certificate anew; switching it off ends its sessions', async () => {
  const browser = scene.browser();
  await browser.signIn();
  const elsewhere = await scene.put({ issuer: 'https://other.lab.example', client_secret: undefined });
  expect([elsewhere.status, elsewhere.body.errors[0].pointer]).toEqual([422, '/client_secret']);
  for (const issuer of ['http://id.lab.example', 'https://u:p@id.lab.example', 'https://id.lab.example/?x', 'nonsense'])
    expect((await scene.put({ issuer })).status).toBe(422);
  expect((await scene.put({ enabled: false })).status).toBe(200);
  expect(await isIn(browser)).toBe(303);
  expect((await scene.browser().get(SIGN_IN)).text).not.toContain('Sign in with');
  expect((await browser.begin().catch(() => null))?.heard.status ?? 403).toBe(403);
  expect((await scene.put()).status).toBe(200);
  expect((await scene.browser().get(SIGN_IN)).text).toContain('Sign in with');
});

test('The last admin with a password stays, however many admins the provider has', async () => {
  await scene.browser().signIn();
  const { items } = (await scene.send('GET', '/api/v1/users?limit=1000')).body;
  const others = items.filter((user: { id: string; role: string; external: boolean }) => {
    return user.role === 'admin' && !user.external && user.id !== scene.admin.user.id;
  });
  for (const { id } of others) expect((await scene.send('DELETE', `/api/v1/users/${id}`)).status).toBe(204);
  const path = `/api/v1/users/${scene.admin.user.id}`;
  expect((await scene.send('DELETE', path)).status).toBe(409);
  expect((await scene.send('PATCH', path, { enabled: false })).status).toBe(409);
  const external = await userNamed('ada.lovelace');
  expect((await scene.send('DELETE', `/api/v1/users/${external.id}`)).status).toBe(204);
});

test('A provider that calls itself otherwise is not used', async () => {
  const redirect_uri = `${scene.house.origin}${SIGN_IN}/external/callback`;
  const other = await startOpenIdProvider({ redirect_uri, person: ADA, claimed_issuer: 'https://evil.example' });
  const { issuer, client_secret } = other;
  await scene.put({ issuer, client_secret });
  await scene.confirm(other.sha256);
  const heard = await scene.browser().signIn();
  expect([heard.status, heard.text.includes('does not describe itself as this issuer')]).toEqual([409, true]);
  await other.stop();
  await scene.put();
  await scene.confirm(scene.fake.sha256);
  expect((await scene.browser().signIn()).status).toBe(303);
});

/** Connections to a provider while something is done. */
async function dialled(fake: FakeProvider, work: () => Promise<unknown>): Promise<number> {
  const before = fake.connections();
  await work();
  return fake.connections() - before;
}

test('However many come at once, the provider is asked once; where that fails, again after five seconds', async () => {
  const other = await startOpenIdProvider({ redirect_uri: `${scene.house.origin}${SIGN_IN}/external/callback` });
  const { issuer, client_secret } = other;
  await scene.put({ issuer, client_secret });
  await scene.confirm(other.sha256);
  const begin = async () => (await scene.browser().begin()).heard.status;
  const many = () => Promise.all(Array.from({ length: 4 }, begin));
  expect(await dialled(other, async () => expect(await many()).toEqual([200, 200, 200, 200]))).toBe(1);
  // Saved anew, it is asked anew.
  await scene.put({ issuer, client_secret, name: 'Lab again' });
  other.changeCertificate();
  const failed = [409, 409, 409, 409];
  expect(await dialled(other, async () => expect([await many(), await many()]).toEqual([failed, failed]))).toBe(1);
  now = later(now, 6);
  expect(await dialled(other, async () => expect(await many()).toEqual(failed))).toBe(1);
  now = new Date();
  await other.stop();
  await scene.put();
  await scene.confirm(scene.fake.sha256);
  expect(await begin()).toBe(200);
});

test('Who has too many sign-ins open is refused before the provider is asked', async () => {
  await scene.put({ name: 'Lab' });
  for (let time = 0; time < MOST.network; time += 1) await scene.browser().begin();
  await scene.house.services.store.write((tx) => tx.run('UPDATE sign_in_provider SET revision = revision + 1'));
  const refused = async () => expect((await scene.browser().begin()).heard.status).toBe(429);
  expect(await dialled(scene.fake, refused)).toBe(0);
});

test('With another certificate nothing is sent; a provider that is down is said at once, and passwords go on', async () => {
  const { fake, house } = scene;
  await scene.put({ name: 'Lab' });
  const browser = scene.browser();
  const callback = await visit((await browser.begin()).address);
  const asked = fake.requests.length;
  fake.changeCertificate();
  const changed = await browser.finish(callback);
  expect([changed.status, changed.text.includes('the confirmed one has SHA-256')]).toEqual([409, true]);
  expect(fake.requests.length).toBe(asked);
  await fake.stop();
  await scene.put({ name: 'Gone' });
  const began = performance.now();
  const page = await scene.browser().get(SIGN_IN);
  expect([page.status, page.text.includes('Sign in with Gone')]).toEqual([200, true]);
  const { heard } = await browser.begin();
  expect(heard.status).toBe(409);
  expect(heard.text).toContain('name="password"');
  expect(performance.now() - began).toBeLessThan(5_000);
  const local = scene.browser();
  const token = /name="csrf" value="([^"]+)"/.exec((await local.get(SIGN_IN)).text)![1]!;
  const { name } = scene.admin.user;
  const done = await local.send('POST', SIGN_IN, { csrf: token, username: name, password: PASSWORD, return_to: '' });
  expect([done.status, await isIn(local)]).toEqual([303, 200]);
  expect(house.heard.length).toBeGreaterThan(0);
});
