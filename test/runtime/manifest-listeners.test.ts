// The listeners follow the applied manifest, and say once what keeps one from starting.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { Listener } from '../../runtime/listener.ts';
import { ManifestListeners } from '../../runtime/manifest-listeners.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { MANIFEST_PATH, readManifest, writeManifest } from '../../shared/services/network-boot/manifest.ts';
import { until } from '../setup/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'groundcrew-listeners-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('an address that is not there is tried again and again, and said once until it listens', async () => {
  const content = writeManifest({
    version: 1,
    listeners: [{ interface: 'ens192', address: '192.0.2.1', port: 8081, origin: 'http://192.0.2.1:8081' }],
    hosts: [],
    kickstarts: [],
    media: [],
  });
  const resolve = (path: string) => join(folder, path);
  mkdirSync(dirname(resolve(MANIFEST_PATH)), { recursive: true });
  writeFileSync(resolve(MANIFEST_PATH), content);
  const said: string[] = [];
  const logger = { info: (text: string) => said.push(text), warn: (text: string) => said.push(text) };
  let tries = 0;
  let there = false;
  const listeners = new ManifestListeners({
    name: 'boot listener',
    path: MANIFEST_PATH,
    read: async (host) => (await readManifest(host))?.manifest.listeners ?? [],
    services: { host: { resolve, read: async () => content }, logger } as unknown as Services,
    async start(address) {
      tries += 1;
      if (!there) throw new Error('EADDRNOTAVAIL');
      return { address, stop: async () => undefined } as unknown as Listener;
    },
  });
  await listeners.start();
  await until(() => tries >= 3);
  expect(said).toEqual(['boot listener does not start']);
  there = true;
  await until(() => said.length > 1);
  await listeners.stop(0);
  expect(said).toEqual(['boot listener does not start', 'boot listener']);
});
