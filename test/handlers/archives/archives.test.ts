// Archives over the API and on their pages: who makes one, what is in it, and where its passphrase must not be left.
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decryptAge } from '../../../shared/ground/age/age.ts';
import { newIdentity } from '../../../shared/ground/age/x25519.ts';
import { systemEntropy } from '../../../shared/ground/clock.ts';
import { type Credentials, House, PASSWORD, type Send } from '../../setup/house.ts';
import { membersOf } from '../../shared/appliance/archive/scene.ts';

const API = '/api/v1/archives';
const UI = '/ui/management/archives';
const PASSPHRASE = 'C4nary-Passphrase';
const VALUE = 'C4nary-Value';
const OWNER = newIdentity(systemEntropy);

const lines: string[] = [];
let house: House;
let admin: Credentials;

beforeAll(async () => {
  house = await House.open({ log: (line) => void lines.push(line) });
  admin = await house.actor('admin', undefined, 'ada');
  const { body } = await send('POST', '/api/v1/vaults', { body: { name: 'lab' } });
  await send('POST', `/api/v1/vaults/${body.id}/entries`, { body: { key: 'esx01.root', value: VALUE } });
});
afterAll(() => house.close());

const send = (method: string, path: string, more: Send = {}) =>
  house.send(method, path, { token: admin.token, ...more });
const make = (body: object) => send('POST', API, { body });
const page = (path: string) => house.send('GET', path, { session: admin });
const post = (path: string, form: Record<string, string>) => house.send('POST', path, { session: admin, form });

async function bytesOf(id: string): Promise<Buffer> {
  const answer = house.heard.length;
  const { status } = await send('GET', `${API}/${id}/content`);
  expect(status).toBe(200);
  return Buffer.from(house.heard[answer]!.answer.body, 'base64');
}

async function opened(bytes: Buffer, by: Parameters<typeof decryptAge>[1]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of decryptAge([bytes], by)) pieces.push(piece);
  return Buffer.concat(pieces);
}

test('without encryption: whatever holds a secret is left out', async () => {
  const { status, body, headers } = await make({ encryption: 'none' });
  expect(status).toBe(201);
  expect(headers.location).toBe(`${API}/${body.id}`);
  expect(body).toMatchObject({ origin: 'made', state: 'ready', encryption: 'none', created_by: 'ada (token test)' });
  expect(body.name).toMatch(/^groundcrew-gc01-\d{8}T\d{6}Z\.gcarchive$/);
  const bytes = await bytesOf(body.id);
  expect(bytes.length).toBe(body.size_bytes);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(body.sha256);
  const members = await membersOf(bytes);
  expect([...members.keys()]).toContain('desired/interface.jsonl');
  expect([...members.keys()].filter((name) => name.startsWith('sealed/'))).toEqual([]);
  expect(bytes.includes(VALUE)).toBe(false);
});

test('for recipients: the identity of one of them opens it, and it has the values of vaults', async () => {
  const { status, body } = await make({ encryption: 'recipients', recipients: [OWNER.recipient] });
  expect(status).toBe(201);
  const bytes = await bytesOf(body.id);
  expect(bytes.includes(VALUE)).toBe(false);
  const members = await membersOf(await opened(bytes, { identity: OWNER.identity }));
  expect(members.get('sealed/vault_entry.jsonl')).toContain(VALUE);
});

test('with a passphrase: it opens the archive, and is nowhere else', async () => {
  const { status, body } = await make({ encryption: 'passphrase', passphrase: PASSPHRASE });
  expect(status).toBe(201);
  const plain = await opened(await bytesOf(body.id), { passphrase: PASSPHRASE });
  expect(plain.includes(VALUE)).toBe(true);
  const sent = await post(`${UI}/new`, {
    encryption: 'passphrase',
    passphrase: PASSPHRASE,
    again: 'another one that differs',
    own_password: PASSWORD,
  });
  expect(sent.status).toBe(422);
  expect(sent.text).toContain('The two passphrases differ.');
  const { store } = house.services;
  const rows = await Promise.all(
    ['audit_event', 'archive', 'idempotency_key', 'job'].map((table) => store.all(`SELECT * FROM ${table}`)),
  );
  for (const text of [JSON.stringify(rows), lines.join('\n'), ...house.heard.map(({ answer }) => answer.body)]) {
    expect(text).not.toContain('C4nary');
  }
}, 60_000);

test('its file is for the service alone, and goes with it', async () => {
  const { body } = await make({ encryption: 'none' });
  const file = join(house.data, 'archives', `${body.id}.gcarchive`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await send('DELETE', `${API}/${body.id}`)).status).toBe(204);
  for (let left = 50; left > 0 && (await stat(file).catch(() => null)); left--) await new Promise(setImmediate);
  await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
  expect((await send('GET', `${API}/${body.id}`)).status).toBe(404);
  expect((await readdir(join(house.data, 'archives'))).filter((name) => /part|scratch/.test(name))).toEqual([]);
});

describe('refused at the field', () => {
  test.each([
    [{ encryption: 'passphrase' }, '/passphrase', 'Type a passphrase.'],
    [{ encryption: 'passphrase', passphrase: 'short' }, '/passphrase', 'At least 12 characters.'],
    [{ encryption: 'recipients' }, '/recipients', 'At least one recipient.'],
    [{ encryption: 'recipients', recipients: ['age1nobody'] }, '/recipients/0', /Must be a recipient of age/],
    [{ encryption: 'none', passphrase: 'a long passphrase' }, '/passphrase', /Leave it out/],
    [{ encryption: 'none', recipients: [OWNER.recipient] }, '/recipients', /Leave it out/],
  ])('%j', async (body, pointer, detail) => {
    const refused = await make(body);
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual([
      { pointer, detail: typeof detail === 'string' ? detail : expect.stringMatching(detail) },
    ]);
  });
});

test('an encrypted archive needs write:vaults as well; other roles see no archive at all', async () => {
  const half = await house.actor('admin', ['write:archives'], 'half');
  const refused = await send('POST', API, {
    token: half.token,
    body: { encryption: 'recipients', recipients: [OWNER.recipient] },
  });
  expect([refused.status, refused.body.scope]).toEqual([403, 'write:vaults']);
  expect((await send('POST', API, { token: half.token, body: { encryption: 'none' } })).status).toBe(201);
  for (const role of ['service-admin', 'network-admin', 'viewer'] as const) {
    const other = await house.actor(role, undefined, role);
    expect((await send('GET', API, { token: other.token })).status).toBe(403);
    expect((await house.send('GET', UI, { session: other })).status).toBe(403);
  }
});

test('the form asks for the own password, records a wrong one, and leads to the archive', async () => {
  const wrong = await post(`${UI}/new`, { encryption: 'none', own_password: 'not it' });
  expect(wrong.status).toBe(422);
  const before = await house.lastAudit();
  const made = await post(`${UI}/new`, { encryption: 'none', own_password: PASSWORD });
  expect(made.status).toBe(303);
  expect(await house.audited(before)).toEqual(['archive.create']);
  const { text } = await page(made.headers.location!);
  expect(text).toContain('Not encrypted, without secrets');
  expect(text).toContain('Left out');
  expect((await page(UI)).text).toContain(made.headers.location!);
  const file = await page(`${made.headers.location}/content`);
  expect(file.headers['content-disposition']).toMatch(/^attachment; filename="groundcrew-gc01-.*\.gcarchive"$/);
  expect((await post(`${made.headers.location}/delete`, {})).status).toBe(303);
  expect((await page(made.headers.location!)).status).toBe(404);
});
