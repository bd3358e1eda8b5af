// The way into the web terminal: who is refused, before the handshake where that can be, and what ends a terminal that is open.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { endSession } from '../../shared/kernel/access/session.ts';
import { OS_PASSWORD } from '../fakes/ssh-shell.ts';
import { type Credentials, PASSWORD } from '../setup/house.ts';
import { TerminalScene, TICKET_PATH } from '../setup/terminal-scene.ts';
import { until } from '../setup/until.ts';

let scene: TerminalScene;
let admin: Credentials;

beforeAll(async () => {
  scene = await TerminalScene.open({ ticket_ms: 2_000, login_ms: 3_000, detached_ms: 700 });
});
beforeEach(async () => {
  admin = await scene.house.actor('admin');
  await scene.apply({ sessions: 16 });
});
afterAll(() => scene.close());

test('before the handshake: no session, another origin, another name of the same machine, another subprotocol, another role', async () => {
  const { house } = scene;
  const service = await house.actor('service-admin');
  const viewer = await house.actor('viewer');
  expect(await scene.knock(null)).toBe(401);
  expect(await scene.knock({ cookie: 'groundcrew_session=nothing' })).toBe(401);
  expect(await scene.knock(admin, { headers: { origin: 'https://elsewhere.example' } })).toBe(403);
  expect(await scene.knock(admin, { headers: { origin: house.origin.replace('127.0.0.1', 'localhost') } })).toBe(403);
  expect(await scene.knock(admin, { headers: { origin: `${house.origin}/` } })).toBe(403);
  expect(await scene.knock(admin, { headers: { origin: '' } })).toBe(403);
  expect(await scene.knock(admin, { protocols: ['groundcrew-terminal.1'] })).toBe(400);
  expect(await scene.knock(admin, { protocols: [] })).toBe(400);
  expect([await scene.knock(service), await scene.knock(viewer)]).toEqual([403, 403]);
});

test('before the handshake: the unit is off, or not in force where the connection came in', async () => {
  await scene.apply(null);
  expect(await scene.knock(admin)).toBe(409);
  await scene.apply({ listeners: [{ interface: 'ens192', address: '10.10.0.5' }] });
  expect(await scene.knock(admin)).toBe(409);
  expect((await scene.ticket(admin)).status).toBe(409);
});

test('a ticket is for an administrator who knows the password, at an address in force, and never for root', async () => {
  const service = await scene.house.actor('service-admin');
  const viewer = await scene.house.actor('viewer');
  expect([(await scene.ticket(service)).status, (await scene.ticket(viewer)).status]).toEqual([403, 403]);
  expect((await scene.ticket(admin, { own_password: 'wrong' })).status).toBe(422);
  expect((await scene.ticket(admin, { account: 'root' })).status).toBe(422);
  expect((await scene.ticket(admin, { account: '-oProxyCommand=x' })).status).toBe(422);
  const forged = await scene.house.send('POST', TICKET_PATH, {
    session: { ...admin, csrf: 'another' },
    headers: { accept: 'application/json' },
    form: { account: 'operator', own_password: 'x' },
  });
  expect(forged.status).toBe(403);
});

test('a ticket is used once, by the session that asked, and of two at the same moment one gets in', async () => {
  const size = { columns: 80, rows: 24 };
  const { ticket } = await scene.ticket(admin);
  const both = await Promise.all([scene.connect(admin), scene.connect(admin)]);
  for (const client of both) client.tell({ type: 'ticket', ticket, ...size });
  await until(() => both.some(({ code }) => code === 4400));
  const [won] = both.filter(({ code }) => code === 0);
  expect(await won!.next('prompt')).toMatchObject({ prompts: [{ prompt: 'Password: ', echo: false }] });
  won!.ws.close();
  const other = await scene.house.actor('admin');
  const { ticket: of } = await scene.ticket(other);
  const client = await scene.connect(admin);
  client.tell({ type: 'ticket', ticket: of, ...size });
  expect(await client.closed()).toBe(4400);
});

test('a ticket is gone after 30 seconds, and a connection that shows none after ten', async () => {
  const { services } = scene.house;
  const { ticket } = await scene.ticket(admin);
  const { now } = services.clock;
  services.clock.now = () => new Date(now().getTime() + 31_000);
  const client = await scene.connect(admin);
  client.tell({ type: 'ticket', ticket, columns: 80, rows: 24 });
  expect(await client.closed()).toBe(4400);
  services.clock.now = now;
  expect(await (await scene.connect(admin)).closed()).toBe(4400);
});

test('what no page sends ends it: bytes before the shell, another message, and more than 16 KiB', async () => {
  const bytes = await scene.connect(admin);
  bytes.ws.send(Buffer.from('ls\n'));
  expect(await bytes.closed()).toBe(1008);
  const odd = await scene.connect(admin);
  odd.tell({ type: 'ticket', ticket: 'short', columns: 80, rows: 24 });
  expect(await odd.closed()).toBe(1008);
  const shell = await scene.shell(admin);
  shell.ws.send(Buffer.alloc(17 << 10, 'x'));
  expect(await shell.closed()).toBe(1009);
});

test('the operating system’s own password is asked for; a wrong one opens nothing, and is nowhere to be found', async () => {
  const client = await scene.prompted(admin);
  await client.next('prompt');
  client.tell({ type: 'answer', answers: ['canary that is wrong'] });
  expect(await client.closed()).toBe(4403);
  const silent = await scene.prompted(admin);
  await silent.next('prompt');
  expect(await silent.closed()).toBe(4403);
  await until(async () => (await scene.audited()).at(-1)?.action === 'terminal.refuse');
  const rows = await scene.audited();
  expect(rows.at(-1)).toMatchObject({ detail: { account: 'operator', cause: 'refused' } });
  expect(JSON.stringify(rows)).not.toMatch(/canary/);
});

test('a shell: what is typed and printed, its size, and how it closes, of which the audit log has no content', async () => {
  const client = await scene.shell(admin);
  const channel = scene.fake.channels.at(-1)!;
  client.ws.send(Buffer.from('canary typed\n'));
  await until(() => scene.fake.typed.endsWith('canary typed\n'));
  channel.write('canary printed');
  await until(() => client.text.includes('canary printed'));
  client.tell({ type: 'resize', columns: 133, rows: 40 });
  await until(() => scene.fake.sizes.at(-1) === '133x40');
  channel.exit(0);
  channel.end();
  expect(await client.closed()).toBe(1000);
  await until(async () => (await scene.audited()).at(-1)?.action === 'terminal.close');
  const rows = await scene.audited();
  expect(rows.slice(-3).map(({ action }) => action)).toEqual(['terminal.ticket', 'terminal.open', 'terminal.close']);
  expect(rows.at(-1)!.detail).toEqual({ account: 'operator', cause: 'ended', seconds: 0, bytes_in: 13, bytes_out: 14 });
  expect(JSON.stringify(rows)).not.toMatch(/canary/);
  expect(OS_PASSWORD).toMatch(/canary/);
});

test('one user has so many terminals, all have so many, and one that ends gives its place back', async () => {
  await scene.apply({ sessions: 3, sessions_per_user: 2 });
  const open = [await scene.shell(admin), await scene.shell(admin)];
  const beyond = await scene.prompted(admin);
  expect(await beyond.closed()).toBe(4429);
  const other = await scene.house.actor('admin');
  open.push(await scene.shell(other));
  expect(await (await scene.prompted(await scene.house.actor('admin'))).closed()).toBe(4429);
  open[0]!.tell({ type: 'end' });
  await open[0]!.closed();
  open.push(await scene.shell(other));
  for (const client of open.slice(1)) client.tell({ type: 'end' });
  for (const client of open) await client.closed();
  await until(() => scene.fake.channels.length === 0);
});

const ENDINGS: readonly (readonly [string, () => Promise<unknown>])[] = [
  [
    'the session',
    () => scene.house.services.store.write((tx) => tx.run('DELETE FROM session WHERE user_id = ?', [admin.user.id])),
  ],
  [
    'the role',
    () =>
      scene.house.services.store.write((tx) =>
        tx.run("UPDATE user SET role = 'service-admin' WHERE id = ?", [admin.user.id]),
      ),
  ],
  [
    'the account',
    () => scene.house.services.store.write((tx) => tx.run('UPDATE user SET enabled = 0 WHERE id = ?', [admin.user.id])),
  ],
  ['the unit', () => scene.apply(null)],
  ['the interface', () => scene.apply({ listeners: [{ interface: 'ens192', address: '10.10.0.5' }] })],
];

test.each(ENDINGS)('%s ends: within seconds the terminal is closed, and its shell is gone', async (_what, end) => {
  const client = await scene.shell(admin);
  await end();
  expect(await client.closed()).toBe(4401);
  await until(() => scene.fake.channels.length === 0 && scene.fake.connections.size === 0);
});

test('after a reload a page comes back to its shell, with what was printed, once; without it the shell ends', async () => {
  const client = await scene.shell(admin);
  const channel = scene.fake.channels.at(-1)!;
  channel.write('before');
  await until(() => client.text === 'before');
  client.ws.terminate();
  const again = await scene.comeBack(admin, client.resume);
  const { resume } = await again.next('ready');
  await until(() => again.text === 'before');
  expect(await (await scene.comeBack(admin, client.resume)).closed()).toBe(4410);
  const other = await scene.house.actor('admin');
  expect(await (await scene.comeBack(other, resume)).closed()).toBe(4410);
  again.ws.terminate();
  await until(() => scene.fake.channels.length === 0);
  expect(await (await scene.comeBack(admin, resume)).closed()).toBe(4410);
});

test('no socket, or one that shows another host key: said as what it is, and nothing is typed into it', async () => {
  const { host } = scene.house.services;
  const { HOST_KEY_PUBLIC } = await import('../../shared/services/web-terminal/files.ts');
  const { readFile, writeFile } = await import('node:fs/promises');
  const path = host.resolve(HOST_KEY_PUBLIC);
  const right = await readFile(path, 'utf8');
  await writeFile(path, 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n');
  const client = await scene.prompted(admin);
  expect(await client.closed()).toBe(1011);
  expect(client.said.map(({ type }) => type)).toEqual(['closing']);
  await writeFile(path, right);
});

test('whoever prints for ever waits for the page, and goes on when it has drawn', async () => {
  const client = await scene.shell(admin, { draws: false });
  const channel = scene.fake.channels.at(-1)!;
  const piece = Buffer.alloc(32 << 10, 'y');
  let written = 0;
  const print = () => {
    while (written < 8 << 20 && channel.write(piece)) written += piece.length;
    if (written < 8 << 20) channel.once('drain', more);
  };
  const more = () => {
    written += piece.length;
    print();
  };
  print();
  await until(() => client.printed > 256 << 10);
  await new Promise((resolve) => setTimeout(resolve, 300));
  // What the library had read already is sent on.
  expect(client.printed).toBeLessThan((256 << 10) + (512 << 10));
  let drawn = 0;
  const drawing = setInterval(() => {
    if (client.printed === drawn) return;
    client.tell({ type: 'drawn', bytes: client.printed - drawn });
    drawn = client.printed;
  }, 5);
  await until(() => client.printed >= 8 << 20);
  clearInterval(drawing);
  client.tell({ type: 'end' });
  await client.closed();
});

test('another browser of the same user takes a terminal over with a fresh ticket; the former one is told, and comes back to nothing', async () => {
  const first = await scene.shell(admin);
  const channel = scene.fake.channels.at(-1)!;
  channel.write('printed before');
  await until(() => first.text.includes('printed before'));
  const second = await scene.anotherBrowser(admin);
  const heard = await scene.house.send('POST', TICKET_PATH, {
    session: second,
    headers: { accept: 'application/json' },
    form: { account: 'operator', own_password: PASSWORD },
    over: { local: '127.0.0.1', remote: '127.0.0.1' },
  });
  expect(heard.body.other).toMatchObject({ source_address: '127.0.0.1' });
  const taking = await scene.connect(second);
  taking.tell({ type: 'ticket', ticket: heard.body.ticket, columns: 80, rows: 24, take: true });
  await taking.next('ready');
  await until(() => taking.text.includes('printed before'));
  expect(await first.closed()).toBe(4431);
  expect(first.said.at(-1)).toMatchObject({ type: 'closing', says: expect.stringMatching(/taken over/) });
  expect(await (await scene.comeBack(admin, first.resume)).closed()).toBe(4410);
  expect((await scene.audited()).at(-1)).toMatchObject({ action: 'terminal.take', detail: { from: '127.0.0.1' } });
  // It belongs to the new session now: the former one may end.
  const { store, keys } = scene.house.services;
  await store.write((tx) => endSession(tx, keys, admin.cookie.split('=')[1]!));
  await new Promise((done) => setTimeout(done, 2_500));
  taking.ws.send(Buffer.from('goes on'));
  await until(() => scene.fake.typed.endsWith('goes on'));
  taking.tell({ type: 'end' });
  await taking.closed();
});

test('nobody takes over a terminal of somebody else, of another account, or one that has ended', async () => {
  const first = await scene.shell(admin);
  const stranger = await scene.house.actor('admin');
  const { ticket } = await scene.ticket(stranger);
  const taking = await scene.connect(stranger);
  taking.tell({ type: 'ticket', ticket, columns: 80, rows: 24, take: true });
  expect(await taking.closed()).toBe(4410);
  const { ticket: second } = await scene.ticket(admin, { account: 'another' });
  const own = await scene.connect(admin);
  own.tell({ type: 'ticket', ticket: second, columns: 80, rows: 24, take: true });
  expect(await own.closed()).toBe(4410);
  expect(first.code).toBe(0);
  first.tell({ type: 'end' });
  await first.closed();
});
