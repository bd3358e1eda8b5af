// Lists that are of no declared collection: users, API tokens, jobs, certificates, entries of vaults and VLANs. What is done with
// their chosen rows, by whom, and what their files have and never have.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { SCHEDULE_KIND } from '../../shared/appliance/archive/schedule/tasks.ts';
import { queueJob } from '../../shared/kernel/jobs/job.ts';
import { type Credentials, House, PASSWORD } from '../setup/house.ts';
import { plainRequest } from '../setup/signing-request.ts';

jest.setTimeout(300_000);

const UI = '/ui/management';
let house: House;
let admin: Credentials;
let viewer: Credentials;
let networker: Credentials;

beforeAll(async () => {
  house = await House.open({ ticker: false });
  admin = await house.actor('admin', undefined, 'ada');
  viewer = await house.actor('viewer', undefined, 'vera');
  networker = await house.actor('network-admin', undefined, 'nils');
}, 300_000);
afterAll(() => house?.close());

const api = (method: string, path: string, body?: object, token = admin.token) =>
  house.send(method, `/api/v1${path}`, { token, ...(body && { body }) });
const shown = async (path: string, session: Credentials = admin) =>
  (await house.send('GET', `${UI}${path}`, { session })).text;

type Fields = Record<string, string | string[]>;

/** Sends the form of a list, and answers with the audit events of this request: jobs that end beside it write their own. */
async function choose(list: string, form: Fields, session: Pick<Credentials, 'cookie' | 'csrf'> = admin) {
  const heard = await house.send('POST', `${UI}${list}/chosen`, { session, form });
  const events = await house.services.store.all<{ action: string }>(
    'SELECT action FROM audit_event WHERE request_id = ? ORDER BY seq',
    [heard.headers['x-request-id']!],
  );
  return { ...heard, audited: events.map(({ action }) => action) };
}

async function made(path: string, body: object): Promise<{ id: string }> {
  const heard = await api('POST', path, body);
  expect([heard.status, heard.text]).toEqual([201, heard.text]);
  return (heard.body.token ?? heard.body) as { id: string };
}

describe('users', () => {
  const add = async (name: string) =>
    (await made('/users', { name, role: 'viewer', password: `a long phrase of ${name} 7` })).id;
  const enabled = async (id: string) => (await api('GET', `/users/${id}`)).body.enabled as boolean;

  test('are asked about with the own password, and disabled with one event each', async () => {
    const ids = [await add('chosen1'), await add('chosen2')];
    const at = 'search=chosen&sort=-name';
    const asked = await choose('/users', { ids, verb: 'disable', at });
    expect(asked.status).toBe(422);
    expect(asked.text).toContain('Disable these 2 users?');
    expect(asked.text).toContain('name="own_password"');
    expect(asked.text).not.toContain('This is not your password');
    const form = { ids, verb: 'disable', confirm: 'on', at };
    const wrong = await choose('/users', { ...form, own_password: 'canary-of-a-wrong-phrase' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('This is not your password.');
    expect(wrong.text).toContain('Disable these 2 users?');
    expect(wrong.text).not.toContain('canary-of-a-wrong-phrase');
    expect(await Promise.all(ids.map(enabled))).toEqual([true, true]);
    const done = await choose('/users', { ...form, own_password: PASSWORD });
    expect([done.status, done.headers.location]).toEqual([303, `${UI}/users?search=chosen&sort=-name`]);
    expect(done.audited).toEqual(['user.update', 'user.update']);
    expect(await Promise.all(ids.map(enabled))).toEqual([false, false]);
    expect(await shown('/users?state=disabled&search=CHOSEN')).toContain('>chosen2</a>');
    expect(await shown('/users?state=enabled&search=chosen')).toContain('No user matches this filter.');
  });

  test('that somebody changed are not deleted, and nor are those chosen with them', async () => {
    const [one, two] = [await add('seen1'), await add('seen2')];
    await api('PATCH', `/users/${two}`, { role: 'network-admin' });
    const form = { ids: [`${one}@1`, `${two}@1`], verb: 'delete', confirm: 'on', own_password: PASSWORD };
    const refused = await choose('/users', form);
    expect([refused.status, refused.audited]).toEqual([409, []]);
    expect(refused.text).toContain('seen2: somebody changed it meanwhile.');
    expect((await api('GET', `/users/${one}`)).status).toBe(200);
    const gone = await choose('/users', { ...form, ids: [`${one}@1`, `${two}@2`] });
    expect([gone.status, gone.audited]).toEqual([303, ['user.delete', 'user.delete']]);
  });

  test('keep the last admin, whose own row has no box', async () => {
    const other = await add('beside');
    const { items } = (await api('GET', '/users?name=ada')).body as { items: { id: string }[] };
    const ids = [other, items[0]!.id];
    const refused = await choose('/users', { ids, verb: 'disable', confirm: 'on', own_password: PASSWORD });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('ada: ');
    expect(await enabled(other)).toBe(true);
    expect(await shown('/users')).not.toContain(`id="choose-${items[0]!.id}"`);
  });

  test('are chosen by nobody who may not', async () => {
    const id = await add('untouched');
    const form = { ids: id, verb: 'delete', confirm: 'on', own_password: PASSWORD };
    expect((await choose('/users', form, networker)).status).toBe(403);
    expect((await choose('/users', form, { ...admin, csrf: viewer.csrf })).status).toBe(403);
    expect((await api('GET', `/users/${id}`)).status).toBe(200);
  });

  test('come in pages of an order, each once, and as a file without what lets them in', async () => {
    await house.services.store.write(async (tx) => {
      for (let at = 0; at < 230; at++) {
        await tx.run(
          `INSERT INTO user (id, name, role, password_hash, created_at, updated_at)
            VALUES (?, ?, 'viewer', 'canary-hash', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
          [`user_${String(at).padStart(16, '0')}`, `many${String(at).padStart(3, '0')}`],
        );
      }
    });
    for (const sort of ['', '-name', 'role', '-updated_at', 'enabled']) {
      const seen: string[] = [];
      let query = `?search=many&sort=${sort}`;
      for (let pages = 0; query !== '' && pages < 5; pages++) {
        const text = await shown(`/users${query}`);
        seen.push(...[...text.matchAll(/>(many\d{3})<\/a>/g)].map(([, name]) => name!));
        const next = /href="[^"]*(\?[^"]*cursor=[^"]*)"[^>]*>Next page/.exec(text)?.[1] ?? '';
        query = next.replaceAll('&amp;', '&');
      }
      expect([sort, seen.length, new Set(seen).size]).toEqual([sort, 230, 230]);
    }
    const file = await house.send('GET', `${UI}/users.csv?search=many&sort=-name`, { session: admin });
    const [head, first, ...rest] = file.text.trim().split('\r\n');
    expect(head).toBe('id,name,role,enabled,external,created_at,updated_at,revision');
    expect([first!.split(',')[1], rest.length]).toEqual(['many229', 229]);
    expect(file.text).not.toContain('canary-hash');
  });
});

describe('API tokens', () => {
  const add = async (name: string, token = admin.token): Promise<{ id: string; secret: string }> => {
    const { body } = await api('POST', '/tokens', { name, scopes: ['read:dns', 'write:tokens'] }, token);
    return { id: body.token.id as string, secret: body.secret as string };
  };
  const state = async (id: string) => (await api('GET', `/tokens/${id}`)).body.state as string;

  test('are revoked together, also with those that they made', async () => {
    const maker = await add('maker');
    const child = await add('child', maker.secret);
    const other = await add('other');
    const ids = [maker.id, child.id, other.id];
    const asked = await choose('/api-tokens', { ids, verb: 'revoke' });
    expect([asked.status, asked.audited]).toEqual([422, []]);
    expect(asked.text).toContain('Revoke these 3 tokens?');
    const done = await choose('/api-tokens', { ids, verb: 'revoke', confirm: 'on' });
    expect([done.status, done.audited]).toEqual([303, ['token.revoke', 'token.revoke', 'token.revoke']]);
    expect(await Promise.all(ids.map(state))).toEqual(['revoked', 'revoked', 'revoked']);
    const again = await choose('/api-tokens', {
      ids: [other.id, (await add('kept')).id],
      verb: 'revoke',
      confirm: 'on',
    });
    expect(again.status).toBe(409);
    expect(again.text).toContain('other: This token is already revoked.');
  });

  test('of others are nobody’s to revoke or to see but an admin’s', async () => {
    const { id, secret } = await add('of-ada');
    const refused = await choose('/api-tokens', { ids: id, verb: 'revoke', confirm: 'on' }, networker);
    expect([403, 422]).toContain(refused.status);
    expect(await state(id)).toBe('active');
    const file = await house.send('GET', `${UI}/api-tokens.csv?search=of-ada`, { session: admin });
    expect(file.text).toContain(id);
    expect(file.text).not.toContain(secret.slice(24));
    expect(file.text.split('\r\n')[0]).not.toContain('hmac');
    const theirs = await house.send('GET', `${UI}/api-tokens.csv`, { session: networker });
    expect(theirs.text).not.toContain(id);
  });
});

describe('jobs', () => {
  const queued = (kind = 'unknown-kind') =>
    house.services.store.write((tx) =>
      queueJob(tx, new Date(), house.services.entropy, {
        kind,
        subject: null,
        input: { note: 'canary-of-an-input' },
        created_by: 'ada',
        tasks: [{ name: 'one', title: 'One' }],
      }),
    );
  const asked = async (id: string) => {
    const sql = 'SELECT cancel_requested FROM job WHERE id = ?';
    return (await house.services.store.one<{ cancel_requested: number }>(sql, [id]))!.cancel_requested;
  };

  test('are asked to stop together; one that may not be stopped keeps all of them going', async () => {
    const ids = [await queued(), await queued()];
    expect(await shown('/jobs?state=queued&sort=kind')).toContain(`id="choose-${ids[0]}"`);
    const question = await choose('/jobs', { ids, verb: 'cancel', at: 'state=queued' }, networker);
    expect(question.status).toBe(422);
    expect(question.text).toContain('Cancel these 2 jobs?');
    const archive = await queued(SCHEDULE_KIND);
    const form = { ids: [...ids, archive], verb: 'cancel', confirm: 'on' };
    const refused = await choose('/jobs', form, networker);
    expect([refused.status, refused.audited]).toEqual([403, []]);
    expect(await Promise.all(ids.map(asked))).toEqual([0, 0]);
    const done = await choose('/jobs', form);
    expect([done.status, done.audited]).toEqual([303, ['job.cancel', 'job.cancel', 'job.cancel']]);
  });

  test('that ended are refused by name, and the file has no input', async () => {
    const id = await queued();
    await house.services.store.write((tx) => tx.run("UPDATE job SET state = 'succeeded' WHERE id = ?", [id]));
    const other = await queued();
    const refused = await choose('/jobs', { ids: [other, id], verb: 'cancel', confirm: 'on' });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('This job has already succeeded.');
    expect(await asked(other)).toBe(0);
    const done = await choose('/jobs', { ids: other, verb: 'cancel', confirm: 'on' });
    expect([done.status, done.audited]).toEqual([303, ['job.cancel']]);
    expect(await asked(other)).toBe(1);
    const file = await house.send('GET', `${UI}/jobs.csv?state=succeeded`, { session: viewer });
    expect(file.text).toContain(id);
    expect(file.text).not.toContain(other);
    expect(file.text).not.toContain('canary-of-an-input');
  });
});

describe('entries of vaults', () => {
  test('are deleted as they were seen, and their values are in no file', async () => {
    const { id: vault } = await made('/vaults', { name: 'lab' });
    const entry = async (key: string) =>
      (await made(`/vaults/${vault}/entries`, { key, username: 'root', value: 'canary-of-a-value' })).id;
    const [one, two] = [await entry('esx01'), await entry('esx02')];
    const list = `/vaults/${vault}/entries`;
    await api('PATCH', `${list}/${two}`, { username: 'admin' });
    const form = { ids: [`${one}@1`, `${two}@1`], verb: 'delete' };
    const question = await choose(list, form);
    expect(question.text).toContain('Delete these 2 entries?');
    const stale = await choose(list, { ...form, confirm: 'on' });
    expect([stale.status, stale.audited]).toEqual([409, []]);
    const file = await house.send('GET', `${UI}${list}.csv?search=esx&sort=-key`, { session: admin });
    expect(
      file.text
        .trim()
        .split('\r\n')
        .slice(1)
        .map((row) => row.split(',')[1]),
    ).toEqual(['esx02', 'esx01']);
    expect(file.text).not.toContain('canary-of-a-value');
    const absent = await house.send('GET', `${UI}/vaults/vault_absent/entries.csv`, { session: admin });
    expect(absent.status).toBe(404);
    const done = await choose(list, { ...form, ids: [`${one}@1`, `${two}@2`], confirm: 'on', at: 'sort=-key' });
    expect([done.status, done.headers.location]).toEqual([303, `${UI}/vaults/${vault}?sort=-key`]);
    expect(done.audited).toEqual(['vault.entry.delete', 'vault.entry.delete']);
    const { id: other } = await made('/vaults', { name: 'other' });
    const kept = await entry('esx03');
    const elsewhere = await choose(`/vaults/${other}/entries`, { ids: kept, verb: 'delete', confirm: 'on' });
    expect(elsewhere.status).toBe(422);
    expect(elsewhere.text).toContain('One of the chosen rows is gone');
    expect((await api('GET', `${list}/${kept}`)).status).toBe(200);
  });
});

describe('certificates', () => {
  const AUTHORITY = '/certificate-authority';

  test('are revoked together for one reason, or none of them', async () => {
    await api('PATCH', `${AUTHORITY}/settings`, { enabled: true, key_algorithm: 'ecdsa-p256' });
    await made(`${AUTHORITY}/root`, {});
    const sign = async (name: string) => {
      const { csr } = plainRequest();
      return (await made(`${AUTHORITY}/certificates`, { csr, profile: 'server', names: [name] })).id;
    };
    const ids = [await sign('one.lab.example'), await sign('two.lab.example'), await sign('three.lab.example')];
    const list = `${AUTHORITY}/certificates`;
    const form = { ids: ids.slice(0, 2), verb: 'revoke', revocation_reason: 'superseded' };
    const question = await choose(list, form);
    expect([question.status, question.audited]).toEqual([422, []]);
    expect(question.text).toContain('Revoke these 2 certificates?');
    const done = await choose(list, { ...form, confirm: 'on', at: 'state=valid&sort=-not_after' });
    expect([done.status, done.headers.location]).toEqual([303, `${UI}${list}?state=valid&sort=-not_after`]);
    expect(done.audited).toEqual(['certificate.revoke', 'certificate.revoke']);
    const again = await choose(list, { ...form, ids: [ids[2]!, ids[0]!], confirm: 'on' });
    expect([again.status, again.audited]).toEqual([409, []]);
    expect(again.text).toContain('one.lab.example: This certificate was revoked at');
    const states = await Promise.all(ids.map(async (id) => (await api('GET', `${list}/${id}`)).body.state));
    expect(states).toEqual(['revoked', 'revoked', 'valid']);
    const file = await house.send('GET', `${UI}${list}.csv?state=revoked&sort=subject`, { session: viewer });
    const names = file.text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((row) => row.split(',')[2]);
    expect(names).toEqual(['one.lab.example', 'two.lab.example']);
    expect(file.text).not.toContain('PRIVATE');
    expect((await choose(list, { ...form, ids: ids[2]!, confirm: 'on' }, viewer)).status).toBe(403);
  });
});

describe('VLANs', () => {
  test('are deleted together, unless one is still needed', async () => {
    await api('PATCH', '/interfaces/physical/ens256', { mode: 'trunk', enabled: true });
    const vlan = async (vlan_id: number) =>
      (
        await made('/vlans', {
          parent_interface: 'ens256',
          vlan_id,
          role: 'access',
          ipv4_cidr: `10.4.${vlan_id}.2/24`,
          enabled: true,
        })
      ).id;
    const [one, two, ten] = [await vlan(21), await vlan(22), await vlan(110)];
    const text = await shown('/vlans?search=10.4.&sort=-number');
    expect([...text.matchAll(/>(ens256\.\d+)<\/a>/g)].map(([, name]) => name)).toEqual([
      'ens256.110',
      'ens256.22',
      'ens256.21',
    ]);
    const file = await house.send('GET', `${UI}/vlans.csv?search=10.4.&sort=number`, { session: viewer });
    expect(
      file.text
        .trim()
        .split('\r\n')
        .slice(1)
        .map((row) => row.split(',')[0]),
    ).toEqual(['ens256.21', 'ens256.22', 'ens256.110']);
    await api('PATCH', `/vlans/${two}`, { mtu: 1400 });
    const form = { ids: [`${one}@1`, `${two}@1`], verb: 'delete', at: 'sort=-number' };
    expect((await choose('/vlans', form)).text).toContain('Delete these 2 VLANs?');
    const stale = await choose('/vlans', { ...form, confirm: 'on' });
    expect([stale.status, stale.audited]).toEqual([409, []]);
    expect(stale.text).toContain('ens256.22: somebody changed it meanwhile.');
    expect((await api('GET', `/vlans/${one}`)).status).toBe(200);
    const done = await choose('/vlans', { ...form, ids: [`${one}@1`, `${two}@2`], confirm: 'on' });
    expect([done.status, done.headers.location]).toEqual([303, `${UI}/vlans?sort=-number`]);
    expect(done.audited).toEqual(['network.vlan.delete', 'network.vlan.delete']);
    expect((await choose('/vlans', { ids: ten, verb: 'delete', confirm: 'on' }, viewer)).status).toBe(403);
  });
});
