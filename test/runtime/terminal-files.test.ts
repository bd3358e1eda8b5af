// Files of another machine: opened as a terminal is, browsed, downloaded and uploaded; names and bytes are audited, what is in them
// is nowhere.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { visitsOf } from '../../shared/services/web-terminal/remote-files/visits.ts';
import { MACHINE_PASSWORD, MACHINE_USER } from '../fakes/ssh-machine.ts';
import { FILES_PATH, RemoteFilesScene } from '../setup/remote-files-scene.ts';
import { until } from '../setup/until.ts';

const CONTENT = 'canary of what is in the file';

let scene: RemoteFilesScene;

beforeAll(async () => {
  scene = await RemoteFilesScene.open();
});
beforeEach(async () => {
  await visitsOf(scene.terminal.house.services).stop();
  await until(() => scene.machine.connections === 0);
  await scene.begin();
});
afterAll(() => scene.close());

const last = async (action: string) => (await scene.audited()).filter((row) => row.action === action).at(-1);

test('a folder is shown without scripts; a file comes as an attachment, and both rows name it', async () => {
  scene.files.folder('/etc');
  scene.files.put('/etc/hosts', CONTENT);
  const visit = await scene.visit();
  const root = await scene.page(visit);
  expect(root.text).toContain(`${visit}?path=%2Fetc`);
  const folder = await scene.page(visit, '/etc');
  expect(folder.text).toContain(`${visit}/content?path=%2Fetc%2Fhosts`);
  const { status, headers, text } = await scene.download(visit, '/etc/hosts');
  expect([status, text]).toEqual([200, CONTENT]);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="hosts"; filename*=UTF-8''hosts`,
    'content-length': String(CONTENT.length),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  await until(async () => (await last('terminal.file.downloaded'))?.detail.path === '/etc/hosts');
  const machine = { account: MACHINE_USER, target: `127.0.0.1:${scene.machine.port}`, entry_id: scene.entry_id };
  expect((await last('terminal.files.open'))!.detail).toEqual(machine);
  expect((await last('terminal.file.download'))!.detail).toEqual({
    ...machine,
    path: '/etc/hosts',
    bytes: CONTENT.length,
  });
  expect(await last('terminal.file.downloaded')).toMatchObject({
    outcome: 'success',
    detail: { path: '/etc/hosts', bytes: CONTENT.length, whole: true },
  });
});

test('an upload is beside its place until it is whole; a file that is there is replaced only where that was chosen', async () => {
  const visit = await scene.visit();
  const bytes = Buffer.from(CONTENT.repeat(90_000));
  const size_bytes = String(bytes.length);
  const { status, id } = await scene.begun(visit, { name: 'new.bin', size_bytes });
  expect(status).toBe(200);
  expect(await scene.piece(visit, id, 0, bytes.subarray(0, 1 << 20))).toMatchObject({
    status: 200,
    body: { received_bytes: 1 << 20 },
  });
  expect(scene.files.text('/new.bin')).toBeNull();
  const [beside] = [...scene.files.stored.keys()].filter((path) => path !== '/');
  expect(beside).toMatch(/^\/\.new\.bin\.[0-9a-f]{8}\.part$/);
  // Out of order, and twice.
  expect((await scene.piece(visit, id, 5, bytes.subarray(0, 1 << 20))).status).toBe(409);
  expect((await scene.piece(visit, id, 0, Buffer.alloc(0))).body.received_bytes).toBe(1 << 20);
  for (let at = 1 << 20; at < bytes.length; at += 1 << 20)
    expect((await scene.piece(visit, id, at, bytes.subarray(at, at + (1 << 20)))).status).toBe(200);
  expect(scene.files.stored.get('/new.bin')!.bytes.equals(bytes)).toBe(true);
  expect([...scene.files.stored.keys()]).toEqual(['/', '/new.bin']);
  const again = await scene.begun(visit, { name: 'new.bin', size_bytes: '3' });
  expect([again.status, again.body.detail]).toEqual([409, expect.stringMatching(/is there already/)]);
  const replacing = await scene.begun(visit, { name: 'new.bin', size_bytes: '3', replace: 'true' });
  expect((await scene.piece(visit, replacing.id, 0, Buffer.from('abc'))).status).toBe(200);
  expect(scene.files.text('/new.bin')).toBe('abc');
  expect((await last('terminal.file.uploaded'))!.detail).toMatchObject({
    ...{ path: '/new.bin', bytes: 3, whole: true, replaced: true },
  });
});

test('without scripts a small file comes with its form; its refusal is shown on the page of its folder', async () => {
  scene.files.folder('/up');
  const visit = await scene.visit();
  const parts = (name: string) => {
    const form = new FormData();
    form.set('folder', '/up');
    form.set('name', name);
    form.set('file', new Blob([CONTENT]), 'whatever');
    return form;
  };
  const done = await scene.ask('POST', `${visit}/upload`, { parts: parts('a.txt'), accept: 'text/html' });
  expect([done.status, done.headers.get('location')]).toEqual([303, `${visit}?path=%2Fup`]);
  expect(scene.files.text('/up/a.txt')).toBe(CONTENT);
  for (const name of ['a.txt', '../b', '..', 'a\nb', 'x'.repeat(256), 'a/b']) {
    const refused = await scene.ask('POST', `${visit}/upload`, { parts: parts(name), accept: 'text/html' });
    expect([name, refused.status >= 400, refused.text.includes('Upload into this folder')]).toEqual([name, true, true]);
  }
  expect([...scene.files.stored.keys()]).toEqual(['/', '/up', '/up/a.txt']);
});

test('an upload that is left, or begun anew, leaves nothing behind; the end says how much was moved', async () => {
  const visit = await scene.visit();
  const first = await scene.begun(visit, { name: 'one', size_bytes: '10' });
  await scene.piece(visit, first.id, 0, Buffer.from('12345'));
  const second = await scene.begun(visit, { name: 'two', size_bytes: '10' });
  expect((await scene.piece(visit, first.id, 5, Buffer.from('67890'))).status).toBe(404);
  await scene.piece(visit, second.id, 0, Buffer.from('123'));
  const closed = await scene.ask('POST', `${visit}/close`, { form: {}, accept: 'text/html' });
  expect(closed.status).toBe(303);
  await until(() => [...scene.files.stored.keys()].length === 1);
  await until(() => scene.machine.connections === 0);
  await until(async () => (await last('terminal.files.close'))?.detail.cause === 'closed');
  expect((await last('terminal.files.close'))!.detail).toMatchObject({ uploads: 0, bytes_in: 8 });
  const dropped = (await scene.audited()).filter(
    ({ action, outcome }) => action === 'terminal.file.uploaded' && outcome === 'failure',
  );
  expect(dropped.slice(-2).map(({ detail }) => [detail.path, detail.bytes, detail.whole])).toEqual([
    ['/one', 5, false],
    ['/two', 3, false],
  ]);
  expect((await scene.page(visit)).status).toBe(404);
});

test('the own password, the confirmed key, the policy and the role are asked for as by a terminal; refusals are audited', async () => {
  const before = scene.machine.given.length;
  const wrong = await scene.opening({ own_password: 'wrong' });
  expect(wrong.status).toBe(422);
  expect(await last('terminal.files.open')).toMatchObject({ outcome: 'failure', detail: { refused: 'password' } });
  expect((await scene.opening({ target: 'entry_nothing.0' })).status).toBe(404);
  for (const role of ['service-admin', 'viewer'] as const) {
    const other = await scene.terminal.house.actor(role);
    expect([role, (await scene.opening({}, other)).status]).toEqual([role, 403]);
  }
  await scene.api('PATCH', '/api/v1/remote/settings', { allowed_networks: [] });
  expect(JSON.parse((await scene.opening()).text).error_code).toBe('target_refused');
  expect((await last('terminal.files.refuse'))!.detail).toMatchObject({ problem: 'target_refused' });
  await scene.api('PATCH', '/api/v1/remote/settings', { allowed_networks: ['127.0.0.0/8'] });
  const keys = await scene.api('GET', '/api/v1/web-terminal/host-keys');
  expect(keys.items).toEqual([
    expect.objectContaining({
      ...{ host: '127.0.0.1', port: scene.machine.port, sha256: scene.machine.fingerprint, algorithm: 'ssh-ed25519' },
    }),
  ]);
  await scene.terminal.apply(null);
  expect((await scene.opening()).status).toBe(409);
  expect(scene.machine.given.length).toBe(before);
});

test('a machine without SFTP, and one that shows another key, open nothing', async () => {
  scene.machine.sftp = null;
  expect(JSON.parse((await scene.opening()).text)).toMatchObject({ error_code: 'remote_answer_unusable' });
  await until(() => scene.machine.connections === 0);
  const given = scene.machine.given.length;
  const { fingerprint } = scene.machine;
  await scene.machine.stop();
  await scene.machine.start();
  scene.machine.sftp = scene.files.serve;
  const refused = JSON.parse((await scene.opening()).text);
  expect([refused.error_code, refused.detail.includes(fingerprint)]).toEqual(['host_key_changed', true]);
  expect(scene.machine.given.length).toBe(given);
  // Confirmed anew: in place of the one before.
  const [{ id }] = (await scene.api('GET', '/api/v1/web-terminal/host-keys')).items;
  await scene.api('DELETE', `/api/v1/web-terminal/host-keys/${id}`);
  expect((await scene.api('GET', '/api/v1/web-terminal/host-keys')).items).toEqual([]);
  expect(JSON.parse((await scene.opening()).text).error_code).toBe('trust_missing');
  const shell = FILES_PATH.replace(/files$/, 'shell');
  const form = {
    target: scene.target,
    sha256: scene.machine.fingerprint,
    own_password: 'correct horse battery staple',
  };
  expect((await scene.ask('POST', `${shell}/confirm-host-key`, { form })).status).toBe(200);
});

test('a visit is of one session; it takes a place among the terminals, and ends with the session, the unit and the service', async () => {
  scene.files.put('/a', CONTENT);
  const visit = await scene.visit();
  const other = await scene.terminal.house.actor('admin');
  expect((await scene.download(visit, '/a', other)).status).toBe(404);
  const same = await scene.terminal.anotherBrowser(scene.admin);
  expect((await scene.download(visit, '/a', same)).status).toBe(404);
  expect((await scene.ask('GET', visit, { as: same })).status).toBe(404);
  const nobody = { cookie: 'groundcrew_session=x', csrf: '' };
  expect((await scene.download(visit, '/a', nobody)).status).toBe(401);
  await scene.terminal.apply({ sessions: 16, sessions_per_user: 1 });
  const client = await scene.terminal.prompted(scene.admin);
  expect(await client.closed()).toBe(4429);
  // Opened again, it takes the place of its own.
  const again = await scene.visit();
  expect((await scene.page(visit)).status).toBe(404);
  await scene.terminal.apply(null);
  expect((await scene.download(again, '/a')).status).toBe(409);
  await until(async () => (await last('terminal.files.close'))?.detail.cause === 'revoked');
  await scene.terminal.apply({ sessions: 16, sessions_per_user: 1 });
  await scene.visit();
  const { store } = scene.terminal.house.services;
  await store.write((tx) => tx.run('DELETE FROM session WHERE user_id = ?', [scene.admin.user.id]));
  await until(() => scene.machine.connections === 0);
});

test('neither the password of the machine nor what is in a file is in log, audit log, jobs or database', async () => {
  scene.files.put('/secret', CONTENT);
  const visit = await scene.visit();
  await scene.download(visit, '/secret');
  const { id } = await scene.begun(visit, { name: 'up', size_bytes: String(CONTENT.length) });
  await scene.piece(visit, id, 0, Buffer.from(CONTENT));
  const page = await scene.page(visit);
  const { store } = scene.terminal.house.services;
  const tables = await store.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
  let all = scene.lines.join('') + page.text;
  for (const { name } of tables) all += JSON.stringify(await store.all(`SELECT * FROM "${name}"`));
  expect(all).toContain('/secret');
  const key = scene.keys.get(visit)!.split('=')[1]!;
  expect([all.includes(MACHINE_PASSWORD), all.includes(CONTENT), all.includes(key)]).toEqual([false, false, false]);
});
