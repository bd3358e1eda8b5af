// Following the applied entries of the directory: what fails is tried again ever less often, until something has changed.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { DirectoryFollower } from '../../runtime/directory-follower.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { ENTRIES_FILE, PID_FILE } from '../../shared/services/ldap/files.ts';

let folder: string;
let now: number;
let searches: number;
let warned: string[];
let follower: DirectoryFollower;

const resolve = (path: string) => join(folder, path);
const entries = (suffix: string) =>
  JSON.stringify({
    version: 1,
    policy: { max_failures: 0, lockout_seconds: 0, max_age_seconds: 0 },
    organizations: [{ slug: 'lab', suffix, users: [], groups: [], accounts: [] }],
  });
function write(path: string, text: string): void {
  mkdirSync(dirname(resolve(path)), { recursive: true });
  writeFileSync(resolve(path), text);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gct-follower-'));
  [now, searches, warned] = [0, 0, []];
  const host = {
    resolve,
    read: async () => entries('dc=lab,dc=test'),
    exec: async (_: string, args: readonly string[]) => {
      // Of what the tree tells; how many entries it has is asked beside.
      if (args.includes('base')) searches += 1;
      return { code: 52, stdout: '', stderr: 'ldapsearch: Server is unavailable (52)\n' };
    },
  };
  const logger = {
    info: () => undefined,
    warn: (_: string, { failure }: { failure: Error }) => warned.push(failure.message),
  };
  // Set back with each look: nothing waits for it.
  const clock = { now: () => new Date(Date.parse('2026-01-01T00:00:00Z') - now * 100) };
  follower = new DirectoryFollower({ host, logger, clock, store: {} } as unknown as Services, () => now);
  write(ENTRIES_FILE, entries('dc=lab,dc=test'));
  write(PID_FILE, '1');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Tries in so many seconds, of a look in each half of one. */
async function triesWithin(seconds: number): Promise<number> {
  const before = searches;
  for (let look = 0; look < seconds * 2; look += 1, now += 500) await follower.look();
  return searches - before;
}

test('what fails is tried ever less often, said once, and at once when slapd was started again', async () => {
  const minutes = [];
  for (let minute = 0; minute < 5; minute += 1) minutes.push(await triesWithin(60));
  // After 0, ½, 1½, 3½, 7½, 15½ and 31½ seconds, and after a minute each later on.
  expect(minutes).toEqual([7, 1, 1, 1, 1]);
  expect(warned).toEqual(['lab: The directory could not be read: ldapsearch: Server is unavailable (52)']);
  write(PID_FILE, '22');
  expect(await triesWithin(1)).toBe(2);
});
