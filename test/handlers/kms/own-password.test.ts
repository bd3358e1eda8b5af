// Nobody is let in to keys, and no destroyed key comes back, without the own password: not by a session that was left open, and
// not by a token that was stolen.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { instant } from '../../../shared/ground/clock.ts';
import { clientPem } from '../../setup/client-pem.ts';
import { type Credentials, House, PASSWORD } from '../../setup/house.ts';

const UI = '/ui/management/kms';
const API = '/api/v1/kms';
const PEM = await clientPem('vc01.lab.example');
const GUESS = 'C4nary of a guess';
let house: House;
let admin: Credentials;
let stolen: Credentials;
let provider_id: string;
const lines: string[] = [];

beforeAll(async () => {
  house = await House.open({ ticker: false, log: (line) => lines.push(line) });
  admin = await house.actor('admin', undefined, 'ada');
  stolen = await house.actor('admin', ['write:kms'], 'bob');
  provider_id = (await api('POST', '/providers', { name: 'one' })).body.id;
  const ca = { enabled: true, key_algorithm: 'ecdsa-p256' };
  await house.send('PATCH', '/api/v1/certificate-authority/settings', { token: admin.token, body: ca });
  await house.send('POST', '/api/v1/certificate-authority/root', { token: admin.token });
});
afterAll(() => house.close());

const api = (method: string, path: string, body?: object, { token } = admin) =>
  house.send(method, `${API}${path}`, { token, ...(body && { body }) });
const clients = async () => (await api('GET', '/clients')).body.items;

const of = () => ({ provider_id, name: 'vc01' });
const WAYS = {
  '': () => ({ ...of(), certificate: PEM }),
  '/with-key': () => ({ ...of(), names: ['vc01.lab.example'] }),
};

test.each(Object.entries(WAYS))('a token lets nobody in at /clients%s without it', async (path, body) => {
  const none = await api('POST', `/clients${path}`, body(), stolen);
  const wrong = await api('POST', `/clients${path}`, { ...body(), own_password: GUESS }, stolen);
  for (const { status, body: said } of [none, wrong])
    expect([status, said.errors[0].pointer]).toEqual([422, '/own_password']);
  expect(await clients()).toEqual([]);
  expect(await house.services.store.one('SELECT action, outcome FROM audit_event ORDER BY seq DESC LIMIT 1')).toEqual({
    ...{ action: 'kms.client.create', outcome: 'failure' },
  });
  const right = await api('POST', `/clients${path}`, { ...body(), own_password: PASSWORD }, stolen);
  expect(right.status).toBe(201);
  const { id } = right.body.client ?? right.body;
  expect((await api('DELETE', `/clients/${id}`)).status).toBe(204);
});

test('neither does a session, whose page asks for it and fills it in never', async () => {
  const form = { ...WAYS[''](), own_password: GUESS };
  const { status, text } = await house.send('POST', `${UI}/clients/upload`, { session: admin, form });
  expect(status).toBe(422);
  expect(text).toContain('id="own_password-error"');
  expect(text).not.toContain(GUESS);
  expect(await clients()).toEqual([]);
  const right = await house.send('POST', `${UI}/clients/upload`, {
    session: admin,
    form: { ...form, own_password: PASSWORD },
  });
  expect(right.status).toBe(303);
  expect(await clients()).toHaveLength(1);
});

test('a destroyed key comes back with it alone', async () => {
  const at = instant(house.services.clock.now());
  await house.services.store.write((tx) =>
    tx.run(
      `INSERT INTO kms_key (id, provider_id, origin, state, length_bits, usage_mask, destroyed_at, kek_id, sealed_key,
         sealed_value, created_by, created_at, changed_at)
       VALUES ('key_gone', ?, 'created', 'active', 256, 12, ?, 'k', 'k', 'v', 'vc01', ?, ?)`,
      [provider_id, at, at, at],
    ),
  );
  const overview = await house.send('GET', '/ui/management', { session: admin });
  expect(overview.text).toContain('Clients of one destroyed a key');
  const { destroyed } = (await api('GET', '/protection')).body;
  expect(destroyed).toMatchObject([{ provider: 'one', keys: 1 }]);
  const path = '/keys/key_gone/bring-back';
  expect((await api('POST', path, { own_password: GUESS }, stolen)).status).toBe(422);
  const left = await house.send('POST', `${UI}${path}`, { session: admin, form: { own_password: GUESS } });
  expect([left.status, (await api('GET', '/keys/key_gone')).body.state]).toEqual([422, 'destroyed']);
  const back = await house.send('POST', `${UI}${path}`, { session: admin, form: { own_password: PASSWORD } });
  expect([back.status, (await api('GET', '/keys/key_gone')).body.state]).toEqual([303, 'active']);
  expect((await house.send('GET', '/ui/management', { session: admin })).text).not.toContain('destroyed a key');
});

test('a certificate that ends within 30 days, or has just ended, is told', async () => {
  const { store, clock } = house.services;
  const days = (count: number) => new Date(clock.now().getTime() + count * 86_400_000).toISOString();
  const told = async (not_after: string) => {
    await store.write((tx) => tx.run('UPDATE kms_client SET not_after = ?', [not_after]));
    return (await api('GET', '/protection')).body.expiring.length;
  };
  expect([await told(days(31)), await told(days(-31)), await told(days(-1)), await told(days(29))]).toEqual([
    ...[0, 0, 1, 1],
  ]);
  for (const path of ['/ui/management', UI])
    expect((await house.send('GET', path, { session: admin })).text).toContain('The certificate of vc01 (one) ends at');
});

test('no guess is in a log line or an audit row', async () => {
  const rows = JSON.stringify(await house.services.store.all('SELECT * FROM audit_event'));
  expect(rows + lines.join('')).not.toContain(GUESS);
});
