// Installer media over the API, on their pages, and as the boot listener serves them.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { get, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { scheduled as pruneMedia } from '../../../handlers/scheduled/prune-media.ts';
import { bootFiles } from '../../../runtime/boot-files.ts';
import { refusal } from '../../../runtime/boot-plane.ts';
import { type Listener, startListener } from '../../../runtime/listener.ts';
import {
  contentPath,
  mediaFolder,
  mediumFolder,
} from '../../../shared/services/network-boot/esxi-media/media-folder.ts';
import { MANIFEST_PATH, type Manifest, writeManifest } from '../../../shared/services/network-boot/manifest.ts';
import { esxiEntries, makeIso } from '../../setup/esxi-iso.ts';
import { type Credentials, House } from '../../setup/house.ts';
import { until } from '../../setup/until.ts';

const MEDIA = '/api/v1/network-boot/media';
const PAGES = '/ui/management/network-boot/media';

let house: House;
let admin: Credentials;
let count = 0;

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
  await mkdir(join(house.data, 'import'));
});
afterAll(() => house.close());

const name = () => `Medium ${++count}`;
const idle = () => house.appliance.runner.idle();
const send = (method: string, path: string, body?: unknown) =>
  house.send(method, path, { token: admin.token, ...(body !== undefined && { body }) });

async function placed(image: Buffer): Promise<string> {
  const path = `image-${++count}.iso`;
  await writeFile(join(house.data, 'import', path), image);
  return path;
}

async function created(image = makeIso(esxiEntries())) {
  const { body } = await send('POST', MEDIA, { name: name(), path: await placed(image) });
  await idle();
  return (await send('GET', `${MEDIA}/${body.medium_id}`)).body;
}

const piece = (id: string, offset: number, bytes: Buffer, query = '') =>
  house.appliance.answer({
    ...house.event('PUT', `${MEDIA}/${id}/content?offset=${offset}${query}`, {
      token: admin.token,
      headers: { 'content-type': 'application/octet-stream' },
      raw: bytes.toString('base64'),
    }),
    isBase64Encoded: true,
  });

describe('an image from the import folder', () => {
  test('is unpacked by a job and ready, and every step is audited', async () => {
    const before = await house.lastAudit();
    const path = await placed(makeIso(esxiEntries({ bios: true })));
    const { status, body, headers } = await send('POST', MEDIA, { name: 'ESXi 8.0 U3', path });
    expect([status, body.state, body.job_id]).toEqual([202, 'unpacking', expect.stringMatching(/^job_/)]);
    await idle();
    const medium = (await send('GET', headers.location!)).body;
    expect(medium).toMatchObject({
      state: 'ready',
      fault: '',
      product: 'VMware ESXi 8.0.3',
      source: path,
      file_count: 12,
      loaders: { efi: 'efi/boot/bootx64.efi', bios: 'pxelinux.0' },
      content_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(medium).not.toHaveProperty('boot_config');
    expect(await house.audited(before)).toEqual(['network-boot.medium.create', 'network-boot.medium.ready']);
    const { result } = (await send('GET', `/api/v1/jobs/${body.job_id}`)).body;
    expect(result).toMatchObject({ medium_id: medium.id, product: 'VMware ESXi 8.0.3' });
  });

  test('that is refused makes the medium failed, says why, and leaves nothing', async () => {
    const medium = await created(makeIso([...esxiEntries(), { path: ['passwd'], link: '/etc/passwd' }]));
    expect(medium).toMatchObject({ state: 'failed', fault: '"passwd" is a link, not a file.', content_digest: '' });
    expect((await readdir(mediaFolder(house.services.host))).filter((entry) => entry.includes(medium.id))).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['a path that leads elsewhere', { path: '../groundcrew.keys' }, '/path'],
    ['a path that is not there', { path: 'nothing.iso' }, '/path'],
    ['neither path nor size', {}, '/path'],
    ['both', { path: 'x.iso', size_bytes: 5 }, '/path'],
    ['no name', { name: '', path: 'x.iso' }, '/name'],
    ['more than 8 GiB', { size_bytes: 2 ** 34 }, '/size_bytes'],
  ])('422: %s', async (_name, body, pointer) => {
    const answer = await send('POST', MEDIA, { name: name(), ...body });
    expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([422, pointer]);
  });

  test('409: a name that another medium has', async () => {
    const { name: taken } = await created();
    expect((await send('POST', MEDIA, { name: taken, size_bytes: 9 })).body.error_code).toBe('already_exists');
  });
});

describe('an image that is uploaded', () => {
  const image = makeIso(esxiEntries());
  const sha256 = createHash('sha256').update(image).digest('hex');

  test('in pieces: bytes as they are, the last piece has it unpacked', async () => {
    const { body } = await send('POST', MEDIA, { name: name(), size_bytes: image.length });
    expect(body).toMatchObject({ state: 'receiving', received_bytes: 0, job_id: null });
    const before = await house.lastAudit();
    for (let at = 0; at < image.length; at += 50_000) {
      const answer = await piece(body.medium_id, at, image.subarray(at, at + 50_000), `&sha256=${sha256}`);
      expect(answer.statusCode).toBe(202);
      expect(JSON.parse(answer.body).received_bytes).toBe(Math.min(image.length, at + 50_000));
    }
    await idle();
    const medium = (await send('GET', `${MEDIA}/${body.medium_id}`)).body;
    expect(medium).toMatchObject({ state: 'ready', source: 'upload' });
    expect(await house.audited(before)).toEqual(['network-boot.medium.upload', 'network-boot.medium.ready']);
    expect((await piece(body.medium_id, 0, Buffer.from('x'))).statusCode).toBe(409);
  });

  test('with another SHA-256 than was said is not unpacked', async () => {
    const { body } = await send('POST', MEDIA, { name: name(), size_bytes: image.length });
    await piece(body.medium_id, 0, image, `&sha256=${'0'.repeat(64)}`);
    await idle();
    const { state, fault } = (await send('GET', `${MEDIA}/${body.medium_id}`)).body;
    expect([state, fault]).toEqual(['failed', 'The uploaded image does not have the given SHA-256.']);
  });

  test('a gap is refused and says how much is there; another media type and a piece too large are, too', async () => {
    const { body } = await send('POST', MEDIA, { name: name(), size_bytes: 10 << 20 });
    await piece(body.medium_id, 0, Buffer.alloc(7));
    const gap = await piece(body.medium_id, 9, Buffer.alloc(1));
    expect([gap.statusCode, JSON.parse(gap.body).detail]).toEqual([409, '7 bytes are there; go on from there.']);
    expect((await piece(body.medium_id, 7, Buffer.alloc((4 << 20) + 1))).statusCode).toBe(413);
    const path = `${MEDIA}/${body.medium_id}/content?offset=7`;
    expect((await house.send('PUT', path, { token: admin.token, body: {} })).status).toBe(415);
    expect((await send('DELETE', `${MEDIA}/${body.medium_id}`)).status).toBe(204);
  });
});

describe('uploads that are not finished', () => {
  const announce = (size_bytes: number) => send('POST', MEDIA, { name: name(), size_bytes });

  test('are refused at once where all that was announced does not fit', async () => {
    const { body } = await announce(9);
    const size = (bytes: number) =>
      house.services.store.write((tx) =>
        tx.run('UPDATE network_boot_medium SET size_bytes = ? WHERE id = ?', [bytes, body.medium_id]),
      );
    await size(2 ** 52);
    const refused = await announce(5);
    expect([refused.status, refused.body.error_code]).toEqual([507, 'storage_full']);
    await size(9);
    expect((await announce(5)).status).toBe(202);
  });

  test('end a day after their last piece, say so, and leave nothing', async () => {
    const { medium_id: id } = (await announce(9)).body;
    await piece(id, 0, Buffer.from('x'));
    const hoursLater = async (hours: number) => {
      const clock = { now: () => new Date(Date.now() + hours * 3_600_000) };
      const before = await house.lastAudit();
      await pruneMedia.spec.run({ ...house.services, clock }, {} as never);
      const { state, fault } = (await send('GET', `${MEDIA}/${id}`)).body;
      const mine = (await readdir(mediaFolder(house.services.host))).filter((entry) => entry.includes(id));
      return { state, fault, mine, audited: new Set(await house.audited(before)) };
    };
    expect(await hoursLater(23)).toMatchObject({ state: 'receiving', mine: [`.upload-${id}`], audited: new Set() });
    expect(await hoursLater(25)).toEqual({
      state: 'failed',
      fault: 'Its upload was not finished: nothing came for 24 hours.',
      mine: [],
      audited: new Set(['network-boot.medium.failed']),
    });
    expect((await piece(id, 1, Buffer.from('x'))).statusCode).toBe(409);
    expect((await send('DELETE', `${MEDIA}/${id}`)).status).toBe(204);
  });

  test('go on for as long as pieces come, however old they are', async () => {
    const { medium_id: id } = (await announce(9)).body;
    await piece(id, 0, Buffer.from('x'));
    await house.services.store.write((tx) =>
      tx.run("UPDATE network_boot_medium SET updated_at = '2026-01-01T00:00:00.000Z' WHERE id = ?", [id]),
    );
    await pruneMedia.spec.run(house.services, {} as never);
    expect((await send('GET', `${MEDIA}/${id}`)).body.state).toBe('receiving');
  });
});

describe('a medium that is needed stays', () => {
  test('409 while a host names it, and while the applied state serves it; then its files go with it', async () => {
    const medium = await created();
    const folder = join(mediaFolder(house.services.host), medium.id);
    const host = (
      await send('POST', '/api/v1/network-boot/esxi-hosts', {
        hostname: 'esx01.lab.example',
        mac_address: '00:50:56:01:02:03',
        media_id: medium.id,
      })
    ).body;
    const named = await send('DELETE', `${MEDIA}/${medium.id}`);
    expect([named.status, named.body.blockers[0].subject]).toEqual([409, 'ESXi host esx01.lab.example']);
    expect((await send('PATCH', `${MEDIA}/${medium.id}`, { enabled: false })).status).toBe(409);
    expect((await send('DELETE', `/api/v1/network-boot/esxi-hosts/${host.id}`)).status).toBe(204);
    await apply([medium]);
    const applied = await send('DELETE', `${MEDIA}/${medium.id}`);
    expect([applied.status, applied.body.error_code]).toEqual([409, 'still_referenced']);
    await apply([]);
    expect((await readdir(folder)).length).toBe(2);
    expect((await send('DELETE', `${MEDIA}/${medium.id}?dry_run=true`)).status).toBe(204);
    expect((await readdir(folder)).length).toBe(2);
    expect((await send('DELETE', `${MEDIA}/${medium.id}`)).status).toBe(204);
    await until(async () => !(await readdir(mediaFolder(house.services.host))).includes(medium.id));
  });
});

interface Applied {
  id: string;
  name: string;
  content_digest: string;
}

async function apply(media: Applied[], listeners: Manifest['listeners'] = []): Promise<void> {
  const entries = media.map(({ id, name: called, content_digest }) => ({
    id,
    name: called,
    content_digest,
    loaders: { efi: 'efi/boot/bootx64.efi', bios: null },
    boot_config: [] as [string, string][],
  }));
  const content = writeManifest({ version: 1, listeners, hosts: [], kickstarts: [], media: entries });
  await house.services.host.write({ path: MANIFEST_PATH, content, mode: 0o600 });
}

describe('the boot listener serves the files of applied media', () => {
  let listener: Listener;
  let medium: Applied;
  let other: Applied;

  beforeAll(async () => {
    medium = await created();
    other = await created();
    const { services, appliance } = house;
    listener = await startListener({
      listen: { host: '127.0.0.1', port: 0 },
      tls: null,
      services,
      assets: { manifest: {}, serve: () => false },
      answer: appliance.answerBoot,
      refusal,
      stream: bootFiles(services),
    });
    const { host: address, port } = listener.address;
    await apply([medium], [{ interface: 'lo', address, port, origin: `http://${address}:${port}` }]);
  });
  afterAll(() => listener.stop(0));

  function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const { host, port } = listener.address;
    return new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
      const asked = method === 'GET' ? get : request;
      const sent = asked({ host, port, path, method, headers, agent: false }, async (response) =>
        resolve({ status: response.statusCode!, headers: response.headers, bytes: await buffer(response) }),
      );
      sent.on('error', reject).end();
    });
  }
  const at = (file: string, id = medium.id) => `/boot/media/${id}/${file}`;

  test('whole, with length and a strong tag; HEAD tells the same and sends nothing', async () => {
    const whole = await ask(at('k.b00'));
    expect([whole.status, whole.bytes.length, whole.bytes.toString('latin1', 0, 3)]).toEqual([200, 5_000, 'kkk']);
    expect(whole.headers).toMatchObject({ 'content-length': '5000', 'accept-ranges': 'bytes' });
    expect(whole.headers.etag).toMatch(/^"[0-9a-f]{32}"$/);
    const head = await ask(at('k.b00'), {}, 'HEAD');
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([200, 0, '5000']);
    expect((await ask(at('useropts.gz'))).headers['content-length']).toBe('0');
  });

  test.each<[string, Record<string, string>, number, number, string | undefined]>([
    ['the first bytes', { range: 'bytes=0-99' }, 206, 100, 'bytes 0-99/5000'],
    ['from the middle', { range: 'bytes=4990-' }, 206, 10, 'bytes 4990-4999/5000'],
    ['the last bytes', { range: 'bytes=-5' }, 206, 5, 'bytes 4995-4999/5000'],
    ['beyond the end', { range: 'bytes=0-5000' }, 206, 5_000, 'bytes 0-4999/5000'],
    ['far beyond the end', { range: `bytes=4999-${'9'.repeat(20)}` }, 206, 1, 'bytes 4999-4999/5000'],
    ['none of it', { range: 'bytes=5000-' }, 416, 0, 'bytes */5000'],
    ['two ranges: whole', { range: 'bytes=0-1,3-4' }, 200, 5_000, undefined],
    ['If-Range of another file: whole', { range: 'bytes=0-1', 'if-range': '"x"' }, 200, 5_000, undefined],
    ['If-None-Match of another file', { 'if-none-match': '"x"' }, 200, 5_000, undefined],
  ])('range: %s', async (_name, headers, status, length, range) => {
    const answer = await ask(at('k.b00'), headers);
    expect([answer.status, answer.bytes.length, answer.headers['content-range']]).toEqual([status, length, range]);
  });

  test('a tag that is known is answered with 304, and If-Range of this file with the range', async () => {
    const etag = String((await ask(at('s.v00'))).headers.etag);
    expect((await ask(at('s.v00'), { 'if-none-match': `"x", ${etag}` })).status).toBe(304);
    expect((await ask(at('s.v00'), { range: 'bytes=1-2', 'if-range': etag })).status).toBe(206);
  });

  test('in the case of boot.cfg, percent-encoded, and with a query that a loader adds', async () => {
    for (const file of ['K.B00', 'k%2Eb00', 'EFI/BOOT/BOOTX64.EFI', 'k.b00?uuid=1&q=2']) {
      expect([file, (await ask(at(file))).status]).toEqual([file, 200]);
    }
  });

  test('everything else is the one refusal', async () => {
    const refused = [
      [at('nothing.v00')],
      [at('')],
      [at('efi')],
      [at('../index.json')],
      [at('%2e%2e/index.json')],
      [at('..%2findex.json')],
      [at('boot.cfg/')],
      [at('boot.cfg', other.id)],
      [at('boot.cfg', 'medium_none')],
      [at('boot.cfg'), { host: '10.9.9.9:8081' }],
      ['/boot/ipxe/nothing'],
      ['/boot/ipxe/snponly.efi'],
      [at('k.b00'), {}, 'POST'],
      [at('k.b00'), {}, 'OPTIONS'],
    ] as [string, Record<string, string>?, string?][];
    for (const [path, headers, method] of refused) {
      const answer = await ask(path, headers, method);
      expect([path, answer.status, answer.bytes.toString()]).toEqual([path, 404, 'Not found\n']);
    }
  });

  test('a file that is gone or cut short is the one refusal to GET and HEAD, and never half of it', async () => {
    const file = contentPath(mediumFolder(house.services.host, medium.id), 's.v00');
    const whole = await readFile(file);
    for (const spoil of [() => truncate(file, 3), () => rm(file)]) {
      await spoil();
      const answers = await Promise.all([ask(at('s.v00')), ask(at('s.v00'), { range: 'bytes=0-1' })]);
      for (const { status, bytes } of answers) expect([status, bytes.toString()]).toEqual([404, 'Not found\n']);
      expect((await ask(at('s.v00'), {}, 'HEAD')).status).toBe(404);
    }
    await writeFile(file, whole);
    expect((await ask(at('s.v00'))).bytes).toEqual(whole);
  });

  test('the first boot programs are there for firmware that fetches over HTTP, once an apply has placed them', async () => {
    const folder = house.services.host.resolve('/var/lib/groundcrew/tftp');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'snponly.efi'), 'MZ');
    const answer = await ask('/boot/ipxe/snponly.efi');
    expect([answer.status, answer.bytes.toString()]).toEqual([200, 'MZ']);
  });
});

describe('pages', () => {
  const page = (path: string) => house.send('GET', path, { session: admin });

  test('list, form and question show what is known', async () => {
    const medium = await created();
    const broken = await created(makeIso([{ path: ['x'], content: Buffer.from('x') }]));
    const list = await page(PAGES);
    for (const said of [medium.name, 'VMware ESXi 8.0.3', 'Ready', 'Refused', 'has no boot.cfg']) {
      expect(list.text).toContain(said);
    }
    const one = await page(`${PAGES}/${medium.id}`);
    for (const said of ['UEFI: efi/boot/bootx64.efi', medium.content_digest.slice(0, 12)])
      expect(one.text).toContain(said);
    expect((await page(`${PAGES}/${broken.id}`)).text).toContain('The medium has no boot.cfg');
    const add = (await page(`${PAGES}/new`)).text;
    expect(add).toContain('.iso');
    // Unlike other forms of the unit, this one does something at once.
    expect(add).toContain('A job unpacks the image at once');
    expect(add).not.toContain('Saved changes take effect when you apply them');
    for (const { text } of [list, one]) expect(text).not.toContain(' style=');
  });

  test('one that waits for its image says how to send it, and the list follows one that is unpacked', async () => {
    const { body } = await send('POST', MEDIA, { name: name(), size_bytes: 5 });
    expect((await page(`${PAGES}/${body.medium_id}`)).text).toContain(`/media/${body.medium_id}/content?offset=`);
    const region = (html: string) => /<div data-live="media"[^>]*>/.exec(html)?.[0];
    expect(region((await page(PAGES)).text)).toContain('data-done');
    const state = (to: string) =>
      house.services.store.write((tx) =>
        tx.run('UPDATE network_boot_medium SET state = ? WHERE id = ?', [to, body.medium_id]),
      );
    await state('unpacking');
    expect(region((await page(PAGES)).text)).not.toContain('data-done');
    expect((await page(`${PAGES}/${body.medium_id}`)).text).toContain('href="/ui/management/jobs"');
    await state('receiving');
  });

  test('the form takes an image; a refusal is at its field with what was typed', async () => {
    const path = await placed(makeIso(esxiEntries()));
    const called = name();
    const done = await house.send('POST', `${PAGES}/new`, { session: admin, form: { name: called, path } });
    expect([done.status, done.headers.location]).toEqual([303, PAGES]);
    await idle();
    const refused = await house.send('POST', `${PAGES}/new`, {
      session: admin,
      form: { name: 'Typed', path: 'gone.iso' },
    });
    expect(refused.status).toBe(422);
    for (const said of [
      'value="Typed"',
      'value="gone.iso"',
      'There is no such image or folder below ',
      join(house.data, 'import'),
    ])
      expect(refused.text).toContain(said);
    const forged = { cookie: admin.cookie, csrf: 'other' };
    expect((await house.send('POST', `${PAGES}/new`, { session: forged, form: { name: 'x', path } })).status).toBe(403);
  });

  test('the form deletes a medium after the question', async () => {
    const medium = await created();
    expect((await page(`${PAGES}/${medium.id}/delete`)).text).toContain('are gone with it');
    const form = { revision: String(medium.revision) };
    const done = await house.send('POST', `${PAGES}/${medium.id}/delete`, { session: admin, form });
    expect([done.status, done.headers.location]).toEqual([303, PAGES]);
    expect((await send('GET', `${MEDIA}/${medium.id}`)).status).toBe(404);
  });
});
