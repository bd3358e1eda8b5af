// An archive that somebody else wrote lets no KMIP client in to keys by a token or a session alone: it takes the own password,
// and whoever restores it reads who is let in.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newIdentity } from '../../../shared/ground/age/x25519.ts';
import { systemEntropy } from '../../../shared/ground/clock.ts';
import { clientPem } from '../../setup/client-pem.ts';
import { type Credentials, House, PASSWORD } from '../../setup/house.ts';

const API = '/api/v1/archives';
const UI = '/ui/management/archives';
const OWNER = newIdentity(systemEntropy);
const GUESS = 'C4nary of a guess';
const NAMED = [{ name: 'intruder', provider: 'elsewhere' }];
let house: House;
let other: House;
let admin: Credentials;
let stolen: Credentials;
let id: string;
const lines: string[] = [];

beforeAll(async () => {
  other = await House.open({ ticker: false });
  house = await House.open({ ticker: false, log: (line) => lines.push(line) });
  admin = await house.actor('admin', undefined, 'ada');
  stolen = await house.actor('admin', ['write:archives', 'write:kms'], 'bob');
  const author = await other.actor('admin');
  const made = async (path: string, body: object) =>
    (await other.send('POST', path, { token: author.token, body })).body;
  const { id: provider_id } = await made('/api/v1/kms/providers', { name: 'elsewhere' });
  const client = { provider_id, name: 'intruder', certificate: await clientPem('intruder'), own_password: PASSWORD };
  await made('/api/v1/kms/clients', client);
  const archive = await made(API, { encryption: 'recipients', recipients: [OWNER.recipient] });
  const file = (await readFile(join(other.data, 'archives', `${archive.id}.gcarchive`))).toString('base64');
  const sent = await house.send('POST', `${UI}/upload`, { session: admin, form: { file } });
  id = /archives\/([^/]+)\/restore$/.exec(sent.headers.location!)![1]!;
});
afterAll(async () => {
  await house?.close();
  await other?.close();
});

const KMS = { identity: OWNER.identity, units: [{ unit: 'kms' }] };
const restore = (body: object, query = '') =>
  house.send('POST', `${API}/${id}/restore${query}`, { token: stolen.token, body: { ...KMS, ...body } });
const clients = async () => (await house.send('GET', '/api/v1/kms/clients', { token: admin.token })).body.items;
const post = (path: string, form: Record<string, string>) => house.send('POST', path, { session: admin, form });

test('the comparison and a dry run name who is let in, and ask for no password', async () => {
  const inspected = await house.send('POST', `${API}/${id}/inspect`, {
    token: stolen.token,
    body: { identity: OWNER.identity },
  });
  expect(inspected.body.lets_in).toMatchObject(NAMED);
  const dry = await restore({}, '?dry_run=true');
  expect([dry.status, dry.body.lets_in]).toMatchObject([200, NAMED]);
  const page = await post(`${UI}/${id}/inspect`, { identity: OWNER.identity });
  expect(page.text).toContain('Access to keys');
  expect(page.text).toContain('intruder');
  // What lets nobody in needs none.
  const without = await restore(
    { units: [{ unit: 'kms', collections: [{ collection: 'kms_providers' }] }] },
    '?dry_run=true',
  );
  expect([without.status, without.body.lets_in]).toEqual([200, []]);
});

test('a token lets nobody in without it, at its field', async () => {
  const none = await restore({});
  expect([none.status, none.body.errors[0].pointer]).toEqual([422, '/own_password']);
  expect(none.body.errors[0].detail).toContain('intruder (elsewhere)');
  const wrong = await restore({ own_password: GUESS });
  expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, '/own_password']);
  expect(await clients()).toEqual([]);
  expect(await house.services.store.all("SELECT outcome FROM audit_event WHERE action = 'archive.restore'")).toEqual([
    { outcome: 'failure' },
  ]);
});

test('nor does the form', async () => {
  const offered = 'kms/kms_clients|Key management: KMIP clients (1 added)';
  const form = { offered, units: 'kms/kms_clients', mode: 'replace', confirm: 'restore', identity: OWNER.identity };
  for (const more of [{}, { own_password: GUESS }]) {
    const { status, text } = await post(`${UI}/${id}/restore`, { ...form, ...more });
    expect(status).toBe(422);
    expect(text).toContain('id="own_password-error"');
    expect(text).not.toContain(GUESS);
  }
  expect(await clients()).toEqual([]);
});

test('with it the client is let in, and the audit log says who', async () => {
  const right = await restore({ own_password: PASSWORD });
  expect([right.status, right.body.lets_in]).toMatchObject([200, NAMED]);
  expect(await clients()).toMatchObject([{ name: 'intruder' }]);
  const { detail } = (await house.services.store.one<{ detail: string }>(
    "SELECT detail FROM audit_event WHERE action = 'archive.restore' AND outcome = 'success'",
  ))!;
  expect(JSON.parse(detail).lets_in).toMatchObject(NAMED);
  // Once here, it is let in by nobody again.
  expect((await restore({})).status).toBe(200);
});

test('no guess is in a log line or an audit row', async () => {
  const rows = JSON.stringify(await house.services.store.all('SELECT * FROM audit_event'));
  expect(rows + lines.join('')).not.toMatch(new RegExp(`${GUESS}|${PASSWORD}`));
});
