// Names below a folder that others may write to: only a regular file under its one name is opened.
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openOwn } from '../../../../shared/ground/machine/own-file.ts';

let base: string;
let root: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'groundcrew-own-'));
  root = join(base, 'root');
  mkdirSync(join(root, 'folder'), { recursive: true });
  const put = (path: string) => writeFileSync(join(base, path), path);
  for (const path of ['secret', 'other', 'third', 'root/plain', 'root/folder/below']) put(path);
  symlinkSync('../secret', join(root, 'link'));
  symlinkSync('plain', join(root, 'link-inside'));
  symlinkSync('folder', join(root, 'linked-folder'));
  linkSync(join(base, 'secret'), join(root, 'hard'));
  linkSync(join(base, 'third'), join(root, 'three'));
  linkSync(join(base, 'third'), join(root, 'three-too'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  symlinkSync('root', join(base, 'way'));
});
afterAll(() => rmSync(base, { recursive: true }));

const kindOf = async (path: string, { from = root, also }: { from?: string; also?: string } = {}) => {
  const own = await openOwn(from, path, also);
  if (own.file === null) return own.is;
  const text = await own.file.readFile('utf8');
  await own.file.close();
  return `file: ${text}`;
};

test.each([
  ['plain', 'file: root/plain'],
  ['folder/below', 'file: root/folder/below'],
  ['link', 'link'],
  ['link-inside', 'link'],
  ['linked-folder/below', 'link'],
  ['hard', 'link'],
  ['folder', 'folder'],
  ['pipe', 'other'],
  ['nothing', 'missing'],
  ['plain/below', 'missing'],
  ['x'.repeat(300), 'missing'],
])('%s: %s', async (path, is) => {
  expect(await kindOf(path)).toBe(is);
});

test('the way to the folder itself may be a link', async () => {
  expect(await kindOf('folder/below', { from: join(base, 'way') })).toBe('file: root/folder/below');
});

test('a second name is as good as none where it is the expected one, and the only one', async () => {
  expect(await kindOf('hard', { also: join(base, 'secret') })).toBe('file: secret');
  expect(await kindOf('hard', { also: join(base, 'other') })).toBe('link');
  expect(await kindOf('hard', { also: join(base, 'nothing') })).toBe('link');
  expect(await kindOf('three', { also: join(root, 'three-too') })).toBe('link');
});
