// The command line as a shell runs it: exit codes, what goes to standard output, and what it leaves in the data folder.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../runtime/config.ts';
import { firstStart } from '../../runtime/first-start.ts';
import { openServices } from '../../runtime/services.ts';
import { systemClock, systemEntropy } from '../../shared/ground/clock.ts';
import { systemActor } from '../../shared/kernel/access/actor.ts';
import { authenticateToken } from '../../shared/kernel/access/token.ts';
import { verifyUser } from '../../shared/kernel/access/user.ts';
import { createEntry } from '../../shared/platform/vaults/entry-store.ts';
import { useEntry } from '../../shared/platform/vaults/use.ts';
import { createVault } from '../../shared/platform/vaults/vault-store.ts';
import { ADMIN, Shell } from './cli-scene.ts';

let shell: Shell;
let data: string;
let folder: string;

beforeAll(async () => {
  shell = await Shell.open();
  ({ data, folder } = shell);
}, 300_000);
afterAll(() => shell.close());

const run: Shell['run'] = (words, options) => shell.run(words, options);
const inside: Shell['inside'] = (work) => shell.inside(work);
const auditRows: Shell['auditRows'] = () => shell.auditRows();

test.each([[['token', 'list']], [['token', 'create', '--name', 'ci', '--scope', 'read:dns']]])(
  'before the first start %j makes no data folder',
  async (words) => {
    const ran = await run(words);
    expect(ran).toMatchObject({ code: 1, out: '' });
    expect(ran.err).toMatch(/^groundcrew: There is no appliance in /);
    await expect(readdir(data)).rejects.toThrow();
  },
);

test('a first password that a user may not have stops the first start, and makes no user', async () => {
  const services = await openServices(
    readConfig({ GROUNDCREW_DATA: join(folder, 'refused'), GROUNDCREW_LOG_LEVEL: 'error' }),
  );
  await expect(firstStart(services, 'Administrator1!', () => undefined)).rejects.toThrow(
    /^GROUNDCREW_ADMIN_PASSWORD can’t be the password of admin: This is a common password/,
  );
  expect(await services.store.all('SELECT name FROM user')).toEqual([]);
  await services.store.close();
});

describe('token', () => {
  let secret: string;

  beforeAll(async () => {
    await shell.firstStart();
  });

  test('create prints the secret alone; it works, with the scope and lifetime asked for', async () => {
    const ran = await run(['token', 'create', '--name', 'ci', '--scope', 'write:pxe', '--lifetime', '7d']);
    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/^gcr_tok_[a-z0-9]{16}_[\w-]+\n$/);
    secret = ran.out.trim();
    expect(ran.err).not.toContain(secret);
    const { actor } = await inside(({ store, keys }) =>
      authenticateToken(store, { keys, clock: systemClock, entropy: systemEntropy }, secret),
    );
    expect([...actor.scopes]).toEqual(['write:pxe', 'read:pxe']);
    expect(actor.name).toBe('admin (token ci)');
  });

  test('every change is audited as the system, with the person of the shell, and without the secret', async () => {
    const rows = await auditRows();
    const created = rows.at(-1)!;
    expect(created).toMatchObject({ action: 'token.create', actor_kind: 'system' });
    expect(created.actor_name).toMatch(/^cli \(.+\)$/);
    expect(JSON.parse(created.detail)).toMatchObject({ name: 'ci', scopes: ['write:pxe'], user: 'admin' });
    // The secret itself may hold an underscore, or begin with one.
    expect(JSON.stringify(rows)).not.toContain(secret.split('_').slice(3).join('_'));
  });

  test('list names it, revoke stops it, a second time is refused', async () => {
    const id = `tok_${secret.split('_')[2]}`;
    expect((await run(['token', 'list'])).out).toMatch(new RegExp(`^${id}\tactive\tadmin\t.+\tci\twrite:pxe\n$`));
    expect((await run(['token', 'revoke', id])).code).toBe(0);
    expect((await run(['token', 'list'])).out).toContain('\trevoked\t');
    expect(await run(['token', 'revoke', id])).toMatchObject({
      code: 1,
      err: 'groundcrew: This token is already revoked.\n',
    });
  });

  test.each([
    [['--scope', 'read:dns'], /--name is missing/],
    [['--name', 'x'], /--scope is missing/],
    [['--name', 'x', '--scope', 'read:everything'], /read:everything is no scope/],
    [['--name', 'x', '--scope', 'read:dns', '--lifetime', '5m'], /At least one hour/],
    [['--name', 'x', '--scope', 'read:dns', '--lifetime', '366d'], /At most 365 days/],
    [['--name', 'x', '--scope', 'read:dns', '--lifetime', 'soon'], /soon is no lifetime/],
    [['--name', 'x', '--scope', 'read:dns', '--colour', 'red'], /--colour/],
  ])('create %j is not understood', async (words, message) => {
    const ran = await run(['token', 'create', ...words]);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.err).toMatch(message);
  });

  test('several scopes, repeated or with commas', async () => {
    const ran = await run([
      'token',
      'create',
      '--name',
      'two',
      '--scope',
      'read:dns,read:jobs',
      '--scope',
      'read:audit',
    ]);
    expect(ran.code).toBe(0);
    expect((await run(['token', 'list'])).out).toContain('\ttwo\tread:audit read:dns read:jobs\n');
  });

  test('an unknown user is refused, naming those that there are', async () => {
    const ran = await run(['token', 'create', '--name', 'x', '--scope', 'read:dns', '--user', 'nobody']);
    expect(ran).toMatchObject({ code: 1, out: '', err: 'groundcrew: There is no user nobody. There are: admin.\n' });
  });
});

describe('user reset-password', () => {
  const signsIn = (password: string) =>
    inside(async ({ store }) => (await verifyUser(store, 'admin', password)) !== null);

  test('takes one line of standard input', async () => {
    const ran = await run(['user', 'reset-password', 'admin'], { input: 'a new passphrase of mine\nignored\n' });
    expect(ran).toMatchObject({ code: 0, out: '' });
    expect(await signsIn('a new passphrase of mine')).toBe(true);
    expect(await signsIn(ADMIN)).toBe(false);
  });

  test('ends the tokens unless they are to be kept, and says how many', async () => {
    const active = () => inside(({ store }) => store.all('SELECT id FROM api_token WHERE revoked_at IS NULL'));
    const created = await run(['token', 'create', '--name', 'kept', '--scope', 'read:dns']);
    expect(await active()).toHaveLength(1);
    const keeping = await run(['user', 'reset-password', 'admin', '--generate', '--keep-tokens']);
    expect(keeping.err).toBe(
      'The password of admin is changed. Ended: 0 sessions and 0 API tokens. 1 API token was kept.\n',
    );
    expect(await active()).toHaveLength(1);
    const ending = await run(['user', 'reset-password', 'admin', '--generate']);
    expect(ending.err).toBe('The password of admin is changed. Ended: 0 sessions and 1 API token.\n');
    expect(await active()).toEqual([]);
    const detail = JSON.parse((await auditRows()).at(-1)!.detail);
    expect(detail).toMatchObject({ changed: ['password'], tokens_ended: 1, tokens_kept: 0 });
    expect(JSON.stringify(detail)).not.toContain(created.out.trim());
  });

  test('--generate prints the new password alone', async () => {
    const ran = await run(['user', 'reset-password', 'admin', '--generate']);
    expect(ran.out).toMatch(/^[\w-]{20}\n$/);
    expect(await signsIn(ran.out.trim())).toBe(true);
  });

  test.each([
    ['short\n', /At least 12 characters/],
    ['Admin 2024-2025\n', /must not be the user name/],
    ['Password2024!\n', /This is a common password/],
    ['', /standard input was empty/],
  ])('%j is refused and changes nothing', async (input, message) => {
    const before = (await auditRows()).length;
    const ran = await run(['user', 'reset-password', 'admin'], { input });
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(message);
    expect((await auditRows()).length).toBe(before);
  });
});

describe('audit verify', () => {
  test('says that the chain holds', async () => {
    const ran = await run(['audit', 'verify']);
    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/^The chain holds: \d+ events, head [\w-]+\n$/);
  });

  test('a changed event gives exit code 1', async () => {
    await inside(({ store }) =>
      store.write((tx) => tx.run("UPDATE audit_event SET actor_name = 'somebody else' WHERE seq = 2")),
    );
    const ran = await run(['audit', 'verify']);
    expect(ran).toMatchObject({ code: 1, out: 'The chain is broken: event 2 was changed. It holds up to event 1.\n' });
  });
});

describe('vault rotate-key', () => {
  const file = () => join(data, 'vault.keys');
  const held = async () => JSON.parse(await readFile(file(), 'utf8')) as { current: string; keys: { id: string }[] };

  beforeAll(async () => {
    const config = readConfig({ GROUNDCREW_DATA: data, GROUNDCREW_LOG_LEVEL: 'error' });
    const services = await openServices(config);
    await services.store.write(async (tx) => {
      const { id } = await createVault(tx, services, { name: 'lab' }, 'ada');
      await createEntry(tx, services, id, { key: 'esx01.root', value: 'canary-of-the-shell' });
    });
    await services.store.close();
  });

  test('gives every entry a new key and forgets the old one, beside a service that runs', async () => {
    const before = await held();
    const service = await openServices(readConfig({ GROUNDCREW_DATA: data, GROUNDCREW_LOG_LEVEL: 'error' }));
    const ran = await run(['vault', 'rotate-key']);
    expect(ran).toEqual({
      code: 0,
      out: '',
      err: 'The vaults have a new key; entries sealed under it: 1, older keys forgotten: 1.\n',
    });
    const after = await held();
    expect([after.keys.length, after.current === before.current]).toEqual([1, false]);
    const entry = await service.store.one<{ id: string; vault_id: string; kek_id: string }>(
      'SELECT * FROM vault_entry',
    );
    expect(entry!.kek_id).toBe(after.current);
    const who = { at: '', actor: systemActor('test'), request_id: '', source_address: '' };
    const used = await useEntry(service, who, { vault_id: entry!.vault_id, entry_id: entry!.id }, 'kickstart');
    expect(used.value).toBe('canary-of-the-shell');
    await service.store.close();
    const rows = (await auditRows()).slice(-4);
    expect(rows.map(({ action }) => action)).toEqual([
      'vault.key.rotate',
      'vault.key.retiring',
      'vault.key.retire',
      'vault.entry.use',
    ]);
    expect(rows[0]!.actor_name).toMatch(/^cli \(.+\)$/);
  });

  test('is refused while an apply owns all mutations, and touches nothing', async () => {
    const before = await held();
    const lock = (sql: string) => inside(({ store }) => store.write((tx) => tx.run(sql)));
    await lock("INSERT INTO mutation_lock (scope, job_id, since) VALUES ('all', 'job_a', '')");
    expect(await run(['vault', 'rotate-key'])).toMatchObject({ code: 1, err: expect.stringContaining('job_a') });
    await lock('DELETE FROM mutation_lock');
    expect(await held()).toEqual(before);
  });

  test.each<[string, () => Promise<void>, RegExp]>([
    ['damaged', () => writeFile(file(), '{}', { mode: 0o600 }), /vault\.keys is damaged/],
    ['missing while an entry has a value', () => rm(file()), /vault\.keys is missing/],
  ])('a keys file that is %s stops everything with one line', async (_what, harm, message) => {
    const text = await readFile(file(), 'utf8');
    await harm();
    const ran = await run(['token', 'list']);
    expect(ran).toMatchObject({ code: 1, out: '', err: expect.stringMatching(message) });
    expect(ran.err.trim()).not.toContain('\n');
    await writeFile(file(), text, { mode: 0o600 });
  });
});

describe('the rest', () => {
  test('openapi prints the document and needs no data folder', async () => {
    const ran = await run(['openapi'], { env: { GROUNDCREW_DATA: join(folder, 'nowhere') } });
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.out).paths).toHaveProperty('/api/v1/tokens');
    expect(await readdir(folder)).not.toContain('nowhere');
  });

  test('--help prints every command', async () => {
    const { code, out } = await run(['--help']);
    expect(code).toBe(0);
    for (const words of [
      'token create',
      'token list',
      'token revoke',
      'user reset-password',
      'archive create',
      'archive inspect',
      'archive restore',
      'audit verify',
      'vault rotate-key',
      'data snapshot',
      'data list',
      'data restore',
      'openapi',
    ])
      expect(out).toContain(`groundcrew ${words}`);
  });

  test.each([[[]], [['token']], [['frobnicate']], [['user', 'reset-password']]])('%j exits with 2', async (words) => {
    expect(await run(words as string[])).toMatchObject({ code: 2, out: '' });
  });

  test('a bad setting stops it with one line', async () => {
    const ran = await run(['token', 'list'], { env: { GROUNDCREW_HOST: 'cloud' } });
    expect(ran).toMatchObject({
      code: 1,
      err: 'groundcrew: GROUNDCREW_HOST is cloud; expected rehearsal, namespace:<name> or system.\n',
    });
  });
});
