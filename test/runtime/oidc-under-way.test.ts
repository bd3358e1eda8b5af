// What is under way when all of a person is ended: sign-ins between the look at a password and the session, at the provider and at the
// appliance itself.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Transaction } from '../../shared/ground/store/database.ts';
import { beginStep, findStep } from '../../shared/kernel/access/second-factor/sign-in-step.ts';
import { isUnchanged, verifySignIn } from '../../shared/kernel/access/sign-in.ts';
import { subjectOf } from '../../shared/kernel/access/subject.ts';
import { type Credentials, PASSWORD } from '../setup/house.ts';
import { OidcFlow } from '../setup/oidc-flow.ts';
import { hidden, OidcScene, type Registered, Visitor } from '../setup/oidc-scene.ts';

/** Called before each statement; a test sets it for the request that it looks at. */
let watch: ((sql: string, connection: string) => Promise<void> | void) | null = null;
let scene: OidcScene;
let flow: OidcFlow;
let client: Registered;
let ada: Credentials;

beforeAll(async () => {
  scene = await OidcScene.open({ ticker: false, observe: (sql, connection) => watch?.(sql, connection) });
  flow = new OidcFlow(scene);
  client = await scene.register({ requires_pkce: false });
}, 300_000);
afterAll(() => scene?.close());
beforeEach(async () => {
  watch = null;
  ada = await scene.house.actor('viewer');
});

const ends: Record<string, (person: Credentials) => Promise<unknown>> = {
  'all sessions of a user': ({ user }) => scene.api('POST', `/api/v1/users/${user.id}/sessions/end`),
  'the second factors of a user': ({ user }) => scene.api('POST', `/api/v1/users/${user.id}/second-factors/reset`),
  'all sessions, by the person': ({ token }) =>
    scene.house.send('POST', '/api/v1/account/sessions/end', { token }) as Promise<unknown>,
};
const everywhere = ends['all sessions of a user']!;

/** A sign-in page that is open in a browser, and what is typed into it. */
async function opened() {
  const visitor = new Visitor(scene);
  const asked = flow.begin(client, { pkce: false });
  const form = await visitor.go(asked.address);
  const fields = { csrf: hidden(form.text, 'csrf'), username: ada.user.name, password: PASSWORD };
  return { visitor, asked, form, fields };
}

const sessions = async () =>
  (await scene.api('GET', `/api/v1/oidc/sessions?subject=${subjectOf(ada.user.id)}`)).items as unknown[];

/** Whether the browser has to sign in, and the person has no session. */
async function isOut(visitor: Visitor): Promise<boolean> {
  const again = await visitor.go(flow.begin(client, { pkce: false }).address);
  return again.text.includes('name="password"') && (await sessions()).length === 0;
}

/** Does `work` once, at a statement of the request: the `times`th of those that are like it. */
function at(like: RegExp, times: number, work: () => Promise<unknown>): Promise<unknown> {
  const done = Promise.withResolvers<unknown>();
  let seen = 0;
  watch = async (sql, connection) => {
    if (like.test(`${connection} ${sql}`)) seen += 1;
    if (seen !== times) return;
    watch = null;
    const worked = work();
    done.resolve(worked);
    if (connection === 'reader') await worked;
  };
  return done.promise;
}

test('between the right password and what is kept of it, a sign-in at the provider ends', async () => {
  const { visitor, form, fields } = await opened();
  // Read when the page is answered, and again once the password was found right.
  const ended = at(/^reader .*oidc_artifact/s, 2, () => everywhere(ada));
  const heard = await visitor.post(form.at, fields);
  await ended;
  expect([heard.status, heard.text.includes('ended meanwhile')]).toEqual([401, true]);
  expect(await isOut(visitor)).toBe(true);
  const next = await opened();
  expect((await next.visitor.post(next.form.at, next.fields)).at).toContain('code=');
});

test.each([
  ['while its answer is looked for', /^reader .*oidc_artifact/s, 1],
  ['while its person is looked for, before the session is saved', /^reader .*FROM user/s, 1],
  ['while its session is saved', /^writer INSERT INTO oidc_write/s, 1],
] as const)('after it was proven, a sign-in at the provider ends: %s', async (_when, like, times) => {
  const { visitor, asked, form, fields } = await opened();
  const proven = await visitor.ask(form.at, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(form.at).origin },
    body: new URLSearchParams(fields).toString(),
  });
  expect(proven.status).toBe(303);
  const ended = at(like, times, () => everywhere(ada));
  const back = await visitor.go(proven.headers.location!);
  await ended;
  const code = new URL(back.at).searchParams.get('code');
  if (code !== null) expect((await flow.redeem(asked, code)).status).toBe(400);
  expect(await isOut(visitor)).toBe(true);
});

test('of two who come back with the same sign-in at once, one is let in', async () => {
  const { visitor, form, fields } = await opened();
  const proven = await visitor.ask(form.at, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(form.at).origin },
    body: new URLSearchParams(fields).toString(),
  });
  const both = await Promise.all([1, 2, 3].map(() => visitor.ask(proven.headers.location!)));
  expect(both.filter(({ headers }) => headers.location?.includes('code=')).length).toBe(1);
});

test('what ends somebody else’s sessions lets a sign-in go on', async () => {
  const bob = await scene.house.actor('viewer');
  const { visitor, form, fields } = await opened();
  const ended = at(/^reader .*oidc_artifact/s, 2, () => everywhere(bob));
  expect((await visitor.post(form.at, fields)).at).toContain('code=');
  await ended;
});

test.each(Object.keys(ends))('a password that was right before is not enough any more after %s', async (what) => {
  const { services } = scene.house;
  const { store } = services;
  const nothing = async (_tx: Transaction) => undefined;
  const typed = { name: ada.user.name, password: PASSWORD, source_address: '127.0.0.1' };
  const proven = (await verifySignIn(services, typed, nothing))!;
  expect(await store.write((tx) => isUnchanged(tx, proven))).toBe(true);
  await ends[what]!(ada);
  expect(await store.write((tx) => isUnchanged(tx, proven))).toBe(false);
  const again = (await verifySignIn(services, typed, nothing))!;
  expect(await store.write((tx) => isUnchanged(tx, again))).toBe(true);
});

test.each(Object.keys(ends))('nor does one go on that waits for its second factor, after %s', async (what) => {
  const { services } = scene.house;
  const { store, clock } = services;
  const source_address = '127.0.0.1';
  const step = { user_id: ada.user.id, source_address, return_to: '', party: null };
  const id = await store.write((tx) => beginStep(tx, services, step));
  const found = () => findStep(store, services, id, { source_address, now: clock.now() });
  expect((await found()).name).toBe(ada.user.name);
  await ends[what]!(ada);
  await expect(found()).rejects.toMatchObject({ code: 'session_required' });
});
