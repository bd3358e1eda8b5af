// The sign-in of the appliance's own client, by which the provider is probed: that it goes all the way, that it finds what is broken
// behind a provider that still says who it is, and that nobody gets anything out of it.
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { scheduled as lookAfterOidc } from '../../handlers/scheduled/look-after-oidc.ts';
import { APPLIED_PATH, PROBE_CLIENT, PROBE_PATH } from '../../shared/services/oidc/manifest.ts';
import { askProvider } from '../../shared/services/oidc/oidc-question.ts';
import { probeRedirect } from '../../shared/services/oidc/probe-flow.ts';
import { PROBE_SECONDS } from '../../shared/services/oidc/provider/probe-client.ts';
import { OidcFlow } from '../setup/oidc-flow.ts';
import { ID_NAME, ISSUER, OidcScene, Visitor } from '../setup/oidc-scene.ts';

const TICK = { source: 'groundcrew.ticker', id: 'tick', time: '' } as const;

let scene: OidcScene;
let flow: OidcFlow;
let file: string;
let secret: string;
const logged: string[] = [];

beforeAll(async () => {
  scene = await OidcScene.open({ log: (line) => logged.push(line) });
  flow = new OidcFlow(scene);
  file = scene.house.services.host.resolve(PROBE_PATH);
  secret = await readFile(file, 'utf8');
}, 300_000);
afterAll(() => scene?.close());

const probe = (more: { secret?: string | null } = {}) =>
  askProvider(
    { address: '127.0.0.1', port: scene.port },
    {
      ...{ hostname: ID_NAME, ca_pem: scene.root_pem, applied: APPLIED_PATH, secret: file },
      discovery: '/identity/.well-known/openid-configuration',
      ...more,
    },
  );

const asked = () =>
  flow.begin({ client_id: PROBE_CLIENT, client_secret: secret }, { more: { redirect_uri: probeRedirect(ISSUER) } });

/** As another machine asks: from an address that is not the listener's. */
const fromElsewhere = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<number> =>
  new Promise((resolve, reject) => {
    const at = { host: '127.0.0.1', localAddress: '127.0.0.2', port: scene.port, servername: ID_NAME };
    const sent = request(
      {
        ...at,
        ca: scene.root_pem,
        agent: false,
        path,
        method,
        headers: { host: ID_NAME, accept: 'text/html', ...headers },
      },
      (response) => response.resume().on('end', () => resolve(response.statusCode!)),
    );
    sent.on('error', reject);
    sent.end();
  });

describe('what it finds', () => {
  test('a sign-in that works, to its end', async () => {
    expect(await probe()).toMatchObject({ issuer: ISSUER, error: null, flow: null });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('what is broken behind a provider that still says who it is', async () => {
    const { store } = scene.house.services;
    // Otherwise SQLite would have triggers follow the new name.
    await store.write((tx) => tx.all('PRAGMA legacy_alter_table = ON'));
    await store.write((tx) => tx.run('ALTER TABLE oidc_artifact RENAME TO oidc_artifact_away'));
    try {
      const found = await probe();
      expect(found).toMatchObject({ issuer: ISSUER, error: null, flow: 'the sign-in ends with status 500' });
    } finally {
      await store.write((tx) => tx.run('ALTER TABLE oidc_artifact_away RENAME TO oidc_artifact'));
    }
    expect((await probe()).flow).toBeNull();
  });

  test('that its secret is gone, or another one', async () => {
    try {
      await writeFile(file, 'another');
      expect((await probe()).flow).toBe('the sign-in ends with status 400');
      await rm(file);
      expect((await probe()).flow).toContain('can’t be read');
      expect((await probe({ secret: null })).flow).toBeNull();
    } finally {
      await writeFile(file, secret, { mode: 0o600 });
    }
  });
});

describe('what nobody gets out of it', () => {
  test('to another machine the client is not there, whatever it knows', async () => {
    const { pathname, search } = new URL(asked().address);
    expect(await fromElsewhere(pathname + search)).toBe(400);
    const authorization = `Basic ${Buffer.from(`${PROBE_CLIENT}:${secret}`).toString('base64')}`;
    expect(await fromElsewhere('/identity/token', { authorization }, 'POST')).toBe(401);
    // Begun on this machine and gone on with from another one, with all cookies.
    const visitor = new Visitor(scene);
    const { at } = await visitor.go(asked().address);
    const cookie = visitor.said.map((line) => line.split(';', 1)[0]).join('; ');
    const proof = { authorization: `Bearer ${secret}`, cookie };
    expect(await fromElsewhere(new URL(at).pathname, proof, 'POST')).toBe(400);
    expect((await visitor.ask(at, { method: 'POST', headers: { authorization: `Bearer ${secret}` } })).status).toBe(
      303,
    );
  });

  test('on this machine it is nothing without the secret', async () => {
    const visitor = new Visitor(scene);
    const page = await visitor.go(asked().address);
    expect([page.status, page.text.includes('name="password"')]).toEqual([400, false]);
    for (const authorization of ['', 'Bearer ', 'Bearer guessed', `Basic ${secret}`])
      expect((await visitor.ask(page.at, { method: 'POST', headers: { authorization } })).status).toBe(400);
    const heard = await flow.redeem(
      { ...asked(), client: { client_id: PROBE_CLIENT, client_secret: 'guessed' } },
      'code',
    );
    expect([heard.status, JSON.parse(heard.text).error]).toEqual([401, 'invalid_client']);
  });

  test('no person is signed in to it, with a session in the same browser or with the secret', async () => {
    const client = await scene.register({ name: 'Of a person' });
    const { visitor } = await flow.run(client);
    const page = await visitor.go(asked().address);
    expect([page.status, page.at.includes('/interaction/')]).toEqual([400, true]);
    const silent = flow.begin(
      { client_id: PROBE_CLIENT, client_secret: secret },
      {
        more: { redirect_uri: probeRedirect(ISSUER), prompt: 'none' },
      },
    );
    expect(new URL((await visitor.go(silent.address)).at).searchParams.get('error')).toBe('login_required');
    // And the secret opens no sign-in of another client.
    const theirs = flow.begin(client);
    const stranger = new Visitor(scene);
    const form = await stranger.go(theirs.address);
    const proof = { authorization: `Bearer ${secret}` };
    expect((await stranger.ask(form.at, { method: 'POST', headers: proof })).status).toBe(403);
  });

  test('whom it signs in is nobody at any other client', async () => {
    const client = await scene.register({ name: 'Of nobody' });
    const visitor = new Visitor(scene);
    const { at } = await visitor.go(asked().address);
    const proof = { authorization: `Bearer ${secret}` };
    const done = await visitor.go(at, { method: 'POST', headers: proof });
    expect(done.at).toContain(`${probeRedirect(ISSUER)}?code=`);
    const page = await visitor.go(flow.begin(client).address);
    expect(page.text).toContain('name="password"');
    const none = await visitor.go(flow.begin(client, { more: { prompt: 'none' } }).address);
    expect(new URL(none.at).searchParams.get('error')).toBe('login_required');
  });

  test('it leaves no word in the audit log, no client, and after a minute no row', async () => {
    const { services } = scene.house;
    const { store, clock } = services;
    const count = async (table: string) => (await store.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))!.n;
    const wait = (seconds: number) => ({
      ...services,
      clock: { now: () => new Date(clock.now().getTime() + seconds * 1000) },
    });
    await lookAfterOidc.spec.run(wait(15 * 86_400), TICK);
    const before = [await count('audit_event'), await count('oidc_client')];
    expect((await probe()).flow).toBeNull();
    expect(await count('oidc_artifact')).toBeGreaterThan(0);
    await lookAfterOidc.spec.run(wait(PROBE_SECONDS + 2), TICK);
    expect(await count('oidc_artifact')).toBe(0);
    expect([await count('audit_event'), await count('oidc_client')]).toEqual(before);
    const listed = await scene.api('GET', '/api/v1/oidc/clients');
    expect(JSON.stringify(listed)).not.toContain(PROBE_CLIENT);
  });

  test('its secret is in no log and no table', async () => {
    const { store } = scene.house.services;
    const tables = await Promise.all(
      ['audit_event', 'oidc_artifact', 'oidc_client'].map((table) => store.all(`SELECT * FROM ${table}`)),
    );
    expect(secret).toHaveLength(43);
    expect(JSON.stringify([tables, logged])).not.toContain(secret);
  });
});
