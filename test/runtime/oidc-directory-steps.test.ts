// What a refused sign-in of a directory's person costs, in steps: a name that nobody has takes as many as a wrong password, so that
// the time of a refusal tells no names. In place of slapd there is a socket that counts, and refuses everybody as slapd does.
import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { LdapDesired } from '../../shared/services/ldap/desired.ts';
import { writeEntries } from '../../shared/services/ldap/entries.ts';
import { ENTRIES_FILE, SOCKET } from '../../shared/services/ldap/files.ts';
import { hashesNow } from '../../shared/services/ldap/password-hash.ts';
import { ldapSettings } from '../../shared/services/ldap/settings.ts';
import { OidcFlow } from '../setup/oidc-flow.ts';
import { OidcScene, type Registered, Visitor } from '../setup/oidc-scene.ts';

/** A bind response of RFC 4511 with `invalidCredentials` (49). */
const REFUSED = Buffer.from('300c02010161070a013104000400', 'hex');
const DOWN = 'does not answer at the moment';

let scene: OidcScene;
let flow: OidcFlow;
let client: Registered;
let slapd: Server;
let socket: string;
/** Whom slapd was asked about. */
const asked: string[] = [];

const listen = () => new Promise<void>((done) => slapd.listen(socket, done));
const stop = () => new Promise<unknown>((done) => slapd.close(done));

beforeAll(async () => {
  scene = await OidcScene.open();
  flow = new OidcFlow(scene);
  const organization = { slug: 'lab', suffix: 'dc=lab,dc=test' };
  const { id: organization_id } = await scene.api('POST', '/api/v1/ldap/organizations', organization);
  const users: object[] = [];
  for (const uid of ['ada', 'grace']) {
    const user = { organization_id, uid, given_name: 'Ada', surname: 'Lovelace' };
    const { display_name, mail, telephone, entry_uuid } = await scene.api('POST', '/api/v1/ldap/users', user);
    const { organization_id: _, ...named } = user;
    users.push({ ...named, display_name, mail, telephone, entry_uuid, kind: 'person', enabled: true, mark: '' });
  }
  // As an apply writes them.
  const applied = {
    settings: ldapSettings.defaults,
    organizations: [{ ...organization, users, groups: [], accounts: [] }],
  };
  const content = writeEntries(applied as unknown as LdapDesired);
  await scene.house.services.host.write({ path: ENTRIES_FILE, content, mode: 0o640 });
  client = await scene.register({ source: 'directory', organization: 'lab' });
  socket = scene.house.services.host.resolve(SOCKET);
  await mkdir(dirname(socket), { recursive: true });
  slapd = createServer((connection) =>
    connection.on('data', (chunk) => {
      asked.push(/(uid|cn)=[\w-]+/.exec(chunk.toString('latin1'))?.[0] ?? '');
      connection.end(REFUSED);
    }),
  );
  await listen();
}, 300_000);
afterAll(async () => {
  await stop();
  rmSync(socket, { force: true });
  await scene?.close();
});

/** What a refused sign-in asked slapd, whether a hash was made here, and what the page says. */
async function refused(username: string) {
  asked.length = 0;
  let hashed = false;
  let done = false;
  const watch = () => {
    hashed ||= hashesNow().running > 0;
    if (!done) setImmediate(watch);
  };
  watch();
  const { address } = flow.begin(client);
  const { status, text } = await new Visitor(scene).signIn(address, username, 'not the password');
  done = true;
  const said = /role="alert"[^>]*>(.*?)<\/(?:p|div)>/s.exec(text)?.[1] ?? text;
  return { status, asked: [...asked], hashed, said };
}

test('slapd is asked once for each, and the hash that it does not make for nobody is made here', async () => {
  const known = await refused('ada');
  const unknown = await refused('nobody-here');
  const unusable = await refused('x,dc=*');
  expect(known).toMatchObject({ status: 401, asked: ['uid=ada'], hashed: false });
  expect(unknown).toMatchObject({ status: 401, asked: ['cn=nobody'], hashed: true });
  expect(unusable).toMatchObject({ status: 401, asked: ['cn=nobody'], hashed: true });
  expect(unknown.said).toBe(known.said);
});

test('while slapd is down, both are told the same', async () => {
  await stop();
  try {
    const known = await refused('grace');
    const unknown = await refused('nobody-else');
    expect([known.status, known.said.includes(DOWN)]).toEqual([503, true]);
    expect([unknown.status, unknown.said]).toEqual([known.status, known.said]);
  } finally {
    await listen();
  }
});
