// Terminals that are recorded: told before anything is asked, output alone, and none that goes on unrecorded.
import { open as openFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { Scope } from '../../shared/kernel/access/scopes.ts';
import { pruneRecordings } from '../../shared/services/web-terminal/recording/prune.ts';
import { listRecordings } from '../../shared/services/web-terminal/recording/recordings.ts';
import { OS_PASSWORD } from '../fakes/ssh-shell.ts';
import { type Credentials, PASSWORD } from '../setup/house.ts';
import { TerminalScene } from '../setup/terminal-scene.ts';
import { until } from '../setup/until.ts';

let scene: TerminalScene;
let admin: Credentials;

beforeAll(async () => {
  scene = await TerminalScene.open({ detached_ms: 700 });
});
beforeEach(async () => {
  admin = await scene.house.actor('admin');
  await scene.apply({ sessions: 16, recording: { days: 30, megabytes: 64 } });
});
afterAll(() => scene.close());

const tokenOf = async (scopes: Scope[]) => (await scene.house.actor('admin', scopes)).token;
const folder = () => join(scene.house.services.settings.data, 'recordings');

/** A terminal that printed, and has ended. */
async function recorded(): Promise<string> {
  const client = await scene.shell(admin);
  const channel = scene.fake.channels.at(-1)!;
  client.ws.send(Buffer.from('canary typed\n'));
  await until(() => scene.fake.typed.endsWith('canary typed\n'));
  channel.write('canary printed');
  await until(() => client.text.includes('canary printed'));
  client.tell({ type: 'resize', columns: 133, rows: 40 });
  client.tell({ type: 'end' });
  await client.closed();
  await until(async () => (await scene.audited()).at(-1)?.action === 'terminal.close');
  const { detail } = (await scene.audited()).at(-1)!;
  await until(async () => (await list()).some(({ id, state }) => id === detail.recording && state === 'complete'));
  return String(detail.recording);
}

async function list(): Promise<{ id: string; state: string }[]> {
  const { body } = await scene.house.send('GET', '/api/v1/web-terminal/recordings', {
    token: await tokenOf(['read:terminal-recordings']),
  });
  return body.items;
}

const open = (id: string, purpose: string, who = admin, own_password = PASSWORD) =>
  scene.house.send('POST', `${pagePath('terminal-recording', id)}/open`, {
    session: who,
    headers: { accept: 'application/json' },
    form: { purpose, own_password },
  });

test('the person is told before the password is asked for; what was printed is replayed, what was typed is nowhere', async () => {
  const client = await scene.prompted(admin);
  expect(await client.next('recorded')).toEqual({ type: 'recorded', days: 30 });
  expect(client.said.filter(({ type }) => type === 'recorded')).toEqual([]);
  await client.next('prompt');
  client.ws.close();
  const id = await recorded();
  const { status, body } = await open(id, 'replay');
  expect([status, body.whole]).toEqual([200, true]);
  expect(body.asciicast).toContain('canary printed');
  expect(body.asciicast).not.toContain('canary typed');
  expect(body.asciicast).not.toContain(OS_PASSWORD);
  expect(body.asciicast).toContain('"r","133x40"');
  const names = await readdir(folder());
  for (const name of names) expect(await readFile(join(folder(), name), 'latin1')).not.toMatch(/canary/);
  const rows = await scene.audited();
  expect(rows.at(-1)).toMatchObject({ action: 'terminal.recording.replay', detail: { whole: true } });
  expect(JSON.stringify(rows)).not.toMatch(/canary/);
});

test('a replay, an export and a deletion are audit rows; nobody but an administrator lists or opens any', async () => {
  const id = await recorded();
  expect((await open(id, 'export')).status).toBe(200);
  expect((await scene.audited()).at(-1)).toMatchObject({ action: 'terminal.recording.export' });
  const service = await scene.house.actor('service-admin');
  const viewer = await scene.house.actor('viewer');
  const before = (await scene.audited()).length;
  expect([(await open(id, 'replay', service)).status, (await open(id, 'replay', viewer)).status]).toEqual([403, 403]);
  const refused = await scene.house.send('GET', '/api/v1/web-terminal/recordings', {
    token: await tokenOf(['write:terminal', 'read:audit']),
  });
  expect(refused.status).toBe(403);
  const path = `/api/v1/web-terminal/recordings/${id}/delete`;
  const body = { own_password: PASSWORD };
  const reads = await tokenOf(['read:terminal-recordings']);
  expect((await scene.house.send('POST', path, { token: reads, body })).status).toBe(403);
  expect((await scene.audited()).length).toBe(before);
  const writes = await tokenOf(['write:terminal-recordings']);
  for (const own_password of ['wrong', '']) {
    const wrong = await scene.house.send('POST', path, { token: writes, body: { own_password } });
    expect([own_password, wrong.status]).toEqual([own_password, 422]);
  }
  expect((await list()).some((each) => each.id === id)).toBe(true);
  expect((await scene.house.send('POST', path, { token: writes, body })).status).toBe(204);
  await until(async () => !(await list()).some((each) => each.id === id));
  expect((await scene.audited()).at(-1)).toMatchObject({
    action: 'terminal.recording.delete',
    detail: { why: 'by hand' },
  });
  expect((await scene.house.send('POST', path, { token: writes, body })).status).toBe(404);
});

test('a session alone opens no recording: the own password is asked for, and a wrong one is an audit row', async () => {
  const id = await recorded();
  for (const wrong of ['', 'not this one']) {
    const { status, text } = await open(id, 'replay', admin, wrong);
    expect(status).toBe(422);
    expect(text).not.toContain('canary');
  }
  const row = (await scene.audited()).at(-1);
  expect(row).toMatchObject({ action: 'terminal.recording.replay', detail: { refused: 'password' } });
});

test('without room no terminal opens, and the shell is not even asked for; switched off, it opens unrecorded', async () => {
  const filler = join(folder(), `0000000000000-rec_${'a'.repeat(16)}.recording`);
  await writeFile(filler, Buffer.alloc(64_000_000));
  const client = await scene.prompted(admin);
  expect(await client.closed()).toBe(4415);
  expect(client.said.map(({ type }) => type)).toEqual(['closing']);
  await until(async () => (await scene.audited()).at(-1)?.action === 'terminal.refuse');
  expect((await scene.audited()).at(-1)!.detail).toMatchObject({ cause: 'unrecorded' });
  await scene.apply({ sessions: 16 });
  const files = (await readdir(folder())).length;
  const open = await scene.shell(admin);
  open.tell({ type: 'end' });
  await open.closed();
  expect(open.said.some(({ type }) => type === 'recorded')).toBe(false);
  expect((await readdir(folder())).length).toBe(files);
  await rm(filler);
});

test('once its days are over a recording is deleted by the clock, with an audit row', async () => {
  const id = await recorded();
  const { clock } = scene.house.services;
  const { now } = clock;
  clock.now = () => new Date(now().getTime() + 31 * 86_400_000);
  try {
    await pruneRecordings(scene.house.services);
  } finally {
    clock.now = now;
  }
  expect((await readdir(folder())).some((name) => name.includes(id))).toBe(false);
  const rows = await scene.audited();
  expect(rows.at(-1)).toMatchObject({ action: 'terminal.recording.delete', detail: { why: 'its days are over' } });
});

test('an appliance that stops waits until the recordings have their end, however slow the disk is', async () => {
  const other = await TerminalScene.open();
  await other.apply({ recording: { days: 30, megabytes: 64 } });
  const client = await other.shell(await other.house.actor('admin'));
  const { services } = other.house;
  const some = await openFile(join(services.settings.data, 'recordings'), 'r');
  const handles = Object.getPrototypeOf(some) as { sync(): Promise<void> };
  await some.close();
  const { sync } = handles;
  handles.sync = async function slow(this: unknown) {
    await new Promise((done) => setTimeout(done, 1500));
    return sync.call(this);
  };
  const { close } = services.store;
  let states: string[] = [];
  services.store.close = async () => {
    states = (await listRecordings(services, { limit: 5 })).items.map(({ state, ended_by }) => `${state} ${ended_by}`);
    return close.call(services.store);
  };
  try {
    await other.close();
  } finally {
    handles.sync = sync;
  }
  expect([await client.closed(), states]).toEqual([1001, ['complete stopping']]);
});
