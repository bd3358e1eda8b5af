// A new appliance that starts from an archive, on its page: who may, until when, and what it has afterwards.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newIdentity } from '../../../shared/ground/age/x25519.ts';
import { systemEntropy } from '../../../shared/ground/clock.ts';
import { verifyUser } from '../../../shared/kernel/access/user.ts';
import { furnish } from '../../setup/furnish.ts';
import { type Credentials, House, type HouseOptions, LINKS, PASSWORD } from '../../setup/house.ts';
import { bytesOf } from '../../shared/appliance/archive/scene.ts';

const API = '/api/v1/archives';
const PAGE = '/ui/management/first-start';
const OVERVIEW = '/ui/management';
const VALUE = 'C4nary-Value';
const OWNER = newIdentity(systemEntropy);

const lines: string[] = [];
const opened: House[] = [];
let former: House;
let whole: string;
let plain: string;

async function another(options: HouseOptions = {}): Promise<{ house: House; admin: Credentials }> {
  const house = await House.open({ accounts_travel: true, log: (line) => void lines.push(line), ...options });
  opened.push(house);
  return { house, admin: await house.actor('admin', undefined, 'admin') };
}

beforeAll(async () => {
  const { house, admin } = await another();
  former = house;
  await furnish(house, admin);
  const made = async (path: string, body: object) => {
    const heard = await house.send('POST', path, { token: admin.token, body });
    if (heard.status >= 300) throw new Error(`${path}: ${heard.text}`);
    return heard.body as { id: string };
  };
  const vault = await made('/api/v1/vaults', { name: 'canaries' });
  await made(`/api/v1/vaults/${vault.id}/entries`, { key: 'esx01.root', value: VALUE });
  const file = async (body: object) => {
    const { id } = await made(API, body);
    return (await readFile(join(house.data, 'archives', `${id}.gcarchive`))).toString('base64');
  };
  whole = await file({ encryption: 'recipients', recipients: [OWNER.recipient] });
  plain = await file({ encryption: 'none' });
}, 120_000);
afterAll(async () => {
  for (const house of opened) await house.close();
});

const FORM = { identity: OWNER.identity, own_password: PASSWORD };
const post = (house: House, session: Credentials, form: Record<string, string | string[]>) =>
  house.send('POST', PAGE, { session, form });
const words = (html: string): string => html.slice(html.indexOf('<main')).replaceAll(/<[^>]+>|\s+/g, ' ');
const usersOf = (house: House) =>
  house.services.store.all('SELECT id, name, role, enabled, password_hash, created_at FROM user ORDER BY id');

test('everything comes back, with its accounts, in one step; the host waits for the reviewed apply', async () => {
  const { house, admin } = await another();
  const overview = await house.send('GET', OVERVIEW, { session: admin });
  expect(overview.text).toContain(`href="${PAGE}"`);
  const shown = await house.send('GET', PAGE, { session: admin });
  expect(shown.text).toContain('type="file"');
  const before = await house.lastAudit();
  const { status, headers } = await post(house, admin, { ...FORM, file: whole });
  expect([status, headers.location]).toEqual([303, '/ui/management/appliance-apply']);
  expect((await bytesOf(house, true)).equals(await bytesOf(former, true))).toBe(true);
  expect(await usersOf(house)).toEqual(await usersOf(former));
  expect(await house.audited(before)).toEqual(['archive.restore']);
  const { store } = house.services;
  const [event] = await store.all<{ detail: string; actor_id: string }>(
    "SELECT detail, actor_id FROM audit_event WHERE action = 'archive.restore'",
  );
  expect(event!.actor_id).toBe(admin.user.id);
  expect(JSON.parse(event!.detail)).toMatchObject({ first_start: true, host_name: 'gc01.lab.example' });
  // Whoever was signed in or had a token is not, and has none.
  expect((await house.send('GET', OVERVIEW, { session: admin })).headers.location).toContain('sign-in');
  expect((await house.send('GET', '/api/v1/dns/zones', { token: admin.token })).status).toBe(401);
  expect(await store.all('SELECT * FROM mutation_lock')).toEqual([]);
  expect(await store.all('SELECT unit FROM unit_state WHERE applied_at IS NOT NULL')).toEqual([]);
  expect(await verifyUser(store, 'admin', PASSWORD)).toMatchObject({ role: 'admin' });
  expect(await store.all('PRAGMA foreign_key_check')).toEqual([]);

  // Over: neither the page nor the form offers it again.
  const again = await house.actor('admin', undefined, 'again');
  expect(words((await house.send('GET', PAGE, { session: again })).text)).toContain('First start is over');
  expect((await house.send('GET', OVERVIEW, { session: again })).text).not.toContain(`href="${PAGE}"`);
  const refused = await post(house, again, { ...FORM, file: whole });
  expect(refused.status).toBe(409);
});

describe('refused, and nothing is saved', () => {
  let house: House;
  let admin: Credentials;
  beforeAll(async () => {
    ({ house, admin } = await another());
  });
  const other = newIdentity(systemEntropy).identity;

  test.each([
    ['without the own password', { own_password: '' }, 422, 'own_password'],
    ['with another one', { own_password: 'C4nary of a guess' }, 422, 'own_password'],
    ['without a file', { file: '' }, 422, 'file'],
    ['with what is no archive', { file: Buffer.from('hello').toString('base64') }, 422, 'file'],
    ['without an identity', { identity: '' }, 422, 'identity'],
    ['with another identity', { identity: other }, 422, 'identity'],
  ])('%s', async (_what, fields, status, field) => {
    const before = await bytesOf(house, true);
    const refused = await post(house, admin, { ...FORM, file: whole, ...fields });
    expect(refused.status).toBe(status);
    expect(refused.text).toContain(`id="${field}-error"`);
    for (const secret of ['C4nary', other, OWNER.identity]) expect(refused.text).not.toContain(secret);
    expect((await bytesOf(house, true)).equals(before)).toBe(true);
    expect(await house.services.store.all('SELECT * FROM mutation_lock')).toEqual([]);
  });

  test('by whoever may not restore', async () => {
    const { house: fresh } = await another();
    const viewer = await fresh.actor('viewer');
    expect((await post(fresh, viewer, { ...FORM, file: whole })).status).toBe(403);
    expect((await fresh.send('GET', OVERVIEW, { session: viewer })).text).not.toContain(PAGE);
  });
});

describe('first start is over once', () => {
  const api = (house: House, admin: Credentials, method: string, path: string, body: object) =>
    house.send(method, path, { token: admin.token, body, headers: { 'if-match': '*' } }).then((heard) => {
      if (heard.status >= 300) throw new Error(`${path}: ${heard.text}`);
    });
  test.each<[string, (house: House, admin: Credentials) => Promise<unknown>]>([
    ['a zone was saved', (house, admin) => api(house, admin, 'POST', '/api/v1/dns/zones', { name: 'lab.example' })],
    [
      'a setting was saved',
      (house, admin) =>
        api(house, admin, 'PATCH', '/api/v1/ntp/settings', { enabled: true, listen_interfaces: ['ens192'] }),
    ],
    ['there is a second account', (house) => house.actor('viewer', undefined, 'second')],
    [
      'another interface was given a role',
      async (house) => {
        const { store } = house.services;
        const sql = "UPDATE interface SET role = 'access', ipv4_cidr = '10.9.0.1/24' WHERE name = 'ens224'";
        await store.write((tx) => tx.run(sql));
      },
    ],
  ])('%s', async (_what, change) => {
    const { house, admin } = await another();
    await change(house, admin);
    expect(words((await house.send('GET', PAGE, { session: admin })).text)).toContain('First start is over');
    const before = await bytesOf(house, true);
    expect((await post(house, admin, { ...FORM, file: whole })).status).toBe(409);
    expect((await bytesOf(house, true)).equals(before)).toBe(true);
  });
});

test('an archive without secrets leaves the account of here, and its session', async () => {
  const { house, admin } = await another();
  const { status } = await post(house, admin, { own_password: PASSWORD, file: plain });
  expect(status).toBe(303);
  expect(await usersOf(house)).toMatchObject([{ name: 'admin', id: admin.user.id }]);
  expect((await house.send('GET', OVERVIEW, { session: admin })).status).toBe(200);
  expect((await bytesOf(house, false)).equals(await bytesOf(former, false))).toBe(true);
});

test('adapters are found by MAC address, then by name; on a machine with others the interfaces of here may stay', async () => {
  const moved = LINKS.map((link, at) => ({ ...link, name: `enp${at}s0` }));
  const renamed = await another({ links: moved });
  expect((await post(renamed.house, renamed.admin, { ...FORM, file: whole })).status).toBe(303);
  const roles = (of: House) =>
    of.services.store.all('SELECT mac_address, role FROM interface ORDER BY mac_address, name');
  expect(await roles(renamed.house)).toEqual(await roles(former));

  const [first] = LINKS;
  const strange = await another({ links: [{ ...first!, name: 'eth9', mac_address: '02:00:00:00:00:09' }] });
  const refused = await post(strange.house, strange.admin, { ...FORM, file: whole });
  expect(refused.status).toBe(409);
  expect(words(refused.text)).toContain('stands in the way');
  expect(await usersOf(strange.house)).toHaveLength(1);
  // What names interfaces that are not here can be left out, too.
  const half = await post(strange.house, strange.admin, { ...FORM, file: whole, leave_out: 'network' });
  expect(half.status).toBe(409);
  expect(words(half.text)).toContain('There is no interface of this name');
  const listening = [
    'network',
    'firewall',
    'dns-dhcp',
    'ntp',
    'kms',
    'private-cloud-services',
    'storage',
    'network-boot',
  ];
  const found = await roles(strange.house);
  const rest = await post(strange.house, strange.admin, { ...FORM, file: whole, leave_out: listening });
  expect(rest.status).toBe(303);
  expect(await roles(strange.house)).toEqual(found);
  expect(await usersOf(strange.house)).toEqual(await usersOf(former));
  const { store } = strange.house.services;
  expect(await store.all('SELECT 1 AS yes FROM certificate_authority')).not.toEqual([]);
});

test('neither a value, a hash, an identity nor a guess is left in an answer, a line or a row of history', async () => {
  const hashes = (await former.services.store.all<{ password_hash: string }>('SELECT password_hash FROM user')).map(
    ({ password_hash }) => password_hash,
  );
  const said = [lines.join('\n'), ...opened.flatMap(({ heard }) => heard.map(({ answer }) => answer.body))];
  for (const { services } of opened)
    for (const table of ['audit_event', 'archive', 'idempotency_key', 'job'])
      said.push(JSON.stringify(await services.store.all(`SELECT * FROM ${table}`)));
  for (const canary of [VALUE, OWNER.identity, 'C4nary of a guess', ...hashes])
    expect(said.filter((text) => text.includes(canary))).toEqual([]);
});
