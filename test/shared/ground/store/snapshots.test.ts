// Snapshots: a copy that opens, for nobody else to read, made before a migration; bounded in number; and the way back from a
// newer program's database.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Clock, systemClock } from '../../../../shared/ground/clock.ts';
import {
  DATABASE_FILE,
  migrate,
  openStore,
  SCHEMA_VERSION,
  StartFault,
} from '../../../../shared/ground/store/open-store.ts';
import {
  listSnapshots,
  SNAPSHOTS_FOLDER,
  SNAPSHOTS_KEPT,
  takeSnapshot,
} from '../../../../shared/ground/store/snapshots.ts';

let data: string;
let file: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'groundcrew-snapshots-'));
  file = join(data, DATABASE_FILE);
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

/** A clock that is a minute later each time. */
function ticking(): Clock {
  let minutes = 0;
  return { now: () => new Date(Date.UTC(2026, 4, 1, 8, minutes++)) };
}

const names = (): string[] =>
  existsSync(join(data, SNAPSHOTS_FOLDER)) ? readdirSync(join(data, SNAPSHOTS_FOLDER)) : [];

function read(path: string, sql: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)[0]);
  } finally {
    database.close();
  }
}

test('a copy has all of it, also what is only in the log yet, and is the owner’s alone', async () => {
  const store = await openStore(data);
  await store.write((tx) => tx.run("INSERT INTO unit_settings (unit, document, updated_at) VALUES ('ntp', '{}', '')"));
  const previous = process.umask(0);
  const snapshot = await takeSnapshot(file, 'on-request', ticking()).finally(() => process.umask(previous));
  await store.write((tx) => tx.run("DELETE FROM unit_settings WHERE unit = 'ntp'"));
  await store.close();
  expect(snapshot.name).toBe(`schema-${SCHEMA_VERSION}-20260501T080000000Z-on-request.sqlite`);
  expect(statSync(snapshot.path).mode & 0o777).toBe(0o600);
  expect(statSync(join(data, SNAPSHOTS_FOLDER)).mode & 0o777).toBe(0o700);
  expect(read(snapshot.path, "SELECT unit FROM unit_settings WHERE unit = 'ntp'")).toEqual(['ntp']);
  expect(read(snapshot.path, 'PRAGMA integrity_check')).toEqual(['ok']);
  expect(await listSnapshots(data)).toEqual([snapshot]);
});

test('a start that migrates keeps the database of before; one that does not makes none', async () => {
  await (await openStore(data)).close();
  await (await openStore(data)).close();
  expect(names()).toEqual([]);
  rmSync(file);
  await migrate(file, SCHEMA_VERSION - 1);
  await (await openStore(data, undefined, { clock: ticking() })).close();
  expect(names()).toEqual([`schema-${SCHEMA_VERSION - 1}-20260501T080000000Z-before-migration.sqlite`]);
  expect(read(join(data, SNAPSHOTS_FOLDER, names()[0]!), 'PRAGMA user_version')).toEqual([SCHEMA_VERSION - 1]);
  expect(read(file, 'PRAGMA user_version')).toEqual([SCHEMA_VERSION]);
});

test('without the copy nothing is migrated', async () => {
  await migrate(file, SCHEMA_VERSION - 1);
  writeFileSync(join(data, SNAPSHOTS_FOLDER), 'a file where the folder should be');
  await expect(openStore(data)).rejects.toThrow();
  expect(read(file, 'PRAGMA user_version')).toEqual([SCHEMA_VERSION - 1]);
});

test('of each occasion the newest stay, and nothing else is touched', async () => {
  await (await openStore(data)).close();
  const clock = ticking();
  const first = await takeSnapshot(file, 'before-migration', clock);
  writeFileSync(join(data, SNAPSHOTS_FOLDER, 'mine.sqlite'), '');
  mkdirSync(join(data, SNAPSHOTS_FOLDER, 'schema-1-20260501T080000000Z-on-request.sqlite'));
  const taken: string[] = [];
  for (let n = 0; n < SNAPSHOTS_KEPT + 2; n++) taken.push((await takeSnapshot(file, 'on-request', clock)).name);
  const listed = (await listSnapshots(data)).map(({ name }) => name);
  expect(listed).toEqual([...taken.slice(2).reverse(), first.name]);
  expect(names()).toContain('mine.sqlite');
});

test('what a process that is gone left half made goes with the next copy', async () => {
  await (await openStore(data)).close();
  mkdirSync(join(data, SNAPSHOTS_FOLDER));
  const half = (pid: number) => `schema-15-20260501T080000000Z-on-request.sqlite.${pid}.tmp`;
  // No process has this id: it is beyond what Linux gives.
  for (const pid of [process.pid, 2 ** 22 + 1]) writeFileSync(join(data, SNAPSHOTS_FOLDER, half(pid)), '');
  const { name } = await takeSnapshot(file, 'on-request', systemClock);
  expect(names().sort()).toEqual([half(process.pid), name].sort());
});

test('a program that is too old for the database names the snapshot that leads back', async () => {
  await (await openStore(data)).close();
  const clock = ticking();
  await takeSnapshot(file, 'before-migration', clock);
  const best = await takeSnapshot(file, 'before-migration', clock);
  const newer = new DatabaseSync(file);
  newer.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
  newer.close();
  await takeSnapshot(file, 'before-restore', clock);
  const fault = await openStore(data).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(StartFault);
  expect((fault as Error).message).toMatch(
    new RegExp(
      `knows up to ${SCHEMA_VERSION}\\. Start the newer program, or .*: groundcrew data restore ${best.name}\\.$`,
    ),
  );
  expect((fault as Error).message).toContain('without what was saved since');
});
