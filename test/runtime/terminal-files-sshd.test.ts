// Files of a machine with OpenSSH's own server: what it lists, refuses, sends and takes.
import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile as readLocal, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openSsh } from '../../shared/appliance/archive/schedule/places/ssh.ts';
import { readFolder } from '../../shared/services/web-terminal/remote-files/folder.ts';
import { readFile } from '../../shared/services/web-terminal/remote-files/reading.ts';
import { Sftp } from '../../shared/services/web-terminal/remote-files/sftp.ts';
import {
  beginUpload,
  dropUpload,
  finishUpload,
  writePiece,
} from '../../shared/services/web-terminal/remote-files/writing.ts';
import { House } from '../setup/house.ts';
import { type Sshd, startSshd } from '../setup/sshd.ts';

let house: House;
let sshd: Sshd;
let sftp: Sftp;
const BYTES = randomBytes((5 << 20) + 77);
const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

beforeAll(async () => {
  house = await House.open({ ticker: false });
  const { token } = await house.actor('admin');
  await house.send('PATCH', '/api/v1/remote/settings', { token, body: { allowed_networks: ['127.0.0.0/8'] } });
  sshd = await startSshd();
  await chmod(sshd.folder, 0o777);
  const { port, username } = sshd;
  const place = { host: '127.0.0.1', port, username, path: '', host_key_sha256: sshd.fingerprint() };
  const secret = { kind: 'private_key' as const, value: sshd.private_key };
  const client = await openSsh(house.services, place, secret, AbortSignal.timeout(60_000));
  sftp = await Sftp.open(client, 'there:22');
});
afterAll(async () => {
  sftp?.end();
  await sshd?.stop();
  await house?.close();
});

const at = (name: string) => join(sshd.folder, name);
const begin = (name: string, bytes: number, replace = false) =>
  beginUpload(sftp, { id: 'u', folder: sshd.folder, name, bytes, replace, random: randomBytes(4) });

test('it begins somewhere, and lists folders, files and links as they are', async () => {
  expect(await sftp.realPath('.')).toMatch(/^\//);
  await mkdir(at('folder'));
  await writeFile(at('file\nwith a line'), 'abc');
  await symlink('loop', at('loop'));
  const { entries, more, odd } = await readFolder(sftp, sshd.folder);
  expect([more, odd]).toEqual([false, 0]);
  expect(entries.map(({ name, kind }) => [name, kind])).toEqual([
    ['folder', 'folder'],
    ['file\nwith a line', 'file'],
    ['loop', 'link'],
  ]);
  expect(entries[1]!.bytes).toBe(3);
  // Who follows the loop is told that there is nothing.
  expect(await sftp.facts(at('loop'), { follow: true })).toBeNull();
  expect(await sftp.facts(at('nothing'), { follow: true })).toBeNull();
  await expect(readFolder(sftp, at('nothing'))).rejects.toMatchObject({ code: 'remote_refused' });
});

test('what is brought there comes back byte by byte, and nothing is left beside it', async () => {
  const upload = await begin('big.bin', BYTES.length);
  expect((await stat(upload.temporary)).isFile()).toBe(true);
  for (let from = 0; from < BYTES.length; from += 1 << 20)
    await writePiece(sftp, upload, BYTES.subarray(from, from + (1 << 20)));
  expect(await sftp.facts(at('big.bin'), { follow: false })).toBeNull();
  await finishUpload(sftp, upload);
  expect(sum(await readLocal(at('big.bin')))).toBe(sum(BYTES));
  const handle = await sftp.openFile(at('big.bin'), 'r');
  const pieces: Buffer[] = [];
  for await (const piece of readFile(sftp, handle, BYTES.length)) pieces.push(piece);
  expect(sum(Buffer.concat(pieces))).toBe(sum(BYTES));
  await sftp.close(handle);
  expect((await readdir(sshd.folder)).filter((name) => name.includes('.part'))).toEqual([]);
});

test('a file is replaced at once, with the permissions that it had; without that choice it stays', async () => {
  const first = await begin('script.sh', 3);
  await writePiece(sftp, first, Buffer.from('one'));
  await finishUpload(sftp, first);
  const before = await sftp.openFile(at('script.sh'), 'r');
  await sftp.chmod(before, 0o750);
  await sftp.close(before);
  await expect(begin('script.sh', 3)).rejects.toMatchObject({ code: 'state_conflict' });
  const second = await begin('script.sh', 3, true);
  await writePiece(sftp, second, Buffer.from('two'));
  await finishUpload(sftp, second);
  expect((await readLocal(at('script.sh'))).toString()).toBe('two');
  expect((await stat(at('script.sh'))).mode & 0o777).toBe(0o750);
  // Somebody else was faster: what is there is not overwritten.
  const late = await begin('late', 1);
  await writePiece(sftp, late, Buffer.from('x'));
  await writeFile(at('late'), 'theirs');
  await expect(finishUpload(sftp, late)).rejects.toMatchObject({ code: 'remote_refused' });
  await dropUpload(sftp, late);
  expect((await readLocal(at('late'))).toString()).toBe('theirs');
  expect((await readdir(sshd.folder)).filter((name) => name.includes('.part'))).toEqual([]);
});
