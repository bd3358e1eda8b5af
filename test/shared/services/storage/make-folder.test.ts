// The folder of a datastore is made in a tree that clients write to.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeFolder } from '../../../../shared/services/storage/make-folder.ts';

let folder: string;
let volume: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-make-'));
  volume = join(folder, 'volume');
  mkdirSync(volume);
  mkdirSync(join(folder, 'elsewhere'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const mode = (path: string) => statSync(join(volume, path)).mode & 0o7777;

test('every part that is missing is made, readable by all', async () => {
  await makeFolder(volume, 'a/b/c');
  expect(['a', 'a/b', 'a/b/c'].map(mode)).toEqual([0o755, 0o755, 0o755]);
});

test('what is there keeps the mode that a client gave it', async () => {
  mkdirSync(join(volume, 'a'));
  chmodSync(join(volume, 'a'), 0o700);
  await makeFolder(volume, 'a');
  await makeFolder(volume, 'a/b');
  expect(['a', 'a/b'].map(mode)).toEqual([0o700, 0o755]);
});

test.each(['link', 'link/b', 'dangling/b', 'file', 'file/b'])(
  'nothing is made beyond a link or a file: %s',
  async (path) => {
    symlinkSync(join(folder, 'elsewhere'), join(volume, 'link'));
    symlinkSync(join(folder, 'nowhere'), join(volume, 'dangling'));
    writeFileSync(join(volume, 'file'), '');
    await expect(makeFolder(volume, path)).rejects.toThrow(/is a symbolic link, or no folder\. Remove it\./);
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  },
);

test('no file stays open', async () => {
  const open = () => readdirSync('/proc/self/fd').length;
  const before = open();
  for (let turn = 0; turn < 20; turn += 1) await makeFolder(volume, 'a/b');
  expect(open()).toBeLessThan(before + 10);
});
