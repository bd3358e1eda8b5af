// The certificate of the management UI over REST and its form: its key is nowhere but sealed, travels in encrypted archives
// alone, and an issued one is renewed by a plan.
import { createPrivateKey } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ensureDaemonCertificates } from '../../../shared/appliance/apply/daemon-certificates.ts';
import { UNITS } from '../../../shared/appliance/units.ts';
import { applyAll } from '../../setup/depot.ts';
import { type Credentials, House, PASSWORD } from '../../setup/house.ts';
import { selfSigned } from '../../setup/self-signed.ts';
import { bytesOf, membersOf, restore } from '../../shared/appliance/archive/scene.ts';

const TLS = '/api/v1/management-tls';
const PAGE = '/ui/management/management-tls';
const NAME = 'gc01.lab.example';
const lines: string[] = [];
const made = selfSigned(NAME, ['-days', '30', '-addext', `subjectAltName=DNS:${NAME}`]);
let house: House;
let admin: Credentials;

const call = async (method: string, path: string, body?: object) => {
  const heard = await house.send(method, path, { token: admin.token, ...(body && { body }) });
  if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.text}`);
  return heard.body;
};

const put = (body: object) => house.send('PUT', `${TLS}/certificate`, { token: admin.token, body });

beforeAll(async () => {
  house = await House.open({ log: (line) => void lines.push(line) });
  Object.assign(house.services.settings, { management_tls: true, management_port: 443, management_names: [NAME] });
  admin = await house.actor('admin');
}, 120_000);
afterAll(() => house.close());

/** Each way in which the key could be written down. */
function writings(): string[] {
  const secret = Buffer.from(createPrivateKey(made.private_key).export({ format: 'jwk' }).d!, 'base64url');
  const pem = made.private_key.split('\n').filter((line) => /^[A-Za-z0-9+/]{40,}$/.test(line));
  return [
    ...pem,
    secret.toString('base64url'),
    secret.toString('base64'),
    secret.toString('hex'),
    secret.toString('latin1'),
  ];
}

test('one that is not for a name of the management UI is refused at its field, and nothing is kept', async () => {
  const other = selfSigned('x.example', ['-days', '30', '-addext', 'subjectAltName=DNS:x.example']);
  const { status, body } = await put({ ...other, own_password: PASSWORD });
  expect([status, body.errors[0].pointer]).toEqual([422, '/certificate']);
  expect(await call('GET', TLS)).toMatchObject({ source: 'self_signed', uploaded: null });
  const none = await house.send('PATCH', `${TLS}/settings`, { token: admin.token, body: { source: 'uploaded' } });
  expect([none.status, none.body.errors[0].pointer]).toEqual([422, '/source']);
});

test('a token alone brings none: it takes the password of its user, and no guess is kept', async () => {
  const GUESS = 'C4nary of a guess';
  for (const own of [{}, { own_password: GUESS }]) {
    const { status, body } = await put({ ...made, ...own });
    expect([status, body.errors[0].pointer]).toEqual([422, '/own_password']);
  }
  expect(await call('GET', TLS)).toMatchObject({ source: 'self_signed', uploaded: null });
  const rows = await house.services.store.all('SELECT * FROM audit_event ORDER BY seq DESC LIMIT 1');
  expect(rows).toMatchObject([{ action: 'management-tls.certificate.upload', outcome: 'failure' }]);
  expect(JSON.stringify(rows) + lines.join('')).not.toContain(GUESS);
});

test('an uploaded one is chosen, planned and kept, and its key is nowhere but sealed', async () => {
  const form = { certificate: made.certificate, private_key: made.private_key, passphrase: '' };
  const upload = (own: object) => house.send('POST', `${PAGE}/upload`, { session: admin, form: { ...form, ...own } });
  // A session that was left open brings no certificate.
  expect((await upload({})).status).toBe(422);
  expect(await call('GET', TLS)).toMatchObject({ source: 'self_signed', uploaded: null });
  expect((await upload({ own_password: PASSWORD })).status).toBe(303);
  const { source, uploaded } = await call('GET', TLS);
  expect(source).toBe('uploaded');
  expect(uploaded).toMatchObject({ subject: `CN=${NAME}`, names: [NAME], key_algorithm: 'ecdsa-p256' });
  await applyAll(house, call as never);
  const { items } = await call('GET', '/api/v1/apply/plans');
  const plan = await call('GET', `/api/v1/apply/plans/${items[0].id}`);
  expect([plan.state, plan.units.map(({ id }: { id: string }) => id)]).toEqual([
    'applied',
    expect.arrayContaining(['management-tls']),
  ]);
  const seen = [JSON.stringify(plan), JSON.stringify(uploaded)];
  for (const path of ['', '/settings', '/upload'])
    seen.push((await house.send('GET', PAGE + path, { session: admin })).text);
  const open = await bytesOf(house, false);
  seen.push(open.toString('latin1'));
  expect(open.toString('latin1')).not.toContain(uploaded.sha256);
  const { store } = house.services;
  for (const table of ['plan', 'job', 'task', 'audit_event', 'idempotency_key', 'management_certificate'])
    seen.push(JSON.stringify(await store.all(`SELECT * FROM ${table}`)));
  const files = readdirSync(house.data, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));
  expect(files.some((path) => path.endsWith('management-tls/certificate.pem'))).toBe(true);
  seen.push(...files.map((path) => readFileSync(path, 'latin1')), ...lines);
  seen.push(...house.heard.map(({ answer }) => JSON.stringify(answer)));
  const all = seen.join('\n');
  expect(all).not.toMatch(/BEGIN (?:EC )?PRIVATE KEY-----\\?n?[A-Za-z0-9]/);
  for (const part of writings()) expect(all).not.toContain(part);
  // What is looked for is what there is: the certificate of the same upload is found.
  expect(all).toContain(uploaded.sha256);
});

test('a form that is refused keeps the certificate and asks for the key again', async () => {
  const form = { certificate: made.certificate, private_key: 'none', own_password: PASSWORD };
  const { status, text } = await house.send('POST', `${PAGE}/upload`, { session: admin, form });
  expect(status).toBe(422);
  expect(text).toContain('Expected its private key as PEM');
  expect(text).toContain(made.certificate.split('\n')[1]);
  const both = { ...form, certificate: `${made.private_key}${made.certificate}` };
  const again = await house.send('POST', `${PAGE}/upload`, { session: admin, form: both });
  expect(again.text).toContain(made.certificate.split('\n')[1]);
  expect(again.text).not.toContain(made.private_key.split('\n')[1]);
});

test('a certificate that ends is told on the overview and its page, a month before', async () => {
  const { settings } = house.services;
  const shown = (certificate: string) =>
    Object.assign(settings, { management_shown: { certificate, applied: true, fault: null } });
  const told = async () => {
    const texts = await Promise.all(
      ['/ui/management', PAGE].map((path) => house.send('GET', path, { session: admin })),
    );
    return texts.map(({ text }) => text.includes('The certificate of the management UI ends soon'));
  };
  shown(selfSigned(NAME, ['-days', '29']).certificate);
  expect(await told()).toEqual([true, true]);
  shown(selfSigned(NAME, ['-days', '60']).certificate);
  expect(await told()).toEqual([false, false]);
  delete settings.management_shown;
});

test('a PKCS #12 field full of blanks is refused', async () => {
  const { status } = await put({ pkcs12: `${' '.repeat(65_535)}!`, own_password: PASSWORD });
  expect(status).toBe(422);
});

test('an encrypted archive brings certificate and key to another appliance', async () => {
  const bytes = await bytesOf(house, true);
  expect([...(await membersOf(bytes)).keys()].join()).toContain('sealed/');
  const other = await House.open();
  try {
    await restore(other, bytes);
    const { token } = await other.actor('admin', undefined, 'ada');
    const { body } = await other.send('GET', TLS, { token });
    const { uploaded } = await call('GET', TLS);
    expect(body).toMatchObject({ source: 'uploaded', uploaded: { sha256: uploaded.sha256 } });
    // The key is sealed under the other one's keys, and opens there.
    expect((await bytesOf(other, true)).equals(bytes)).toBe(true);
  } finally {
    await other.close();
  }
}, 60_000);

test('an issued one is made before the plan, and anew in the last third of its life, which waits for a plan', async () => {
  await call('PATCH', '/api/v1/certificate-authority/settings', { enabled: true, key_algorithm: 'ecdsa-p256' });
  await call('POST', '/api/v1/certificate-authority/root', {});
  await call('PATCH', `${TLS}/settings`, { source: 'issued', names: [NAME] });
  await applyAll(house, call as never);
  const before = (await call('GET', '/api/v1/certificate-authority/certificates?purpose=management-tls')).items;
  expect(before).toHaveLength(1);
  expect(before[0].names[0]).toBe(NAME);
  expect(await ensureDaemonCertificates(house.services, UNITS)).toEqual([]);
  const [begins, ends] = [before[0].not_before, before[0].not_after].map((at: string) => Date.parse(at)) as [
    number,
    number,
  ];
  const at = (part: number) => ({ ...house.services, clock: { now: () => new Date(begins + (ends - begins) * part) } });
  expect(await ensureDaemonCertificates(at(0.6), UNITS)).toEqual([]);
  expect(await ensureDaemonCertificates(at(0.7), UNITS)).toEqual(['management-tls']);
  const plan = await call('POST', '/api/v1/apply/plans', { units: ['management-tls'] });
  expect(plan.units[0].says[0]).toContain(before[0].sha256);
  expect(plan.units[0].says.join(' ')).toContain('Clients that trust the root certificate');
}, 60_000);

test('the uploaded one can be removed once it is neither chosen nor in force, and its key is gone', async () => {
  const remove = () => house.send('DELETE', `${TLS}/certificate`, { token: admin.token });
  expect((await put({ ...made, own_password: PASSWORD })).status).toBe(200);
  const chosen = await remove();
  expect([chosen.status, chosen.body.detail]).toEqual([409, expect.stringContaining('chosen as the source')]);
  await applyAll(house, call as never);
  await call('PATCH', `${TLS}/settings`, { source: 'self_signed' });
  const used = await remove();
  expect([used.status, used.body.detail]).toEqual([409, expect.stringContaining('in force')]);
  await applyAll(house, call as never);
  expect((await house.send('GET', PAGE, { session: admin })).text).toContain('Remove it…');
  const asked = await house.send('GET', `${PAGE}/remove`, { session: admin });
  expect(asked.text).toContain(`CN=${NAME}`);
  expect((await house.send('POST', `${PAGE}/remove`, { session: admin, form: {} })).status).toBe(303);
  const { store } = house.services;
  expect(await store.all('SELECT * FROM management_certificate')).toEqual([]);
  expect((await call('GET', TLS)).uploaded).toBeNull();
  expect((await remove()).status).toBe(404);
  const last = "SELECT action FROM audit_event WHERE action LIKE 'management-tls.%' ORDER BY seq DESC LIMIT 1";
  expect(await store.one(last)).toEqual({ action: 'management-tls.certificate.delete' });
}, 60_000);

test('an earlier plan brings no upload back, and its review says so', async () => {
  const upload = async (pair: object) => expect((await put({ ...pair, own_password: PASSWORD })).status).toBe(200);
  await upload(made);
  await applyAll(house, call as never);
  const [{ id: earlier }] = (await call('GET', '/api/v1/apply/plans')).items;
  await call('PATCH', `${TLS}/settings`, { source: 'self_signed' });
  await applyAll(house, call as never);
  expect((await house.send('DELETE', `${TLS}/certificate`, { token: admin.token })).status).toBe(204);
  const restored = async () => {
    const { plan_id } = await call('POST', `/api/v1/apply/plans/${earlier}/restore`);
    return (await call('GET', `/api/v1/apply/plans/${plan_id}`)).units[0];
  };
  const without = await restored();
  expect(without.check).toMatchObject({ ok: false });
  expect(without.check.faults.join()).toContain('an earlier plan brings none back: upload it');
  expect(without.says.join()).toContain('No uploaded certificate is kept, so this can’t be applied');
  const other = selfSigned(NAME, ['-days', '30', '-addext', `subjectAltName=DNS:${NAME}`]);
  await upload(other);
  await call('PATCH', `${TLS}/settings`, { source: 'self_signed' });
  const instead = await restored();
  const { uploaded } = await call('GET', TLS);
  expect(instead.check).toMatchObject({ ok: true });
  expect(instead.says.join()).toMatch(
    new RegExp(`From then on it is .*${uploaded.sha256}.*brings no former upload back`),
  );
}, 60_000);
