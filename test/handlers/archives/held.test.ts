// While a restore that was asked for by the API is in its one transaction: who is told to come again, by each protocol in its own
// words, who waits for its end, and that nothing of what was refused is left.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HELD_ASKED } from '../../../shared/kernel/access/held-asked.ts';
import { verifyAudit } from '../../../shared/kernel/audit/audit.ts';
import { BootScene } from '../../setup/boot-scene.ts';
import { type HeldRestore, holdRestore } from '../../setup/hold-restore.ts';
import { type Credentials, House, PASSWORD } from '../../setup/house.ts';
import { asked, CREATE, idIn, read, request } from '../../setup/kmip-messages.ts';
import { KmsScene } from '../../setup/kms-scene.ts';
import { jsonOf, OidcFlow } from '../../setup/oidc-flow.ts';
import { hidden, ISSUER, OidcScene, type Registered, Visitor } from '../../setup/oidc-scene.ts';

const API = '/api/v1/archives';
const SIGN_IN = '/ui/management/sign-in';

const signIn = (house: House, username: string, password = PASSWORD) =>
  house.send('POST', SIGN_IN, {
    raw: new URLSearchParams({ username, password }).toString(),
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
  });

/** A restore that removes a zone is held while `during` runs; answers what it answered. */
async function whileRestoring(house: House, { token }: Pick<Credentials, 'token'>, during: () => Promise<void>) {
  const send = (path: string, body: object) => house.send('POST', path, { token, body });
  const { body: kept } = await send(API, { encryption: 'none' });
  expect((await send('/api/v1/dns/zones', { name: 'since.example' })).status).toBe(201);
  const held: HeldRestore = holdRestore(house.services.store);
  const restoring = send(`${API}/${kept.id}/restore`, { units: [{ unit: 'dns-dhcp' }] });
  await Promise.race([held.written, restoring]);
  try {
    await during();
  } finally {
    held.goOn();
  }
  const { status, text } = await restoring;
  expect([status, text]).toEqual([200, expect.stringContaining('"removed":1')]);
}

/** Whether it is still under way after what else was asked has been answered. */
async function waits(work: Promise<unknown>, house: House, token: string): Promise<boolean> {
  let over = false;
  work.finally(() => (over = true)).catch(() => undefined);
  for (let n = 0; n < 20; n++) expect((await house.send('GET', '/api/v1/dns/zones', { token })).status).toBe(200);
  return !over;
}

describe('people and clients of sign-ins', () => {
  let scene: OidcScene;
  let flow: OidcFlow;
  let client: Registered;
  beforeAll(async () => {
    scene = await OidcScene.open({ ticker: false });
    flow = new OidcFlow(scene);
    client = await scene.register();
  }, 120_000);
  afterAll(() => scene.close());

  test('are told to come again at once; a guess is neither counted nor told from the right password', async () => {
    const { house, admin } = scene;
    const { store } = house.services;
    const before = await house.lastAudit();
    const failures = () => store.all('SELECT * FROM sign_in_throttle');
    const counted = await failures();
    await whileRestoring(house, admin, async () => {
      const heard = [
        await signIn(house, admin.user.name),
        await signIn(house, admin.user.name, 'a wrong password'),
        await house.send('POST', `${SIGN_IN}/second-factor`, { form: { code: '123456', csrf: '' } }),
        await house.send('POST', '/ui/management/web-terminal/shell/ticket', {
          session: admin,
          form: { account: 'root' },
        }),
        await house.send('POST', `/api/v1/tokens/${admin.token_id}/revoke`, { token: admin.token }),
      ].map(({ status, headers }) => [status, headers['retry-after']]);
      expect(heard).toEqual(heard.map(() => [423, '1']));
      expect(await failures()).toEqual(counted);
      const page = (headers: Record<string, string>) =>
        house.send('GET', SIGN_IN, { headers: { accept: 'text/html', ...headers } });
      expect((await page({})).status).toBe(200);
      // As its script does before it sends what was typed.
      const { status, headers } = await page({ [HELD_ASKED]: 'yes' });
      expect([status, headers['retry-after']]).toEqual([423, '1']);
    });
    const free = await house.send('GET', SIGN_IN, { headers: { accept: 'text/html', [HELD_ASKED]: 'yes' } });
    expect(free.status).toBe(200);
    expect(await house.audited(before)).not.toContain('session.refuse');
    expect((await signIn(house, admin.user.name, 'a wrong password')).status).toBe(401);
    expect((await signIn(house, admin.user.name)).status).toBe(303);
    expect((await house.audited(before)).slice(-2)).toEqual(['session.refuse', 'session.start']);
    expect(await verifyAudit(store, house.services.keys)).toMatchObject({ ok: true });
  });

  test('OpenID Connect: 503 with the seconds to wait; what was begun goes on after it, with the same code', async () => {
    const { house, admin } = scene;
    const visitor = new Visitor(scene);
    const asked = flow.begin(client);
    const { at } = await flow.authorize(asked, visitor);
    const code = new URL(at).searchParams.get('code')!;
    const another = new Visitor(scene);
    const form = await another.go(flow.begin(client).address);
    const fields = { csrf: hidden(form.text, 'csrf'), username: admin.user.name, password: PASSWORD };
    const before = await house.lastAudit();
    await whileRestoring(house, admin, async () => {
      const token = await flow.redeem(asked, code);
      expect([token.status, token.headers['retry-after'], jsonOf(token).error]).toEqual([
        503,
        '1',
        'temporarily_unavailable',
      ]);
      expect(token.headers['cache-control']).toBe('no-store');
      const page = await new Visitor(scene).ask(flow.begin(client).address);
      expect([page.status, page.headers['retry-after'], page.headers.refresh]).toEqual([503, '1', '1']);
      expect(page.text).toContain('A restore of this appliance is being saved');
      const posted = await another.post(form.at, fields);
      expect([posted.status, posted.headers['retry-after']]).toEqual([503, '1']);
      expect(posted.text).toContain('Try again in a second.');
      expect(posted.text).toContain(`value="${admin.user.name}"`);
      expect(posted.text).not.toContain(PASSWORD);
      const end = await visitor.ask(`${ISSUER}/session/end`);
      expect([end.status, end.headers.refresh]).toEqual([503, '1']);
      const revoked = await flow.post('/token/revocation', { token: 'any', ...client });
      expect([revoked.status, jsonOf(revoked).error]).toEqual([503, 'temporarily_unavailable']);
      for (const path of ['/.well-known/openid-configuration', '/jwks'])
        expect((await scene.ask(`${ISSUER}${path}`)).status).toBe(200);
    });
    expect(await house.audited(before)).not.toContain('oidc.session.refuse');
    const tokens = await flow.redeem(asked, code);
    expect([tokens.status, jsonOf(tokens).token_type]).toEqual([200, 'Bearer']);
    const signed = await another.post(form.at, fields);
    expect(new URL(signed.at).searchParams.get('code')).not.toBeNull();
  });
});

test('a KMIP client waits for the end of it, and has its key', async () => {
  const scene = await KmsScene.open({ ticker: false });
  try {
    const { house, admin } = scene;
    const pair = await scene.client(await scene.provider('vcenter'));
    const socket = await scene.connect(pair);
    let creating: Promise<Buffer | null> | undefined;
    await whileRestoring(house, admin, async () => {
      creating = asked(socket, request([{ operation: 'Create', payload: CREATE }]));
      expect(await waits(creating, house, admin.token)).toBe(true);
    });
    const answer = read((await creating!)!);
    expect([answer.items[0]!.status, idIn(answer)]).toEqual([0, expect.stringMatching(/^key_/)]);
    socket.destroy();
  } finally {
    await scene.close();
  }
}, 120_000);

test('a machine that boots waits for the end of it, and boots', async () => {
  const scene = await BootScene.open({ ticker: false });
  try {
    const { house, admin } = scene;
    let starting: ReturnType<BootScene['start']> | undefined;
    await whileRestoring(house, admin, async () => {
      starting = scene.start();
      expect(await waits(starting, house, admin.token)).toBe(true);
    });
    expect((await starting!).claim).not.toBe('');
  } finally {
    await scene.house.close();
  }
}, 120_000);

describe('a user whom a reset removes', () => {
  let house: House;
  let admin: Credentials;
  beforeAll(async () => {
    house = await House.open({ ticker: false });
    admin = await house.actor('admin', undefined, 'ada');
  });
  afterAll(() => house.close());

  test('has no session of before, gets none during it, and none for a password that was found right during it', async () => {
    const { store } = house.services;
    const { user } = await house.actor('admin', undefined, 'gone');
    const sessions = () => store.all('SELECT * FROM session WHERE user_id = ?', [user.id]);
    const early = await signIn(house, 'gone');
    expect(await sessions()).not.toEqual([]);
    const cookie = early.cookies.find((line) => line.startsWith('groundcrew_session='))!.split(';')[0]!;
    // The password of this one is found right before the reset holds others off, and its session would be saved after it.
    const late = Promise.withResolvers<void>();
    const proven = Promise.withResolvers<void>();
    const write = store.write;
    store.write = async (work, options) => {
      if (!options?.unlessHeld || options.holds) return write.call(store, work, options) as never;
      store.write = write;
      proven.resolve();
      await late.promise;
      return write.call(store, work, options) as never;
    };
    const signing = signIn(house, 'gone');
    await proven.promise;
    const held = holdRestore(store);
    const body = { confirm: house.services.settings.hostname, own_password: PASSWORD };
    const resetting = house.send('POST', '/api/v1/factory-reset', { token: admin.token, body });
    await Promise.race([held.written, resetting]);
    expect((await signIn(house, 'gone')).status).toBe(423);
    held.goOn();
    const reset = await resetting;
    expect([reset.status, reset.text]).toEqual([200, expect.anything()]);
    late.resolve();
    expect((await signing).status).toBe(401);
    expect((await signIn(house, 'gone')).status).toBe(401);
    expect([await sessions(), await store.all('SELECT * FROM user WHERE id = ?', [user.id])]).toEqual([[], []]);
    const page = await house.send('GET', '/ui/management', { session: { cookie, csrf: '' } });
    expect(page.headers.location).toContain(SIGN_IN);
  });
});
