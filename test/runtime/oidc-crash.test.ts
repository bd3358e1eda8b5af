// What a crash leaves of a code and its tokens: the files as they are at a moment are what the next start finds. Nobody is given tokens
// that are not in them, and none is given by a code that is not used up in them.
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Store } from '../../shared/ground/store/store.ts';
import { consumeArtifact, findArtifact } from '../../shared/services/oidc/artifacts/artifacts.ts';
import { codeWaits } from '../../shared/services/oidc/provider/adapter.ts';
import { jsonOf, OidcFlow } from '../setup/oidc-flow.ts';
import { OidcScene, type Registered, Visitor } from '../setup/oidc-scene.ts';
import { until } from '../setup/until.ts';

let fails: RegExp | null = null;
const said: string[] = [];
let scene: OidcScene;
let flow: OidcFlow;
let client: Registered;
let visitor: Visitor;

beforeAll(async () => {
  codeWaits.milliseconds = 600_000; // on a busy machine too, a code is redeemed before that
  scene = await OidcScene.open({
    ticker: false,
    observe: (sql) => {
      said.push(sql);
      if (fails?.test(sql)) throw new Error('disk I/O error');
    },
  });
  flow = new OidcFlow(scene);
  client = await scene.register({ refresh_tokens: true });
  visitor = new Visitor(scene);
  await flow.run(client, { visitor });
}, 300_000);
afterAll(() => scene?.close());

const now = () => Math.floor(scene.house.services.clock.now().getTime() / 1000);

/** Looks at the files of the database as the next start would find them. */
async function crashed<T>(look: (store: Store) => Promise<T>): Promise<T> {
  const { file } = scene.house.services.store;
  const folder = await mkdtemp(join(tmpdir(), 'groundcrew-crash-'));
  try {
    const copy = join(folder, 'copy.sqlite');
    for (const ending of ['', '-wal']) await copyFile(file + ending, copy + ending);
    const store = await Store.open(copy);
    return await look(store).finally(() => store.close());
  } finally {
    await rm(folder, { recursive: true });
  }
}

const kept = (store: Store, model: string, id: string) => findArtifact(store, scene.house.services, model, id, now());

async function given() {
  const asked = flow.begin(client, { more: { scope: 'openid offline_access', prompt: undefined } });
  const { at } = await flow.authorize(asked, visitor);
  return { asked, code: new URL(at).searchParams.get('code')! };
}

test('a code is written with its own tokens, in the one commit that they wait for', async () => {
  const { asked, code } = await given();
  said.length = 0;
  const heard = await flow.redeem(asked, code);
  // Beside them who was last seen is noted, whenever that is.
  const written = said.filter((sql) => /INTO oidc_/.test(sql));
  expect([heard.status, written.length]).toEqual([200, 1]);
  const { access_token, refresh_token } = jsonOf(heard);
  await crashed(async (store) => {
    expect(await kept(store, 'AuthorizationCode', code)).toMatchObject({ consumed: expect.any(Number) });
    expect(await kept(store, 'AccessToken', access_token)).not.toBeNull();
    if (refresh_token) expect(await kept(store, 'RefreshToken', refresh_token)).not.toBeNull();
    expect(await store.write((tx) => consumeArtifact(tx, 'AuthorizationCode', code, now()))).toBe(false);
  });
  // Given a second time after that, it takes the tokens with it.
  expect((await flow.redeem(asked, code)).status).toBe(400);
  expect((await flow.userinfo(access_token)).status).toBe(401);
  await crashed(async (store) => expect(await kept(store, 'AccessToken', access_token)).toBeNull());
});

test('before it is redeemed a crash leaves no code, or one that is not used: it is asked for anew in silence', async () => {
  const { code } = await given();
  await crashed(async (store) => {
    const found = await kept(store, 'AuthorizationCode', code);
    expect(found?.consumed).toBeUndefined();
  });
  const again = await flow.run(client, { visitor });
  expect(again.tokens.access_token).toBeTruthy();
});

test('a code that nobody redeems is written by itself in a moment', async () => {
  codeWaits.milliseconds = 10;
  const { code } = await given();
  codeWaits.milliseconds = 600_000;
  await until(() => crashed(async (store) => (await kept(store, 'AuthorizationCode', code)) !== null));
});

test('where nothing can be written, nothing is given', async () => {
  const { asked, code } = await given();
  const tokens = async () =>
    (await scene.house.services.store.one<{ count: number }>(
      "SELECT count(*) AS count FROM oidc_artifact WHERE model = 'AccessToken'",
    ))!.count;
  const before = await tokens();
  fails = /oidc_write|INTO oidc_artifact|UPDATE oidc_artifact/;
  const heard = await flow.redeem(asked, code);
  fails = null;
  expect(heard.status).toBeGreaterThanOrEqual(400);
  expect(heard.text).not.toContain('access_token');
  expect(await tokens()).toBe(before);
  expect((await flow.redeem(asked, code)).status).toBe(400);
  expect((await flow.run(client, { visitor })).tokens.access_token).toBeTruthy();
});

test('a session is saved where something of it changed, and else once a minute, not at each visit', async () => {
  // Sealed anew each time.
  const saved = () =>
    scene.house.services.store.all(
      "SELECT id_hash, payload FROM oidc_artifact WHERE model = 'Session' ORDER BY id_hash",
    );
  await flow.run(client, { visitor });
  const before = await saved();
  await flow.run(client, { visitor });
  expect(await saved()).toEqual(before);
  const other = await scene.register({ name: 'Other' });
  await flow.run(other, { visitor });
  expect(await saved()).not.toEqual(before);
});

test('a stop in good order leaves the code that was just given', async () => {
  const { code } = await given();
  await crashed(async (store) => expect(await kept(store, 'AuthorizationCode', code)).toBeNull());
  await scene.listeners.stop(0);
  await crashed(async (store) => expect(await kept(store, 'AuthorizationCode', code)).not.toBeNull());
});
