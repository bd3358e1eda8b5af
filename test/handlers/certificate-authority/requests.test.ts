// Certificates for other machines over the API and on the pages: a request that is uploaded, looked at, edited and signed; the
// queue; files; and that neither a private key nor a passphrase is left anywhere.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readPkcs12 } from '../../../shared/ground/x509/pkcs12-read.ts';
import { type Credentials, House, PASSWORD } from '../../setup/house.ts';
import { foreignRoot, plainRequest } from '../../setup/signing-request.ts';

const AUTHORITY = '/api/v1/certificate-authority';
const PAGE = '/ui/management/certificate-authority';
const PASSPHRASE = 'a passphrase that is planted';

let house: House;
let admin: Credentials;
const lines: string[] = [];
/** Private keys, as PKCS #8 in PEM. */
const keys: string[] = [];

beforeAll(async () => {
  house = await House.open({ log: (line) => void lines.push(line) });
  admin = await house.actor('admin', undefined, 'ada');
  await call('PATCH', '/settings', { enabled: true, key_algorithm: 'ecdsa-p256' });
});
afterAll(() => house.close());

const call = (method: string, path: string, body?: object, who = admin) =>
  house.send(method, `${AUTHORITY}${path}`, { token: who.token, ...(body && { body }) });
const words = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

/** As a browser sends a form with a file. */
function upload(path: string, fields: Record<string, string>, file: { name: string; content: string }) {
  const parts = Object.entries({ csrf: admin.csrf, ...fields }).map(
    ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--x\r\nContent-Disposition: form-data; name="${file.name}"; filename="a.pem"\r\nContent-Type: text/plain\r\n\r\n`;
  const raw = `${parts.join('')}${head}${file.content}\r\n--x--\r\n`;
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  return house.send('POST', path, { session: admin, raw, headers });
}

test('a root that is uploaded is imported, and nothing of its key is shown again', async () => {
  const pem = foreignRoot();
  keys.push(pem.slice(pem.indexOf('-----BEGIN PRIVATE')));
  const refused = await upload(`${PAGE}/root/import`, { standing: 'next' }, { name: 'file', content: pem });
  expect(refused.status).toBe(409);
  expect(words(refused.text)).toContain('no root certificate yet that another one could follow');
  const done = await upload(`${PAGE}/root/import`, { standing: 'signing' }, { name: 'file', content: pem });
  expect([done.status, done.headers.location]).toEqual([303, PAGE]);
  expect((await call('GET', '/root')).body).toMatchObject({ origin: 'imported', state: 'valid', standing: 'signing' });
});

test('a request that is uploaded is shown, edited and signed; its files are what they say', async () => {
  const { csr } = plainRequest();
  const shown = await upload(`${PAGE}/certificates/new`, { csr: '' }, { name: 'csr_file', content: csr });
  expect(words(shown.text)).toMatch(/Asks for host\.lab\.example 10\.10\.0\.9 Key ECDSA P-256.*SHA-256, verified/);
  const form = { csr, profile: 'vmware', names: 'host.lab.example\nother.lab.example', validity_days: '30' };
  const signed = await house.send('POST', `${PAGE}/certificates`, { session: admin, form });
  expect(signed.status).toBe(303);
  const id = signed.headers.location!.split('/').at(-1)!;
  const { pem, names } = (await call('GET', `/certificates/${id}`)).body;
  expect(names).toEqual(['host.lab.example', 'other.lab.example']);
  const file = (format: string) => call('GET', `/certificates/${id}/file?format=${format}`);
  expect((await file('pem')).text).toBe(pem);
  expect((await file('chain')).text.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  const der = Buffer.from((await file('der')).text, 'base64');
  expect(new X509Certificate(der).fingerprint256).toBe(new X509Certificate(pem).fingerprint256);
  expect(Buffer.from((await file('pkcs7')).text, 'base64').includes(der)).toBe(true);
  const listed = await house.send('GET', `${PAGE}/certificates?search=other&profile=vmware&sort=expiry`, {
    session: admin,
  });
  expect(words(listed.text)).toMatch(/host\.lab\.example other\.lab\.example VMware/);
  expect((await call('GET', '/certificates?state=expiring')).body.items).toHaveLength(1);
  expect((await call('GET', '/certificates?state=revoked')).body.items).toEqual([]);
});

test('whoever may only ask waits for somebody who may issue', async () => {
  const { csr } = plainRequest();
  const asker = await house.actor('service-admin', ['write:ca-requests'], 'olga');
  const asked = await call('POST', '/requests', { csr, profile: 'server', note: 'x' }, asker);
  expect([asked.status, asked.body.state]).toEqual([201, 'pending']);
  expect((await call('POST', `/requests/${asked.body.id}/approve`, {}, asker)).status).toBe(403);
  expect((await call('POST', '/certificates', { csr, profile: 'server' }, asker)).status).toBe(403);
  const approved = await call('POST', `/requests/${asked.body.id}/approve`, { names: ['host.lab.example'] });
  expect(approved.status).toBe(201);
  expect((await call('GET', `/requests/${asked.body.id}`, undefined, asker)).body).toMatchObject({
    state: 'approved',
    certificate_id: approved.body.id,
  });
  expect((await call('POST', `/requests/${asked.body.id}/refuse`, { reason: 'late' })).status).toBe(409);
});

test('a key that is made here and an exported root are given once, under the passphrase', async () => {
  const body = { profile: 'server', names: ['a.lab.example'], key_algorithm: 'ecdsa-p256', passphrase: PASSPHRASE };
  const made = await call('POST', '/certificates/with-key', body);
  const own = { passphrase: PASSPHRASE, again: PASSPHRASE, own_password: PASSWORD };
  const before = await house.lastAudit();
  const wrong = await house.send('POST', `${PAGE}/root/export`, {
    session: admin,
    form: { ...own, own_password: 'not this one' },
  });
  expect([wrong.status, wrong.text.includes('base64')]).toEqual([422, false]);
  const given = await house.send('POST', `${PAGE}/root/export`, { session: admin, form: own });
  expect(await house.audited(before)).toEqual(['certificate.root.export', 'certificate.root.export']);
  const root = /href="data:application\/x-pkcs12;base64,([^"]+)"/.exec(given.text)![1]!;
  for (const [base64, subject] of [
    [made.body.pkcs12, 'CN=a.lab.example'],
    [root, 'O=Elsewhere\nCN=Root of the lab'],
  ] as const) {
    const { key, certificates } = await readPkcs12(Buffer.from(base64, 'base64'), PASSPHRASE);
    expect(new X509Certificate(certificates[0]!).subject).toBe(subject);
    const pem = createPrivateKey({ key, format: 'der', type: 'pkcs8' }).export({ type: 'pkcs8', format: 'pem' });
    keys.push(pem as string);
  }
  expect((await call('GET', `/certificates/${made.body.certificate.id}`)).body.pem).toContain('BEGIN CERTIFICATE');
});

test('no private key and no passphrase is in an answer, a page, the log, the audit log or a file of the data folder', () => {
  const files = readdirSync(house.data, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
  const heard = house.heard.map(({ answer }) => JSON.stringify(answer));
  const seen = [...files, ...heard, ...lines].join('\n');
  expect(keys).toHaveLength(3);
  expect(seen).not.toContain(PASSPHRASE);
  // The words of the form of an import are no key.
  expect(seen).not.toMatch(/BEGIN (?:EC |RSA )?PRIVATE KEY-----[\\\n]/);
  for (const pem of keys) {
    const jwk = createPrivateKey(pem).export({ format: 'jwk' });
    for (const part of [jwk.d!, Buffer.from(jwk.d!, 'base64url').toString('latin1'), pem.split('\n')[1]!])
      expect(seen).not.toContain(part);
  }
});
