// What a token asks of the database: a budget in statements, which no machine makes slower or faster.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codeWaits } from '../../shared/services/oidc/provider/adapter.ts';
import { OidcFlow } from '../setup/oidc-flow.ts';
import { OidcScene, type Registered, Visitor } from '../setup/oidc-scene.ts';

const said: string[] = [];
let scene: OidcScene;
let flow: OidcFlow;
let client: Registered;
let visitor: Visitor;

beforeAll(async () => {
  codeWaits.milliseconds = 600_000; // on a busy machine too, a code is redeemed before that
  scene = await OidcScene.open({ observe: (sql) => void said.push(sql) });
  flow = new OidcFlow(scene);
  client = await scene.register();
  visitor = new Visitor(scene);
  await flow.run(client, { visitor });
}, 300_000);
afterAll(() => scene?.close());

/** Of what the request itself asks: not that the listeners look for other keys, nor what is noted after an answer. */
const asked = (): string[] =>
  said.filter((sql) => /oidc_|json_object/.test(sql) && !/oidc_signing_key|SET last_/.test(sql));

test('a code and its token: at most three statements where somebody is signed in, one of which writes', async () => {
  const request = flow.begin(client);
  said.length = 0;
  const { at } = await flow.authorize(request, visitor);
  const code = new URL(at).searchParams.get('code') ?? '';
  const forCode = asked();
  expect((await flow.redeem(request, code)).status).toBe(200);
  const all = asked();
  const writes = all.filter((sql) => !sql.startsWith('SELECT'));
  expect(forCode.length).toBeLessThanOrEqual(1);
  expect(all.length).toBeLessThanOrEqual(3);
  expect(writes.map((sql) => sql.slice(0, 22))).toEqual(['INSERT INTO oidc_write']);
});

test('of many who redeem the same code at once, one is given tokens, and they open nothing', async () => {
  const request = flow.begin(client);
  const { at } = await flow.authorize(request, visitor);
  const code = new URL(at).searchParams.get('code') ?? '';
  const heard = await Promise.all(Array.from({ length: 6 }, () => flow.redeem(request, code)));
  const given = heard.filter(({ status }) => status === 200);
  expect(given.length).toBeLessThanOrEqual(1);
  expect(heard.filter(({ status }) => status === 400)).toHaveLength(6 - given.length);
  for (const { text } of given) expect((await flow.userinfo(JSON.parse(text).access_token)).status).toBe(401);
});

test('what is disabled is out at the next use, however often it was read before', async () => {
  const { house, admin } = scene;
  const { id } = await scene.api('POST', '/api/v1/users', {
    name: 'grace',
    role: 'viewer',
    password: 'a passphrase of grace',
  });
  const other = new Visitor(scene);
  const request = flow.begin(client);
  const { at } = await other.signIn(request.address, 'grace', 'a passphrase of grace');
  const redeemed = await flow.redeem(request, new URL(at).searchParams.get('code') ?? '');
  const { access_token } = JSON.parse(redeemed.text);
  expect((await flow.userinfo(access_token)).status).toBe(200);
  await house.services.store.write((tx) => tx.run('UPDATE user SET enabled = 0 WHERE id = ?', [id]));
  expect((await flow.userinfo(access_token)).status).toBe(401);
  expect(admin.user.name).not.toBe('grace');
});
