// The root step reads the host with the rights of the service, which may not read private keys: which one lies there it can tell all
// the same, and nothing else is read with more rights afterwards. Needs root.
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@jest/globals';
import { asOwner } from '../../runtime/enforce/desired-state.ts';
import { DATABASE_FILE } from '../../shared/ground/store/open-store.ts';
import { hostFiles } from '../../shared/platform/host/files.ts';
import { realKeys } from '../../shared/platform/host/key-driver.ts';
import { keyPath } from '../../shared/platform/host/key-files.ts';

const NOBODY = 65_534;

test('a key can be told while the rights are those of the service, which are the same afterwards', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'groundcrew-key-rights-'));
  const data = join(folder, 'data');
  chmodSync(folder, 0o755);
  mkdirSync(data);
  new DatabaseSync(join(data, DATABASE_FILE)).close();
  for (const path of [data, join(data, DATABASE_FILE)]) chownSync(path, NOBODY, NOBODY);
  mkdirSync(join(folder, 'etc/groundcrew/private/ntp'), { recursive: true, mode: 0o700 });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(join(folder, keyPath('ntp')), pem, { mode: 0o600 });
  const driver = hostFiles(folder, realKeys(folder));
  try {
    const seen = await asOwner(data, async () => [await driver.read(keyPath('ntp')), process.geteuid!()]);
    expect(seen).toEqual([expect.stringMatching(/^Private key of the public key with SHA-256 /), NOBODY]);
    expect(process.geteuid!()).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
