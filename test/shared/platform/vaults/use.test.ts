// Using and showing a value: it comes out together with its event in the audit log, or not at all.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { systemEntropy } from '../../../../shared/ground/clock.ts';
import { openKeyring } from '../../../../shared/ground/sealing/keyring.ts';
import { systemActor } from '../../../../shared/kernel/access/actor.ts';
import { hashPassword } from '../../../../shared/kernel/access/password.ts';
import { type Role, scopesOfRole } from '../../../../shared/kernel/access/scopes.ts';
import { createUser } from '../../../../shared/kernel/access/user.ts';
import { type AuditContext, type AuditEvent, appendAudit, verifyAudit } from '../../../../shared/kernel/audit/audit.ts';
import { findCredential, listCredentials } from '../../../../shared/platform/vaults/credentials.ts';
import { createEntry } from '../../../../shared/platform/vaults/entry-store.ts';
import { confirmPassword } from '../../../../shared/platform/vaults/reveal.ts';
import { useEntry, useEntryIn } from '../../../../shared/platform/vaults/use.ts';
import { createVault } from '../../../../shared/platform/vaults/vault-store.ts';
import { administrator, keysFile, openSide, type Side, system } from '../../../setup/vault-scene.ts';

const VALUE = 'canary-Value-91c4';
const PASSWORD = 'correct horse battery staple';

let folder: string;
let side: Side;
let vault_id: string;
let entry_id: string;
let countdown: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-use-'));
  countdown = Number.POSITIVE_INFINITY;
  side = await openSide(folder, (sql, connection) => {
    if (connection === 'writer' && sql !== 'ROLLBACK' && --countdown === 0) throw new Error('injected');
  });
  vault_id = await vault('lab');
  entry_id = await entry(vault_id, 'esx01.root', VALUE);
});
afterEach(async () => {
  await side.store.close();
  rmSync(folder, { recursive: true, force: true });
});

const vault = (name: string) => side.store.write(async (tx) => (await createVault(tx, side, { name }, 'ada')).id);
const entry = (id: string, key: string, value?: string) =>
  side.store.write(async (tx) => {
    const draft = { key, username: 'root', uris: ['https://esx01.lab.example'], ...(value && { value }) };
    return (await createEntry(tx, side, id, draft)).entry.id;
  });
const run = (sql: string, ...values: string[]) => side.store.write((tx) => tx.run(sql, values));
const events = () =>
  side.store.all<{ action: string; outcome: string; detail: string; actor_name: string }>(
    'SELECT action, outcome, detail, actor_name FROM audit_event ORDER BY seq',
  );
const row = () => side.store.one('SELECT last_used_at, revision FROM vault_entry WHERE id = ?', [entry_id]);
const as = (role: Role, kind: 'token' | 'session' = 'token'): AuditContext => ({
  ...administrator(),
  actor: { ...administrator().actor, kind, role, scopes: scopesOfRole(role) },
});

describe('using a value', () => {
  test('gives it with user name and addresses, and is in the audit log without it', async () => {
    const used = await useEntry(side, administrator(), { vault_id, entry_id }, 'remote-login', {
      target: 'esx01.lab.example:443',
    });
    expect([used.value, used.username, used.uris]).toEqual([VALUE, 'root', ['https://esx01.lab.example']]);
    const [event, ...more] = await events();
    expect(more).toEqual([]);
    expect(event).toMatchObject({ action: 'vault.entry.use', outcome: 'success', actor_name: 'ada' });
    expect(JSON.parse(event!.detail)).toEqual({
      purpose: 'remote-login',
      vault: 'lab',
      key: 'esx01.root',
      target: 'esx01.lab.example:443',
    });
    expect(await row()).toEqual({ last_used_at: expect.any(String), revision: 1 });
    expect(await verifyAudit(side.store, side.keys)).toMatchObject({ ok: true, events: 1 });
  });

  test('is never done without being recorded: a fault at the n-th statement, for every n', async () => {
    let given = 0;
    for (let n = 1; given === 0; n++) {
      countdown = n;
      const outcome = await useEntry(side, administrator(), { vault_id, entry_id }, 'kickstart').catch(
        (error: Error) => error,
      );
      countdown = Number.POSITIVE_INFINITY;
      if (outcome instanceof Error) {
        expect([n, outcome.message]).toEqual([n, 'injected']);
        expect(await row()).toEqual({ last_used_at: null, revision: 1 });
      } else given++;
      expect({ n, events: (await events()).length }).toEqual({ n, events: given });
    }
  });

  test('in a transaction that is rolled back leaves nothing, and one that is not recorded can’t commit', async () => {
    const recorded: AuditEvent[] = [];
    const attempt = side.store.write(async (tx) => {
      const user = { actor: administrator().actor, record: (event: AuditEvent) => void recorded.push(event) };
      await useEntryIn(tx, side, user, { vault_id, entry_id }, 'kickstart');
      throw new Error('later');
    });
    await expect(attempt).rejects.toThrow('later');
    expect([recorded.length, await events(), await row()]).toEqual([1, [], { last_used_at: null, revision: 1 }]);
    const full = side.store.write((tx) => {
      const record = () => Promise.reject(new Error('the log is full'));
      return useEntryIn(tx, side, { actor: administrator().actor, record }, { vault_id, entry_id }, 'kickstart');
    });
    await expect(full).rejects.toThrow('the log is full');
  });

  test.each<Role>(['service-admin', 'network-admin', 'viewer'])('is refused to %s', async (role) => {
    const using = useEntry(side, as(role), { vault_id, entry_id }, 'remote-login');
    await expect(using).rejects.toMatchObject({ code: 'insufficient_scope', members: { scope: 'read:vaults' } });
    expect(await events()).toEqual([]);
  });

  test('is for the system too: what an administrator saved or queued', async () => {
    const who = { ...system(), actor: systemActor('boot') };
    expect((await useEntry(side, who, { vault_id, entry_id }, 'kickstart')).value).toBe(VALUE);
  });

  test('refuses an entry of another vault, one that is gone, and one without a value', async () => {
    const other = await vault('other');
    const empty = await entry(vault_id, 'empty');
    for (const ref of [
      { vault_id: other, entry_id },
      { vault_id: 'vault_none', entry_id },
      { vault_id, entry_id: 'entry_none' },
    ]) {
      await expect(useEntry(side, administrator(), ref, 'remote-login')).rejects.toMatchObject({
        code: 'resource_not_found',
      });
    }
    await expect(useEntry(side, administrator(), { vault_id, entry_id: empty }, 'remote-login')).rejects.toMatchObject({
      code: 'state_conflict',
    });
    expect(await events()).toEqual([]);
  });

  test('waits while something owns all mutations', async () => {
    await run("INSERT INTO mutation_lock (scope, job_id, since) VALUES ('all', 'job_a', '')");
    const ref = { vault_id, entry_id };
    await expect(useEntry(side, administrator(), ref, 'kickstart')).rejects.toMatchObject({ code: 'mutation_locked' });
    expect([await events(), await row()]).toEqual([[], { last_used_at: null, revision: 1 }]);
  });
});

describe('a value that can’t be opened is refused, and that is recorded:', () => {
  const COLUMNS = ['sealed_key', 'sealed_value'];
  const from = (id: string) =>
    COLUMNS.map((name) => `${name} = (SELECT ${name} FROM vault_entry WHERE id = '${id}')`).join(', ');

  test.each<[string, () => Promise<unknown>]>([
    [
      'that of another entry',
      async () => run(`UPDATE vault_entry SET ${from(await entry(vault_id, 'b', 'other'))} WHERE id = ?`, entry_id),
    ],
    [
      'that of another vault',
      async () =>
        run(`UPDATE vault_entry SET ${from(await entry(await vault('b'), 'b', 'other'))} WHERE id = ?`, entry_id),
    ],
    [
      'moved to another vault',
      async () => {
        vault_id = await vault('b');
        await run('UPDATE vault_entry SET vault_id = ?', vault_id);
      },
    ],
    ['exchanged columns', () => run('UPDATE vault_entry SET sealed_key = sealed_value, sealed_value = sealed_key')],
    ['cut off', () => run('UPDATE vault_entry SET sealed_value = substr(sealed_value, 1, length(sealed_value) - 3)')],
    ['a cut key', () => run('UPDATE vault_entry SET sealed_key = substr(sealed_key, 1, 20)')],
    ['another id of the key', () => run("UPDATE vault_entry SET kek_id = 'kek_other'")],
    ['a keys file that is gone', async () => rmSync(keysFile(folder))],
    ['a keys file that is damaged', async () => writeFileSync(keysFile(folder), '{')],
    [
      'another keys file',
      async () => {
        const strange = mkdtempSync(join(tmpdir(), 'groundcrew-keyring-'));
        await openKeyring(strange, systemEntropy, false);
        rmSync(keysFile(folder));
        writeFileSync(keysFile(folder), readFileSync(keysFile(strange)), { mode: 0o600 });
        rmSync(strange, { recursive: true });
      },
    ],
    [
      'another key under its id',
      async () => {
        const held = JSON.parse(readFileSync(keysFile(folder), 'utf8'));
        held.keys[0].key = systemEntropy.bytes(32).toString('base64url');
        writeFileSync(keysFile(folder), JSON.stringify(held));
      },
    ],
  ])('%s', async (_what, harm) => {
    await harm();
    const refused = await useEntry(side, administrator(), { vault_id, entry_id }, 'remote-login').catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({ code: 'vault_value_unreadable', status: 409 });
    const [event, ...more] = await events();
    expect([event, more]).toMatchObject([{ action: 'vault.entry.use', outcome: 'failure' }, []]);
    expect(JSON.parse(event!.detail)).toMatchObject({ purpose: 'remote-login', key: 'esx01.root' });
    expect(await row()).toMatchObject({ last_used_at: null });
    const told = `${(refused as Error).stack}${event!.detail}`;
    expect(told).not.toMatch(/canary|vk1\.|vv1\./);
  });
});

describe('showing a value', () => {
  const who = (user_id: string | null = null): AuditContext => {
    const { actor, ...rest } = as('admin', 'session');
    return { ...rest, actor: { ...actor, user_id, name: 'ada' } };
  };
  const adaId = () =>
    side.store.write(async (tx) => {
      const password_hash = await hashPassword(PASSWORD);
      return (await createUser(tx, side, { name: 'ada', role: 'admin', password_hash })).id;
    });

  test('takes the own password, is recorded, and goes on while an apply runs', async () => {
    const id = await adaId();
    await run("INSERT INTO mutation_lock (scope, job_id, since) VALUES ('all', 'job_a', '')");
    const context = who(id);
    const ref = { vault_id, entry_id };
    await confirmPassword(side, context, ref, PASSWORD);
    const shown = await side.store.write((tx) => {
      const record = (event: AuditEvent) => appendAudit(tx, side.keys, context, event, { holdsLock: true });
      return useEntryIn(tx, side, { actor: context.actor, record }, ref, 'reveal');
    });
    expect(shown).toMatchObject({ value: VALUE });
    const [event] = await events();
    expect(event).toMatchObject({ action: 'vault.entry.reveal', outcome: 'success' });
    expect(JSON.parse(event!.detail)).toEqual({ purpose: 'reveal', vault: 'lab', key: 'esx01.root' });
  }, 120_000);

  test('is refused for a wrong password, each time recorded, slower and slower', async () => {
    const id = await adaId();
    const codes: string[] = [];
    for (let n = 0; n < 7; n++) {
      const refused = await confirmPassword(side, who(id), { vault_id, entry_id }, `${PASSWORD}?`).catch(
        (error) => error,
      );
      codes.push(refused.code);
      if (n === 0) expect(refused.members.errors).toEqual([{ pointer: '/password', detail: expect.any(String) }]);
    }
    expect(codes.slice(0, 5)).toEqual(Array(5).fill('request_validation_failed'));
    expect(codes.at(-1)).toBe('too_many_attempts');
    await expect(confirmPassword(side, who(id), { vault_id, entry_id }, PASSWORD)).rejects.toMatchObject({
      code: 'too_many_attempts',
    });
    const written = await events();
    expect(written.length).toBe(codes.filter((code) => code === 'request_validation_failed').length);
    expect(new Set(written.map(({ action, outcome, detail }) => `${action} ${outcome} ${detail}`))).toEqual(
      new Set(['vault.entry.reveal failure {"refused":"password"}']),
    );
  }, 120_000);

  test('is refused to a token, to another user’s session under this name, and to other roles', async () => {
    await adaId();
    const ref = { vault_id, entry_id };
    const answer = (context: AuditContext) =>
      confirmPassword(side, context, ref, PASSWORD).catch((error) => error.code);
    expect(await answer(administrator())).toBe('session_required');
    expect(await answer(who('user_other'))).toBe('request_validation_failed');
    expect(await answer(as('viewer', 'session'))).toBe('insufficient_scope');
  }, 120_000);
});

test('a URI is a choice as long as it stands there', async () => {
  const [choice] = (await listCredentials(side.store, vault_id, { limit: 10 })).items;
  expect(await findCredential(side.store, vault_id, choice!.choice_id)).toEqual(choice);
  const other = await vault('other');
  const gone = [
    findCredential(side.store, other, choice!.choice_id),
    findCredential(side.store, vault_id, `${entry_id}.0000000000000000`),
    findCredential(side.store, vault_id, ''),
  ];
  for (const each of gone) await expect(each).rejects.toMatchObject({ code: 'resource_not_found' });
  await run('UPDATE vault_entry SET uris = \'["https://esx02.lab.example"]\'');
  await expect(findCredential(side.store, vault_id, choice!.choice_id)).rejects.toMatchObject({ status: 404 });
});
