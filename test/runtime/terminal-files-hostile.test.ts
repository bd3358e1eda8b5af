// A machine that answers what none should: what is shown, kept in memory and waited for stays bounded, and nothing of it runs in the
// browser.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import ssh2, { type SFTPWrapper } from 'ssh2';
import { openSsh } from '../../shared/appliance/archive/schedule/places/ssh.ts';
import { readFolder } from '../../shared/services/web-terminal/remote-files/folder.ts';
import { FILES } from '../../shared/services/web-terminal/remote-files/limits.ts';
import { readFile } from '../../shared/services/web-terminal/remote-files/reading.ts';
import { Sftp } from '../../shared/services/web-terminal/remote-files/sftp.ts';
import { visitsOf } from '../../shared/services/web-terminal/remote-files/visits.ts';
import { FOLDER, LINK } from '../fakes/sftp-files.ts';
import { MACHINE_PASSWORD, MACHINE_USER } from '../fakes/ssh-machine.ts';
import { RemoteFilesScene } from '../setup/remote-files-scene.ts';
import { until } from '../setup/until.ts';

const { STATUS_CODE } = ssh2.utils.sftp;

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

/** Without pages around it, and with other times. */
async function direct(times = {}): Promise<Sftp> {
  const { port, fingerprint } = scene.machine;
  const place = { host: '127.0.0.1', port, username: MACHINE_USER, path: '', host_key_sha256: fingerprint };
  const secret = { kind: 'password' as const, value: MACHINE_PASSWORD };
  const client = await openSsh(scene.terminal.house.services, place, secret, AbortSignal.timeout(60_000));
  return Sftp.open(client, 'there:22', times);
}

const last = async (action: string) => (await scene.audited()).filter((row) => row.action === action).at(-1);
/** Answers each question of a kind with a status alone. */
const says =
  (status: number) =>
  (sftp: SFTPWrapper, id: number): boolean => {
    sftp.status(id, status);
    return true;
  };
const attrs = { mode: 0o100_644, uid: 0, gid: 0, size: 1, atime: 0, mtime: 0 };
const named = (names: string[]) => names.map((filename) => ({ filename, longname: '', attrs }));

test('names with control characters, markup and what no file can have are shown harmless, or left out', async () => {
  const names = [
    '<script>alert(1)',
    'a\nb',
    'c\u202egpj.exe',
    '"><img src=x onerror=alert(1)>',
    'a/b',
    '..',
    '',
    'x'.repeat(300),
  ];
  let given = false;
  scene.files.odd.READDIR = (sftp, id) => {
    if (given) return false;
    given = true;
    sftp.name(id, named(names));
    return true;
  };
  const visit = await scene.visit();
  given = false;
  const { status, text } = await scene.page(visit, '/');
  expect(status).toBe(200);
  expect([text.includes('<script>alert'), text.includes('<img src=x')]).toEqual([false, false]);
  expect(text).toContain('a\\u{a}b');
  expect(text).toContain('c\\u{202e}gpj.exe');
  expect(text).toMatch(/3 names are left out/);
  // In the header of a download there is no line of its own, and no quote.
  scene.files.put('/c\u202e"\r\nset-cookie: a=b', 'x');
  const { headers } = await scene.download(visit, '/c\u202e"\r\nset-cookie: a=b');
  expect(headers.get('set-cookie')).toBeNull();
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="[A-Za-z0-9 ._-]+"; filename\*=UTF-8''[!-~]+$/,
  );
});

test('a folder without end is shown as far as a person reads, and one that says nothing for ever is left', async () => {
  let answers = 0;
  scene.files.odd.READDIR = (sftp, id) => {
    answers += 1;
    sftp.name(id, named(Array.from({ length: 500 }, (_, at) => `file-${answers}-${at}`)));
    return true;
  };
  const sftp = await direct();
  const folder = await readFolder(sftp, '/');
  expect([folder.entries.length, folder.more, answers]).toEqual([FILES.entries, true, FILES.entries / 500 + 1]);
  // Answers that name nothing.
  scene.files.odd.READDIR = (wrapper, id) => {
    answers += 1;
    wrapper.name(id, named(['.']));
    return true;
  };
  answers = 0;
  await readFolder(sftp, '/');
  expect(answers).toBe(FILES.answers + 1);
  sftp.end();
  const short = await direct({ folder_ms: 0 });
  await expect(readFolder(short, '/')).rejects.toMatchObject({ code: 'remote_timeout' });
  await until(() => scene.machine.connections === 0);
});

test('a machine that never answers is waited for as long as one answer may take, and its connection ends', async () => {
  const sftp = await direct({ answer_ms: 300 });
  scene.files.odd.LSTAT = () => true;
  await expect(sftp.facts('/', { follow: false })).rejects.toMatchObject({ code: 'remote_timeout' });
  await until(() => scene.machine.connections === 0);
  await expect(sftp.facts('/', { follow: false })).rejects.toMatchObject({ code: 'remote_answer_unusable' });
});

test('answers of another kind than was asked for open nothing', async () => {
  scene.files.odd.STAT = says(STATUS_CODE.OK);
  scene.files.odd.OPEN = says(STATUS_CODE.OK);
  scene.files.odd.OPENDIR = (sftp, id) => {
    sftp.name(id, named(['x']));
    return true;
  };
  const sftp = await direct();
  expect((await sftp.facts('/', { follow: true }))!.kind).toBe('other');
  await expect(sftp.openFile('/x', 'r')).rejects.toMatchObject({ code: 'remote_answer_unusable' });
  await expect(sftp.openFolder('/')).rejects.toMatchObject({ code: 'remote_answer_unusable' });
  scene.files.odd.READDIR = says(STATUS_CODE.OK);
  await expect(sftp.names(Buffer.from('h'))).rejects.toMatchObject({ code: 'remote_answer_unusable' });
  sftp.end();
});

test('questions go ahead of who reads by no more than there is memory for, and short answers lose nothing', async () => {
  const bytes = Buffer.alloc(8 << 20);
  for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(at, at);
  scene.files.put('/long', bytes);
  const sftp = await direct();
  const handle = await sftp.openFile('/long', 'r');
  const reader = readFile(sftp, handle, bytes.length);
  const taken: Buffer[] = [(await reader.next()).value as Buffer];
  // Whoever takes nothing more: a question for each piece that was taken, and those that wait.
  await until(() => scene.files.asked.READ! >= FILES.in_flight);
  await sftp.facts('/long', { follow: true });
  expect(scene.files.asked.READ).toBeLessThanOrEqual(FILES.in_flight + 1);
  let short = 0;
  scene.files.odd.READ = (wrapper, id, { offset, length }) => {
    short += 1;
    if (short % 7 !== 0) return false;
    wrapper.data(id, bytes.subarray(offset, offset + Math.max(1, length >> 1)));
    return true;
  };
  for await (const piece of reader) taken.push(piece);
  expect(Buffer.concat(taken).equals(bytes)).toBe(true);
  sftp.end();
});

test('a file without end, one that is shorter than it said, and what is no plain file', async () => {
  scene.files.put('/short', 'four', { said: 4_000 });
  scene.files.put('/zero', 'made up by the kernel', { said: 0 });
  scene.files.put('/huge', 'x', { said: FILES.download + 1 });
  scene.files.put('/loop', '', { mode: LINK });
  scene.files.put('/pipe', '', { mode: 0o010_644 });
  const visit = await scene.visit();
  // It breaks off: no browser takes it for the whole.
  await expect(scene.download(visit, '/short')).rejects.toThrow();
  await until(async () => (await last('terminal.file.downloaded'))?.detail.path === '/short');
  expect(await last('terminal.file.downloaded')).toMatchObject({
    outcome: 'failure',
    detail: { bytes: 4, whole: false },
  });
  expect((await scene.download(visit, '/zero')).text).toBe('made up by the kernel');
  for (const [path, status] of [
    ['/huge', 409],
    ['/loop', 409],
    ['/pipe', 409],
    ['/', 409],
    ['/none', 404],
    ['none', 422],
  ] as const)
    expect([path, (await scene.download(visit, path)).status]).toEqual([path, status]);
  // A loop of links is refused there, and the page says so.
  scene.files.odd.STAT = says(STATUS_CODE.FAILURE);
  const page = await scene.page(visit, '/loop/loop/loop');
  expect([page.status, page.text.includes('links may lead in a circle')]).toEqual([200, true]);
});

test('a browser that takes nothing stops the machine; one that leaves ends the questions', async () => {
  const piece = Buffer.alloc(FILES.piece, 'x');
  scene.files.put('/endless', '', { said: 2 ** 34 });
  scene.files.odd.READ = (sftp, id, { length }) => {
    sftp.data(id, piece.subarray(0, length));
    return true;
  };
  const visit = await scene.visit();
  const control = new AbortController();
  const answer = await fetch(`${scene.origin}${visit}/content?path=%2Fendless`, {
    headers: { cookie: scene.cookieOf(visit) },
    signal: control.signal,
  });
  expect(answer.status).toBe(200);
  // What both sockets and both programs hold at most, in questions; then it stands still.
  let before = -1;
  await until(async () => {
    const now = scene.files.asked.READ ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 200));
    const still = now === before && now === scene.files.asked.READ;
    before = now;
    return still;
  });
  expect(before).toBeLessThan((64 << 20) / FILES.piece);
  control.abort();
  await answer.body?.cancel().catch(() => undefined);
  await until(async () => (await last('terminal.file.downloaded'))?.detail.path === '/endless');
  expect((await last('terminal.file.downloaded'))!.outcome).toBe('failure');
  expect((await scene.page(visit, '/')).status).toBe(200);
});

test('an upload that the machine refuses in the middle is taken away, and is not tried for ever', async () => {
  const visit = await scene.visit();
  const { id } = await scene.begun(visit, { name: 'big', size_bytes: '100' });
  scene.files.odd.WRITE = says(STATUS_CODE.FAILURE);
  const refused = await scene.piece(visit, id, 0, Buffer.alloc(50));
  expect([refused.status, refused.body.error_code]).toEqual([409, 'remote_refused']);
  expect((await scene.piece(visit, id, 0, Buffer.alloc(0))).status).toBe(404);
  await until(() => scene.files.stored.size === 1);
  expect(await last('terminal.file.uploaded')).toMatchObject({
    outcome: 'failure',
    detail: { path: '/big', whole: false },
  });
});

test('a folder in the place of a file is not replaced', async () => {
  scene.files.stored.set('/there', { mode: FOLDER, bytes: Buffer.alloc(0) });
  scene.files.stored.set('/link', { mode: LINK, bytes: Buffer.alloc(0) });
  const visit = await scene.visit();
  for (const name of ['there', 'link']) {
    const { status } = await scene.begun(visit, { name, size_bytes: '1', replace: 'true' });
    expect([name, status]).toEqual([name, 409]);
  }
  expect(scene.files.stored.size).toBe(3);
});
