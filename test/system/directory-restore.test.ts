// An encrypted archive of an appliance with a directory, restored on an empty one (real slapd, needs root): after its first apply
// the same users sign in with the same passwords. Hashes are in no archive that is not encrypted.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decryptAge } from '../../shared/ground/age/age.ts';
import { newIdentity } from '../../shared/ground/age/x25519.ts';
import { systemEntropy } from '../../shared/ground/clock.ts';
import { membersOf, restore } from '../shared/appliance/archive/scene.ts';
import { Directory, NAME } from './directory-scene.ts';

const SUFFIX = 'dc=lab,dc=test';
const OWNER = newIdentity(systemEntropy);
const CANARIES = { ada: 'quarrel-velvet-onion-71', reader: 'tundra-fiddle-gravel-08' };
const READER = { dn: `cn=vcenter,ou=system,${SUFFIX}`, password: CANARIES.reader };
const ada = `uid=ada,ou=people,${SUFFIX}`;
const SLOW = 300_000;

let sealed: Buffer;
let plain: Buffer;
let uuids: string[];
let after: Directory;

async function archive(directory: Directory, body: object): Promise<Buffer> {
  const { id } = await directory.api('POST', 'archives', body);
  const heard = directory.house.heard.length;
  await directory.house.send('GET', `/api/v1/archives/${id}/content`, { token: directory.admin.token });
  return Buffer.from(directory.house.heard[heard]!.answer.body, 'base64');
}

async function opened(bytes: Buffer): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of decryptAge([bytes], OWNER)) pieces.push(piece);
  return Buffer.concat(pieces);
}

const uuidsOf = (directory: Directory): string[] =>
  directory
    .search(READER, SUFFIX, '(|(objectClass=inetOrgPerson)(objectClass=groupOfUniqueNames))', 'entryUUID', 'memberOf')
    .filter((line) => !line.includes('ou=system'))
    .sort();

async function furnished(directory: Directory): Promise<void> {
  const settings = { enabled: true, hostname: NAME, listen_interfaces: ['lab0'] };
  await directory.api('PATCH', 'ldap/settings', settings);
  const create = async (path: string, body: object): Promise<string> =>
    (await directory.api('POST', `ldap/${path}`, body)).id;
  const organization_id = await create('organizations', { slug: 'lab', suffix: SUFFIX });
  const user = await create('users', { organization_id, uid: 'ada', surname: 'Lovelace' });
  await create('groups', { organization_id, name: 'Operators', member_users: ['ada'] });
  const reader = await create('bind-accounts', { organization_id, name: 'vcenter' });
  await directory.api('POST', `ldap/users/${user}/password`, { password: CANARIES.ada });
  await directory.api('POST', `ldap/bind-accounts/${reader}/password`, { password: CANARIES.reader });
  expect(await directory.apply()).toMatchObject({ state: 'succeeded' });
}

beforeAll(async () => {
  const before = await Directory.open();
  try {
    await furnished(before);
    expect(before.bind(ada, CANARIES.ada)).toBe(0);
    uuids = uuidsOf(before);
    sealed = await archive(before, { encryption: 'recipients', recipients: [OWNER.recipient] });
    plain = await archive(before, { encryption: 'none' });
  } finally {
    await before.close();
  }
  after = await Directory.open(true);
}, SLOW);
afterAll(() => after?.close());

test('hashes are in the encrypted archive alone, and no password is in any', async () => {
  const [own, other] = [await membersOf(await opened(sealed)), await membersOf(plain)];
  expect(own.get('sealed/ldap_password.jsonl')).toContain('{ARGON2}');
  expect([...other.keys()].filter((name) => name.startsWith('sealed/'))).toEqual([]);
  for (const [name, text] of other) expect([name, text.includes('ARGON2')]).toEqual([name, false]);
  for (const bytes of [plain, sealed, await opened(sealed)])
    for (const canary of Object.values(CANARIES)) expect(bytes.includes(canary)).toBe(false);
});

test(
  'on an empty appliance the same users sign in with the same passwords, and are the same to clients',
  async () => {
    expect(await after.api('GET', 'ldap/users')).toMatchObject({ items: [] });
    await restore(after.house, sealed, undefined, OWNER);
    await after.trustRoot();
    expect(await after.apply()).toMatchObject({ state: 'succeeded' });
    expect(after.bind(ada, CANARIES.ada)).toBe(0);
    expect(after.bind(ada, CANARIES.reader)).toBe(49);
    expect(after.bind(READER.dn, READER.password)).toBe(0);
    expect(uuidsOf(after)).toEqual(uuids);
    expect(uuids.filter((line) => line.startsWith('entryUUID'))).toHaveLength(2);
  },
  SLOW,
);
