// What a start finds in its data folder: a folder of others, a database that is gone, empty, damaged or not one, files that
// others could read. Each refusal is one line that names the files and says what to do.
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openData } from '../../runtime/begin.ts';
import { readConfig } from '../../runtime/config.ts';
import { openServices } from '../../runtime/services.ts';
import { systemEntropy } from '../../shared/ground/clock.ts';
import { KEYRING_FILE } from '../../shared/ground/sealing/keyring.ts';
import { KEYS_FILE } from '../../shared/ground/sealing/keys.ts';
import { DATABASE_FILE, databaseFault, StartFault } from '../../shared/ground/store/open-store.ts';

let above: string;
let data: string;
beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'groundcrew-begin-'));
  data = join(above, 'data');
});
afterEach(() => rmSync(above, { recursive: true, force: true }));

const at = (name: string) => join(data, name);
const remove = (...names: string[]) => {
  for (const name of names) rmSync(at(name));
};
const mode = (path: string) => statSync(path).mode & 0o777;

/** A whole start and its end. */
async function start(): Promise<void> {
  const services = await openServices(readConfig({ GROUNDCREW_DATA: data, GROUNDCREW_LOG_LEVEL: 'error' }));
  await services.store.close();
}

async function refusal(): Promise<string> {
  const fault = await start().then(
    () => new Error('it started'),
    (error: Error) => error,
  );
  expect(fault).toBeInstanceOf(StartFault);
  expect(fault.message).not.toContain('\n');
  return fault.message;
}

test('a new folder is for its owner alone, with all that is in it', async () => {
  await start();
  expect(mode(data)).toBe(0o700);
  for (const name of [DATABASE_FILE, KEYS_FILE, KEYRING_FILE]) expect(mode(at(name))).toBe(0o600);
  await start();
});

describe('beside its keys,', () => {
  const KEYS = [KEYS_FILE, KEYRING_FILE];
  test.each<[string, string[], () => void]>([
    ['a database that is gone', KEYS, () => rmSync(at(DATABASE_FILE))],
    ['a database of no byte', KEYS, () => truncateSync(at(DATABASE_FILE))],
    ['one that is gone, with the first keys', [KEYRING_FILE], () => remove(DATABASE_FILE, KEYS_FILE)],
    ['one that is gone, with the second keys', [KEYS_FILE], () => remove(DATABASE_FILE, KEYRING_FILE)],
  ])('%s is no new appliance', async (_name, named, harm) => {
    await start();
    harm();
    const said = await refusal();
    for (const name of [DATABASE_FILE, ...named]) expect(said).toContain(at(name));
    expect(said).toMatch(/Put the database back .*; or, to start over .* move away: /);
    expect(await refusal()).toBe(said);
    for (const path of said.split('move away: ')[1]!.split(', ')) rmSync(path);
    await start();
  });

  test('a database in which nothing was ever made is none', async () => {
    await start();
    rmSync(at(DATABASE_FILE));
    const other = new DatabaseSync(at(DATABASE_FILE));
    other.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a)');
    other.close();
    expect(await refusal()).toMatch(/has nothing of this program in it\. Put back a copy/);
  });

  test('a log without its database is not taken over by a new one', async () => {
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(`${at(DATABASE_FILE)}-wal`, 'x');
    expect(await refusal()).toContain(`${at(DATABASE_FILE)}-wal`);
  });
});

describe('a database that', () => {
  test.each<[string, () => void]>([
    ['is no database', () => writeFileSync(at(DATABASE_FILE), 'This is a text, and a long one. '.repeat(400))],
    [
      'is damaged in its first pages',
      () => {
        const database = new DatabaseSync(at(DATABASE_FILE));
        database.exec('PRAGMA journal_mode = DELETE');
        database.close();
        const file = openSync(at(DATABASE_FILE), 'r+');
        writeSync(file, Buffer.alloc(3000, 0xa5), 0, 3000, 100);
        closeSync(file);
      },
    ],
  ])('%s is named, with the way out', async (_name, harm) => {
    await start();
    harm();
    expect(await refusal()).toMatch(
      /^The database .*groundcrew\.sqlite is damaged, or no database \(SQLITE_\w+\)\. Put back/,
    );
  });

  test('turns out to be damaged later in the start is named as well, and other errors are left as they are', () => {
    const damaged = Object.assign(new Error('SQLITE_CORRUPT: database disk image is malformed'), {
      code: 'SQLITE_CORRUPT',
    });
    expect(databaseFault(damaged, '/data/x')).toMatchObject({ message: expect.stringContaining('/data/x is damaged') });
    const other = new Error('a defect');
    expect(databaseFault(other, '/data/x')).toBe(other);
  });

  test('others can read is closed to them', async () => {
    await start();
    chmodSync(at(DATABASE_FILE), 0o644);
    await start();
    expect(mode(at(DATABASE_FILE))).toBe(0o600);
  });
});

describe('a data folder', () => {
  test.each([0o777, 0o770, 0o702])('of mode %o with something in it is refused', async (open) => {
    await start();
    chmodSync(data, open);
    expect(await refusal()).toMatch(
      new RegExp(`can be written by others \\(mode ${open.toString(8)}\\).*chmod 700 ${data}`),
    );
    chmodSync(data, 0o750);
    await start();
  });

  test.each<[string, RegExp, () => void]>([
    [
      'whose name a file has',
      /^There can’t be a data folder \S+ \(GROUNDCREW_DATA\): a file has/,
      () => writeFileSync(data, ''),
    ],
    [
      'that is a link to nothing',
      /: it is a link to what does not exist\.$/,
      () => symlinkSync(join(above, 'gone'), data),
    ],
  ])('%s is named', async (_name, says, make) => {
    make();
    expect(await refusal()).toMatch(says);
  });

  test('that is empty is closed to others', async () => {
    mkdirSync(data);
    chmodSync(data, 0o777);
    await start();
    expect(mode(data)).toBe(0o700);
  });

  test('of another user is refused', async () => {
    if (process.geteuid?.() !== 0) return;
    mkdirSync(data, { mode: 0o700 });
    chownSync(data, 12_345, 12_345);
    expect(await refusal()).toMatch(/belongs to the user with id 12345, but the service runs as 0/);
    expect(existsSync(at(KEYS_FILE))).toBe(false);
  });

  test('whose first start was cut off goes on with the keys that were made', async () => {
    const stop = openData(data, systemEntropy, (step) => {
      if (step === 'keys') throw new Error('cut off');
    });
    await expect(stop).rejects.toThrow('cut off');
    expect(existsSync(at(DATABASE_FILE))).toBe(false);
    await start();
  });
});
