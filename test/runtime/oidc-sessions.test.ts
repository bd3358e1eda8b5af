// Sessions at the OpenID Connect provider: who sees them, who ends them, and what ends with them. Each test signs a person and a
// bystander in, whose session has to go on.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import * as oidc from 'openid-client';
import { scheduled as lookAfterOidc } from '../../handlers/scheduled/look-after-oidc.ts';
import type { Command } from '../../runtime/cli/command.ts';
import { resetPassword, resetSecondFactors } from '../../runtime/cli/user.ts';
import { usersOfAppliance } from '../../runtime/oidc-people.ts';
import { subjectOf } from '../../shared/kernel/access/subject.ts';
import { findArtifact, putArtifact, removeArtifact } from '../../shared/services/oidc/artifacts/artifacts.ts';
import {
  endOidcSessionsOf,
  forgetSession,
  listOidcSessions,
  noteSession,
  sweepSessions,
} from '../../shared/services/oidc/sessions/sessions.ts';
import { type Credentials, PASSWORD } from '../setup/house.ts';
import { CALLBACK, ISSUER, OidcScene, type Registered, Visitor } from '../setup/oidc-scene.ts';

const TICK = { source: 'groundcrew.ticker' as const, id: 'lookAfterOidc', time: '' };

let scene: OidcScene;
let app: Registered;
let other: Registered;
const logged: string[] = [];

beforeAll(async () => {
  scene = await OidcScene.open({ log: (line) => logged.push(line) });
  app = await scene.register({ name: 'Portal', refresh_tokens: true });
  other = await scene.register({ name: 'Registry', refresh_tokens: true });
}, 300_000);
afterAll(() => scene?.close());

/** A browser in a client, with the tokens that this gave. */
async function signedIn(name: string, client = app, visitor = new Visitor(scene)) {
  const config = await scene.discover(client);
  const [verifier, state] = [oidc.randomPKCECodeVerifier(), oidc.randomState()];
  const address = oidc.buildAuthorizationUrl(config, {
    ...{ redirect_uri: CALLBACK, scope: 'openid', state },
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const first = await visitor.go(String(address));
  const { at } = first.at.startsWith(CALLBACK) ? first : await visitor.signIn(address, name);
  const checks = { expectedState: state, pkceCodeVerifier: verifier };
  const tokens = await oidc.authorizationCodeGrant(config, new URL(at), checks);
  return { config, visitor, tokens };
}

type SignedIn = Awaited<ReturnType<typeof signedIn>>;

const userinfo = async (token: string) =>
  (await scene.ask(`${ISSUER}/me`, { headers: { authorization: `Bearer ${token}` } })).status;
const refreshed = ({ config, tokens }: SignedIn): Promise<string> =>
  oidc.refreshTokenGrant(config, tokens.refresh_token!).then(
    () => 'given',
    (error: { error?: string; message: string }) => error.error ?? error.message,
  );
/** Whether the browser gets to the client without a password. */
async function goesOn({ config, visitor }: SignedIn): Promise<boolean> {
  const verifier = oidc.randomPKCECodeVerifier();
  const address = oidc.buildAuthorizationUrl(config, {
    ...{ redirect_uri: CALLBACK, scope: 'openid', state: oidc.randomState() },
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  return (await visitor.go(String(address))).at.startsWith(CALLBACK);
}
const state = async (one: SignedIn) => [
  await userinfo(one.tokens.access_token),
  await refreshed(one),
  await goesOn(one),
];
const ENDED = [401, 'invalid_grant', false];
const LIVE = [200, 'given', true];

const send = (...of: Parameters<typeof scene.house.send>) => scene.house.send(...of);
const oidcOf = async (person: Credentials) =>
  (await send('GET', '/api/v1/account/sessions', { token: person.token })).body.oidc_sessions as {
    id: string;
    clients: { name: string }[];
    source_address: string;
    user_name: string;
  }[];
const patch = (person: Credentials, body: object) =>
  send('PATCH', `/api/v1/users/${person.user.id}`, { token: scene.admin.token, body });

/** A command of the shell, without what it says. */
async function shell({ parse }: Command, ...words: string[]): Promise<void> {
  const silent = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation(() => true),
  );
  try {
    expect(await parse(words)(scene.house.services)).toBe(0);
  } finally {
    for (const each of silent) each.mockRestore();
  }
}

test('a person sees the sign-ins, with client, address and times, and those of nobody else', async () => {
  const [ada, bob] = [await scene.house.actor('viewer'), await scene.house.actor('viewer')];
  const { visitor } = await signedIn(ada.user.name);
  await signedIn(ada.user.name, other, visitor);
  await signedIn(bob.user.name);
  const found = await oidcOf(ada);
  expect(found).toEqual([
    expect.objectContaining({
      user_name: ada.user.name,
      subject: subjectOf(ada.user.id),
      source: 'appliance',
      organization: '',
      source_address: '127.0.0.1',
      clients: [
        { id: app.client_id, name: 'Portal' },
        { id: other.client_id, name: 'Registry' },
      ],
    }),
  ]);
  const page = await send('GET', '/ui/management/account', { session: ada });
  expect(page.text).toContain('Portal, Registry');
  expect(page.text).toContain('End everywhere but here');
  const all = await send('GET', `/api/v1/oidc/sessions?user_name=${bob.user.name}`, { token: scene.admin.token });
  expect(all.body.items.map(({ subject }: { subject: string }) => subject)).toEqual([subjectOf(bob.user.id)]);
});

describe('what ends all of a person, and nothing of others', () => {
  const changes: Record<string, (person: Credentials) => Promise<unknown>> = {
    'a password that an administrator sets': (person) => patch(person, { password: 'another long passphrase 7' }),
    'a password that the person changes': (person) =>
      send('POST', '/api/v1/account/password', {
        token: person.token,
        body: { current_password: PASSWORD, new_password: 'another long passphrase 8' },
      }),
    'a password from the shell': (person) => shell(resetPassword, person.user.name, '--generate'),
    'second factors that the shell takes away': (person) => shell(resetSecondFactors, person.user.name),
    'another role': (person) => patch(person, { role: 'network-admin' }),
    'being disabled, and enabled again': async (person) => {
      await patch(person, { enabled: false });
      await patch(person, { enabled: true });
    },
    'the end everywhere, by the person': (person) =>
      send('POST', '/api/v1/account/sessions/end', { token: person.token }),
    'the end everywhere, on the own page': (person) =>
      send('POST', '/ui/management/account/end-other-sessions', { session: person }),
    'the end everywhere, by an administrator': (person) =>
      send('POST', `/api/v1/users/${person.user.id}/sessions/end`, { token: scene.admin.token }),
    'the end by whoever looks after the provider': (person) =>
      send('POST', '/api/v1/oidc/sessions/end', {
        token: scene.admin.token,
        body: { subject: subjectOf(person.user.id) },
      }),
    'second factors that are taken away': (person) =>
      send('POST', `/api/v1/users/${person.user.id}/second-factors/reset`, { token: scene.admin.token }),
  };

  test.each(Object.keys(changes))('%s', async (what) => {
    const [ada, bob] = [await scene.house.actor('viewer'), await scene.house.actor('viewer')];
    const [one, two, bystander] = [
      await signedIn(ada.user.name),
      await signedIn(ada.user.name, other),
      await signedIn(bob.user.name),
    ];
    expect(await userinfo(one.tokens.access_token)).toBe(200);
    await changes[what]!(ada);
    expect([await state(one), await state(two)]).toEqual([ENDED, ENDED]);
    expect(await state(bystander)).toEqual(LIVE);
  });
});

test('another password of a person of the directory ends what that person has', async () => {
  const { services } = scene.house;
  const { id: organization_id } = await scene.api('POST', '/api/v1/ldap/organizations', {
    ...{ slug: 'lab', suffix: 'dc=lab,dc=example' },
  });
  const made = async (uid: string) => scene.api('POST', '/api/v1/ldap/users', { organization_id, uid, surname: 'Lab' });
  const people = [await made('grace'), await made('alan')];
  const until = Math.floor(services.clock.now().getTime() / 1000) + 60;
  for (const { uid, entry_uuid } of people) {
    const seen = { user_name: uid, source: 'directory', organization: 'lab', source_address: '::1' } as const;
    await services.store.write((tx) =>
      noteSession(tx, services, { uid: `of ${uid}`, accountId: entry_uuid }, until, seen),
    );
  }
  await scene.api('POST', `/api/v1/ldap/users/${people[0].id}/password`, {});
  const { items } = await scene.api('GET', '/api/v1/oidc/sessions');
  const names = items.map(({ user_name }: { user_name: string }) => user_name);
  expect([names.includes('grace'), names.includes('alan')]).toEqual([false, true]);
});

test('whoever is disabled in the directory has no session left to go on with once enabled again', async () => {
  const { services } = scene.house;
  const [organization] = (await scene.api('GET', '/api/v1/ldap/organizations')).items;
  const made = async (uid: string) =>
    scene.api('POST', '/api/v1/ldap/users', { organization_id: organization.id, uid, surname: 'Lab' });
  const people = [await made('edsger'), await made('tony')];
  const until = Math.floor(services.clock.now().getTime() / 1000) + 600;
  for (const { uid, entry_uuid } of people) {
    const seen = { user_name: uid, source: 'directory', organization: 'lab', source_address: '::1' } as const;
    const session = { uid: `also of ${uid}`, accountId: entry_uuid };
    await services.store.write((tx) => noteSession(tx, services, session, until, seen));
  }
  const [edsger] = people;
  const enable = (enabled: boolean) => scene.api('PATCH', `/api/v1/ldap/users/${edsger.id}`, { enabled });
  await enable(false);
  await lookAfterOidc.spec.run(services, TICK);
  await enable(true);
  const { items } = await scene.api('GET', '/api/v1/oidc/sessions');
  const names = items.map(({ user_name }: { user_name: string }) => user_name);
  expect([names.includes('edsger'), names.includes('tony')]).toEqual([false, true]);
});

test('a session that is saved under another id just when all of its person end has ended as well', async () => {
  const { services } = scene.house;
  const { store, clock } = services;
  const now = Math.floor(clock.now().getTime() / 1000);
  const subject = 'a91f7d52-3b1d-4d0e-8b39-0c9d6a8d1d11';
  const session = { uid: 'renewed', accountId: subject };
  const seen = { user_name: 'ada', source: 'appliance', organization: '', source_address: '::1' } as const;
  const save = (id: string) =>
    store.write(async (tx) => {
      await noteSession(tx, services, session, now + 60, seen);
      await putArtifact(tx, services, 'Session', id, session, now + 60);
    });
  await save('former id');
  await store.write(async (tx) => {
    await forgetSession(tx, 'former id');
    await removeArtifact(tx, 'Session', 'former id');
  });
  await store.write((tx) => endOidcSessionsOf(tx, subject, clock.now()));
  await save('next id');
  expect(await findArtifact(store, services, 'Session', 'next id', now)).toBeNull();
  expect((await listOidcSessions(store, { subject, limit: 10 }, clock.now())).items).toEqual([]);
});

test('a password that is changed while it is looked at lets nobody in', async () => {
  const ada = await scene.house.actor('viewer');
  const { services } = scene.house;
  const { store } = services;
  const changing = Object.assign(Object.create(store), {
    one: store.one.bind(store),
    all: store.all.bind(store),
    write: async (work: Parameters<typeof store.write>[0]) => {
      await store.write((tx) => tx.run('UPDATE user SET revision = revision + 1 WHERE id = ?', [ada.user.id]));
      return store.write(work);
    },
  });
  const attempt = {
    username: ada.user.name,
    password: PASSWORD,
    code: '',
    request_id: 'req_a',
    client_id: app.client_id,
  };
  const signIn = (people: typeof services) =>
    usersOfAppliance(people).signIn('', { ...attempt, source_address: '127.0.0.1' } as never);
  expect(await signIn({ ...services, store: changing })).toBeNull();
  expect(await signIn(services)).toMatchObject({ person: { username: ada.user.name } });
});

test('one session ends with all of its clients; the person’s other browser goes on, and strangers can’t end it', async () => {
  const [ada, bob] = [await scene.house.actor('viewer'), await scene.house.actor('viewer')];
  const one = await signedIn(ada.user.name);
  const also = await signedIn(ada.user.name, other, one.visitor);
  const { id } = (await oidcOf(ada))[0]!;
  const elsewhere = await signedIn(ada.user.name);
  const end = (person: Credentials) => send('DELETE', `/api/v1/account/sessions/${id}`, { token: person.token });
  expect((await end(bob)).status).toBe(404);
  expect(await userinfo(one.tokens.access_token)).toBe(200);
  expect((await end(ada)).status).toBe(204);
  expect((await end(ada)).status).toBe(404);
  expect([await state(one), await state(also)]).toEqual([ENDED, ENDED]);
  expect(await state(elsewhere)).toEqual(LIVE);
  const { store } = scene.house.services;
  const grants =
    "SELECT count(*) AS count FROM oidc_artifact WHERE model = 'Grant' AND id_hash NOT IN (SELECT json_extract(value, '$[1]') FROM oidc_session, json_each(clients) WHERE ended_at IS NULL)";
  expect(await store.one(grants)).toEqual({ count: 0 });
});

test('a session of the appliance ends by its id, and of the own ones the calling one is told', async () => {
  const ada = await scene.house.actor('viewer');
  const list = async () => (await send('GET', '/api/v1/account/sessions', { token: ada.token })).body.sessions;
  const [{ id, current, plane }] = await list();
  expect([current, plane]).toEqual([false, 'management']);
  expect((await send('GET', '/ui/management/account', { session: ada })).text).toContain('This browser');
  expect((await send('DELETE', `/api/v1/account/sessions/${id}`, { token: ada.token })).status).toBe(204);
  expect(await list()).toEqual([]);
  expect((await send('GET', '/ui/management/account', { session: ada })).status).toBe(303);
});

test('what was under way when a session was ended does not bring it back', async () => {
  const { services } = scene.house;
  const { store, clock } = services;
  const now = Math.floor(clock.now().getTime() / 1000);
  const subject = '5f0c9a4e-6a0e-4a3b-9f59-2f2b8a1f6f10';
  const seen = { user_name: 'grace', source: 'directory', organization: 'lab', source_address: '::1' } as const;
  const session = { uid: 'late', accountId: subject, authorizations: { [app.client_id]: { grantId: 'g' } } };
  const save = () =>
    store.write(async (tx) => {
      await noteSession(tx, services, session, now + 60, seen);
      await putArtifact(tx, services, 'Session', 'late id', session, now + 60);
      const token = { accountId: subject, sessionUid: 'late', grantId: 'g' };
      await putArtifact(tx, services, 'RefreshToken', 'late token', token, now + 60);
    });
  const kept = async () => [
    (await findArtifact(store, services, 'Session', 'late id', now)) !== null,
    (await findArtifact(store, services, 'RefreshToken', 'late token', now)) !== null,
    (await listOidcSessions(store, { subject, limit: 10 }, clock.now())).items.length,
  ];
  await save();
  expect(await kept()).toEqual([true, true, 1]);
  await send('POST', '/api/v1/oidc/sessions/end', { token: scene.admin.token, body: { subject } });
  await save();
  expect(await kept()).toEqual([false, false, 0]);
  const left = () => store.one('SELECT count(*) AS count FROM oidc_session WHERE subject = ?', [subject]);
  expect(await left()).toEqual({ count: 1 });
  await store.write((tx) => sweepSessions(tx, now + 61));
  expect(await left()).toEqual({ count: 0 });
});

test('who signs out is no longer in the list', async () => {
  const ada = await scene.house.actor('viewer');
  const { visitor, config, tokens } = await signedIn(ada.user.name);
  expect(await oidcOf(ada)).toHaveLength(1);
  const address = oidc.buildEndSessionUrl(config, { id_token_hint: tokens.id_token! });
  const page = await visitor.go(String(address));
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)![1]!;
  await visitor.post(`${ISSUER}/session/end/confirm`, { xsrf, logout: 'yes' });
  expect(await oidcOf(ada)).toEqual([]);
});

test('a bad subject is told at the field', async () => {
  const body = { subject: 'ada' };
  const { status, body: problem } = await send('POST', '/api/v1/oidc/sessions/end', { token: scene.admin.token, body });
  expect([status, problem.errors[0].pointer]).toEqual([422, '/subject']);
});
