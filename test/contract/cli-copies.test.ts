// The commands of archives and snapshots as a shell runs them: what they print, write and put back.
import { spawnSync } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newIdentity } from '../../shared/ground/age/x25519.ts';
import { systemEntropy } from '../../shared/ground/clock.ts';
import { openStore } from '../../shared/ground/store/open-store.ts';
import { commandOwner } from '../../shared/kernel/access/held-locks.ts';
import { releaseLocks } from '../../shared/kernel/access/mutation-lock.ts';
import { ROOT, Shell } from './cli-scene.ts';

let shell: Shell;
let data: string;
let folder: string;

beforeAll(async () => {
  shell = await Shell.open();
  ({ data, folder } = shell);
  await shell.firstStart();
}, 300_000);
afterAll(() => shell.close());

const run: Shell['run'] = (words, options) => shell.run(words, options);
const inside: Shell['inside'] = (work) => shell.inside(work);
const auditRows: Shell['auditRows'] = () => shell.auditRows();

describe('archive', () => {
  const PASSPHRASE = 'of the archive of the test';
  const file = () => join(folder, 'whole.gcarchive.age');
  const sources = () =>
    inside(({ store }) => store.all<{ address: string }>('SELECT address FROM ntp_source ORDER BY address'));
  const addSource = (id: string, address: string) =>
    inside(({ store }) =>
      store.write((tx) =>
        tx.run(
          `INSERT INTO ntp_source (id, address, kind, nts, prefer, created_at, updated_at)
           VALUES (?, ?, 'server', 0, 0, '', '')`,
          [id, address],
        ),
      ),
    );

  test('create prints the name of the file alone; it is for its owner, and says nothing without the passphrase', async () => {
    await addSource('source_a', 'time1.lab.test');
    const ran = await run(['archive', 'create', file()], { input: `${PASSPHRASE}\n` });
    expect(ran).toMatchObject({ code: 0, out: `${file()}\n` });
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect(await readFile(file(), 'latin1')).not.toContain('time1.lab.test');
    expect(await readdir(join(data, 'archives'))).toEqual([]);
    const again = await run(['archive', 'create', file()], { input: `${PASSPHRASE}\n` });
    expect(again).toMatchObject({ code: 1, out: '', err: expect.stringContaining('already') });
  });

  test.each([
    ['a short passphrase', ['archive', 'create', 'x'], 'short\n', 1],
    ['a recipient that is none', ['archive', 'create', 'x', '--recipient', 'age1x'], '', 2],
    ['another passphrase', ['archive', 'restore', 'whole.gcarchive.age'], 'of another archive\n', 1],
    ['a mode that is none', ['archive', 'restore', 'whole.gcarchive.age', '--mode', 'all'], '', 2],
    ['a unit that is none', ['archive', 'restore', 'whole.gcarchive.age', '--unit', 'dns'], '', 2],
  ])('%s is refused', async (_what, words, input, code) => {
    const named = words.map((word) => (word === 'whole.gcarchive.age' ? file() : word));
    expect(await run(named, { input })).toMatchObject({ code, out: '' });
  });

  test('restore says what differs, saves it with its event, and a dry run saves nothing', async () => {
    await inside(({ store }) => store.write((tx) => tx.run("DELETE FROM ntp_source WHERE id = 'source_a'")));
    await addSource('source_b', 'time2.lab.test');
    const before = (await auditRows()).length;
    const input = `${PASSPHRASE}\n`;
    const line = 'ntp\tntp_sources\t1 added\t0 changed\t1 removed\n';
    expect(await run(['archive', 'inspect', file()], { input })).toMatchObject({ code: 0, out: line });
    expect(await run(['archive', 'restore', file(), '--dry-run'], { input })).toMatchObject({ code: 0, out: line });
    expect(await sources()).toEqual([{ address: 'time2.lab.test' }]);
    expect((await auditRows()).length).toBe(before);
    expect((await run(['data', 'list'])).out).toBe('');
    const merged = await run(['archive', 'restore', file(), '--mode', 'merge', '--unit', 'ntp'], { input });
    expect(merged.out).toBe('ntp\tntp_sources\t1 added\t0 changed\t0 removed\n');
    expect(await sources()).toEqual([{ address: 'time1.lab.test' }, { address: 'time2.lab.test' }]);
    // The way back, before each one that saves anything.
    expect(merged.err).toMatch(/^How it was until now is kept: schema-\d+-\w+-before-restore\.sqlite\nSaved\. /);
    expect(await run(['archive', 'restore', file()], { input })).toMatchObject({ code: 0 });
    expect(await sources()).toEqual([{ address: 'time1.lab.test' }]);
    const rows = await auditRows();
    expect(rows.slice(before).map(({ action }) => action)).toEqual(['archive.restore', 'archive.restore']);
    expect(JSON.stringify(rows)).not.toContain(PASSPHRASE);
    expect(await run(['archive', 'restore', file()], { input })).toMatchObject({ code: 0, out: '' });
    expect((await run(['data', 'list'])).out.match(/-before-restore\.sqlite/g)).toHaveLength(2);
  });

  test('is refused while an apply owns all mutations', async () => {
    await inside(({ store }) =>
      store.write((tx) =>
        tx.run("INSERT INTO mutation_lock (scope, job_id, since) VALUES ('all', 'job_1', '2026-01-01T00:00:00Z')"),
      ),
    );
    await addSource('source_c', 'time3.lab.test');
    const ran = await run(['archive', 'restore', file()], { input: `${PASSPHRASE}\n` });
    expect(ran).toMatchObject({ code: 1, out: '', err: expect.stringContaining('job_1') });
    expect(await sources()).toHaveLength(2);
    await inside(({ store }) => store.write((tx) => tx.run('DELETE FROM mutation_lock')));
  });

  test('a restore owns everything while it runs; of one that was killed the next command takes it over', async () => {
    const held = (owner: string) =>
      inside(({ store }) =>
        store.write((tx) =>
          tx.run("INSERT INTO mutation_lock (scope, job_id, since) VALUES ('all', ?, '2026-01-01T00:00:00Z')", [owner]),
        ),
      );
    const input = `${PASSPHRASE}\n`;
    // This process lives: its lock holds.
    await held(commandOwner(process.pid));
    const before = await sources();
    const refused = await run(['archive', 'restore', file()], { input });
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('owns everything') });
    expect(await sources()).toEqual(before);
    await inside(({ store }) => store.write((tx) => releaseLocks(tx, commandOwner(process.pid))));
    const ended = spawnSync(process.execPath, ['--version']).pid;
    await held(commandOwner(ended));
    expect(await run(['archive', 'restore', file()], { input })).toMatchObject({ code: 0 });
    expect(await inside(({ store }) => store.all('SELECT * FROM mutation_lock'))).toEqual([]);
  });

  test('without secrets it asks for nothing and can be read as it is', async () => {
    const plain = join(folder, 'plain.gcarchive');
    const ran = await run(['archive', 'create', plain, '--without-secrets']);
    expect(ran).toMatchObject({ code: 0, out: `${plain}\n`, err: expect.stringContaining('no vaults') });
    const text = await readFile(plain, 'latin1');
    expect(text).toContain('time1.lab.test');
    expect(text).not.toContain('sealed/');
  });
});

test('an archive of schema 2 in plain JSON is compared; what has no place here is named, and no secret of it', async () => {
  const ran = await run(['archive', 'inspect', join(ROOT, 'test/fixtures/plain-archives/schema-2.json')]);
  expect(ran.code).toBe(0);
  expect(ran.out).toContain('dns-dhcp\tdns_zones\t2 added\t0 changed\t0 removed\n');
  expect(ran.err).toContain('by admin in plain JSON of schema 2, version 1.2.3.\n');
  expect(ran.err).toContain('Not taken over: 3 of schedules. This appliance has no place for it.\n');
  expect(ran.out + ran.err).not.toContain('C4nary');
  const names = await readdir(join(data, 'archives'));
  expect(names).toEqual([]);
});

describe('data', () => {
  const audited = async () => (await auditRows()).filter(({ action }) => action.startsWith('data.'));

  test('snapshot prints the name alone and is recorded; list names it; restore goes back to it', async () => {
    const taken = await run(['data', 'snapshot']);
    expect(taken.code).toBe(0);
    expect(taken.out).toMatch(/^schema-\d+-\d{8}T\d{9}Z-on-request\.sqlite\n$/);
    const name = taken.out.trim();
    expect((await run(['data', 'list'])).out).toMatch(
      new RegExp(`^${name}\\t\\S+Z\\tschema \\d+\\ton-request\\t\\d+ bytes$`, 'm'),
    );
    const since = (await auditRows()).length;
    expect((await run(['token', 'create', '--name', 'later', '--scope', 'read:dns'])).code).toBe(0);

    const restored = await run(['data', 'restore', name]);
    expect(restored).toMatchObject({ code: 0, out: '' });
    expect(restored.err).toMatch(
      /^The database is as it was at .*\nHow it was until now is kept: schema-.*-before-restore/,
    );
    expect((await run(['token', 'list'])).out).not.toContain('later');
    expect(await auditRows()).toHaveLength(since + 1);
    expect((await audited()).map(({ action, actor_kind }) => [action, actor_kind])).toEqual([
      ['data.snapshot', 'system'],
      ['data.restore', 'system'],
    ]);
  });

  test('restore is refused without such a snapshot, and in a folder without an appliance', async () => {
    const unknown = await run(['data', 'restore', 'nothing']);
    expect(unknown).toMatchObject({ code: 1, out: '' });
    expect(unknown.err).toMatch(/^groundcrew: There is no snapshot nothing\. There are:\n/);
    const nowhere = { env: { GROUNDCREW_DATA: join(folder, 'nowhere') } };
    for (const words of [['list'], ['restore', 'nothing'], ['snapshot']]) {
      const ran = await run(['data', ...words], nowhere);
      expect([ran.code, ran.err]).toEqual([1, expect.stringMatching(/^groundcrew: There is no appliance in /)]);
    }
    expect(await run(['data', 'restore'])).toMatchObject({ code: 2, out: '' });
  });
});

describe('first start and factory reset', () => {
  const owner = newIdentity(systemEntropy);
  const elsewhere = (name: string, more: Record<string, string> = {}) => ({
    env: { GROUNDCREW_DATA: join(folder, name), ...more },
  });
  const file = () => join(folder, 'start.gcarchive.age');
  const identity = () => join(folder, 'identity');
  const start = (of: string, name: string, more?: Record<string, string>) =>
    run(['archive', 'restore', of, '--first-start', '--identity', identity()], elsewhere(name, more));
  const read = async <T>(name: string, sql: string): Promise<T[]> => {
    const store = await openStore(join(folder, name));
    try {
      return await store.all<T>(sql);
    } finally {
      await store.close();
    }
  };
  const USERS = 'SELECT id, name, role, enabled, password_hash, created_at FROM user ORDER BY id';
  const LAST = 'SELECT action, actor_kind, detail FROM audit_event ORDER BY seq DESC LIMIT 1';

  beforeAll(async () => {
    await writeFile(identity(), `# of the test\n${owner.identity}\n`, { mode: 0o600 });
    await inside(({ store }) =>
      store.write((tx) =>
        tx.run(
          `INSERT INTO ntp_source (id, address, kind, nts, prefer, created_at, updated_at)
           VALUES ('source_s', 'start.lab.test', 'server', 0, 0, '', '')`,
        ),
      ),
    );
    expect(await run(['archive', 'create', file(), '--recipient', owner.recipient])).toMatchObject({ code: 0 });
  });

  test('an empty folder starts from an archive, with its accounts; then never again', async () => {
    const ran = await start(file(), 'started');
    expect(ran).toMatchObject({ code: 0, out: expect.stringMatching(/^ntp\tntp_sources\t\d+ added/m) });
    expect(ran.err).not.toContain('Sign in as admin');
    expect(await read('started', USERS)).toEqual(await inside(({ store }) => store.all(USERS)));
    const [event] = await read<{ action: string; actor_kind: string; detail: string }>('started', LAST);
    expect(event).toMatchObject({ action: 'archive.restore', actor_kind: 'system' });
    expect(JSON.parse(event!.detail)).toMatchObject({ first_start: true, accounts: 1 });
    const again = await start(file(), 'started');
    expect(again).toMatchObject({ code: 1, out: '', err: expect.stringContaining('First start is over') });
  });

  test('without accounts in it, admin gets a password as at a first start', async () => {
    const plain = join(folder, 'start-plain.gcarchive');
    expect(await run(['archive', 'create', plain, '--without-secrets'])).toMatchObject({ code: 0 });
    const ran = await run(
      ['archive', 'restore', plain, '--first-start'],
      elsewhere('plain', { GROUNDCREW_ADMIN_PASSWORD: '' }),
    );
    expect(ran).toMatchObject({ code: 0, err: expect.stringMatching(/Sign in as admin with this password/) });
    expect(ran.err).toContain('has no accounts');
    expect(await read('plain', 'SELECT name, role FROM user')).toEqual([{ name: 'admin', role: 'admin' }]);
    expect(await read('plain', "SELECT address FROM ntp_source WHERE id = 'source_s'")).toHaveLength(1);
  });

  test.each([
    [['archive', 'restore', 'x', '--first-start', '--dry-run'], 2],
    [['archive', 'restore', 'x', '--leave-out', 'ntp'], 2],
    [['archive', 'restore', 'x', '--first-start', '--leave-out', 'dns'], 2],
    [['data', 'reset'], 2],
    [['data', 'reset', '--confirm', 'another.name'], 1],
  ])('%j is refused', async (words, code) => {
    expect(await run(words, elsewhere('started'))).toMatchObject({ code, out: '' });
    expect(await read('started', "SELECT id FROM ntp_source WHERE id = 'source_s'")).toHaveLength(1);
  });

  test('a reset keeps a copy and the log; admin gets a password; then it may start from the archive again', async () => {
    const before = await read('started', 'SELECT seq FROM audit_event');
    const ran = await run(
      ['data', 'reset', '--confirm', hostname()],
      elsewhere('started', { GROUNDCREW_ADMIN_PASSWORD: '' }),
    );
    expect(ran).toMatchObject({ code: 0, out: expect.stringMatching(/^schema-\d+-\w+-before-reset\.sqlite\n$/) });
    expect(ran.err).toMatch(/Sign in as admin with this password/);
    expect(await read('started', 'SELECT id FROM ntp_source')).toEqual([]);
    expect(await read('started', 'SELECT name FROM user')).toEqual([{ name: 'admin' }]);
    expect(await read('started', 'SELECT seq FROM audit_event')).toHaveLength(before.length + 2);
    expect(await read('started', LAST)).toMatchObject([{ action: 'appliance.reset', actor_kind: 'system' }]);
    expect(await run(['audit', 'verify'], elsewhere('started'))).toMatchObject({ code: 0 });
    expect(await start(file(), 'started')).toMatchObject({ code: 0 });
    expect(await read('started', USERS)).toEqual(await inside(({ store }) => store.all(USERS)));
  });
});
