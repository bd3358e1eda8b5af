// Copies to OpenSSH's server: its host key, what lies there under which name, and what a refusal or a cut leaves.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { decryptAge } from '../../../../../shared/ground/age/age.ts';
import { type Sshd, startSshd } from '../../../../setup/sshd.ts';
import { OWNER, TARGETS, TargetScene } from './scene.ts';

let sshd: Sshd;
let scene: TargetScene;
let count = 0;

beforeAll(async () => {
  sshd = await startSshd();
  scene = await TargetScene.open();
});
afterAll(async () => {
  await scene.close();
  await sshd.stop();
});
/** Each test has targets of its own in use. */
beforeEach(async () => {
  await scene.house.services.store.write((tx) => tx.run('UPDATE archive_target SET enabled = 0'));
  count += 1;
});

/** A folder of its own there, and a target that writes to it. */
async function target(more: object = {}): Promise<{ id: string; folder: string; files: () => string[] }> {
  const folder = join(sshd.folder, `t${count}`);
  await mkdir(folder, { mode: 0o777 });
  await chmod(folder, 0o777);
  const place = { host: '127.0.0.1', port: sshd.port, username: sshd.username, path: folder };
  const id = await scene.target({
    name: `sftp ${count}`,
    kind: 'sftp',
    ...place,
    private_key: sshd.private_key,
    ...more,
  });
  return { id, folder, files: () => readdirSync(folder).sort() };
}

test('the host key is shown as ssh-keygen prints it, and nothing goes there before it is confirmed', async () => {
  const { id, files } = await target();
  const refused = await scene.api('POST', `${TARGETS}/${id}/test`);
  expect([refused.status, refused.body.error_code]).toEqual([409, 'trust_missing']);
  const seen = await scene.api('POST', `${TARGETS}/${id}/look-at-host-key`);
  expect(seen.body).toEqual({ host_key_sha256: sshd.fingerprint(), algorithm: 'ssh-ed25519', confirmed: false });
  const other = `SHA256:${'A'.repeat(43)}`;
  const wrong = await scene.api('POST', `${TARGETS}/${id}/confirm-host-key`, { host_key_sha256: other });
  expect([wrong.status, wrong.body.error_code]).toEqual([409, 'host_key_changed']);
  await scene.trust(id);
  const tested = await scene.api('POST', `${TARGETS}/${id}/test`);
  expect([tested.status, files()]).toEqual([200, []]);
});

test('a copy is there whole, under its name alone, and its recipient opens it', async () => {
  const { id, folder, files } = await target();
  await scene.trust(id);
  const ran = await scene.run();
  expect([ran.state, ran.error]).toEqual(['succeeded', null]);
  const { archive, sha256, size_bytes } = ran.result!;
  expect(files()).toEqual([archive]);
  const bytes = readFileSync(join(folder, archive));
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  expect(await scene.copies(id)).toEqual([{ name: archive, sha256, size_bytes }]);
  const pieces: Buffer[] = [];
  for await (const piece of decryptAge([bytes], { identity: OWNER.identity })) pieces.push(piece);
  expect(Buffer.concat(pieces).toString('latin1', 0, 13)).toBe('manifest.json');
});

test('a changed host key: nothing is sent, and the target says so until it is confirmed', async () => {
  const { id, files } = await target();
  const before = await scene.trust(id);
  await sshd.rekey();
  expect(sshd.fingerprint()).not.toBe(before);
  const ran = await scene.run();
  expect([ran.state, ran.error?.error_code]).toEqual(['failed', 'copies_unverified']);
  expect(ran.said).toContain(`now shows a host key with ${sshd.fingerprint()}; the confirmed one has ${before}`);
  expect([files(), await scene.copies(id)]).toEqual([[], []]);
  await scene.trust(id);
  expect((await scene.run()).state).toBe('succeeded');
});

test('a folder that the user may not write to', async () => {
  const { id, folder, files } = await target();
  await scene.trust(id);
  await chmod(folder, 0o555);
  const { id: other } = await targetBeside();
  const ran = await scene.run();
  expect([ran.state, ran.error?.error_code]).toEqual(['failed', 'copies_unverified']);
  expect(ran.said).toContain('The user may not do that there.');
  expect([files(), await scene.copies(id)]).toEqual([[], []]);
  // What fails at one target keeps no other from its copy.
  expect(ran.error!.detail).toMatch(/^No verified copy of \S+ at: sftp \d+\. Verified copies: beside \d+\.$/);
  expect(ran.steps.map(({ state }) => state).sort()).toEqual(['failed', 'succeeded', 'succeeded']);
  expect(await scene.copies(other)).toHaveLength(1);
});

/** A folder of the appliance. */
async function targetBeside() {
  const path = join(scene.house.data, 'copies', `beside-${count}`);
  return { id: await scene.target({ name: `beside ${count}`, kind: 'folder', path }) };
}

test('a folder that does not exist, a user that is not let in, a port that nobody serves', async () => {
  const { id, folder } = await target({ username: 'somebody' });
  await scene.trust(id);
  const refused = await scene.api('POST', `${TARGETS}/${id}/test`);
  expect(refused.body.error_code).toBe('remote_login_refused');
  await scene.api('PATCH', `${TARGETS}/${id}`, { username: sshd.username, path: `${folder}/none` });
  const missing = await scene.api('POST', `${TARGETS}/${id}/test`);
  expect(missing.body).toMatchObject({ error_code: 'remote_refused' });
  expect(missing.body.detail).toContain('does not exist there');
  const nobody = await listening((socket) => socket.destroy());
  await new Promise((resolve) => nobody.server.close(resolve));
  await scene.api('PATCH', `${TARGETS}/${id}`, { port: nobody.port, private_key: sshd.private_key });
  const away = await scene.api('POST', `${TARGETS}/${id}/look-at-host-key`);
  expect(away.body.error_code).toBe('remote_unreachable');
});

test('a connection that is cut in the middle leaves nothing under the name; the next run sweeps what it left', async () => {
  let most = 0;
  const cut = await listening((socket) => {
    const on = connect(sshd.port, '127.0.0.1');
    let sent = 0;
    socket.on('data', (piece: Buffer) => {
      sent += piece.length;
      if (sent > most) socket.destroy();
      else on.write(piece);
    });
    socket.on('close', () => on.destroy()).on('error', () => undefined);
    on.on('data', (piece) => socket.write(piece))
      .on('close', () => socket.destroy())
      .on('error', () => undefined);
  });
  most = Number.POSITIVE_INFINITY;
  const { id, folder, files } = await target({ port: cut.port });
  await scene.trust(id);
  // More than a login takes, less than the archive.
  most = 24_000;
  const ran = await scene.run();
  expect([ran.state, ran.error?.error_code]).toEqual(['failed', 'copies_unverified']);
  const left = files();
  expect(left).toHaveLength(1);
  expect(left[0]).toMatch(new RegExp(`\\.gcarchive\\.age\\.${ran.id}\\.part$`));
  expect(await scene.copies(id)).toEqual([]);
  // Of others, and of a job that is not known here: they stay.
  const others = ['notes.txt', 'groundcrew-gc09-20260101T000000Z.gcarchive.age.job_aaaaaaaaaaaaaaaa.part'];
  for (const name of others) await writeFile(join(folder, name), 'of somebody else');
  most = Number.POSITIVE_INFINITY;
  const again = await scene.run();
  expect(again.state).toBe('succeeded');
  expect(again.said).toContain('What earlier runs left unfinished there was removed: 1 files');
  expect(files()).toEqual([...others, again.result!.archive].sort());
  await new Promise((resolve) => cut.server.close(resolve));
});

async function listening(take: Parameters<typeof createServer>[1]): Promise<{ server: Server; port: number }> {
  const server = createServer(take!);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}
