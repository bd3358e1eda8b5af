// Restoring from an archive over the API: upload, difference, choice, dry run, and what is refused.
import { spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { endArchiveUploads } from '../../../shared/appliance/archive/upload.ts';
import { newIdentity } from '../../../shared/ground/age/x25519.ts';
import { systemEntropy } from '../../../shared/ground/clock.ts';
import { listSnapshots } from '../../../shared/ground/store/snapshots.ts';
import { heldOff, takeLock } from '../../../shared/kernel/access/mutation-lock.ts';
import { type Credentials, House, PASSWORD, type Send } from '../../setup/house.ts';
import { until } from '../../setup/until.ts';

const API = '/api/v1/archives';
const VALUE = 'C4nary-Value';
const OWNER = newIdentity(systemEntropy);
const BY = { identity: OWNER.identity };

let house: House;
let admin: Credentials;
let id: string;
let bytes: Buffer;
const lines: string[] = [];
/** The next release of a lock fails. */
let stuck = false;

beforeAll(async () => {
  house = await House.open({
    log: (line) => void lines.push(line),
    observe: (sql) => {
      if (!stuck || !sql.startsWith('DELETE FROM mutation_lock WHERE job_id')) return;
      stuck = false;
      throw Object.assign(new Error('the test lets the disk be full'), { code: 'SQLITE_FULL' });
    },
  });
  admin = await house.actor('admin', undefined, 'ada');
  await done('POST', '/api/v1/dns/zones', { name: 'lab.example' });
  await done('POST', '/api/v1/dns/records', { fqdn: 'vc01.lab.example', type: 'A', value: '10.10.0.10' });
  const vault = await done('POST', '/api/v1/vaults', { name: 'lab' });
  await done('POST', `/api/v1/vaults/${vault.id}/entries`, { key: 'esx01.root', value: VALUE });
  ({ id } = await done('POST', API, { encryption: 'recipients', recipients: [OWNER.recipient] }));
  bytes = await readFile(join(house.data, 'archives', `${id}.gcarchive`));
  await done('POST', '/api/v1/dns/records', { fqdn: 'late.lab.example', type: 'A', value: '10.10.0.11' });
  await done('PATCH', `/api/v1/vaults/${vault.id}`, { description: 'Changed since' });
});
afterAll(() => house.close());

const send = (method: string, path: string, more: Send = {}) =>
  house.send(method, path, { token: admin.token, ...more });
async function done(method: string, path: string, body: object) {
  const heard = await send(method, path, { body, headers: { 'if-match': '*' } });
  if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.text}`);
  return heard.body;
}
const restore = (body: object, query = '') =>
  send('POST', `${API}/${id}/restore${query}`, { body: { ...BY, ...body } });
const names = async (): Promise<string[]> => {
  const { body } = await send('GET', '/api/v1/dns/records');
  return body.items.map(({ fqdn }: { fqdn: string }) => fqdn).sort();
};

test('the difference is told unit by unit, without a secret', async () => {
  const { status, body, text } = await send('POST', `${API}/${id}/inspect`, { body: BY });
  expect(status).toBe(200);
  expect(body).toMatchObject({ host_name: 'gc01.lab.example', excluded: [], renamed: [], missing_media: [] });
  const told = body.units.flatMap(({ unit, collections }: { unit: string; collections: { collection: string }[] }) =>
    collections.map(({ collection, ...counts }) => ({ unit, collection, ...counts })),
  );
  expect(told).toMatchObject([
    {
      unit: 'vaults',
      collection: 'vaults',
      changed: 1,
      rows: [{ kind: 'changed', fields: [{ name: 'description' }] }],
    },
    { unit: 'dns-dhcp', collection: 'dns_records', removed: 1, rows: [{ kind: 'removed' }] },
  ]);
  expect(text).not.toContain('C4nary');
});

test('a dry run says what would be saved, and saves nothing', async () => {
  const before = await house.lastAudit();
  const { status, body } = await restore({}, '?dry_run=true');
  expect([status, body.snapshot]).toEqual([200, null]);
  expect(body.units.map(({ unit }: { unit: string }) => unit)).toEqual(['vaults', 'dns-dhcp']);
  expect(await names()).toContain('late.lab.example');
  expect(await house.audited(before)).toEqual([]);
  expect(await listSnapshots(house.data)).toEqual([]);
});

test('a unit alone, in a mode that removes nothing: nothing to do, nothing recorded', async () => {
  const before = await house.lastAudit();
  const { status, body } = await restore({ mode: 'merge', units: [{ unit: 'dns-dhcp' }] });
  expect([status, body]).toEqual([200, { snapshot: null, units: [], followed: [], lets_in: [] }]);
  expect(await house.audited(before)).toEqual([]);
});

test('one row of a collection alone', async () => {
  const { body: found } = await send('POST', `${API}/${id}/inspect`, { body: BY });
  const [row] = found.units[1].collections[0].rows;
  const rows = (chosen: string[]) => [{ unit: 'dns-dhcp', collections: [{ collection: 'dns_records', rows: chosen }] }];
  const { body } = await restore({ units: rows([row.id]) }, '?dry_run=true');
  expect(body.units).toMatchObject([{ unit: 'dns-dhcp', collections: [{ removed: 1, rows: [{ id: row.id }] }] }]);
  const none = await restore({ units: rows(['another']) }, '?dry_run=true');
  expect(none.body.units).toEqual([]);
});

describe('refused at the member', () => {
  test.each([
    [{ units: [{ unit: 'nobody' }] }, '/units/0/unit', /./],
    [
      { units: [{ unit: 'dns-dhcp', collections: [{ collection: 'no' }] }] },
      '/units/0/collections/0/collection',
      /no collection no/,
    ],
    [{ units: [] }, '/units', /At least one unit/],
    [{ identity: undefined }, '/identity', /Type the identity/],
    [{ identity: newIdentity(systemEntropy).identity }, '/identity', /./],
    [{ identity: 'AGE-SECRET-KEY-1NO' }, '/identity', /./],
  ])('%j', async (body, pointer, detail) => {
    const refused = await restore(body);
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual([{ pointer, detail: expect.stringMatching(detail) }]);
    expect(await house.services.store.all('SELECT * FROM mutation_lock')).toEqual([]);
  });
});

test('a token needs the write scope of what it restores', async () => {
  const half = await house.actor('admin', ['write:archives', 'write:vaults'], 'half');
  const refused = await send('POST', `${API}/${id}/restore`, { token: half.token, body: BY });
  expect([refused.status, refused.body.scope]).toEqual([403, 'write:dns']);
});

test('while it runs, changes of others are refused at once; then it is saved with its event and a copy of before', async () => {
  const before = await house.lastAudit();
  const running = restore({ units: [{ unit: 'dns-dhcp' }] });
  const others: number[] = [];
  for (let left = 200; left > 0 && !others.includes(423); left--) {
    const { status, body } = await send('POST', '/api/v1/dns/zones', { body: { name: `z${left}.example` } });
    others.push(status);
    if (status === 423)
      expect(body).toMatchObject({
        error_code: 'mutation_locked',
        detail: expect.stringMatching(/A restore or a reset owns everything/),
      });
    await new Promise(setImmediate);
  }
  const { status, body } = await running;
  expect(status).toBe(200);
  expect(others).toContain(423);
  expect(await names()).toEqual(['vc01.lab.example']);
  const [snapshot] = await listSnapshots(house.data);
  expect(snapshot).toMatchObject({ name: body.snapshot, occasion: 'before-restore' });
  expect(await house.audited(before)).toContain('archive.restore');
  expect(await house.services.store.all('SELECT * FROM mutation_lock')).toEqual([]);
  const [event] = await house.services.store.all<{ detail: string; resource_id: string }>(
    "SELECT detail, resource_id FROM audit_event WHERE action = 'archive.restore'",
  );
  expect(event!.resource_id).toBe(id);
  expect(JSON.parse(event!.detail)).toMatchObject({ mode: 'replace', snapshot: body.snapshot });
});

test('while it is being saved, who signs in or ends access is told to come again, and who reads is answered', async () => {
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const { store } = house.services;
  const saving = store.write(
    async () => {
      begun.resolve();
      await held.promise;
    },
    { holds: () => heldOff({ job_id: 'held_test', since: '2026-01-01T00:00:00.000Z' }) },
  );
  await begun.promise;
  const told: unknown[] = [];
  try {
    const asked = [
      await house.send('POST', '/ui/management/sign-in', {
        form: { username: 'ada', password: PASSWORD, return_to: '', csrf: '' },
        headers: { accept: 'text/html' },
      }),
      await send('POST', `/api/v1/tokens/${admin.token_id}/revoke`),
      await send('POST', '/api/v1/vaults', { body: { name: 'held' } }),
    ];
    for (const { status, headers } of asked) told.push([status, headers['retry-after']]);
    told.push((await send('GET', '/api/v1/vaults')).status);
  } finally {
    held.resolve();
  }
  await saving;
  expect(told).toEqual([[423, '1'], [423, '1'], [423, '1'], 200]);
});

test('a lock that a killed process left is gone after the start', async () => {
  const { store } = house.services;
  await store.write((tx) =>
    tx.run("INSERT INTO mutation_lock (scope, job_id, since) VALUES ('all', 'held_gone', '2026-01-02T03:04:05Z')"),
  );
  expect((await send('POST', '/api/v1/vaults', { body: { name: 'late' } })).status).toBe(423);
  const { releaseRequests } = await import('../../../shared/kernel/access/held-locks.ts');
  await store.write(releaseRequests);
  expect((await send('POST', '/api/v1/vaults', { body: { name: 'late' } })).status).toBe(201);
});

test('a lock of the shell goes when its process does, and outlives a start of the service', async () => {
  const { store } = house.services;
  const { commandOwner, releaseRequests } = await import('../../../shared/kernel/access/held-locks.ts');
  const { scheduled } = await import('../../../handlers/scheduled/release-locks.ts');
  const tick = () =>
    scheduled.handler({ source: 'groundcrew.ticker', id: 'releaseLocks', time: '' }, { services: house.services });
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const ended = new Promise((done) => child.on('exit', done));
  await store.write((tx) => takeLock(tx, 'all', commandOwner(child.pid!), '2026-01-02T03:04:05Z'));
  await store.write(releaseRequests);
  await tick();
  expect((await send('POST', '/api/v1/vaults', { body: { name: 'of-the-shell' } })).status).toBe(423);
  child.kill('SIGKILL');
  await ended;
  await tick();
  expect((await send('POST', '/api/v1/vaults', { body: { name: 'of-the-shell' } })).status).toBe(201);
  // An id that came again is another process.
  const earlier = commandOwner(process.pid).replace(/-\d+-/, '-1-');
  await store.write((tx) => takeLock(tx, 'all', earlier, '2026-01-02T03:04:05Z'));
  await tick();
  expect(await store.all('SELECT * FROM mutation_lock')).toEqual([]);
});

describe('an upload', () => {
  const begin = (size_bytes: number) =>
    done('POST', `${API}/uploads`, { name: 'from elsewhere.gcarchive.age', size_bytes });
  const piece = async (of: string, offset: number, part: Buffer) => {
    const event = house.event('PUT', `${API}/${of}/content?offset=${offset}`, {
      token: admin.token,
      headers: { 'content-type': 'application/octet-stream' },
    });
    const sent = { ...event, body: part.toString('base64'), isBase64Encoded: true };
    const { statusCode, body } = await house.appliance.answer(sent);
    return { status: statusCode, body: JSON.parse(body) };
  };

  test('in pieces: whole with the last one, in a file for the service alone', async () => {
    const { id: of, state, name } = await begin(bytes.length);
    expect([state, name]).toEqual(['receiving', 'fromelsewhere.gcarchive.age']);
    expect((await send('GET', `${API}/${of}/content`)).status).toBe(409);
    expect((await send('POST', `${API}/${of}/inspect`, { body: BY })).status).toBe(409);
    const half = Math.floor(bytes.length / 2);
    expect((await piece(of, 0, bytes.subarray(0, half))).body).toMatchObject({
      received_bytes: half,
      state: 'receiving',
    });
    const { body } = await piece(of, half, bytes.subarray(half));
    expect(body).toMatchObject({ state: 'ready', encryption: 'recipients', received_bytes: bytes.length });
    expect((await stat(join(house.data, 'archives', `${of}.gcarchive`))).mode & 0o777).toBe(0o600);
    expect((await send('POST', `${API}/${of}/inspect`, { body: BY })).status).toBe(200);
    expect((await piece(of, 0, bytes)).status).toBe(409);
  });

  test('of what is no archive is refused with the last piece', async () => {
    const { id: of } = await begin(5);
    const refused = await piece(of, 0, Buffer.from('hello'));
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringMatching(/is no archive/)]);
  });

  test('to which nothing came for a day is given up, with its bytes and an event', async () => {
    const { id: of } = await begin(5);
    await piece(of, 0, Buffer.from('he'));
    const path = join(house.data, 'archives', `${of}.gcarchive`);
    const later = new Date(Date.now() + 25 * 3_600_000);
    const services = { ...house.services, clock: { ...house.services.clock, now: () => later } };
    const before = await house.lastAudit();
    expect(await endArchiveUploads(services)).toContain(of);
    expect(await house.audited(before)).toContain('archive.upload.expired');
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
    expect((await send('GET', `${API}/${id}`)).status).toBe(200);
  });

  test('beyond the most, or beyond what was announced', async () => {
    const much = await send('POST', `${API}/uploads`, { body: { size_bytes: (64 << 20) + 1 } });
    expect(much.body.errors[0].pointer).toBe('/size_bytes');
    const { id: of } = await begin(3);
    expect((await piece(of, 0, Buffer.from('four'))).status).toBe(422);
  });
});

test('no management listener would be left: refused at the choice, nothing saved', async () => {
  const { store } = house.services;
  const roles = (from: string, to: string) =>
    store.write((tx) => tx.run('UPDATE interface SET role = ? WHERE role = ?', [to, from]));
  await roles('unused', 'access');
  await roles('management', 'unused');
  const bare = await done('POST', API, { encryption: 'none' });
  await roles('unused', 'management');
  await roles('access', 'unused');
  const before = await house.lastAudit();
  for (const query of ['?dry_run=true', '']) {
    const refused = await send('POST', `${API}/${bare.id}/restore${query}`, { body: { units: [{ unit: 'network' }] } });
    expect([refused.status, refused.body.error_code]).toEqual([409, 'no_management_listener']);
    expect(refused.body.errors).toEqual([
      { pointer: '/units', detail: expect.stringMatching(/Leave the network out/) },
    ]);
  }
  expect(await house.audited(before)).toEqual([]);
});

test('neither a value of a vault nor an identity is left in a row, a line or an answer', async () => {
  const { store } = house.services;
  const rows = await Promise.all(
    ['audit_event', 'archive', 'idempotency_key', 'job'].map((table) => store.all(`SELECT * FROM ${table}`)),
  );
  for (const text of [JSON.stringify(rows), lines.join('\n'), ...house.heard.map(({ answer }) => answer.body)]) {
    expect(text).not.toContain('C4nary');
    expect(text).not.toContain(OWNER.identity);
  }
});

test('a lock that a full disk keeps takes nothing from the answer, and goes by itself', async () => {
  stuck = true;
  const { status, text } = await restore({ units: [{ unit: 'vaults' }], mode: 'add-only' });
  expect([status, text, stuck]).toEqual([200, text, false]);
  const late = (await send('POST', '/api/v1/vaults', { body: { name: 'later' } })).status;
  expect(late).toBe(423);
  await until(async () => (await send('POST', '/api/v1/vaults', { body: { name: 'later' } })).status === 201);
});
