// Targets of archives whose disk is full, and one that lies on a volume: what a run says, and what it leaves there.
import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Sshd, startSshd } from '../setup/sshd.ts';
import { TargetScene } from '../shared/appliance/archive/schedule/scene.ts';

let scene: TargetScene;
let sshd: Sshd;
const mounted: string[] = [];

beforeAll(async () => {
  sshd = await startSshd();
  scene = await TargetScene.open();
});
afterAll(async () => {
  for (const folder of mounted) execFileSync('umount', [folder]);
  await scene.close();
  await sshd.stop();
});
beforeEach(async () => {
  await scene.house.services.store.write((tx) => tx.run('UPDATE archive_target SET enabled = 0'));
});

/** A disk of its own. */
function mount(folder: string, size: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', folder]);
  mounted.push(folder);
}

/** Less than an archive takes stays free. */
const fill = (folder: string, bytes: number) => writeFileSync(join(folder, 'of-others'), Buffer.alloc(bytes));

test('a folder on a mounted volume; full, it keeps what it had and gets nothing half', async () => {
  const path = '/srv/datastores/nvme0/archives';
  const volume = scene.house.services.host.resolve('/srv/datastores/nvme0');
  mount(volume, '256k');
  mkdirSync(join(volume, 'archives'));
  const id = await scene.target({ name: 'nvme0', kind: 'folder', path });
  const first = await scene.run();
  expect([first.state, first.error]).toEqual(['succeeded', null]);
  const copy = first.result!.archive;
  fill(volume, 256 * 1024 - 2 * 4096 - Math.ceil(statSync(join(volume, 'archives', copy)).size / 4096) * 4096);
  const full = await scene.run();
  expect([full.state, full.error?.error_code]).toEqual(['failed', 'copies_unverified']);
  expect(full.said).toContain('has no room');
  expect(readdirSync(join(volume, 'archives'))).toEqual([copy]);
  expect(await scene.copies(id)).toHaveLength(1);
});

test('an SFTP server whose disk is full: nothing half under any name', async () => {
  const folder = join(sshd.folder, 'small');
  mount(folder, '64k');
  const { uid, gid } = statSync(sshd.folder);
  chownSync(folder, uid, gid);
  fill(folder, 56 * 1024);
  const place = { host: '127.0.0.1', port: sshd.port, username: sshd.username, path: folder };
  const id = await scene.target({ name: 'small', kind: 'sftp', ...place, private_key: sshd.private_key });
  await scene.trust(id);
  const ran = await scene.run();
  expect([ran.state, ran.error?.error_code]).toEqual(['failed', 'copies_unverified']);
  expect(ran.said).toContain('The server failed: its disk may be full');
  expect([readdirSync(folder), await scene.copies(id)]).toEqual([['of-others'], []]);
});
