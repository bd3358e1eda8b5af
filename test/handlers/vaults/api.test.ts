// Vaults over the API: who may, what is answered and recorded, what is refused; and that a value is nowhere but in the one
// place where it is sealed.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Role } from '../../../shared/kernel/access/scopes.ts';
import { useEntry } from '../../../shared/platform/vaults/use.ts';
import { type Credentials, type Heard, House, type Send } from '../../setup/house.ts';
import { Walk } from '../../setup/wizard-walk.ts';

const lines: string[] = [];
let house: House;
let admin: Credentials;

beforeAll(async () => {
  house = await House.open({ log: (line) => void lines.push(line) });
  admin = await house.actor('admin', undefined, 'ada');
});
afterAll(() => house.close());

const call = (method: string, path: string, send: Send | Record<string, unknown> = {}): Promise<Heard> =>
  house.send(method, `/api/v1/vaults${path}`, { token: admin.token, ...send });

let count = 0;
const newVault = async (): Promise<{ id: string; name: string }> => {
  const { body } = await call('POST', '', { body: { name: `v-${++count}` } });
  return body;
};
const newEntry = async (vault_id: string, draft: object): Promise<{ id: string; revision: number }> =>
  (await call('POST', `/${vault_id}/entries`, { body: draft })).body;

/** Audit events that the work writes: actions, and details. */
async function audited(work: () => Promise<unknown>): Promise<{ action: string; detail: object }[]> {
  const before = await house.lastAudit();
  await work();
  const rows = await house.services.store.all<{ action: string; detail: string }>(
    'SELECT action, detail FROM audit_event WHERE seq > ? ORDER BY seq',
    [before],
  );
  return rows.map(({ action, detail }) => ({ action, detail: JSON.parse(detail) }));
}

test('a vault and its entry, from beginning to end', async () => {
  const made = await call('POST', '', { body: { name: 'site-a', description: 'Lab' } });
  expect([made.status, made.headers.location, made.headers.etag]).toEqual([
    201,
    `/api/v1/vaults/${made.body.id}`,
    '"r1"',
  ]);
  expect(made.body).toMatchObject({
    id: expect.stringMatching(/^vault_\w{16}$/),
    entry_count: 0,
    created_by: 'ada (token test)',
  });
  const at = `/${made.body.id}`;

  const value = 'a stored password';
  const draft = {
    key: 'esx01.root',
    username: ' root ',
    value,
    uris: ['https://ESX01.lab.example:443/', 'ssh://esx01'],
  };
  const entry = await call('POST', `${at}/entries`, { body: draft });
  expect([entry.status, entry.headers.location]).toEqual([201, `/api/v1/vaults${at}/entries/${entry.body.id}`]);
  expect(entry.body).toEqual({
    id: expect.stringMatching(/^entry_\w{16}$/),
    vault_id: made.body.id,
    key: 'esx01.root',
    username: 'root',
    description: '',
    uris: ['https://esx01.lab.example', 'ssh://esx01'],
    source: 'manual',
    source_endpoint: '',
    has_value: true,
    value_changed_at: entry.body.created_at,
    imported_at: null,
    last_used_at: null,
    created_at: expect.any(String),
    updated_at: entry.body.created_at,
    revision: 1,
  });
  const one = `${at}/entries/${entry.body.id}`;
  expect((await call('GET', one)).body).toEqual(entry.body);
  expect((await call('GET', `${at}/entries?key=esx01.root&source=manual`)).body.items).toEqual([entry.body]);
  expect((await call('GET', `${at}/entries?source=vcf-installer`)).body.items).toEqual([]);
  expect((await call('GET', at)).body.entry_count).toBe(1);
  expect((await call('GET', '?name=site-a')).body.items).toEqual([{ ...made.body, entry_count: 1 }]);

  const changed = await audited(async () => {
    const heard = await call('PATCH', one, { body: { value: 'another one', username: 'admin' } });
    expect([heard.status, heard.headers.etag, heard.body.has_value]).toEqual([200, '"r2"', true]);
  });
  expect(changed).toEqual([
    { action: 'vault.entry.update', detail: { vault: 'site-a', key: 'esx01.root', changed: ['username', 'value'] } },
  ]);
  const same = await call('PATCH', one, {
    body: { username: 'admin', uris: ['https://esx01.lab.example/', 'ssh://esx01:22'] },
  });
  expect([same.status, same.body.revision]).toEqual([200, 2]);
  const cleared = await call('PATCH', one, { body: { value: null } });
  expect(cleared.body).toMatchObject({ has_value: false, value_changed_at: null, revision: 3 });
  expect((await call('PATCH', one, { body: { value: null } })).body.revision).toBe(3);

  const kept = await call('DELETE', at);
  expect([kept.status, kept.body.error_code, kept.body.blockers[0]]).toEqual([
    409,
    'still_referenced',
    {
      subject: 'Vault site-a',
      reason: 'It has one entry, whose values would be lost.',
      page: `/ui/management/vaults/${made.body.id}`,
      unblock: expect.stringContaining('with_entries=true'),
    },
  ]);
  const gone = await audited(async () => {
    expect((await call('DELETE', `${at}?with_entries=true`, { headers: { 'if-match': '"r1"' } })).status).toBe(204);
  });
  expect(gone).toEqual([{ action: 'vault.delete', detail: { name: 'site-a', entries: 1 } }]);
  expect((await call('GET', one)).status).toBe(404);
});

describe('is refused:', () => {
  const long = (n: number) => 'x'.repeat(n);
  test.each<[string, object, string]>([
    ['a name in capitals', { name: 'Lab' }, '/name'],
    ['a name that is too long', { name: long(64) }, '/name'],
    ['a name with a dot', { name: 'a.b' }, '/name'],
    ['a name that begins with a hyphen', { name: '-a' }, '/name'],
    ['a description with a line break', { name: 'a', description: 'a\nb' }, '/description'],
    ['something unknown', { name: 'a', secret: 'x' }, '/secret'],
  ])('a vault with %s', async (_what, body, pointer) => {
    const heard = await call('POST', '', { body });
    expect([heard.status, heard.body.errors.map((each: { pointer: string }) => each.pointer)]).toEqual([
      422,
      [pointer],
    ]);
  });

  const CANARY = 'canary-refused-3b1e';
  test.each<[string, object, string]>([
    ['a key in capitals', { key: 'Esx01' }, '/key'],
    ['a key with an empty part', { key: 'a..b' }, '/key'],
    ['a key with a hyphen', { key: 'esx-01.root' }, '/key'],
    ['a key that is too long', { key: long(181) }, '/key'],
    ['a user name that is too long', { key: 'a', username: long(256) }, '/username'],
    ['a zero-width space in the user name', { key: 'a', username: 'ro\u200bot' }, '/username'],
    ['a writing direction in the user name', { key: 'a', username: '\u202eroot' }, '/username'],
    ['a line separator behind the user name', { key: 'a', username: 'root\u2028' }, '/username'],
    ['an empty value', { key: 'a', value: '' }, '/value'],
    ['a value of two lines', { key: 'a', value: `${CANARY}\nb` }, '/value'],
    ['a value that is too long', { key: 'a', value: `${CANARY}${long(1024)}` }, '/value'],
    ['a value that is no text', { key: 'a', value: [CANARY] }, '/value'],
    ['ten URIs', { key: 'a', uris: Array.from({ length: 10 }, (_, n) => `https://h${n}`) }, '/uris'],
    ['a URI with a password', { key: 'a', uris: ['https://ok', `https://root:${CANARY}@h`] }, '/uris/1'],
    ['the same URI twice', { key: 'a', uris: ['https://h', 'https://H:443/'] }, '/uris/1'],
  ])('an entry with %s', async (_what, draft, pointer) => {
    const vault = await newVault();
    const before = await house.lastAudit();
    const heard = await call('POST', `/${vault.id}/entries`, { body: draft });
    expect([heard.status, heard.body.errors.map((each: { pointer: string }) => each.pointer)]).toEqual([
      422,
      [pointer],
    ]);
    expect(heard.text).not.toContain('canary');
    expect(await house.audited(before)).toEqual([]);
  });

  test('a name or a key that is taken, also by an update; keys of another vault are not', async () => {
    const [one, other] = [await newVault(), await newVault()];
    const taken = [
      await call('POST', '', { body: { name: one.name } }),
      await call('PATCH', `/${other.id}`, { body: { name: one.name } }),
    ];
    await newEntry(one.id, { key: 'a' });
    const entry = await newEntry(one.id, { key: 'b' });
    expect((await newEntry(other.id, { key: 'a' })).revision).toBe(1);
    taken.push(await call('POST', `/${one.id}/entries`, { body: { key: 'a' } }));
    taken.push(await call('PATCH', `/${one.id}/entries/${entry.id}`, { body: { key: 'a' } }));
    expect(taken.map(({ status, body }) => [status, body.error_code, body.errors[0].pointer])).toEqual([
      [409, 'already_exists', '/name'],
      [409, 'already_exists', '/name'],
      [409, 'already_exists', '/key'],
      [409, 'already_exists', '/key'],
    ]);
  });

  test('an entry by way of another vault, and one of a vault that does not exist', async () => {
    const [one, other] = [await newVault(), await newVault()];
    const { id } = await newEntry(one.id, { key: 'a', value: 'x' });
    for (const [method, path, body] of [
      ['GET', `/${other.id}/entries/${id}`],
      ['PATCH', `/${other.id}/entries/${id}`, { value: 'y' }],
      ['DELETE', `/${other.id}/entries/${id}`],
      ['GET', '/vault_none/entries'],
      ['GET', '/vault_none/credentials'],
      ['POST', '/vault_none/entries', { key: 'a' }],
    ] as const) {
      const heard = await call(method, path, body ? { body } : {});
      expect([path, heard.status, heard.body.error_code]).toEqual([path, 404, 'resource_not_found']);
    }
  });

  test('an update that is based on another revision', async () => {
    const { id } = await newVault();
    const entry = await newEntry(id, { key: 'a' });
    const headers = { 'if-match': '"r7"' };
    for (const [method, path, body] of [
      ['PATCH', `/${id}`, { description: 'x' }],
      ['DELETE', `/${id}`],
      ['PATCH', `/${id}/entries/${entry.id}`, { value: 'x' }],
      ['DELETE', `/${id}/entries/${entry.id}`],
    ] as const) {
      const heard = await call(method, path, { headers, ...(body && { body }) });
      expect([method, path, heard.status, heard.headers.etag]).toEqual([method, path, 412, '"r1"']);
    }
  });
});

describe('vaults are for administrators:', () => {
  test.each<Role>(['service-admin', 'network-admin', 'viewer'])('%s gets 403 for everything', async (role) => {
    const { id } = await newVault();
    const entry = await newEntry(id, { key: 'a', value: 'x' });
    const { token } = await house.actor(role);
    const before = await house.lastAudit();
    for (const [method, path, scope, body] of [
      ['GET', '', 'read:vaults'],
      ['GET', `/${id}`, 'read:vaults'],
      ['GET', `/${id}/entries`, 'read:vaults'],
      ['GET', `/${id}/entries/${entry.id}`, 'read:vaults'],
      ['GET', `/${id}/credentials`, 'read:vaults'],
      ['POST', '', 'write:vaults', { name: 'x' }],
      ['PATCH', `/${id}`, 'write:vaults', { name: 'x' }],
      ['DELETE', `/${id}?with_entries=true`, 'write:vaults'],
      ['POST', `/${id}/entries`, 'write:vaults', { key: 'b' }],
      ['PATCH', `/${id}/entries/${entry.id}`, 'write:vaults', { value: 'y' }],
      ['DELETE', `/${id}/entries/${entry.id}`, 'write:vaults'],
      ['POST', '/rotate-key', 'write:vaults'],
    ] as const) {
      const heard = await call(method, path, { token, ...(body && { body }) });
      expect([path, heard.status, heard.body.error_code, heard.body.scope]).toEqual([
        path,
        403,
        'insufficient_scope',
        scope,
      ]);
    }
    expect(await house.audited(before)).toEqual([]);
  });
});

describe('the choices for a login', () => {
  test('are one for each web address of an entry with user name and value', async () => {
    const { id } = await newVault();
    const uris = [
      'https://vc01.lab.example',
      'ssh://vc01.lab.example',
      'http://10.0.0.5:8080/ui',
      'https://[fd00::1]:8443',
    ];
    const entry = await newEntry(id, {
      key: 'vc01.admin',
      username: 'administrator@vsphere.local',
      value: 'x',
      uris,
      description: 'Main',
    });
    await newEntry(id, { key: 'a.ssh_only', username: 'root', value: 'x', uris: ['ssh://a', 'sftp://a'] });
    await newEntry(id, { key: 'b.no_value', username: 'root', uris: ['https://b'] });
    await newEntry(id, { key: 'c.no_user', value: 'x', uris: ['https://c'] });
    const choices = (await call('GET', `/${id}/credentials`)).body.items;
    const common = {
      entry_id: entry.id,
      key: 'vc01.admin',
      username: 'administrator@vsphere.local',
      description: 'Main',
      last_used_at: null,
    };
    expect(choices).toEqual([
      { ...common, choice_id: expect.any(String), uri: uris[0], url: uris[0], server: 'vc01.lab.example' },
      { ...common, choice_id: expect.any(String), uri: uris[2], url: uris[2], server: '10.0.0.5:8080' },
      { ...common, choice_id: expect.any(String), uri: uris[3], url: uris[3], server: '[fd00::1]:8443' },
    ]);
    expect(new Set(choices.map(({ choice_id }: { choice_id: string }) => choice_id)).size).toBe(3);
  });

  test('say on the page what a login makes of an http address', async () => {
    const { id: vault_id } = await newVault();
    const uris = ['https://h', 'http://h', 'http://h:8080'];
    await newEntry(vault_id, { key: 'h', username: 'root', value: 'x', uris });
    const walk = await new Walk(house, admin).open('/ui/management/vaults/import');
    await walk.send('Credential', { vault_id, step: 'server' });
    const options = [...walk.html.matchAll(/<option [^>]*data-server[^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(options).toEqual([
      'h · root · https://h',
      'h · root · http://h · dialled with TLS on 443',
      'h · root · http://h:8080 · dialled with TLS on 8080',
    ]);
  });

  test('are found by typing, and come in pages that leave none out', async () => {
    const { id } = await newVault();
    for (const key of ['c', 'a', 'b']) {
      const uris = Array.from({ length: 9 }, (_, n) => `https://${key}${n}.lab.example`);
      await newEntry(id, { key, username: `user_${key}`, value: 'x', uris });
    }
    const found = async (search: string) =>
      (await call('GET', `/${id}/credentials?search=${encodeURIComponent(search)}`)).body.items.length;
    expect([await found('USER_B'), await found('a3.lab'), await found('%'), await found('userxb')]).toEqual([
      9, 1, 0, 0,
    ]);
    await newEntry(id, { key: 'd', username: 'JÜRGEN.ŁASKI', value: 'x', uris: ['https://d.lab.example'] });
    expect([await found('jürgen'), await found('łaski'), await found('Jürgen.Łaski')]).toEqual([1, 1, 1]);
    await call('PATCH', `/${id}/entries/${(await call('GET', `/${id}/entries?key=d`)).body.items[0].id}`, {
      body: { value: null },
    });
    const first = (await call('GET', `/${id}/credentials?search=LAB&limit=10`)).body;
    const next = (await call('GET', `/${id}/credentials?search=LAB&limit=50&cursor=${first.next_cursor}`)).body;
    expect([first.items.length, next.items.length, next.next_cursor]).toEqual([10, 17, null]);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await call('GET', `/${id}/credentials?limit=4${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.items.map(({ server }: { server: string }) => server));
      cursor = body.next_cursor;
    }
    const all = ['a', 'b', 'c'].flatMap((key) => Array.from({ length: 9 }, (_, n) => `${key}${n}.lab.example`));
    expect(seen).toEqual(all);
  });
});

describe('a value', () => {
  const places = (secret: string) => Promise.all([...forms(secret)].map(foundIn)).then((found) => found.flat());
  /** As it is, and as a careless writer would encode it. */
  const forms = (secret: string) => {
    const bytes = Buffer.from(secret);
    return new Set([
      secret,
      encodeURIComponent(secret),
      bytes.toString('base64url').slice(0, -2),
      bytes.toString('hex'),
    ]);
  };

  async function foundIn(secret: string): Promise<string[]> {
    const found = lines.filter((line) => line.includes(secret)).map((line) => `log: ${line.slice(0, 80)}`);
    const files = await readdir(house.data, { recursive: true, withFileTypes: true });
    for (const file of files.filter((each) => each.isFile())) {
      if ((await readFile(join(file.parentPath, file.name))).includes(secret)) found.push(`file: ${file.name}`);
    }
    const { store } = house.services;
    for (const { name } of await store.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")) {
      if (JSON.stringify(await store.all(`SELECT * FROM "${name}"`)).includes(secret)) found.push(`table: ${name}`);
    }
    for (const { method, path, answer } of house.heard) {
      if (JSON.stringify(answer).includes(secret)) found.push(`answer: ${method} ${path}`);
    }
    return found;
  }

  test('is nowhere: logs, database and its WAL, audit, answers, stored answers, jobs, keys', async () => {
    const secrets = ['canary-created/5d0a?', 'canary-updated/77e1?', 'canary-refused/10cc?', 'canary-deleted/93bf?'];
    const [created, updated, refused, deleted] = secrets as [string, string, string, string];
    const { id } = await newVault();
    const at = `/${id}/entries`;
    const headers = { 'idempotency-key': 'vault-canary' };
    const draft = { key: 'a', username: 'root', value: created, uris: ['https://a.lab.example'] };
    const first = await call('POST', at, { body: draft, headers });
    const again = await call('POST', at, { body: draft, headers });
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
    expect((await call('POST', at, { body: { ...draft, value: refused }, headers })).body.error_code).toBe(
      'idempotency_key_reused',
    );
    expect((await call('POST', at, { body: { ...draft, value: refused } })).status).toBe(409);
    expect((await call('POST', at, { body: { ...draft, key: 'A', value: refused } })).status).toBe(422);
    expect(
      (await call('POST', at, { raw: `{"value": "${refused}", }`, headers: { 'content-type': 'application/json' } }))
        .status,
    ).toBe(400);
    expect((await call('PATCH', `${at}/${first.body.id}`, { body: { value: updated } })).status).toBe(200);
    expect(
      (await call('PATCH', `${at}/${first.body.id}`, { body: { value: refused }, headers: { 'if-match': '"r1"' } }))
        .status,
    ).toBe(412);
    const other = await newEntry(id, { key: 'b', value: deleted });
    await call('DELETE', `${at}/${other.id}`);

    const source_address = '127.0.0.1';
    const who = {
      at: '2026-01-01T00:00:00.000Z',
      actor: { ...actorOf(), name: 'ada' },
      request_id: 'x',
      source_address,
    };
    const used = await useEntry(house.services, who, { vault_id: id, entry_id: first.body.id }, 'remote-login');
    expect(used.value).toBe(updated);
    house.services.logger.info('used', { used });
    expect((await call('POST', '/rotate-key')).status).toBe(202);
    await house.appliance.runner.idle();
    await house.services.store.write((tx) =>
      tx.run("UPDATE vault_entry SET sealed_value = 'vv1.AAAA' WHERE kek_id IS NOT NULL"),
    );
    await expect(
      useEntry(house.services, who, { vault_id: id, entry_id: first.body.id }, 'remote-login'),
    ).rejects.toMatchObject({ code: 'vault_value_unreadable' });
    for (const path of ['', `/${id}`, at, `${at}/${first.body.id}`, `/${id}/credentials`]) await call('GET', path);
    await house.send('GET', '/api/v1/audit', { token: admin.token });
    await house.send('GET', '/api/v1/jobs', { token: admin.token });
    for (const secret of secrets) expect(await places(secret)).toEqual([]);
    expect(lines.length).toBeGreaterThan(10);
    // The search itself finds what is there.
    expect(await places('a.lab.example')).toEqual(expect.arrayContaining(['table: vault_entry']));
  }, 120_000);

  const actorOf = () => ({
    kind: 'token' as const,
    user_id: admin.user.id,
    role: 'admin' as const,
    scopes: new Set(['read:vaults' as const]),
    credential_id: null,
    csrf_token: null,
  });
});

test('an entry’s answer is never left out for its tag: when it was used changes without one', async () => {
  const { id } = await newVault();
  const entry = await newEntry(id, { key: 'a', value: 'x' });
  for (const path of [`/${id}`, `/${id}/entries/${entry.id}`]) {
    const { headers } = await call('GET', path);
    const again = await call('GET', path, { headers: { 'if-none-match': `${headers.etag}, *` } });
    expect([path, again.status, again.body.revision]).toEqual([path, 200, 1]);
  }
});

test('a rotation is a job that anybody who may read jobs can follow', async () => {
  const heard = await call('POST', '/rotate-key');
  expect([heard.status, heard.headers.location]).toEqual([202, `/api/v1/jobs/${heard.body.job_id}`]);
  await house.appliance.runner.idle();
  const { body } = await house.send('GET', heard.headers.location!, { token: admin.token });
  expect(body).toMatchObject({
    kind: 'vault-rotate',
    state: 'succeeded',
    result: { retired: [expect.stringMatching(/^kek_/)] },
  });
});
