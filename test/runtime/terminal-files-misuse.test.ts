// Whoever has a session and no more, what was changed while files were open, and requests that lie.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { visitsOf } from '../../shared/services/web-terminal/remote-files/visits.ts';
import { LINK } from '../fakes/sftp-files.ts';
import { MACHINE_PASSWORD } from '../fakes/ssh-machine.ts';
import { PASSWORD } from '../setup/house.ts';
import { FILES_PATH, RemoteFilesScene } from '../setup/remote-files-scene.ts';
import { until } from '../setup/until.ts';

let scene: RemoteFilesScene;

beforeAll(async () => {
  scene = await RemoteFilesScene.open();
});
beforeEach(async () => {
  await visitsOf(scene.terminal.house.services).stop();
  await until(() => scene.machine.connections === 0);
  await scene.begin();
  scene.files.put('/a', 'content');
});
afterAll(() => scene.close());

const last = async (action: string) => (await scene.audited()).filter((row) => row.action === action).at(-1);

/** Each way to use a visit, as `cookie` and the session's CSRF token. */
async function ways(visit: string, upload_id: string, cookie: string): Promise<number[]> {
  const as = { cookie, csrf: scene.admin.csrf };
  const begin = { folder: '/', name: 'stolen', size_bytes: '1' };
  const parts = new FormData();
  for (const [name, value] of Object.entries({ folder: '/', name: 'stolen' })) parts.set(name, value);
  parts.set('file', new Blob(['x']), 'stolen');
  const asked = [
    await scene.ask('GET', visit, { as }),
    await scene.ask('GET', `${visit}?path=%2F`, { as }),
    await scene.download(visit, '/a', as),
    await scene.ask('POST', `${visit}/uploads`, { form: begin, as }),
    await scene.ask('POST', `${visit}/${upload_id}/content?offset=0`, { bytes: Buffer.from('x'), as }),
    await scene.ask('POST', `${visit}/upload`, { parts, as }),
  ];
  for (const { text } of asked) expect(text).not.toContain('content?path=');
  return asked.map(({ status }) => status);
}

test('a session that was stolen uses no visit of its owner, and opens none without the own password', async () => {
  const visit = await scene.visit();
  const { id } = await scene.begun(visit, { name: 'own', size_bytes: '1' });
  const none = Array(6).fill(404);
  const { cookie } = scene.admin;
  expect(await ways(visit, id, cookie)).toEqual(none);
  expect(await ways(visit, id, `${cookie}; groundcrew_files=`)).toEqual(none);
  expect(await ways(visit, id, `${cookie}; groundcrew_files=${'A'.repeat(43)}`)).toEqual(none);
  // Of another visit of the same session: it was ended by this one.
  const former = scene.cookieOf(visit);
  const next = await scene.visit();
  expect(await ways(next, id, former)).toEqual(none);
  expect([...scene.files.stored.keys()].sort()).toEqual(['/', '/a']);
  for (const own_password of ['', 'wrong']) expect((await scene.opening({ own_password })).status).toBe(422);
  // Another token than the session's.
  const forged = await scene.ask('POST', `${next}/uploads`, {
    form: { folder: '/', name: 'x', size_bytes: '1' },
    as: { cookie: scene.cookieOf(next), csrf: 'A'.repeat(64) },
  });
  expect(forged.status).toBe(403);
  // The list names the machine, and no file.
  const { text } = await scene.ask('GET', FILES_PATH);
  expect(text).toContain(next);
  // It may be ended by the session alone.
  const as = { cookie, csrf: scene.admin.csrf };
  expect((await scene.ask('POST', `${next}/close`, { form: {}, accept: 'text/html', as })).status).toBe(303);
  await until(() => scene.machine.connections === 0);
});

test('its cookie is for the visit alone, for no script and no other site', async () => {
  const { headers } = await scene.opening();
  const cookie = headers.getSetCookie().find((each) => each.startsWith('groundcrew_files='))!;
  expect(cookie).toMatch(
    /^groundcrew_files=[\w-]{43}; Path=\/ui\/management\/web-terminal\/files\/visit_\w+; Max-Age=\d+; /,
  );
  expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
});

const entry = async () => {
  const { items } = await scene.api('GET', '/api/v1/vaults');
  for (const { id } of items) {
    const path = `/api/v1/vaults/${id}/entries/${scene.entry_id}`;
    const heard = await scene.terminal.house.send('GET', path, { token: scene.admin.token });
    if (heard.status === 200) return path;
  }
  throw new Error('no entry');
};

test('a visit ends once the vault entry or the confirmed host key is another, and with the role', async () => {
  const path = await entry();
  const ended = async (change: () => Promise<unknown>, status: number) => {
    const visit = await scene.visit();
    expect((await scene.download(visit, '/a')).text).toBe('content');
    await change();
    expect([(await scene.download(visit, '/a')).status, (await scene.page(visit)).status]).toEqual([status, status]);
    await until(() => scene.machine.connections === 0);
    await until(async () => (await last('terminal.files.close'))?.detail.cause === 'revoked');
  };
  await ended(() => scene.api('PATCH', path, { value: `${MACHINE_PASSWORD} ` }), 404);
  await scene.api('PATCH', path, { value: MACHINE_PASSWORD });
  await ended(() => scene.api('PATCH', path, { username: 'other' }), 404);
  await scene.api('PATCH', path, { username: 'root' });
  await ended(async () => {
    const [{ id }] = (await scene.api('GET', '/api/v1/web-terminal/host-keys')).items;
    await scene.api('DELETE', `/api/v1/web-terminal/host-keys/${id}`);
  }, 404);
  const { target } = scene;
  const form = { target, sha256: scene.machine.fingerprint, own_password: PASSWORD };
  const shell = FILES_PATH.replace(/files$/, 'shell');
  expect((await scene.ask('POST', `${shell}/confirm-host-key`, { form })).status).toBe(200);
  // Nobody asks for anything: the look finds it.
  await scene.visit();
  await scene.api('PATCH', path, { uris: [`ssh://127.0.0.1:${scene.machine.port}`, 'ssh://127.0.0.2'] });
  await until(() => scene.machine.connections === 0);
  const visit = await scene.visit();
  const { store } = scene.terminal.house.services;
  await store.write((tx) => tx.run("UPDATE user SET role = 'service-admin' WHERE id = ?", [scene.admin.user.id]));
  expect((await scene.download(visit, '/a')).status).toBe(401);
  expect((await scene.page(visit)).status).toBe(403);
  await until(() => scene.machine.connections === 0);
});

test('rows of transfers have the ids of their requests; a terminal’s recording has none of it', async () => {
  await scene.terminal.apply({ sessions: 16, sessions_per_user: 4, recording: { days: 30, megabytes: 64 } });
  const visit = await scene.visit();
  const { headers } = await scene.download(visit, '/a');
  const id = headers.get('x-request-id');
  expect(id).toMatch(/^req_\w+$/);
  await until(async () => (await last('terminal.file.downloaded'))?.request_id === id);
  expect((await last('terminal.file.download'))!.request_id).toBe(id);
  const begun = await scene.ask('POST', `${visit}/uploads`, { form: { folder: '/', name: 'b', size_bytes: '1' } });
  expect((await last('terminal.file.upload'))!.request_id).toBe(begun.headers.get('x-request-id'));
  const closed = await scene.ask('POST', `${visit}/close`, { form: {}, accept: 'text/html' });
  expect((await last('terminal.files.close'))!.request_id).toBe(closed.headers.get('x-request-id'));
  const folder = join(scene.terminal.house.services.settings.data, 'recordings');
  expect(await readdir(folder).catch(() => [])).toEqual([]);
});

test('a download has no origin in the browser, whatever its name', async () => {
  const visit = await scene.visit();
  for (const [name, plain, whole] of [
    ['näme "x".html', 'n_me _x_.html', 'n%C3%A4me%20%22x%22.html'],
    ["a'b(c)*;%.svg", 'a_b_c____.svg', 'a%27b%28c%29%2A%3B%25.svg'],
    ['x\r\nset-cookie: a=b', 'x_u_d__u_a_set-cookie_ a_b', 'x%5Cu%7Bd%7D%5Cu%7Ba%7Dset-cookie%3A%20a%3Db'],
  ] as const) {
    scene.files.put(`/${name}`, '<script>alert(1)</script>');
    const { headers } = await scene.download(visit, `/${name}`);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${plain}"; filename*=UTF-8''${whole}`);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    expect(headers.getSetCookie()).toEqual([]);
  }
});

test('sizes, offsets and places that lie are refused, and nothing is written', async () => {
  const visit = await scene.visit();
  for (const form of [
    { name: 'x', size_bytes: '-1' },
    { name: 'x', size_bytes: '0' },
    { name: 'x', size_bytes: '1e99' },
    { name: 'x', size_bytes: String(2 ** 53) },
    { name: 'x', size_bytes: String(17 * 2 ** 30) },
    { name: 'x\0y', size_bytes: '1' },
    { name: '..', size_bytes: '1' },
    { name: 'a/b', size_bytes: '1' },
    { name: '\u202e', size_bytes: '1' },
    { name: 'x', folder: 'relative', size_bytes: '1' },
    { name: 'x', folder: '/a\0b', size_bytes: '1' },
    { name: 'x', folder: `/${'y'.repeat(4096)}`, size_bytes: '1' },
  ])
    expect([form, (await scene.begun(visit, form)).status]).toEqual([form, 422]);
  const { id } = await scene.begun(visit, { name: 'x', size_bytes: '3' });
  const bytes = Buffer.from('xy');
  for (const [offset, status] of [
    [1, 409],
    [2 ** 52, 422],
    [-1, 422],
    [1e30, 422],
    [Number.NaN, 422],
  ] as const)
    expect([offset, (await scene.piece(visit, id, offset, bytes)).status]).toEqual([offset, status]);
  expect((await scene.piece(visit, id, 0, Buffer.alloc(4))).status).toBe(409);
  expect((await scene.piece(visit, id, 0, Buffer.alloc((1 << 20) + 1))).status).toBe(413);
  expect((await scene.piece(visit, id, 0, bytes)).body.received_bytes).toBe(2);
});

test('ten thousand links, and names that would steer a terminal', async () => {
  const names = ['\u001b]0;title\u0007', 'c1\u009b31m', 'del\u007f'];
  for (const name of names) scene.files.put(`/${name}`, 'x');
  for (let at = 0; at < 400; at += 1) scene.files.put(`/link-${at}`, '', { mode: LINK });
  const visit = await scene.visit();
  const { status, text } = await scene.page(visit, '/');
  expect(status).toBe(200);
  expect(/[^\P{Cc}\t\n\r]/u.test(text)).toBe(false);
  for (const shown of ['\\u{1b}]0;title\\u{7}', 'c1\\u{9b}31m', 'del\\u{7f}']) expect(text).toContain(shown);
  await scene.download(visit, `/${names[0]}`);
  await until(async () => (await last('terminal.file.downloaded'))?.detail.path === '/\\u{1b}]0;title\\u{7}');
  let answers = 0;
  const attrs = { mode: LINK, uid: 0, gid: 0, size: 1, atime: 0, mtime: 0 };
  scene.files.odd.READDIR = (sftp, id) => {
    answers += 1;
    if (answers > 20) return false;
    sftp.name(
      id,
      Array.from({ length: 500 }, (_, at) => ({ filename: `l${answers}-${at}`, longname: '', attrs })),
    );
    return true;
  };
  const many = await scene.page(visit, '/');
  expect([many.status, many.text.includes('There are more files')]).toEqual([200, true]);
});

test('a file that grows is what it said; no more than four downloads run, and one more is told so', async () => {
  scene.files.put('/grows', 'four and more', { said: 4 });
  expect((await scene.download(await scene.visit(), '/grows')).text).toBe('four');
  // Anew: a download has its place until the other machine has closed its file.
  const visit = await scene.visit();
  // It answers nothing, so that they all wait.
  scene.files.odd.STAT = () => true;
  const control = new AbortController();
  const headers = { cookie: scene.cookieOf(visit) };
  const ask = () => fetch(`${scene.origin}${visit}/content?path=%2Fa`, { headers, signal: control.signal });
  const waiting = Array.from({ length: 4 }, () => ask().catch(() => null));
  await until(() => (scene.files.asked.STAT ?? 0) >= 5);
  const fifth = await ask();
  expect([fifth.status, fifth.headers.get('retry-after')]).toEqual([429, '10']);
  await scene.ask('POST', `${visit}/close`, { form: {}, accept: 'text/html' });
  await Promise.all(waiting);
  await until(() => scene.machine.connections === 0);
});
