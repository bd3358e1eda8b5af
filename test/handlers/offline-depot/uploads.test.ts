// OVAs that are uploaded into the offline depot: over the API and the page's own ways, resumed, completed, replaced,
// removed, forgotten; and the list of what is there.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { scheduled as pruneUploads } from '../../../handlers/scheduled/prune-depot-uploads.ts';
import { appliancePath } from '../../../shared/services/offline-depot/appliances/appliances.ts';
import {
  applianceFolder,
  depotStore,
  depotUploadPath,
  uploadsFolder,
} from '../../../shared/services/offline-depot/store.ts';
import { addUpload, UPLOADS_MOST } from '../../../shared/services/offline-depot/uploads/upload-store.ts';
import { type Credentials, House } from '../../setup/house.ts';
import { makeOva, sddcManagerProducts } from '../../setup/make-ova.ts';

const UPLOADS = '/api/v1/private-cloud-services/uploads';
const APPLIANCES = '/api/v1/private-cloud-services/appliances';
const PAGE = '/ui/management/offline-depot';

let house: House;
let admin: Credentials;
let count = 0;

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
});
afterAll(() => house.close());

const name = () => `VCF-SDDC-Manager-Appliance-9.0.${++count}.0.24703748.ova`;
const idle = () => house.appliance.runner.idle();
const send = (method: string, path: string, body?: unknown) =>
  house.send(method, path, { token: admin.token, ...(body !== undefined && { body }) });
const bytesOf = (length: number, seed = 7): Buffer => Buffer.from(Array.from({ length }, (_, n) => (n * seed) & 0xff));
const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const inDepot = (file: string): string => join(applianceFolder(house.services.host), file);
const kept = async (): Promise<string[]> => readdir(uploadsFolder(house.services.host)).catch(() => []);

const octets = (path: string, bytes: Buffer, more: object) =>
  house.appliance.answer({
    ...house.event('PUT', path, {
      headers: { 'content-type': 'application/octet-stream' },
      raw: bytes.toString('base64'),
      ...more,
    }),
    isBase64Encoded: true,
  });
async function piece(id: string, offset: number, bytes: Buffer) {
  const answer = await octets(`${UPLOADS}/${id}/content?offset=${offset}`, bytes, { token: admin.token });
  return { status: answer.statusCode, body: JSON.parse(answer.body) };
}

async function begun(size_bytes: number, more: object = {}): Promise<{ id: string; file: string }> {
  const file = (more as { name?: string }).name ?? name();
  const { status, body } = await send('POST', UPLOADS, { name: file, size_bytes, ...more });
  expect([status, body.detail]).toEqual([201, undefined]);
  return { id: body.upload_id, file };
}

async function received(bytes: Buffer, more: object = {}) {
  const upload = await begun(bytes.length, more);
  await piece(upload.id, 0, bytes);
  return upload;
}

async function placed(bytes: Buffer, more: object = {}): Promise<string> {
  const { id, file } = await received(bytes, more);
  expect((await send('POST', `${UPLOADS}/${id}/complete`, {})).status).toBe(202);
  await idle();
  return file;
}

describe('an upload', () => {
  const bytes = bytesOf(150_000);

  test('in pieces: nothing is in the depot before its end, then the file is, as it was sent, and each step is audited', async () => {
    const before = await house.lastAudit();
    const file = name();
    const answer = await send('POST', UPLOADS, { name: file, size_bytes: bytes.length, sha256: sha256Of(bytes) });
    expect([answer.status, answer.body]).toEqual([
      201,
      expect.objectContaining({
        upload_id: expect.stringMatching(/^upload_/),
        received_bytes: 0,
        piece_most: 4 << 20,
        state: 'receiving',
      }),
    ]);
    const id = answer.body.upload_id;
    expect(answer.headers.location).toBe(`${UPLOADS}/${id}`);
    for (let at = 0; at < bytes.length; at += 40_000) {
      const { status, body } = await piece(id, at, bytes.subarray(at, at + 40_000));
      expect([status, body.received_bytes]).toEqual([200, Math.min(bytes.length, at + 40_000)]);
    }
    expect([existsSync(inDepot(file)), (await send('GET', APPLIANCES)).body.items]).toEqual([false, []]);
    const { status, body } = await send('POST', `${UPLOADS}/${id}/complete`, {});
    expect([status, body.state, body.job_id]).toEqual([202, 'completing', expect.stringMatching(/^job_/)]);
    await idle();
    expect(bytes.equals(await readFile(inDepot(file)))).toBe(true);
    expect(await kept()).toEqual([]);
    expect((await send('GET', `${UPLOADS}/${id}`)).body).toMatchObject({ state: 'done', received_bytes: 150_000 });
    expect(await house.audited(before)).toEqual(['depot.upload.begin', 'depot.upload.complete', 'depot.upload.done']);
    const job = (await send('GET', `/api/v1/jobs/${body.job_id}`)).body;
    expect(job.result).toEqual({ upload_id: id, file, size_bytes: bytes.length, sha256: sha256Of(bytes) });
    expect((await piece(id, 0, bytes)).status).toBe(409);
    expect((await send('DELETE', `${UPLOADS}/${id}`)).status).toBe(409);
  });

  test('a piece that is sent again changes nothing, one of no bytes asks, a gap and too much are refused', async () => {
    const { id } = await begun(100);
    await piece(id, 0, bytes.subarray(0, 60));
    expect((await piece(id, 0, Buffer.alloc(60))).body.received_bytes).toBe(60);
    expect((await piece(id, 0, Buffer.alloc(0))).body.received_bytes).toBe(60);
    const gap = await piece(id, 61, Buffer.alloc(1));
    expect([gap.status, gap.body.detail]).toEqual([409, '60 bytes are there; go on from there.']);
    const beyond = await piece(id, 60, Buffer.alloc(41));
    expect([beyond.status, beyond.body.errors[0].pointer]).toEqual([422, '?offset']);
    expect((await piece(id, 60, Buffer.alloc((4 << 20) + 1))).status).toBe(413);
    expect((await send('POST', `${UPLOADS}/${id}/complete`, {})).body.detail).toBe(
      '60 of 100 bytes are there; send the rest first.',
    );
    // Bytes that overlap are taken from where the last ones ended.
    expect((await piece(id, 40, bytes.subarray(40, 100))).body.received_bytes).toBe(100);
    expect((await readFile(depotUploadPath(house.services.host, id))).equals(bytes.subarray(0, 100))).toBe(true);
    expect((await send('DELETE', `${UPLOADS}/${id}`)).status).toBe(204);
    expect([(await send('GET', `${UPLOADS}/${id}`)).status, await kept()]).toEqual([404, []]);
  });

  test('with another SHA-256 than was said stays out of the depot; its bytes are kept, and the right one completes it', async () => {
    const before = await house.lastAudit();
    const { id, file } = await received(bytes);
    await send('POST', `${UPLOADS}/${id}/complete`, { sha256: '0'.repeat(64) });
    await idle();
    const { body } = await send('GET', `${UPLOADS}/${id}`);
    expect(body).toMatchObject({ state: 'receiving', received_bytes: bytes.length });
    expect(body.fault.detail).toContain(sha256Of(bytes));
    expect(existsSync(inDepot(file))).toBe(false);
    await send('POST', `${UPLOADS}/${id}/complete`, { sha256: sha256Of(bytes) });
    await idle();
    expect((await send('GET', `${UPLOADS}/${id}`)).body).toMatchObject({ state: 'done', fault: null });
    expect(await house.audited(before)).toEqual([
      'depot.upload.begin',
      'depot.upload.complete',
      'depot.upload.failed',
      'depot.upload.complete',
      'depot.upload.done',
    ]);
  });

  test.each<[string, object, string]>([
    ['a folder in the name', { name: 'a/b.ova', size_bytes: 5 }, '/name'],
    ['a way up', { name: '../b.ova', size_bytes: 5 }, '/name'],
    ['a hidden name', { name: '.b.ova', size_bytes: 5 }, '/name'],
    ['another kind of file', { name: 'b.iso', size_bytes: 5 }, '/name'],
    ['a name of 201 characters', { name: `${'b'.repeat(197)}.ova`, size_bytes: 5 }, '/name'],
    ['a NUL', { name: 'b\0.ova', size_bytes: 5 }, '/name'],
    ['no bytes', { name: 'b.ova', size_bytes: 0 }, '/size_bytes'],
    ['more than 1 TiB', { name: 'b.ova', size_bytes: 2 ** 40 + 1 }, '/size_bytes'],
    ['a SHA-256 that is none', { name: 'b.ova', size_bytes: 5, sha256: 'abc' }, '/sha256'],
  ])('422: %s', async (_what, body, pointer) => {
    const answer = await send('POST', UPLOADS, body);
    expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([422, pointer]);
  });

  test('507 where it does not fit, alone or beside what was announced; nothing is kept of it', async () => {
    const big = await send('POST', UPLOADS, { name: name(), size_bytes: 2 ** 40 });
    expect([big.status, big.body.error_code]).toEqual([507, 'storage_full']);
    expect(
      (await send('GET', `${UPLOADS}?limit=1000`)).body.items.filter(
        (each: { name: string }) => each.name === big.body.name,
      ),
    ).toEqual([]);
  });
});

describe('a name that the depot has already', () => {
  const [old, fresh] = [bytesOf(1000), bytesOf(2000, 11)] as const;

  test('is refused at the begin unless it is said that the file is to be replaced', async () => {
    const file = await placed(old);
    const answer = await send('POST', UPLOADS, { name: file, size_bytes: 5 });
    expect([answer.status, answer.body.error_code]).toEqual([409, 'depot_file_exists']);
    await placed(fresh, { name: file, overwrite: true });
    expect(fresh.equals(await readFile(inDepot(file)))).toBe(true);
  });

  test('is refused at the end as well: of two that race the first has it, the second keeps its bytes', async () => {
    const file = name();
    const [one, two] = [await received(old, { name: file }), await received(fresh, { name: file })];
    for (const { id } of [one, two]) expect((await send('POST', `${UPLOADS}/${id}/complete`, {})).status).toBe(202);
    await idle();
    const states = await Promise.all([one, two].map(async ({ id }) => (await send('GET', `${UPLOADS}/${id}`)).body));
    const lost = states.find(({ state }) => state === 'receiving');
    expect(states.map(({ state }) => state).sort()).toEqual(['done', 'receiving']);
    expect(lost.fault.code).toBe('depot_file_exists');
    expect((await send('POST', `${UPLOADS}/${lost.upload_id}/complete`, {})).body.error_code).toBe('depot_file_exists');
    await send('POST', `${UPLOADS}/${lost.upload_id}/complete`, { overwrite: true });
    await idle();
    expect((await readFile(inDepot(file))).length).toBe(lost.size_bytes);
  });

  test('is not replaced, and the file not deleted, under a deployment that reads it', async () => {
    const file = await placed(old);
    const { id } = await received(fresh, { name: file, overwrite: true });
    await house.services.store.write((tx) =>
      tx.run(
        `INSERT INTO job (id, kind, state, subject, input, created_by, created_at, lease_owner, lease_until)
         VALUES ('job_reads', 'sddc-manager-deployment', 'running', NULL, ?, 'ada', '2026-01-01T00:00:00.000Z', 'x/1/1', '2999-01-01')`,
        [JSON.stringify({ ova: { file } })],
      ),
    );
    await send('POST', `${UPLOADS}/${id}/complete`, {});
    await idle();
    expect((await send('GET', `${UPLOADS}/${id}`)).body.fault.code).toBe('still_referenced');
    const refused = await send('DELETE', `${APPLIANCES}/${file}`);
    expect([refused.status, refused.body.error_code, refused.body.blockers[0].subject]).toEqual([
      409,
      'still_referenced',
      'Job job_reads',
    ]);
    expect(old.equals(await readFile(inDepot(file)))).toBe(true);
    await house.services.store.write((tx) => tx.run("DELETE FROM job WHERE id = 'job_reads'"));
    expect((await send('DELETE', `${APPLIANCES}/${file}`)).status).toBe(204);
    await send('DELETE', `${UPLOADS}/${id}`);
  });
});

describe('the OVAs that are there', () => {
  beforeAll(async () => {
    await rm(applianceFolder(house.services.host), { recursive: true, force: true });
    await mkdir(applianceFolder(house.services.host), { recursive: true });
  });

  test('newest version first; folders, links, hidden and other files are not among them', async () => {
    for (const version of ['9.0.0.0.24703748', '9.1.0.0.1', '9.0.10.0.3', '9.0.2.0.9']) {
      await writeFile(inDepot(`VCF-${version}.ova`), version);
    }
    await writeFile(inDepot('custom.OVA'), 'x');
    for (const hidden of ['.half.ova', 'notes.txt', '.upload']) await writeFile(inDepot(hidden), 'x');
    await mkdir(inDepot('folder.ova'));
    await symlink('/etc/passwd', inDepot('passwd.ova'));
    const { items } = (await send('GET', APPLIANCES)).body;
    expect(items.map(({ version }: { version: string }) => version)).toEqual([
      '9.1.0.0.1',
      '9.0.10.0.3',
      '9.0.2.0.9',
      '9.0.0.0.24703748',
      null,
    ]);
    expect(items[0]).toEqual({
      file: 'VCF-9.1.0.0.1.ova',
      size_bytes: 9,
      modified_at: expect.stringMatching(/^20/),
      version: '9.1.0.0.1',
    });
  });

  test.each([
    'passwd.ova',
    '.half.ova',
    'folder.ova',
    '../SDDC_MANAGER_VCF/custom.OVA',
    'notes.txt',
    'nothing.ova',
    '..',
  ])('404: %s', async (file) => {
    expect((await send('GET', `${APPLIANCES}/${encodeURIComponent(file)}`)).status).toBe(404);
    expect((await send('DELETE', `${APPLIANCES}/${encodeURIComponent(file)}`)).status).toBe(404);
    await expect(appliancePath(house.services, file)).rejects.toMatchObject({ code: 'resource_not_found' });
  });

  test('one of them: what its descriptor says, or why it can’t be deployed', async () => {
    await makeOva({
      path: inDepot('VCF-9.0.3.0.7.ova'),
      properties: sddcManagerProducts(),
      networks: [{ name: 'Network 1', description: '' }],
    });
    const { body } = await send('GET', `${APPLIANCES}/VCF-9.0.3.0.7.ova`);
    expect(body).toMatchObject({ file: 'VCF-9.0.3.0.7.ova', version: '9.0.3.0.7', fault: null });
    expect(body.ova).toMatchObject({ product: { name: expect.stringMatching(/\S/) }, networks: ['Network 1'] });
    expect([body.ova.property_count > 3, body.ova.disk_bytes]).toEqual([true, 64 * 2 ** 30]);
    expect(body.ova.signature).toBeNull();
    const broken = (await send('GET', `${APPLIANCES}/custom.OVA`)).body;
    expect(broken).toMatchObject({
      file: 'custom.OVA',
      ova: null,
      fault: { code: expect.stringMatching(/^[a-z_]+$/) },
    });
    const { text } = await house.send('GET', PAGE, { session: admin });
    for (const word of [
      'VCF-9.0.3.0.7.ova',
      'Can be deployed',
      'Can’t be deployed',
      broken.fault.detail.slice(0, 20),
    ]) {
      expect(text).toContain(word);
    }
    const question = await house.send('GET', `${PAGE}/appliances/custom.OVA/delete`, { session: admin });
    expect([question.status, question.text.includes('Delete OVA')]).toEqual([200, true]);
    const gone = await house.send('POST', `${PAGE}/appliances/custom.OVA/delete`, { session: admin, form: {} });
    expect([gone.status, gone.headers.location, existsSync(inDepot('custom.OVA'))]).toEqual([303, PAGE, false]);
  });

  test('none where a folder on the way is a link to another place', async () => {
    const comp = join(applianceFolder(house.services.host), '..');
    await rm(join(comp, 'SDDC_MANAGER_VCF'), { recursive: true });
    await mkdir(join(house.data, 'elsewhere'));
    await writeFile(join(house.data, 'elsewhere', 'a.ova'), 'x');
    await symlink(join(house.data, 'elsewhere'), join(comp, 'SDDC_MANAGER_VCF'));
    expect((await send('GET', APPLIANCES)).body.items).toEqual([]);
    await expect(appliancePath(house.services, 'a.ova')).rejects.toMatchObject({ code: 'resource_not_found' });
    await rm(join(comp, 'SDDC_MANAGER_VCF'));
  });
});

describe('the clock', () => {
  test('removes an upload to which nothing came for a day, what was done a day ago, and bytes of none', async () => {
    const before = await house.lastAudit();
    const [stale, fresh] = [await received(bytesOf(10)), await received(bytesOf(10))];
    const done = await placed(bytesOf(9));
    const old = new Date(Date.now() - 25 * 3_600_000);
    await house.services.store.write((tx) =>
      tx.run("UPDATE depot_upload SET updated_at = ? WHERE state = 'done' OR id IN (?, ?)", [
        old.toISOString(),
        stale.id,
        fresh.id,
      ]),
    );
    await utimes(depotUploadPath(house.services.host, stale.id), old, old);
    const stray = depotUploadPath(house.services.host, 'upload_stray');
    await writeFile(stray, 'x');
    await utimes(stray, old, old);
    const event = { source: 'groundcrew.ticker', id: 'x', time: '' } as const;
    await pruneUploads.handler(event, { services: house.services });
    const { items } = (await send('GET', UPLOADS)).body;
    expect(items.map(({ upload_id }: { upload_id: string }) => upload_id)).toEqual([fresh.id]);
    expect(await kept()).toEqual([fresh.id]);
    expect(existsSync(inDepot(done))).toBe(true);
    expect((await house.audited(before)).at(-1)).toBe('depot.upload.expired');
    await send('DELETE', `${UPLOADS}/${fresh.id}`);
  });
});

describe('as the page’s script does it', () => {
  const script = (more: object = {}) => ({ session: admin, headers: { accept: 'application/json', ...more } });
  const push = (id: string, bytes: Buffer, csrf = admin.csrf) =>
    house.appliance.answer({
      ...house.event('POST', `${PAGE}/uploads/${id}/content?offset=0`, {
        session: admin,
        headers: { accept: 'application/json', 'content-type': 'application/octet-stream', 'x-csrf-token': csrf },
        raw: bytes.toString('base64'),
      }),
      isBase64Encoded: true,
    });

  test('begin, piece, complete and remove answer JSON', async () => {
    const bytes = bytesOf(3000);
    const begin = await house.send('POST', `${PAGE}/uploads`, {
      ...script(),
      form: { name: name(), size_bytes: '3000', sha256: sha256Of(bytes).toUpperCase() },
    });
    expect([begin.status, begin.body.received_bytes, begin.body.sha256]).toEqual([200, 0, sha256Of(bytes)]);
    const id = begin.body.upload_id;
    const sent = await push(id, bytes);
    expect([sent.statusCode, JSON.parse(sent.body).received_bytes]).toEqual([200, 3000]);
    const complete = await house.send('POST', `${PAGE}/uploads/${id}/complete`, { ...script(), form: {} });
    expect([complete.status, complete.body.state, complete.body.sha256]).toEqual([200, 'completing', sha256Of(bytes)]);
    await idle();
    expect((await send('GET', `${UPLOADS}/${id}`)).body.state).toBe('done');
  });

  test('bytes without the session’s CSRF token are refused, and so are fields in their place', async () => {
    const { id } = await begun(10);
    const forged = await push(id, bytesOf(10), 'x');
    expect([forged.statusCode, JSON.parse(forged.body).error_code]).toEqual([403, 'csrf_failed']);
    const fields = await house.send('POST', `${PAGE}/uploads/${id}/content?offset=0`, {
      ...script(),
      form: { a: 'b' },
    });
    expect([fields.status, fields.body.error_code]).toEqual([415, 'media_type_unsupported']);
    expect(await house.send('POST', `${PAGE}/uploads/${id}/delete`, { ...script(), form: {} })).toMatchObject({
      status: 200,
    });
  });
});

test('as many uploads wait as may, and one more is refused until one is removed', async () => {
  const { clock, entropy, store } = house.services;
  const [id] = await store.write(async (tx) => {
    await tx.run("DELETE FROM depot_upload WHERE state = 'receiving'");
    const made: string[] = [];
    while (made.length < UPLOADS_MOST) {
      const draft = { name: name(), size_bytes: 5, sha256: null, overwrite: false, created_by: 'test' };
      made.push((await addUpload(tx, { clock, entropy }, draft)).id);
    }
    return made;
  });
  const begin = () => send('POST', UPLOADS, { name: name(), size_bytes: 5 });
  const { status, body } = await begin();
  expect([status, body.error_code, body.detail]).toEqual([
    409,
    'state_conflict',
    expect.stringContaining('Complete or remove some'),
  ]);
  expect((await send('DELETE', `${UPLOADS}/${id}`)).status).toBe(204);
  expect([(await begin()).status, (await begin()).status]).toEqual([201, 409]);
  await store.write((tx) => tx.run("DELETE FROM depot_upload WHERE state = 'receiving'"));
});

test('the store is not writable: what to do is said', async () => {
  const store = depotStore(house.services.host);
  await rm(store, { recursive: true });
  await writeFile(store, 'a file, no folder');
  const answer = await send('POST', UPLOADS, { name: name(), size_bytes: 5 });
  expect(answer.status).toBe(409);
  expect(answer.body.detail).toContain('/mnt/groundcrew-vcf-offline-depot');
  await rm(store);
});

// A second name of a file that an earlier run gave it, and died before it took the first away.
test('a job that was killed between the two names of the file ends its work', async () => {
  const { id, file } = await received(bytesOf(50));
  await mkdir(applianceFolder(house.services.host), { recursive: true });
  await link(depotUploadPath(house.services.host, id), inDepot(file));
  await send('POST', `${UPLOADS}/${id}/complete`, { overwrite: true });
  await idle();
  expect([await kept(), (await send('GET', `${UPLOADS}/${id}`)).body.state]).toEqual([[], 'done']);
});
