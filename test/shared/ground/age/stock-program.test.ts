// Debian's `age` opens what this program writes, and the other way round: with a passphrase, and with a key.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { decryptAge, encryptAge } from '../../../../shared/ground/age/age.ts';
import { LOG_N } from '../../../../shared/ground/age/passphrase-work.ts';
import { CHUNK } from '../../../../shared/ground/age/payload.ts';
import { newIdentity } from '../../../../shared/ground/age/x25519.ts';
import { systemEntropy } from '../../../../shared/ground/clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'groundcrew-age-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);

const PASSPHRASE = 'a few plain words';
const LENGTHS = [0, 1, CHUNK, 2 * CHUNK + 1];
const { identity, recipient } = newIdentity(systemEntropy);

async function all(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const read: Buffer[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read);
}

/** Age reads a passphrase from a terminal only: `script` gives it one. */
function onTerminal(command: string, typed: string): void {
  execFileSync('script', ['-qec', command, '/dev/null'], { cwd: folder, input: typed, timeout: 120_000 });
}

test.each(LENGTHS)('a file of %d bytes, by key', async (length) => {
  const plain = systemEntropy.bytes(length);
  writeFileSync(path('key'), `${identity}\n`);
  writeFileSync(path('ours.age'), await all(encryptAge([plain], { recipients: [recipient] }, systemEntropy)));
  const read = execFileSync('age', ['-d', '-i', path('key'), path('ours.age')], { maxBuffer: 8 * CHUNK });
  expect(read.equals(plain)).toBe(true);

  writeFileSync(path('plain'), plain);
  execFileSync('age', ['-r', recipient, '-o', path('theirs.age'), path('plain')]);
  expect((await all(decryptAge([readFileSync(path('theirs.age'))], { identity }))).equals(plain)).toBe(true);
});

test('a file with a passphrase', async () => {
  const plain = systemEntropy.bytes(CHUNK + 7);
  expect(LOG_N).toBe(18); // the work that the appliance asks for, not that of other tests
  const to = { passphrase: PASSPHRASE, log_n: LOG_N };
  writeFileSync(path('ours.age'), await all(encryptAge([plain], to, systemEntropy)));
  onTerminal('age -d -o read-with-passphrase ours.age', `${PASSPHRASE}\n`);
  expect(readFileSync(path('read-with-passphrase')).equals(plain)).toBe(true);

  writeFileSync(path('plain'), plain);
  onTerminal('age -p -o theirs-with-passphrase.age plain', `${PASSPHRASE}\n${PASSPHRASE}\n`);
  const theirs = readFileSync(path('theirs-with-passphrase.age'));
  expect((await all(decryptAge([theirs], { passphrase: PASSPHRASE }))).equals(plain)).toBe(true);
}, 180_000);
