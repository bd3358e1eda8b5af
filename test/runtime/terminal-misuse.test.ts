// What somebody may try who is let in: guess passwords of the operating system, leave early, read nothing, type from a tab that
// was replaced; and a database that fails meanwhile.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { TerminalSession } from '../../runtime/terminal-session.ts';
import { type Held, TerminalSessions } from '../../runtime/terminal-sessions.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import type { TerminalManifest } from '../../shared/services/web-terminal/manifest.ts';
import { OS_PASSWORD } from '../fakes/ssh-shell.ts';
import type { Credentials } from '../setup/house.ts';
import { TerminalScene } from '../setup/terminal-scene.ts';
import { until } from '../setup/until.ts';

let scene: TerminalScene;
let admin: Credentials;

beforeAll(async () => {
  scene = await TerminalScene.open({ detached_ms: 700 });
});
beforeEach(async () => {
  admin = await scene.house.actor('admin');
  await scene.apply({ sessions: 16 });
  await scene.house.services.store.write((tx) => tx.run('DELETE FROM sign_in_throttle'));
});
afterAll(() => scene.close());

/** The status of the ticket; with one, a wrong password was told to the operating system. */
async function guess(who: Credentials, account = 'operator', leaves = false): Promise<number> {
  const { status, ticket } = await scene.ticket(who, { account });
  if (status !== 200) return status;
  const client = await scene.connect(who);
  client.tell({ type: 'ticket', ticket, columns: 80, rows: 24 });
  await client.next('prompt');
  client.tell({ type: 'answer', answers: ['wrong'] });
  if (leaves) client.ws.close();
  await client.closed();
  return status;
}

test('who guesses passwords of the operating system waits, for one account, and in one session for all accounts', async () => {
  const seen: number[] = [];
  for (let count = 0; count < 8; count++) seen.push(await guess(admin));
  expect([seen.slice(0, 5).every((status) => status === 200), seen.at(-1)]).toEqual([true, 429]);
  expect((await scene.ticket(admin, { account: 'another' })).status).toBe(200);
  for (let count = 0; count < 8; count++) seen.push(await guess(admin, `account${count}`));
  expect(seen.at(-1)).toBe(429);
});

test('whoever leaves after an answer has guessed; a right password forgets one account’s failures', async () => {
  for (let count = 0; count < 3; count++) expect(await guess(admin, 'operator', true)).toBe(200);
  await until(async () => (await failures()) >= 3);
  (await scene.shell(admin)).tell({ type: 'end' });
  const { store } = scene.house.services;
  expect(await store.all('SELECT key FROM sign_in_throttle WHERE key LIKE ?', ['pair %'])).toEqual([]);
  expect(await failures()).toBe(3);
});

test('a terminal that can’t be written into the audit log is none: its shell ends', async () => {
  const { store } = scene.house.services;
  const client = await scene.prompted(admin);
  await client.next('prompt');
  const { write } = store;
  try {
    store.write = () => Promise.reject(new Error('no space'));
    client.tell({ type: 'answer', answers: [OS_PASSWORD] });
    expect(await client.closed()).toBe(1011);
    await until(() => scene.fake.channels.length === 0 && scene.fake.connections.size === 0);
  } finally {
    store.write = write;
  }
});

test('a page that reads nothing makes the shell wait, whatever it says that it has drawn', async () => {
  const client = await scene.shell(admin, { draws: false });
  const target = scene.fake.channels.at(-1)!;
  client.ws.pause();
  const lies = setInterval(() => client.tell({ type: 'drawn', bytes: 16 << 20 }), 2);
  const piece = Buffer.alloc(32 << 10, 'y');
  const MOST = 64 << 20;
  let written = 0;
  const print = () => {
    while (written < MOST) {
      written += piece.length;
      if (!target.write(piece)) return void target.once('drain', print);
    }
  };
  print();
  let before = -1;
  await until(async () => {
    const stands = before === written;
    before = written;
    await new Promise((resolve) => setTimeout(resolve, 500));
    return stands;
  });
  // Both kernels' buffers, the window of SSH, and what we keep.
  expect(written).toBeLessThan(24 << 20);
  client.ws.resume();
  await until(() => client.printed === MOST);
  clearInterval(lies);
  client.tell({ type: 'end' });
  expect(await client.closed()).toBe(1000);
});

test('while the database fails the limits of each terminal hold, and after a few looks it ends', async () => {
  const { services } = scene.house;
  const failing = {
    ...services,
    logger: { error: () => undefined },
    store: { one: () => Promise.reject(new Error('no database')) },
  } as unknown as Services;
  const sessions = new TerminalSessions(failing);
  const seen: string[] = [];
  const place = (session_id: string): Held => ({
    ...{
      what: 'operator',
      source_address: '127.0.0.1',
      since: '2026-01-01T00:00:00.000Z',
      user_id: 'u',
      credential_id: 'c',
      session_id,
      local: '127.0.0.1',
      resume: '',
      unknown: 0,
    },
    session: { look: () => seen.push(`${session_id} looked`) } as unknown as TerminalSession,
    end: (cause) => seen.push(`${session_id} ${cause}`),
  });
  const held = [place('a'), place('b')];
  const terms = { sessions: 4, sessions_per_user: 4 } as TerminalManifest;
  for (const each of held) sessions.add(each, terms);
  await sessions.look();
  expect(seen).toEqual(['a looked', 'b looked']);
  for (let count = 1; count < 5; count++) await sessions.look();
  expect(seen.slice(-2)).toEqual(['a revoked', 'b revoked']);
  for (const each of held) sessions.remove(each);
});

test('whoever types keeps the session of the browser in use, though no page is asked for', async () => {
  const { services } = scene.house;
  const client = await scene.shell(admin);
  await services.lastUse.flush(services.store);
  const seen = async () =>
    (await services.store.one<{ at: string }>('SELECT last_seen_at AS at FROM session WHERE user_id = ?', [
      admin.user.id,
    ]))!.at;
  const before = await seen();
  const { now } = services.clock;
  try {
    services.clock.now = () => new Date(now().getTime() + 20 * 60_000);
    client.ws.send(Buffer.from('x'));
    await until(async () => scene.fake.typed.endsWith('x'));
    await services.lastUse.flush(services.store);
    expect(Date.parse(await seen()) - Date.parse(before)).toBeGreaterThanOrEqual(20 * 60_000);
  } finally {
    services.clock.now = now;
    client.tell({ type: 'end' });
    await client.closed();
  }
});

async function failures(): Promise<number> {
  const row = await scene.house.services.store.one<{ failures: number }>(
    "SELECT failures FROM sign_in_throttle WHERE key LIKE 'session terminal %'",
  );
  return row?.failures ?? 0;
}
