// The OpenID Connect provider, as openid-client and a browser meet it: at its listener, after an apply.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as oidc from 'openid-client';
import { CALLBACK, ISSUER, OidcScene, type Registered, Visitor } from '../setup/oidc-scene.ts';

let scene: OidcScene;
let app: Registered;
let username = '';
const logged: string[] = [];

beforeAll(async () => {
  scene = await OidcScene.open({ log: (line) => logged.push(line) });
  app = await scene.client();
  username = scene.admin.user.name;
}, 300_000);
afterAll(() => scene?.close());

test('code flow: discovery, nonce, state, issuer, groups in the ID token, userinfo', async () => {
  const config = await scene.discover(app);
  expect(config.serverMetadata().issuer).toBe(ISSUER);
  const code_verifier = oidc.randomPKCECodeVerifier();
  const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid profile email groups',
    code_challenge: await oidc.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
    ...{ state, nonce },
  });
  const back = await new Visitor(scene).signIn(address, username);
  if (!back.at.startsWith(CALLBACK)) throw new Error(back.at + back.text + logged.slice(-5).join('\n'));
  const tokens = await oidc.authorizationCodeGrant(config, new URL(back.at), {
    pkceCodeVerifier: code_verifier,
    expectedState: state,
    expectedNonce: nonce,
  });
  const claims = tokens.claims()!;
  expect(claims).toMatchObject({ iss: ISSUER, aud: app.client_id, preferred_username: username, groups: ['admin'] });
  const info = await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
  expect(info).toMatchObject({ sub: claims.sub, preferred_username: username, groups: ['admin'] });
});
