// Factory reset over the API and on its page: what goes, what stays, and who may.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FORGOTTEN, NOT_FORGOTTEN } from '../../../shared/appliance/archive/reset.ts';
import { DECLARED } from '../../../shared/appliance/archive/tables.ts';
import { newIdentity } from '../../../shared/ground/age/x25519.ts';
import { systemEntropy } from '../../../shared/ground/clock.ts';
import { listSnapshots } from '../../../shared/ground/store/snapshots.ts';
import { startSession } from '../../../shared/kernel/access/session.ts';
import { verifyUser } from '../../../shared/kernel/access/user.ts';
import { verifyAudit } from '../../../shared/kernel/audit/audit.ts';
import { furnish } from '../../setup/furnish.ts';
import { type Credentials, House, PASSWORD, type Send } from '../../setup/house.ts';
import { bytesOf } from '../../shared/appliance/archive/scene.ts';

const API = '/api/v1/factory-reset';
const PAGE = '/ui/management/factory-reset';
const NAME = 'gc01.lab.example';
const VALUE = 'C4nary-Value';
const OWNER = newIdentity(systemEntropy);
const BODY = { confirm: NAME, own_password: PASSWORD };

const lines: string[] = [];
const opened: House[] = [];

async function lived(): Promise<{ house: House; admin: Credentials }> {
  const house = await House.open({ accounts_travel: true, log: (line) => void lines.push(line), ticker: false });
  opened.push(house);
  const admin = await house.actor('admin', undefined, 'ada');
  await furnish(house, admin);
  const vault = await house.send('POST', '/api/v1/vaults', { token: admin.token, body: { name: 'canaries' } });
  await house.send('POST', `/api/v1/vaults/${vault.body.id}/entries`, {
    token: admin.token,
    body: { key: 'esx01.root', value: VALUE },
  });
  // What the furniture left running has ended.
  await house.services.store.write((tx) => tx.run("UPDATE job SET state = 'cancelled' WHERE finished_at IS NULL"));
  return { house, admin };
}
afterAll(async () => {
  for (const house of opened) await house.close();
});

/** Another session of a user. */
async function signedIn({ services }: House, user_id: string): Promise<Pick<Credentials, 'cookie' | 'csrf'>> {
  return services.store.write(async (tx) => {
    const { id } = await startSession(tx, services, user_id, '127.0.0.1', null);
    const [row] = await tx.all<{ csrf_token: string }>('SELECT csrf_token FROM session WHERE user_id = ?', [user_id]);
    return { cookie: `groundcrew_session=${id}`, csrf: row!.csrf_token };
  });
}

const send = (house: House, admin: Credentials, body: object, query = '', more: Send = {}) =>
  house.send('POST', `${API}${query}`, { token: admin.token, body, ...more });
const post = (house: House, session: Credentials, form: Record<string, string>) =>
  house.send('POST', PAGE, { session, form });

test('each table is of an archive, is forgotten, or stays for a reason', () => {
  const rest = [...DECLARED].flatMap(([name, { as }]) => (as === 'desired' || as === 'sealed' ? [] : [name]));
  expect([...FORGOTTEN, ...Object.keys(NOT_FORGOTTEN)].sort()).toEqual(rest.sort());
});

describe('of a lived-in appliance', () => {
  let house: House;
  let admin: Credentials;
  let former: Buffer;
  let archive: string;
  beforeAll(async () => {
    ({ house, admin } = await lived());
    const encryption = { encryption: 'recipients', recipients: [OWNER.recipient] };
    const { body } = await house.send('POST', '/api/v1/archives', { token: admin.token, body: encryption });
    archive = (await readFile(join(house.data, 'archives', `${body.id}.gcarchive`))).toString('base64');
    former = await bytesOf(house, true);
  }, 60_000);

  test.each([
    ['another name', { ...BODY, confirm: 'gc02.lab.example' }, '/confirm'],
    ['no password', { confirm: NAME }, '/own_password'],
    ['another password', { ...BODY, own_password: 'C4nary of a guess' }, '/own_password'],
  ])('%s is refused at its member, and nothing is lost', async (_what, body, pointer) => {
    const before = await bytesOf(house, true);
    const { status, body: said, text } = await send(house, admin, body);
    expect([status, said.errors[0].pointer]).toEqual([422, pointer]);
    expect(text).not.toContain('C4nary');
    expect((await bytesOf(house, true)).equals(before)).toBe(true);
    expect(await listSnapshots(house.data)).toEqual([]);
  });

  test('a token without every write scope is refused, and so is a viewer', async () => {
    const half = await house.actor('admin', ['write:archives', 'write:vaults'], 'half');
    expect((await send(house, half, BODY)).status).toBe(403);
    expect((await send(house, await house.actor('viewer'), BODY)).status).toBe(403);
  });

  test('a dry run says what would go, asks for no password and saves nothing', async () => {
    const before = await bytesOf(house, true);
    const { status, body, text } = await send(house, admin, { confirm: NAME }, '?dry_run=true');
    expect([status, body.snapshot]).toEqual([200, null]);
    expect(body.units.map(({ unit }: { unit: string }) => unit)).toEqual(
      expect.arrayContaining(['vaults', 'network', 'dns-dhcp', 'certificate-authority', 'network-boot']),
    );
    expect(text).not.toContain('C4nary');
    const page = await post(house, admin, { confirm: NAME, dry_run: 'true' });
    expect(page.status).toBe(200);
    expect(page.text).toContain('nothing was saved');
    expect((await bytesOf(house, true)).equals(before)).toBe(true);
  });

  test('while a job runs it is refused', async () => {
    const { store } = house.services;
    const [job] = await store.all<{ id: string; state: string }>('SELECT id, state FROM job LIMIT 1');
    const to = (state: string) =>
      store.write((tx) => tx.run('UPDATE job SET state = ? WHERE id = ?', [state, job!.id]));
    await to('running');
    const refused = await send(house, admin, BODY);
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining(job!.id)]);
    await to(job!.state);
    expect(await listSnapshots(house.data)).toEqual([]);
  });

  test('then it is as at its first start, still reachable, with its log, a copy of before, and one account', async () => {
    const { store, keys } = house.services;
    const listening = () =>
      store.all("SELECT name, role, ipv4_cidr, ipv6_cidr FROM interface WHERE role = 'management' ORDER BY name");
    const [events, reached] = [await house.lastAudit(), await listening()];
    const { status, body, text } = await send(house, admin, BODY);
    expect([status, text]).toEqual([200, text]);
    expect(await listening()).toEqual(reached);
    expect(await listSnapshots(house.data)).toMatchObject([{ name: body.snapshot, occasion: 'before-reset' }]);
    const [, ...newer] = await store.all<{ seq: number }>('SELECT seq FROM audit_event WHERE seq >= ? ORDER BY seq', [
      events,
    ]);
    expect(newer).toHaveLength(1);
    expect(await house.audited(events)).toEqual(['appliance.reset']);
    expect(await verifyAudit(store, keys)).toMatchObject({ ok: true });
    for (const table of [
      'vault',
      'vault_entry',
      'dns_zone',
      'dns_record',
      'certificate_authority',
      'issued_certificate',
      'session',
      'api_token',
      ...FORGOTTEN,
    ])
      expect([table, await store.all(`SELECT 1 AS yes FROM ${table}`)]).toEqual([table, []]);
    expect(await store.all('SELECT name FROM user')).toEqual([{ name: 'ada' }]);
    expect(await verifyUser(store, 'ada', PASSWORD)).toMatchObject({ role: 'admin' });
    expect(await store.all('PRAGMA foreign_key_check')).toEqual([]);
    expect(await store.all('SELECT * FROM mutation_lock')).toEqual([]);
    // What is in force waits for the reviewed apply to take it away.
    const pending = 'SELECT unit FROM unit_state WHERE applied_at IS NOT NULL AND desired_version <> applied_version';
    expect(await store.all(pending)).not.toEqual([]);
    expect((await send(house, admin, BODY)).status).toBe(401);
  });

  test('from an archive of before it starts again, and has the bytes that it had', async () => {
    const session = await signedIn(house, admin.user.id);
    const { status, text } = await house.send('POST', '/ui/management/first-start', {
      session,
      form: { file: archive, identity: OWNER.identity, own_password: PASSWORD },
    });
    expect([status, text]).toEqual([303, '']);
    expect((await bytesOf(house, true)).equals(former)).toBe(true);
  });
});

test('by its page: the name and the own password; then the page of the first start', async () => {
  const { house, admin } = await lived();
  const page = await house.send('GET', PAGE, { session: admin });
  expect(page.text).toContain(`Type ${NAME}`);
  expect((await post(house, admin, { confirm: NAME })).status).toBe(422);
  expect((await post(house, admin, { confirm: 'x', own_password: PASSWORD })).status).toBe(422);
  const { status, headers } = await post(house, admin, { confirm: NAME, own_password: PASSWORD });
  expect([status, headers.location]).toEqual([303, '/ui/management/first-start']);
  expect((await house.send('GET', headers.location!, { session: admin })).headers.location).toContain('sign-in');
  const again = await house.services.store.all('SELECT name FROM user');
  expect(again).toEqual([{ name: 'ada' }]);
}, 60_000);

test('neither a value nor a guess is left in an answer, a line or a row of history', async () => {
  const said = [lines.join('\n'), ...opened.flatMap(({ heard }) => heard.map(({ answer }) => answer.body))];
  for (const { services } of opened)
    for (const table of ['audit_event', 'archive', 'idempotency_key', 'job', 'plan'])
      said.push(JSON.stringify(await services.store.all(`SELECT * FROM ${table}`)));
  expect(said.filter((text) => text.includes('C4nary'))).toEqual([]);
});
