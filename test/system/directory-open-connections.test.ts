// Who is signed in when he is disabled (real slapd, needs root): what he asks next, over the connection that he has, finds
// nothing any more.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { searchDirectory } from '../../shared/services/ldap/follow/socket.ts';
import { until } from '../setup/until.ts';
import { ADDRESS, CLIENT, Directory, NAME } from './directory-scene.ts';

const SUFFIX = 'dc=lab,dc=test';
const READER = { dn: `cn=vcenter,ou=system,${SUFFIX}`, password: 'tundra-fiddle-gravel-08' };
const ADA = { dn: `uid=ada,ou=people,${SUFFIX}`, password: 'quarrel-velvet-onion-71' };
const SLOW = 240_000;

let directory: Directory;
const ids: Record<string, string> = {};

beforeAll(async () => {
  directory = await Directory.open();
  await directory.api('PATCH', 'ldap/settings', { enabled: true, hostname: NAME, listen_interfaces: ['lab0'] });
  const create = async (path: string, body: object): Promise<string> =>
    (await directory.api('POST', `ldap/${path}`, body)).id;
  const organization_id = await create('organizations', { slug: 'lab', suffix: SUFFIX });
  ids.ada = await create('users', { organization_id, uid: 'ada', surname: 'Lovelace' });
  ids.reader = await create('bind-accounts', { organization_id, name: 'vcenter' });
  await directory.api('POST', `ldap/users/${ids.ada}/password`, { password: ADA.password });
  await directory.api('POST', `ldap/bind-accounts/${ids.reader}/password`, { password: READER.password });
  expect(await directory.apply()).toMatchObject({ state: 'succeeded' });
}, SLOW);
afterAll(() => directory?.close());

/** One connection that is signed in and asks for the name of ada with each line that it is given. */
class Open {
  readonly #child: ChildProcess;
  #out = '';
  #asked = 0;

  constructor({ dn, password }: typeof READER) {
    const who = ['-x', '-H', `ldaps://${ADDRESS}`, '-D', dn, '-w', password];
    const args = ['ldapsearch', '-c', '-LLL', ...who, '-b', ADA.dn, '-s', 'base', '-f', '-', '(%s)', 'sn'];
    this.#child = spawn('ip', ['netns', 'exec', directory.lab.client, 'stdbuf', '-oL', ...args], {
      env: { ...process.env, LDAPTLS_CACERT: directory.path('root.pem'), LDAPTLS_REQCERT: 'demand' },
    });
    this.#child.stdout!.on('data', (chunk) => {
      this.#out += String(chunk);
    });
  }

  ask(): void {
    this.#asked += 1;
    this.#child.stdin!.write('uid=ada\n');
  }

  get found(): number {
    return (this.#out.match(/^sn: Lovelace$/gm) ?? []).length;
  }

  /** Of all that was asked, what was found. */
  async end(): Promise<{ asked: number; found: number }> {
    this.#child.stdin!.end();
    await once(this.#child, 'close');
    return { asked: this.#asked, found: this.found };
  }
}

/** Of the client's machine. */
async function connections(): Promise<number> {
  const asked = ['monitorConnectionPeerAddress'];
  const all = await searchDirectory(
    directory.host,
    'cn=Connections,cn=Monitor',
    asked,
    'sub',
    '(objectClass=monitorConnection)',
  );
  return all.filter(({ attributes }) => attributes.monitorConnectionPeerAddress?.[0]?.includes(CLIENT)).length;
}

test(
  'a user who is disabled, and a bind account that is, read nothing more over the connections that they have',
  async () => {
    const open = [new Open(ADA), new Open(READER)];
    for (const one of open) one.ask();
    await until(() => open.every(({ found }) => found === 1));
    const before = await connections();
    await directory.api('PATCH', `ldap/users/${ids.ada}`, { enabled: false });
    await directory.api('PATCH', `ldap/bind-accounts/${ids.reader}`, { enabled: false });
    expect((await directory.apply()).state).toBe('succeeded');
    // They are the same ones: nothing was restarted.
    expect(await connections()).toBe(before);
    for (const one of open) one.ask();
    expect(await Promise.all(open.map((one) => one.end()))).toEqual([
      { asked: 2, found: 1 },
      { asked: 2, found: 1 },
    ]);
    expect(directory.bind(ADA.dn, ADA.password)).toBe(49);
    expect(directory.bind(READER.dn, READER.password)).toBe(49);
  },
  SLOW,
);

test(
  'enabled again, both read as before',
  async () => {
    await directory.api('PATCH', `ldap/users/${ids.ada}`, { enabled: true });
    await directory.api('PATCH', `ldap/bind-accounts/${ids.reader}`, { enabled: true });
    expect((await directory.apply()).state).toBe('succeeded');
    const open = [new Open(ADA), new Open(READER)];
    for (const one of open) one.ask();
    expect(await Promise.all(open.map((one) => one.end()))).toEqual([
      { asked: 1, found: 1 },
      { asked: 1, found: 1 },
    ]);
  },
  SLOW,
);
