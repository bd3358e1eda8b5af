// People of the directory sign in to a client (needs root): the real slapd checks their passwords, and knows of each failure.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as oidc from 'openid-client';
import { CALLBACK, ISSUER, OidcScene, type Registered, Visitor } from '../setup/oidc-scene.ts';
import { until } from '../setup/until.ts';
import { Directory } from './directory-scene.ts';

const SUFFIX = 'dc=lab,dc=test';
const ADA = { uid: 'ada', password: 'quarrel-velvet-onion-71' };
const GRACE = { uid: 'grace', password: 'ember-walrus-cobalt-44' };
const SLOW = 180_000;

let directory: Directory;
let scene: OidcScene;
let app: Registered;
let other: Registered;
const ids: Record<string, string> = {};

beforeAll(async () => {
  directory = await Directory.open();
  const create = async (path: string, body: object): Promise<{ id: string; entry_uuid: string }> =>
    directory.api('POST', `ldap/${path}`, body);
  const { id: organization_id } = await create('organizations', { slug: 'lab', suffix: SUFFIX });
  await create('organizations', { slug: 'other', suffix: 'o=other' });
  for (const { uid, password } of [ADA, GRACE]) {
    const user = await create('users', { organization_id, uid, given_name: 'Ada', surname: 'O’Hara' });
    ids[uid] = user.entry_uuid;
    ids[`${uid} row`] = user.id;
    await directory.api('POST', `ldap/users/${user.id}/password`, { password });
  }
  await create('groups', { organization_id, name: 'Operators', member_users: ['ada'] });
  await create('groups', { organization_id, name: 'VCF Admins', member_groups: ['Operators'] });
  await directory.api('PATCH', 'ldap/settings', {
    enabled: true,
    hostname: 'ldap.lab.test',
    listen_interfaces: ['lab0'],
    ldaps_enabled: true,
    password_max_failures: 3,
  });
  const { state, log } = await directory.apply();
  if (state !== 'succeeded') throw new Error(`${log}\n${directory.logged.slice(-5).join('\n')}`);
  await until(async () => (await directory.api('GET', 'ldap/status')).running);
  scene = await OidcScene.over(directory.house, directory.admin);
  app = await scene.register({ source: 'directory', organization: 'lab' });
  other = await scene.register({ name: 'Other', source: 'directory', organization: 'other' });
}, SLOW);
afterAll(async () => {
  await scene?.listeners.stop(0);
  await directory?.close();
});

async function begin(client: Registered) {
  const config = await scene.discover(client);
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid profile email groups',
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: 'state',
  });
  return {
    address,
    redeem: (at: string) =>
      oidc.authorizationCodeGrant(config, new URL(at), { pkceCodeVerifier, expectedState: 'state' }),
  };
}

const userinfo = (token: string) => scene.ask(`${ISSUER}/me`, { headers: { authorization: `Bearer ${token}` } });

test(
  'the person is the entry, with all groups, until it is disabled',
  async () => {
    const { address, redeem } = await begin(app);
    const { at } = await new Visitor(scene).signIn(address, ADA.uid, ADA.password);
    const tokens = await redeem(at);
    expect(tokens.claims()).toMatchObject({
      sub: ids.ada,
      preferred_username: 'ada',
      email: 'ada@lab.test',
      upn: 'ada@lab.test',
      family_name: 'O’Hara',
      groups: ['Operators', 'VCF Admins'],
    });
    expect((await userinfo(tokens.access_token)).status).toBe(200);
    await directory.api('PATCH', `ldap/users/${ids['ada row']}`, { enabled: false });
    expect((await userinfo(tokens.access_token)).status).toBe(401);
    const again = await begin(app);
    expect((await new Visitor(scene).signIn(again.address, ADA.uid, ADA.password)).status).toBe(401);
  },
  SLOW,
);

test(
  'who is of one organization is nobody in another, nor is a user of the appliance',
  async () => {
    const elsewhere = await begin(other);
    expect((await new Visitor(scene).signIn(elsewhere.address, GRACE.uid, GRACE.password)).status).toBe(401);
    const here = await begin(app);
    expect((await new Visitor(scene).signIn(here.address, scene.admin.user.name)).status).toBe(401);
  },
  SLOW,
);

test(
  'slapd counts what is wrong: its lock refuses the right password too',
  async () => {
    const { address } = await begin(app);
    for (let tries = 0; tries < 3; tries += 1)
      expect((await new Visitor(scene).signIn(address, GRACE.uid, 'wrong')).status).toBe(401);
    const { locked } = await directory.api('GET', 'ldap/status');
    expect(locked.map(({ dn }: { dn: string }) => dn)).toEqual([`uid=grace,ou=people,${SUFFIX}`]);
    expect((await new Visitor(scene).signIn(address, GRACE.uid, GRACE.password)).status).toBe(401);
    await directory.api('POST', `ldap/users/${ids['grace row']}/unlock`, {});
    const { at } = await new Visitor(scene).signIn(address, GRACE.uid, GRACE.password);
    expect(at.startsWith(CALLBACK)).toBe(true);
    const all = [
      directory.logged.join('\n'),
      JSON.stringify(await scene.house.services.store.all('SELECT * FROM audit_event')),
    ];
    for (const secret of [ADA.password, GRACE.password]) expect(all.join('\n')).not.toContain(secret);
  },
  SLOW,
);
