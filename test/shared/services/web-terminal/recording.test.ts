// Recordings of terminals: what is on the disk, what is read of it, and what a crash, a cut or another key leaves.
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { systemEntropy } from '../../../../shared/ground/clock.ts';
import { type Keys, openKeys } from '../../../../shared/ground/sealing/keys.ts';
import { RECORDING, type RecordingHead } from '../../../../shared/services/web-terminal/recording/facts.ts';
import { recordingFiles } from '../../../../shared/services/web-terminal/recording/folder.ts';
import { asciicastOf, glanceAt } from '../../../../shared/services/web-terminal/recording/reading.ts';
import { Recorder } from '../../../../shared/services/web-terminal/recording/recorder.ts';
import {
  dueRecordings,
  endedRecording,
  listRecordings,
  roomForAnother,
} from '../../../../shared/services/web-terminal/recording/recordings.ts';
import { until } from '../../../setup/until.ts';

let data: string;
let keys: Keys;
let now = new Date('2026-05-01T10:00:00Z');
const clock = { now: () => now };
const shell = () => ({ settings: { data }, keys, entropy: systemEntropy, clock });
const HEAD: RecordingHead = {
  ...{ user_id: 'user_1', user: 'alice', account: 'operator', source_address: '10.0.0.7' },
  ...{ started_at: '2026-05-01T10:00:00.000Z', kept_until: '2026-05-31T10:00:00.000Z', columns: 80, rows: 24 },
};
const ROOM = 100_000_000;

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'gc-rec-'));
  keys = await openKeys(data, systemEntropy, false);
  now = new Date('2026-05-01T10:00:00Z');
});
afterEach(() => rm(data, { recursive: true, force: true }));

const begin = (room = ROOM) => Recorder.begin(shell(), HEAD, room);
const only = async () => (await recordingFiles(shell()))[0]!;
const eventsOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as [number, string, string]);
const printedIn = (text: string) =>
  eventsOf(text)
    .filter(([, kind]) => kind === 'o')
    .map(([, , what]) => what)
    .join('');

test('what is printed and the size come back as asciicast v2; nothing of it is on the disk in the clear', async () => {
  const recorder = await begin();
  recorder.printed(Buffer.from('canary printed \x1b[31mred\x1b[0m '));
  // A character in two pieces.
  const snowman = Buffer.from('☃');
  recorder.printed(snowman.subarray(0, 1));
  recorder.printed(snowman.subarray(1));
  recorder.resized(100, 30);
  recorder.printed(Buffer.from('canary after'));
  await recorder.end('ended');
  const { id, path } = await only();
  const cast = await asciicastOf(keys, id, path);
  const [header] = cast!.text.split('\n');
  expect(JSON.parse(header!)).toMatchObject({ version: 2, width: 80, height: 24, timestamp: 1_777_629_600 });
  expect(printedIn(cast!.text)).toBe('canary printed \x1b[31mred\x1b[0m ☃canary after');
  expect(eventsOf(cast!.text).map(([, kind]) => kind)).toEqual(['o', 'r', 'o']);
  expect(cast!.whole).toBe(true);
  const bytes = await readFile(path, 'latin1');
  expect(bytes).not.toMatch(/canary|alice|operator|10\.0\.0\.7/);
  expect([(await stat(path)).mode & 0o777, (await stat(join(data, 'recordings'))).mode & 0o777]).toEqual([
    0o600, 0o700,
  ]);
});

test('a list shows whose it is and how it ended, newest first, a page at a time', async () => {
  for (let at = 0; at < 3; at += 1) {
    now = new Date(now.getTime() + 1000);
    await (await begin()).end('idle');
  }
  now = new Date(now.getTime() + 1000);
  const running = await begin();
  const first = await listRecordings(shell(), { limit: 2 });
  expect(first.items.map(({ state }) => state)).toEqual(['running', 'complete']);
  expect(first.items[1]).toMatchObject({
    user: 'alice',
    account: 'operator',
    ended_by: 'idle',
    kept_until: HEAD.kept_until,
  });
  const second = await listRecordings(shell(), { limit: 2, cursor: first.next_cursor! });
  expect([second.items.length, second.next_cursor]).toEqual([2, null]);
  expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(4);
  await expect(endedRecording(shell(), running.id)).rejects.toMatchObject({ code: 'state_conflict' });
  await running.end('ended');
});

test('a crash keeps what was written a second before; the cut tail is said, wherever the file breaks off', async () => {
  const recorder = await begin();
  recorder.printed(Buffer.from('before the crash'));
  const { id, path } = await only();
  await until(async () => (await readFile(path, 'latin1')).split('\n').length === 3);
  // What the process would leave behind.
  const left = await readFile(path);
  await recorder.end('ended');
  const whole = await readFile(path);
  await writeFile(path, left);
  expect(await asciicastOf(keys, id, path)).toMatchObject({ whole: false });
  expect(printedIn((await asciicastOf(keys, id, path))!.text)).toBe('before the crash');
  expect(eventsOf((await asciicastOf(keys, id, path))!.text).at(-1)).toEqual([
    expect.any(Number),
    'm',
    expect.any(String),
  ]);
  expect((await listRecordings(shell(), { limit: 1 })).items[0]).toMatchObject({ state: 'cut-off', ended_at: null });
  const headLength = whole.indexOf('\n') + 1;
  for (let length = headLength; length < whole.length; length += 7) {
    await writeFile(path, whole.subarray(0, length));
    expect([length, (await asciicastOf(keys, id, path))!.whole]).toEqual([length, false]);
  }
  await writeFile(path, whole.subarray(0, headLength - 5));
  expect(await asciicastOf(keys, id, path)).toBeNull();
});

test('lines that are left out, changed, repeated or of another recording are noticed; another key opens nothing', async () => {
  const first = await begin();
  for (let at = 0; at < 3; at += 1) {
    first.printed(Buffer.alloc(RECORDING.part, String(at)));
  }
  await first.end('ended');
  const { id, path } = await only();
  const lines = (await readFile(path, 'latin1')).trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(4);
  const [head, one, two, ...rest] = lines as [string, string, string, ...string[]];
  const changed = `${two.slice(0, 40)}${two[40] === 'A' ? 'B' : 'A'}${two.slice(41)}`;
  const cases = [
    [head, two, ...rest],
    [head, one, one, two, ...rest],
    [head, two, one, ...rest],
    [head, one, changed, ...rest],
  ];
  for (const made of cases) {
    await writeFile(path, `${made.join('\n')}\n`);
    expect((await asciicastOf(keys, id, path))!.whole).toBe(false);
  }
  await writeFile(path, `${lines.join('\n')}\n`);
  expect((await asciicastOf(keys, id, path))!.whole).toBe(true);
  expect(await asciicastOf(keys, 'rec_aaaaaaaaaaaaaaaa', path)).toBeNull();
  const folder = await mkdtemp(join(tmpdir(), 'gc-rec-'));
  const other = await openKeys(folder, systemEntropy, false);
  expect((await glanceAt(other, id, path)).head).toBeNull();
  await rm(folder, { recursive: true });
});

test('it ends where it is full, and where its room is', async () => {
  for (const [room, bytes, full] of [
    [ROOM, RECORDING.most, 'recorded'],
    [200_000, 1 << 20, 'unrecorded'],
  ] as const) {
    const recorder = await begin(room);
    const failed: string[] = [];
    recorder.follow(
      () => undefined,
      (how) => failed.push(how),
    );
    for (let at = 0; at < bytes && failed.length === 0; at += 32 << 10) {
      recorder.printed(systemEntropy.bytes(16 << 10));
      recorder.printed(Buffer.alloc(16 << 10, 'x'));
      await new Promise((done) => setImmediate(done));
    }
    expect([room, failed[0]]).toEqual([room, full]);
    await recorder.end('recorded');
  }
});

test('recordings that go on at the same time share their room', async () => {
  const both = [await begin(400_000), await begin(400_000)];
  const failed: string[] = [];
  for (const each of both)
    each.follow(
      () => undefined,
      (how) => failed.push(how),
    );
  // Neither has more than three quarters of it.
  for (let at = 0; at < 12 && failed.length === 0; at += 1)
    for (const each of both) {
      each.printed(systemEntropy.bytes(16 << 10));
      await new Promise((done) => setImmediate(done));
    }
  expect(failed[0]).toBe('unrecorded');
  for (const each of both) await each.end('unrecorded');
  const sizes = await Promise.all((await recordingFiles(shell())).map(async ({ path }) => (await stat(path)).size));
  expect(Math.max(...sizes)).toBeLessThan(300_000);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(700_000);
});

test('one that can’t be begun leaves no file; a crash that left an empty one breaks no list', async () => {
  const bytes = (count: number) => {
    if (count === 16) return systemEntropy.bytes(count);
    throw new Error('nothing can be sealed');
  };
  await expect(Recorder.begin({ ...shell(), entropy: { bytes } }, HEAD, ROOM)).rejects.toThrow('nothing can be sealed');
  expect(await readdir(join(data, 'recordings'))).toEqual([]);
  await writeFile(join(data, 'recordings', `1777629600000-rec_${'a'.repeat(16)}.recording`), '');
  expect((await listRecordings(shell(), { limit: 5 })).items[0]).toMatchObject({ state: 'unreadable', size_bytes: 0 });
  expect(await dueRecordings(shell())).toEqual([]);
});

test('there is no room for another once all have their megabytes, and none is deleted before its days are over', async () => {
  expect(await roomForAnother(shell(), { days: 30, megabytes: 64 })).toBe(64_000_000);
  await (await begin()).end('ended');
  const { path } = await only();
  await writeFile(path, Buffer.alloc(63_500_000));
  expect(await roomForAnother(shell(), { days: 30, megabytes: 64 })).toBeNull();
  expect(await dueRecordings(shell())).toEqual([]);
  now = new Date('2027-05-01T10:00:00Z');
  // One that can't be opened as well, a year after it began.
  expect((await dueRecordings(shell())).length).toBe(1);
});

test('a recording is due once its days are over, as its head says, and not before', async () => {
  await (await begin()).end('ended');
  now = new Date('2026-05-31T09:59:59Z');
  expect(await dueRecordings(shell())).toEqual([]);
  now = new Date('2026-05-31T10:00:00Z');
  expect((await dueRecordings(shell())).length).toBe(1);
  expect((await readdir(join(data, 'recordings'))).length).toBe(1);
});
