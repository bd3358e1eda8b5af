// Users of the appliance who sign in to a client: the second factor that the account has, or must have, is asked for here too.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as oidc from 'openid-client';
import { authenticatorCode } from '../setup/authenticator.ts';
import { PASSWORD } from '../setup/house.ts';
import { CALLBACK, OidcScene, type Registered, Visitor } from '../setup/oidc-scene.ts';

const FACTORS = '/api/v1/account/second-factors';

let scene: OidcScene;
let client: Registered;
const logged: string[] = [];

beforeAll(async () => {
  scene = await OidcScene.open({ log: (line) => logged.push(line) });
  client = await scene.register({ name: 'vCenter', preset: 'vcenter' });
}, 300_000);
afterAll(() => scene?.close());

/** One more sign-in, by another browser. */
async function signIn(name: string, code?: string) {
  const asked = { redirect_uri: CALLBACK, scope: 'openid', state: oidc.randomState(), nonce: oidc.randomNonce() };
  const address = oidc.buildAuthorizationUrl(await scene.discover(client), asked);
  const { status, text, at } = await new Visitor(scene).signIn(address, name, PASSWORD, code);
  return { status, text, code: at.startsWith(CALLBACK) ? new URL(at).searchParams.get('code') : null };
}

test('no code, a wrong one, a right one, and that one again', async () => {
  const { house } = scene;
  const { user, token } = await house.actor('viewer');
  const body = { name: 'Phone', own_password: PASSWORD };
  const { secret, factor_id } = (await house.send('POST', `${FACTORS}/totp`, { token, body })).body;
  const code = authenticatorCode(secret, house.services.clock.now());
  const confirmed = await house.send('POST', `${FACTORS}/${factor_id}/confirm`, { token, body: { code } });
  const [once] = confirmed.body.recovery_codes as string[];

  const without = await signIn(user.name);
  expect([without.status, without.text.includes('This account has a second factor.')]).toEqual([401, true]);
  const wrong = await signIn(user.name, 'not-a-code');
  expect([wrong.status, wrong.text.includes('This code is wrong')]).toEqual([401, true]);
  expect((await signIn(user.name, once)).code).toMatch(/./);
  expect(await signIn(user.name, once)).toMatchObject({ status: 401, code: null });
  const events = await house.services.store.all<{ action: string; detail: string | null }>(
    "SELECT action, detail FROM audit_event WHERE action LIKE 'oidc.session.%' ORDER BY seq",
  );
  expect(events.map(({ action }) => action.split('.').at(-1))).toEqual(['refuse', 'start', 'refuse']);
  expect(events[1]!.detail).toContain('recovery_code');
  for (const planted of [secret, once!, PASSWORD]) {
    expect(logged.filter((line) => line.includes(planted))).toEqual([]);
    expect(JSON.stringify(events)).not.toContain(planted);
  }
});

test('of a role that must have one, nobody comes in who has none', async () => {
  const { store } = scene.house.services;
  const { user } = await scene.house.actor('network-admin');
  await store.write((tx) => tx.run('UPDATE second_factor_policy SET roles = ?', ['["network-admin"]']));
  const { status, text, code } = await signIn(user.name);
  expect([status, text.includes('needs a second factor first'), code]).toEqual([401, true, null]);
});
