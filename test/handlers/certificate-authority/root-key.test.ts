// The key of the root, planted and looked for: in pages of both planes, answers, the plan that puts the portal in force, what the
// apply writes, archives, the log, the audit log, and every file of the data folder.
import { createPrivateKey } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pages } from '../../../runtime/generated/pages.ts';
import { applyAll } from '../../setup/depot.ts';
import { type Credentials, House } from '../../setup/house.ts';
import { foreignRoot } from '../../setup/signing-request.ts';
import { Visitor } from '../public/visitor.ts';

const AUTHORITY = '/api/v1/certificate-authority';
const lines: string[] = [];
let house: House;
let admin: Credentials;
let key: string;

const call = async (method: string, path: string, body?: object) => {
  const heard = await house.send(method, path, { token: admin.token, ...(body && { body }) });
  if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.text}`);
  return heard.body;
};

beforeAll(async () => {
  house = await House.open({ log: (line) => void lines.push(line) });
  admin = await house.actor('admin');
  const portal = { listen_interfaces: ['ens192'], portal_hostname: 'ca.lab.example' };
  await call('PATCH', `${AUTHORITY}/settings`, { enabled: true, key_algorithm: 'ecdsa-p256', ...portal });
  const pem = foreignRoot();
  key = pem.slice(pem.indexOf('-----BEGIN PRIVATE'));
  await call('POST', `${AUTHORITY}/root/import`, { pem });
  await applyAll(house, call as never);
}, 120_000);
afterAll(() => house.close());

/** Each way in which it could be written down. */
function writings(): string[] {
  const jwk = createPrivateKey(key).export({ format: 'jwk' });
  const secret = Buffer.from(jwk.d!, 'base64url');
  const pkcs8 = key.split('\n').filter((line) => /^[A-Za-z0-9+/]{40,}$/.test(line));
  return [...pkcs8, jwk.d!, secret.toString('base64'), secret.toString('hex'), secret.toString('latin1')];
}

test('it is nowhere but sealed', async () => {
  const seen: string[] = [];
  for (const { spec } of pages) {
    if (spec.path.includes('{') || spec.access === 'public' || spec.plane !== 'management') continue;
    seen.push((await house.send('GET', spec.path, { session: admin })).text);
  }
  const visitor = new Visitor(house);
  for (const path of ['/ui/public', '/ui/public/ca']) seen.push((await visitor.get(path)).text);
  for (const path of ['/root', '/root/next', '/certificates', '/settings', '/profiles', '/root/revocation-list'])
    seen.push((await house.send('GET', AUTHORITY + path, { token: admin.token })).text);
  const { items } = await call('GET', '/api/v1/apply/plans');
  expect(items).toHaveLength(1);
  seen.push(JSON.stringify(await call('GET', `/api/v1/apply/plans/${items[0].id}`)));
  await call('POST', '/api/v1/archives', { encryption: 'none' });
  await call('POST', '/api/v1/archives', { encryption: 'passphrase', passphrase: 'under this long phrase' });
  const { store } = house.services;
  for (const table of ['plan', 'job', 'task', 'audit_event', 'idempotency_key', 'issued_certificate'])
    seen.push(JSON.stringify(await store.all(`SELECT * FROM ${table}`)));
  const files = readdirSync(house.data, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));
  expect(files.filter((path) => /gcarchive/.test(path))).toHaveLength(2);
  expect(files.some((path) => path.endsWith('certificate-authority/manifest.json'))).toBe(true);
  seen.push(...files.map((path) => readFileSync(path, 'latin1')), ...lines);
  seen.push(...house.heard.map(({ answer }) => JSON.stringify(answer)));
  const all = seen.join('\n');
  expect(all).not.toMatch(/BEGIN (?:EC |RSA )?PRIVATE KEY/);
  for (const part of writings()) expect(all).not.toContain(part);
  // What is looked for is what there is: the certificate of the same file is found everywhere.
  expect(all).toContain('Root of the lab');
});
