// PyKMIP, as the distribution has it, goes through the whole cycle of a key.
import { execFile } from 'node:child_process';
import { accessSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { KmsScene, type Pair } from '../setup/kms-scene.ts';
import { until } from '../setup/until.ts';

const run = promisify(execFile);
/** The library, under the distribution’s Python. */
const LIBRARY = '/usr/lib/python3/dist-packages/kmip';
const PROGRAM = join(import.meta.dirname, '../setup/kmip-client.py');
let scene: KmsScene;
let pair: Pair;

beforeAll(async () => {
  accessSync(LIBRARY);
  scene = await KmsScene.open({ ticker: false });
  pair = await scene.client(await scene.provider('management-domain'));
  writeFileSync(scene.path('client.pem'), pair.certificate);
  writeFileSync(scene.path('client.key'), pair.private_key, { mode: 0o600 });
}, 300_000);
afterAll(() => scene?.close());

test.each(['1.0', '1.1', '1.2', '1.4'])('version %s', async (version) => {
  const files = ['client.pem', 'client.key', 'root.pem'].map((name) => scene.path(name));
  const { stdout } = await run('/usr/bin/python3', [PROGRAM, String(scene.port), ...files, version]);
  const { id, names, material, ...out } = JSON.parse(stdout);
  expect(out).toEqual({
    attributes: { State: 'State.ACTIVE', 'Cryptographic Length': '256' },
    bytes: 32,
    located: [id],
    active: 'PERMISSION_DENIED',
    revoked_get: true,
    gone: 'ITEM_NOT_FOUND',
  });
  expect(names).toEqual(expect.arrayContaining(['Name', 'State', 'Unique Identifier', 'Object Type']));
  // Where it went is told; what it was is nowhere but with the client.
  await until(async () => (await scene.api('GET', `/api/v1/kms/keys/${id}`)).last_get_from === '127.0.0.1');
  const told = async () => {
    const { items } = await scene.api('GET', '/api/v1/kms/requests');
    return items.filter((each: { version: string }) => each.version === version).length;
  };
  await until(async () => (await told()) === 11, 10_000);
  const heard = JSON.stringify(scene.house.heard);
  for (const canary of [material, Buffer.from(material, 'hex').toString('base64')]) expect(heard).not.toContain(canary);
});
