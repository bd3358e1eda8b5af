// An installer image that a page's script sends in pieces: begun, gone on with, refused.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { esxiEntries, makeIso } from '../../setup/esxi-iso.ts';
import { type Credentials, House } from '../../setup/house.ts';

const MEDIA = '/api/v1/network-boot/media';
const PAGES = '/ui/management/network-boot/media';

let house: House;
let admin: Credentials;
let count = 0;

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
});
afterAll(() => house.close());

const send = (method: string, path: string, body?: unknown) =>
  house.send(method, path, { token: admin.token, ...(body !== undefined && { body }) });

describe('an image from the browser', () => {
  const session = (path: string, more: object) =>
    house.send('POST', `${PAGES}${path}`, { session: admin, headers: { accept: 'application/json' }, ...more });
  /** A piece as the script sends it: bytes, and the CSRF token in a header. */
  const sent = async (id: string, offset: number, bytes: Buffer) => {
    const headers = {
      accept: 'application/json',
      'content-type': 'application/octet-stream',
      'x-csrf-token': admin.csrf,
    };
    const path = `${PAGES}/${id}/content?offset=${offset}`;
    const event = house.event('POST', path, { session: admin, headers, raw: bytes.toString('base64') });
    return house.appliance.answer({ ...event, isBase64Encoded: true });
  };

  test('is begun, sent in pieces and gone on with after the page was left, then unpacked', async () => {
    const image = makeIso(esxiEntries());
    const begun = await session('/upload', { form: { name: `Medium ${++count}`, size_bytes: String(image.length) } });
    expect(begun.status).toBe(200);
    const { medium_id } = begun.body;
    const half = image.length >> 1;
    expect(JSON.parse((await sent(medium_id, 0, image.subarray(0, half))).body)).toMatchObject({
      received_bytes: half,
    });
    const page = (await house.send('GET', `${PAGES}/${medium_id}`, { session: admin })).text;
    expect(page).toContain(`data-medium="${medium_id}" data-size="${image.length}" data-received="${half}"`);
    expect(page).toContain('from a shell, piece by piece');
    expect(JSON.parse((await sent(medium_id, half, image.subarray(half))).body)).toMatchObject({ state: 'unpacking' });
    await house.appliance.runner.idle();
    expect((await send('GET', `${MEDIA}/${medium_id}`)).body).toMatchObject({ state: 'ready', source: 'upload' });
  });

  test('a name that is taken and a size beyond the limit are refused, and nothing is begun', async () => {
    const taken = 'Taken';
    await send('POST', MEDIA, { name: taken, size_bytes: 5 });
    const refused = await session('/upload', { form: { name: taken, size_bytes: '5' } });
    expect([refused.status, refused.body.error_code]).toEqual([409, 'already_exists']);
    const large = await session('/upload', { form: { name: `Medium ${++count}`, size_bytes: String(9 * 2 ** 30) } });
    expect([large.status, large.body.errors[0].pointer]).toEqual([422, '/size_bytes']);
  });

  test('is offered to who may add media, with the shell as the other way', async () => {
    const page = (await house.send('GET', `${PAGES}/new`, { session: admin })).text;
    expect(page).toContain(`data-image-to="${PAGES}"`);
    expect(page).toContain('Upload an image from a shell');
  });
});
