// The rotation of the vaults' key, cut off wherever that can be: every value can be opened at any moment, and the old key
// is gone only when nothing uses it.
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { newKeyId } from '../../shared/ground/sealing/keyring.ts';
import { Left } from '../../shared/kernel/jobs/run.ts';
import { createEntry, deleteEntry, updateEntry } from '../../shared/platform/vaults/entry-store.ts';
import { retireKeys } from '../../shared/platform/vaults/rotate.ts';
import { useEntry } from '../../shared/platform/vaults/use.ts';
import { House } from '../setup/house.ts';
import {
  administrator,
  ENTRIES,
  fill,
  keysFile,
  openSide,
  rotate,
  type Side,
  standing,
  system,
  valueFor,
} from '../setup/vault-scene.ts';

/** Everything can be opened, and one key is there, which all entries have. */
const ROTATED = { entries: ENTRIES, wrong: [], held: 1, named: 1, current: true };
/** Everything can be opened, whatever key it has. */
const READABLE = { entries: ENTRIES, wrong: [] };

let folder: string;
let side: Side;
let countdown: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-rotation-'));
  countdown = Number.POSITIVE_INFINITY;
  side = await openSide(folder, (sql, connection) => {
    if (connection === 'writer' && sql !== 'ROLLBACK' && --countdown === 0) throw new Error('injected');
  });
});
afterEach(async () => {
  await side.store.close();
  rmSync(folder, { recursive: true, force: true });
});

const keyText = (): string => JSON.parse(readFileSync(keysFile(folder), 'utf8')).keys[0].key;

test('seals every entry’s key anew and forgets the old one; the values’ own texts stay', async () => {
  await fill(side);
  const old = keyText();
  const texts = () => side.store.all('SELECT id, sealed_value, revision, updated_at FROM vault_entry ORDER BY id');
  const before = await texts();
  await rotate(side);
  expect(await standing(folder)).toEqual(ROTATED);
  expect(await texts()).toEqual(before);
  expect(readFileSync(keysFile(folder), 'utf8')).not.toContain(old);
  const event = await side.store.one("SELECT outcome, detail FROM audit_event WHERE action = 'vault.key.retire'");
  expect(event).toMatchObject({ outcome: 'success', detail: expect.stringContaining(`"entries":${ENTRIES}`) });
});

describe('with a fault at the n-th', () => {
  test('statement, for every n, loses nothing; the next try ends it', async () => {
    await fill(side);
    let failed = 0;
    for (let n = 1; ; n++) {
      countdown = n;
      const outcome = await rotate(side).then(
        () => 'rotated',
        (error: Error) => error.message,
      );
      countdown = Number.POSITIVE_INFINITY;
      if (outcome === 'rotated') break;
      failed++;
      expect({ n, outcome, ...(await standing(folder)) }).toMatchObject({ n, outcome: 'injected', ...READABLE });
      if (n % 4 === 0) await rotate(side);
    }
    expect(await standing(folder)).toEqual(ROTATED);
    expect(failed).toBeGreaterThan(15);
  }, 120_000);

  test('step, for every n, loses nothing; a key is forgotten only when nothing uses it', async () => {
    await fill(side);
    const steps: string[] = [];
    for (let n = 1; ; n++) {
      let left = n;
      const checkpoint = (step: string) => {
        if (--left > 0) return;
        steps.push(step);
        throw new Error('injected');
      };
      const done = await rotate({ ...side, checkpoint }).then(
        () => true,
        () => false,
      );
      const now = await standing(folder);
      expect({ n, ...now }).toMatchObject({ n, ...READABLE });
      expect(now.held).toBeGreaterThanOrEqual(now.named);
      if (done) break;
      await rotate(side);
      expect({ n, ...(await standing(folder)) }).toEqual({ n, ...ROTATED });
    }
    expect(steps).toEqual([
      'vault key: begin',
      'vault key: made',
      'vault key: batch',
      'vault key: batch',
      'vault key: batch',
      'vault key: announced',
      'vault key: recorded',
      'vault key: removed',
      'vault key: retired',
    ]);
  }, 120_000);
});

test('cut off anywhere, the audit log names each key that is gone, once', async () => {
  await fill(side, 3);
  const gone = [...(await side.keyring.ids())];
  for (const step of ['announced', 'recorded', 'removed', 'retired']) {
    const checkpoint = (name: string) => {
      if (name === `vault key: ${step}`) throw new Error('injected');
    };
    await expect(rotate({ ...side, checkpoint })).rejects.toThrow('injected');
    gone.push((await side.keyring.current()).id);
    await rotate(side);
    gone.push((await side.keyring.current()).id);
  }
  const rows = await side.store.all<{ detail: string }>(
    "SELECT detail FROM audit_event WHERE action = 'vault.key.retire' ORDER BY seq",
  );
  const told = rows.flatMap(({ detail }) => JSON.parse(detail).retired as string[]);
  expect([...told].sort()).toEqual(gone.slice(0, -1).sort());
});

test('goes on beside writes and uses of another program: nothing is lost, refused or sealed under a key that is gone', async () => {
  const vault_id = await fill(side, 40);
  const other = await openSide(folder);
  const expected = new Map<string, string>();
  const ids = new Map(
    (await other.store.all<{ id: string; key: string }>('SELECT id, key FROM vault_entry')).map(({ id, key }) => [
      key,
      id,
    ]),
  );
  let going = true;
  const writes = (async () => {
    for (let n = 0; going; n++) {
      const [fresh, changed, used] = [`new${n}`, `e${n % 20}`, `e${20 + (n % 20)}`];
      const value = `changed ${n}`;
      await other.store.write(async (tx) => {
        await createEntry(tx, other, vault_id, { key: fresh, value: valueFor(fresh) });
        await updateEntry(tx, other, { vault_id, entry_id: ids.get(changed)! }, { value }, null);
      });
      expected.set(changed, value);
      const opened = await useEntry(other, administrator(), { vault_id, entry_id: ids.get(used)! }, 'remote-login');
      expect(opened.value).toBe(valueFor(used));
      // Two programs never share an event loop, which node:sqlite works on: without a turn the rotation would get none.
      await sleep(0);
    }
  })();
  // Whoever waits for the database waits in steps: one that is slow gets its turns as well.
  for (let turn = 0; turn < 12 || expected.size < 10; turn++) {
    await Promise.all([rotate(side), ...(turn % 3 === 0 ? [rotate(side)] : [])]);
    await sleep(turn % 4 === 0 ? 120 : 0);
  }
  going = false;
  await writes;
  const now = await standing(folder, (key) => expected.get(key) ?? valueFor(key));
  expect(now.wrong).toEqual([]);
  expect(now.entries).toBeGreaterThanOrEqual(50);
  await other.store.close();
}, 120_000);

test('waits for a transaction that has sealed under the old key and is not committed yet', async () => {
  const vault_id = await fill(side, 3);
  const other = await openSide(folder);
  const old = (await other.keyring.current()).id;
  const sealed = Promise.withResolvers<void>();
  const writing = other.store.write(async (tx) => {
    await createEntry(tx, other, vault_id, { key: 'late', value: valueFor('late') });
    sealed.resolve();
    await sleep(150);
  });
  await sealed.promise;
  const rotating = rotate(side);
  await Promise.all([writing, rotating]);
  expect(await side.keyring.find(old)).toBeNull();
  expect(await standing(folder)).toEqual({ ...ROTATED, entries: 4 });
  await other.store.close();
});

test('a value under an older key keeps it: nothing is forgotten that an entry names', async () => {
  await fill(side, 3);
  const [old] = await side.keyring.ids();
  await side.store.write(() => side.keyring.add(newKeyId(side.entropy)));
  const retired = await retireKeys(side, system(), { entries: 0, unreadable: [] });
  expect([retired, await side.keyring.ids()]).toEqual([[], [old, (await side.keyring.current()).id]]);
  expect((await standing(folder)).wrong).toEqual([]);
});

test('an entry that can’t be opened keeps its key and is named; without it, the next rotation ends', async () => {
  const vault_id = await fill(side, 5);
  const [first] = await side.store.all<{ id: string }>('SELECT id FROM vault_entry ORDER BY key');
  const harmed = first!.id;
  await side.store.write((tx) =>
    tx.run("UPDATE vault_entry SET sealed_key = replace(sealed_key, 'vk1.', 'vk1.A') WHERE id = ?", [harmed]),
  );
  const refused = rotate(side);
  await expect(refused).rejects.toMatchObject({
    code: 'vault_value_unreadable',
    message: expect.stringContaining(harmed),
  });
  expect(await standing(folder)).toMatchObject({ wrong: ['e0'], held: 2, named: 2 });
  const event = await side.store.one("SELECT outcome FROM audit_event WHERE action = 'vault.key.retire'");
  expect(event).toEqual({ outcome: 'failure' });
  await side.store.write((tx) => deleteEntry(tx, { vault_id, entry_id: harmed }, null));
  await rotate(side);
  expect(await standing(folder)).toEqual({ entries: 4, wrong: [], held: 1, named: 1, current: true });
});

test('is refused to a user who would leave a file that the service can’t read', async () => {
  // Only root can make such a folder.
  if (process.geteuid?.() !== 0) return;
  chownSync(folder, 65_534, 65_534);
  await expect(rotate(side)).rejects.toThrow(/belongs to the user with id 65534/);
  expect(await side.keyring.ids()).toHaveLength(1);
});

describe('as a job', () => {
  test('left at each step, it goes on to its end with the key that it began with', async () => {
    let left = Number.POSITIVE_INFINITY;
    const house = await House.open({
      services: {
        checkpoint: (step) => {
          if (step.startsWith('vault') && --left === 0) throw new Left();
        },
      },
    });
    const { token } = await house.actor('admin');
    const { runner } = house.appliance;
    await fill(house.services);
    for (let n = 1; n <= 10; n++) {
      left = n;
      const { body, headers } = await house.send('POST', '/api/v1/vaults/rotate-key', { token });
      await runner.idle();
      expect({ n, ...(await standing(house.data)) }).toMatchObject({ n, ...READABLE });
      await runner.idle();
      const job = (await house.send('GET', headers.location!, { token })).body;
      expect([n, job.id, job.state, job.tasks.map(({ state }: { state: string }) => state)]).toEqual([
        n,
        body.job_id,
        'succeeded',
        ['succeeded', 'succeeded', 'succeeded'],
      ]);
      expect({ n, ...(await standing(house.data)) }).toEqual({ n, ...ROTATED });
      expect((await house.services.keyring.current()).id).toBe(job.subject);
    }
    await house.close();
  }, 120_000);

  test('a second one is refused; a cancelled one keeps every key that is used; one that fails is in the audit log', async () => {
    const wait = Promise.withResolvers<void>();
    let cancel: (() => Promise<unknown>) | null = null;
    const house = await House.open({
      services: {
        checkpoint: async (step) => {
          if (step === 'vault key: begin') await wait.promise;
          if (step === 'vault key: batch') await cancel?.();
        },
      },
    });
    const { token } = await house.actor('admin');
    const post = () => house.send('POST', '/api/v1/vaults/rotate-key', { token });
    await fill(house.services);
    const first = (await post()).body.job_id;
    expect((await post()).body).toMatchObject({ error_code: 'state_conflict', detail: expect.stringContaining(first) });
    cancel = () => house.send('POST', `/api/v1/jobs/${first}/cancel`, { token });
    wait.resolve();
    await house.appliance.runner.idle();
    cancel = null;
    expect((await house.send('GET', `/api/v1/jobs/${first}`, { token })).body.state).toBe('cancelled');
    expect(await standing(house.data)).toMatchObject({ ...READABLE, held: 2, named: 2 });
    await house.services.store.write((tx) => tx.run("UPDATE vault_entry SET sealed_key = 'vk1.' WHERE key = 'e3'"));
    const before = await house.lastAudit();
    const second = (await post()).body.job_id;
    await house.appliance.runner.idle();
    const failed = (await house.send('GET', `/api/v1/jobs/${second}`, { token })).body;
    expect([failed.state, failed.error.error_code]).toEqual(['failed', 'vault_value_unreadable']);
    expect(await house.audited(before)).toEqual([
      'vault.key.rotate',
      'vault.key.retiring',
      'vault.key.retire',
      'vault.key.rotate',
    ]);
    expect((await standing(house.data)).wrong).toEqual(['e3']);
    await house.close();
  }, 120_000);
});
