// A full disk: mutations answer 507 and leave nothing partial, reads go on, and everything works again once there is
// space, without a restart. The data folder lies on a small tmpfs of its own.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { verifyAudit } from '../../shared/audit/audit.ts';
import { type Credentials, House } from '../setup/house.ts';

const SIZE = '12m';
const LEVELS = 60;

let folder: string;
let house: House;
let admin: Credentials;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=700`, 'tmpfs', folder]);
  const seed = await House.open();
  await seed.close(true);
  execFileSync('cp', ['-a', `${seed.data}/.`, folder]);
  rmSync(seed.data, { recursive: true });
  house = await House.open({ data: folder });
  admin = await house.actor('admin');
}, 20_000);

afterAll(async () => {
  await house.close(true);
  execFileSync('umount', [folder]);
  rmSync(folder, { recursive: true });
});

/** Leaves about `spare` bytes free. */
async function fill(spare: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  writeFileSync(join(folder, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - spare)));
}

const empty = () => rmSync(join(folder, 'filler'), { force: true });

async function createToken(name: string) {
  return house.send('POST', '/api/v1/tokens', { token: admin.token, body: { name, scopes: ['read:dns'] } });
}

async function names(): Promise<string[]> {
  const list = await house.send('GET', '/api/v1/tokens', { token: admin.token });
  expect(list.status).toBe(200);
  return (list.body.items as { name: string }[]).map((token) => token.name);
}

test(`at ${LEVELS} fill levels a mutation is either whole or answered 507, and reads go on`, async () => {
  const acknowledged: string[] = [];
  let refused = 0;
  for (let level = 0; level < LEVELS; level++) {
    await fill(level * 1500);
    for (let attempt = 0; attempt < 3; attempt++) {
      const name = `token-${level}-${attempt}`;
      const answer = await createToken(name);
      if (answer.status === 201) acknowledged.push(name);
      else {
        expect({ status: answer.status, code: answer.body.error_code }).toEqual({ status: 507, code: 'storage_full' });
        expect(answer.headers['retry-after']).toBeDefined();
        refused++;
      }
      expect((await names()).filter((known) => known.startsWith('token-')).sort()).toEqual([...acknowledged].sort());
    }
    empty();
  }
  expect(refused).toBeGreaterThan(0);
  process.stdout.write(`full disk: ${acknowledged.length} saved, ${refused} refused with 507\n`);
}, 120_000);

test('with space again everything works without a restart, and nothing is damaged', async () => {
  empty();
  expect((await createToken('afterwards')).status).toBe(201);
  const [check] = await house.services.store.all<{ integrity_check: string }>('PRAGMA integrity_check');
  expect(check?.integrity_check).toBe('ok');
  expect((await verifyAudit(house.services.store, house.services.keys)).fault).toBeNull();
});
