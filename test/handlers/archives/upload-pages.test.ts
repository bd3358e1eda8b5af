// An archive that a page's script sends in pieces: begun, gone on with, refused; and what the pages say without script.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { UPLOADS_MOST } from '../../../shared/appliance/archive/kept.ts';
import { type Credentials, House } from '../../setup/house.ts';
import { bytesOf } from '../../shared/appliance/archive/scene.ts';

const API = '/api/v1/archives';
const UI = '/ui/management/archives';

let house: House;
let admin: Credentials;
let other: Credentials;
let bytes: Buffer;

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin', undefined, 'ada');
  other = await house.actor('admin', undefined, 'bea');
  bytes = await bytesOf(house, true);
});
afterAll(() => house.close());

const begin = (form: Record<string, string>, session = admin) =>
  house.send('POST', `${UI}/uploads`, { session, form, headers: { accept: 'application/json' } });

/** As the script sends it: bytes, and the CSRF token in a header. */
async function sent(id: string, offset: number, piece: Buffer, by = admin, csrf = by.csrf) {
  const headers = { accept: 'application/json', 'content-type': 'application/octet-stream', 'x-csrf-token': csrf };
  const raw = piece.toString('base64');
  const event = house.event('POST', `${UI}/${id}/content?offset=${offset}`, { session: by, headers, raw });
  const { statusCode, body } = await house.appliance.answer({ ...event, isBase64Encoded: true });
  return { status: statusCode, body: JSON.parse(body) };
}

const page = async (path: string, session = admin) => (await house.send('GET', `${UI}${path}`, { session })).text;
const audited = async (): Promise<string[]> => {
  const rows = await house.services.store.all<{ action: string }>(
    "SELECT action FROM audit_event WHERE action LIKE 'archive.upload%' ORDER BY rowid",
  );
  return rows.map(({ action }) => action);
};

test('is begun, sent in pieces and gone on with on its own page, then compared', async () => {
  const begun = await begin({ name: 'of the lab.gcarchive', size_bytes: String(bytes.length) });
  expect(begun.status).toBe(200);
  const { id } = begun.body;
  const half = bytes.length >> 1;
  expect(await sent(id, 0, bytes.subarray(0, half))).toMatchObject({ status: 200, body: { received_bytes: half } });
  const mine = await page(`/${id}`);
  expect(mine).toContain(`data-archive="${id}" data-size="${bytes.length}" data-received="${half}"`);
  expect(mine).toContain('It waits for the rest of its bytes');
  const answer = await sent(id, half, bytes.subarray(half));
  expect(answer).toMatchObject({
    status: 200,
    body: { state: 'ready', encryption: 'none', name: 'ofthelab.gcarchive' },
  });
  expect(await audited()).toEqual(['archive.upload.begin', 'archive.upload']);
  const done = await page(`/${id}`);
  expect(done).not.toContain('data-archive-to');
  const inspected = await house.send('POST', `${API}/${id}/inspect`, { token: admin.token, body: {} });
  expect([inspected.status, inspected.body.units]).toEqual([200, []]);
});

test('belongs to whoever began: nobody else sends its bytes, by a session or by a token', async () => {
  const { id } = (await begin({ name: 'mine.gcarchive', size_bytes: '14' })).body;
  const refused = await sent(id, 0, Buffer.from('manifest.json\0'), other);
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringMatching(/^ada began this upload/) } });
  const theirs = await page(`/${id}`, other);
  expect(theirs).toContain('ada began this upload');
  expect(theirs).not.toContain('data-archive-to');
  const put = (token: string) =>
    house.send('PUT', `${API}/${id}/content?offset=0`, {
      token,
      raw: 'manifest.json\0',
      headers: { 'content-type': 'application/octet-stream' },
    });
  expect((await put(other.token)).status).toBe(409);
  expect((await put(admin.token)).status).toBe(200);
});

test('takes nothing without the CSRF token, nothing that is no archive, and no size beyond the limit', async () => {
  const { id } = (await begin({ name: 'x.gcarchive', size_bytes: '5' })).body;
  expect((await sent(id, 0, Buffer.from('bytes'), admin, 'another')).status).toBe(403);
  const strange = await sent(id, 0, Buffer.from('bytes'));
  expect([strange.status, strange.body.detail]).toEqual([409, 'This file is no archive. Delete the upload.']);
  const large = await begin({ name: 'y.gcarchive', size_bytes: String((64 << 20) + 1) });
  expect([large.status, large.body.errors[0].pointer]).toEqual([422, '/size_bytes']);
  const viewer = await house.actor('viewer', undefined, 'vic');
  expect((await begin({ name: 'z.gcarchive', size_bytes: '5' }, viewer)).status).toBe(403);
});

test(`no more than ${UPLOADS_MOST} wait at a time`, async () => {
  const { store } = house.services;
  await store.write((tx) => tx.run("DELETE FROM archive WHERE state = 'receiving'"));
  for (let at = 0; at < UPLOADS_MOST; at++) expect((await begin({ name: `n${at}`, size_bytes: '5' })).status).toBe(200);
  const refused = await begin({ name: 'one-more', size_bytes: '5' });
  expect([refused.status, refused.body.detail]).toEqual([
    409,
    `${UPLOADS_MOST} uploads are not finished. Go on with one, or delete it first.`,
  ]);
});

test('the page says what the form takes, and what takes everything', async () => {
  const text = await page('/upload');
  expect(text).toContain('data-archive-to="/ui/management/archives"');
  expect(text).toContain('This form takes at most 3.9 MiB.');
  expect(text).toContain('groundcrew archive restore FILE');
});
