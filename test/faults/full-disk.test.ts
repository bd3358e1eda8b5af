// A full disk: mutations answer 507 and leave nothing partial, reads go on, and everything works again once there is
// space, without a restart. The data folder lies on a small tmpfs of its own.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { X509Crl } from '@peculiar/x509';
import { deadlineIn } from '../../shared/appliance/apply/window/record.ts';
import { readWindow, writeWindow } from '../../shared/appliance/apply/window/record-file.ts';
import { verifyAudit } from '../../shared/kernel/audit/audit.ts';
import { type Credentials, House } from '../setup/house.ts';
import { plainRequest } from '../setup/signing-request.ts';
import { until } from '../setup/until.ts';

const SIZE = '12m';
const LEVELS = 60;
/** Where a running apply finds the disk full. */
const RUN_STEPS = [
  'prepare',
  'network:stage',
  'network:check',
  'network:save',
  'network:swap',
  'network:activate',
  'network:baseline',
];
/** Spare bytes at the submit of an apply: none at all, and closely spaced where it begins and then runs out. */
const STEPS = [0, 4096, ...Array.from({ length: 48 }, (_, n) => 16_384 + n * 4096)];

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
}, 120_000);

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

test('rows of a file are saved whole, or answered 507 and none of them is; what was pasted stays on the page', async () => {
  const { token } = admin;
  const path = '/api/v1/dns/zones/import';
  const counted = async () => {
    const of = async (table: string) =>
      (await house.services.store.one<{ n: number }>(`SELECT count(*) AS n ${table}`))!.n;
    return [await of('FROM dns_zone'), await of("FROM audit_event WHERE action = 'dns.zone.create'")];
  };
  const outcomes = new Set<number>();
  for (let level = 0; level < 24; level++) {
    const csv = `name\n${Array.from({ length: 30 }, (_, n) => `z${n}.l${level}.test`).join('\n')}\n`;
    const { previewed } = (await house.send('POST', `${path}?dry_run=true`, { token, body: { csv } })).body;
    const before = await counted();
    await fill(level * 4096);
    const saved = await house.send('POST', path, { token, body: { csv, previewed } });
    outcomes.add(saved.status);
    const more = saved.status === 200 ? 30 : 0;
    expect(await counted()).toEqual(before.map((count) => count + more));
    if (saved.status !== 200) {
      expect(saved.body.error_code).toBe('storage_full');
      const form = { csv, previewed, mode: 'add_and_change' };
      const page = await house.send('POST', '/ui/management/dns/zones/import', { session: admin, form });
      if (page.status === 507) expect(page.text).toContain(`z7.l${level}.test`);
      else expect(page.status).toBe(303);
    }
    empty();
  }
  expect([...outcomes].sort()).toEqual([200, 507]);
}, 120_000);

test('a certificate is issued, revoked and listed whole, or answered 507 and nothing of it is left', async () => {
  const { token } = admin;
  const path = '/api/v1/certificate-authority';
  const call = (method: string, below: string, body?: object) =>
    house.send(method, path + below, { token, ...(body && { body }) });
  await call('PATCH', '/settings', { enabled: true, key_algorithm: 'ecdsa-p256' });
  expect((await call('POST', '/root')).status).toBe(201);
  const { csr } = plainRequest();
  const issued: string[] = [];
  const revoked: string[] = [];
  let refused = 0;
  for (let level = 0; level < 24; level++) {
    await fill(level * 3000);
    const made = await call('POST', '/certificates', { csr, profile: 'server' });
    if (made.status === 201) issued.push(made.body.id);
    const last = issued.find((id) => !revoked.includes(id));
    const gone = last && (await call('POST', `/certificates/${last}/revoke`, { revocation_reason: 'superseded' }));
    if (gone && gone.status < 300) revoked.push(last);
    for (const heard of [made, gone]) {
      if (!heard || heard.status < 300) continue;
      expect([heard.status, heard.body.error_code, heard.text]).toEqual([
        507,
        'storage_full',
        expect.not.stringMatching(/PRIVATE|SQLITE/),
      ]);
      refused++;
    }
    empty();
  }
  expect([issued.length > 0, refused > 0]).toEqual([true, true]);
  const { items } = (await call('GET', '/certificates?limit=200')).body;
  expect(items.map(({ id }: { id: string }) => id).sort()).toEqual([...issued].sort());
  const known = items.filter(({ state }: { state: string }) => state === 'revoked').map(({ id }: { id: string }) => id);
  expect(known.sort()).toEqual([...revoked].sort());
  // The list that was signed last names those and no others.
  const list = await call('GET', '/root/revocation-list');
  expect(list.status).toBe(200);
  expect(new X509Crl(Buffer.from(list.text, 'base64')).entries).toHaveLength(revoked.length);
});

test('an apply on a full disk ends applied or as it was, unit by unit, and the next one goes through', async () => {
  const { host, store } = house.services;
  const read = async () => (await host.read('/etc/systemd/network/40-groundcrew-ens192.network')) ?? '';
  const mtu = async () => /MTUBytes=(\d+)/.exec(await read())?.[1];
  const session = { session: admin };
  const save = (value: number) =>
    house.send('PATCH', '/api/v1/interfaces/physical/ens192', { token: admin.token, body: { mtu: value } });
  const apply = async (spare: number | null, fullAt?: string) => {
    house.services.checkpoint = async (step) => {
      if (step === fullAt) await fill(0);
    };
    const reviewed = await house.send('POST', '/ui/management/appliance-apply', session);
    const id = reviewed.headers.location!.split('/').at(-1)!;
    const plan = await store.one<{ digest: string }>('SELECT digest FROM plan WHERE id = ?', [id]);
    if (spare !== null) await fill(spare);
    await house.send('POST', `/ui/management/appliance-apply/${id}/submit`, {
      ...session,
      form: { digest: plan!.digest, note: '' },
    });
    await house.appliance.runner.idle();
    empty();
    // What could not be written down while the disk was full is finished now.
    await house.appliance.runner.idle();
    return store.one<{ state: string }>('SELECT state FROM plan WHERE id = ?', [id]);
  };
  await save(1400);
  expect((await apply(null))?.state).toBe('applied');
  const outcomes = new Map<string, number>();
  for (let level = 0; level < STEPS.length; level++) {
    const wanted = 1401 + level;
    const before = await mtu();
    await save(wanted);
    const plan = await apply(STEPS[level]!);
    const after = await mtu();
    const state = plan?.state ?? 'none';
    outcomes.set(state, (outcomes.get(state) ?? 0) + 1);
    expect({ level, state, after }).toEqual({ level, state, after: state === 'applied' ? String(wanted) : before });
    expect(['applied', 'failed', 'open']).toContain(state);
    expect(await store.all('SELECT * FROM mutation_lock')).toEqual([]);
  }
  for (const [n, step] of RUN_STEPS.entries()) {
    const before = await mtu();
    await save(1600 + n);
    const plan = await apply(null, step);
    const state = plan?.state ?? 'none';
    outcomes.set(`${state} at ${step}`, 1);
    expect({ step, state, after: await mtu() }).toEqual({
      step,
      state,
      after: state === 'applied' ? String(1600 + n) : before,
    });
    expect(await store.all('SELECT * FROM mutation_lock')).toEqual([]);
  }
  process.stdout.write(`apply on a full disk: ${JSON.stringify(Object.fromEntries(outcomes))}\n`);
  expect(outcomes.size).toBeGreaterThan(1);
  await save(9000);
  expect((await apply(null))?.state).toBe('applied');
  expect(await mtu()).toBe('9000');
}, 120_000);

describe('in a confirm window', () => {
  const over = { local: '127.0.0.1', remote: '127.0.0.1' };
  const send = (path: string, body?: object) =>
    house.send('POST', `/api/v1/apply/plans${path}`, { token: admin.token, over, ...(body && { body }) });
  const mtu = async () =>
    /MTUBytes=(\d+)/.exec(
      (await house.services.host.read('/etc/systemd/network/40-groundcrew-ens192.network')) ?? '',
    )?.[1];
  const planState = async (id: string) =>
    (await house.services.store.one<{ state: string }>('SELECT state FROM plan WHERE id = ?', [id]))?.state;
  const inState = (id: string, wanted: string) => until(async () => (await planState(id)) === wanted);

  /** A plan that waits for its confirmation when the disk is filled to the last byte. */
  async function waitingOnFullDisk(value: number) {
    delete house.services.checkpoint;
    await house.send('PATCH', '/api/v1/interfaces/physical/ens192', { token: admin.token, body: { mtu: value } });
    const plan = (await send('', {})).body;
    const { confirm } = (await send(`/${plan.id}/submit`, { digest: plan.digest, confirm_timeout: 60 })).body;
    await inState(plan.id, 'confirming');
    expect(await mtu()).toBe(String(value));
    // The write-ahead log keeps the space that it once had; what it still holds would go on being written.
    await house.services.store.all('PRAGMA wal_checkpoint(TRUNCATE)');
    await fill(0);
    return { id: plan.id as string, nonce: confirm.nonce as string };
  }

  test('a plan is confirmed and recorded on a full disk; it is not extended by half', async () => {
    const { id, nonce } = await waitingOnFullDisk(1300);
    const refused = await send(`/${id}/extend`, { confirm_timeout: 600 });
    expect([refused.status, refused.body.error_code, refused.body.detail]).toEqual([
      507,
      'storage_full',
      expect.stringMatching(/stays as it was: the plan can still be confirmed or rolled back/),
    ]);
    expect(await readWindow(join(folder, 'apply'))).toMatchObject({ plan_id: id, state: 'armed' });
    const confirmed = await send(`/${id}/confirm`, { nonce });
    expect([confirmed.status, confirmed.body.state]).toEqual([200, 'confirmed']);
    // Still on the full disk.
    await inState(id, 'applied');
    expect(await mtu()).toBe('1300');
    const row = await house.services.store.one<{ n: number }>(
      "SELECT count(*) AS n FROM audit_event WHERE action = 'plan.confirm' AND resource_id = ?",
      [id],
    );
    expect(row?.n).toBe(1);
    empty();
  }, 300_000);

  test('a plan that is stopped on a full disk goes back at once', async () => {
    const { id } = await waitingOnFullDisk(1301);
    const stopped = await send(`/${id}/cancel`);
    expect([stopped.status, stopped.body.detail]).toEqual([507, expect.stringMatching(/rolled back all the same/)]);
    await until(async () => (await mtu()) === '1300');
    empty();
    await inState(id, 'reverted');
    const row = await house.services.store.one<{ ended: string }>(
      "SELECT window ->> '$.ended' AS ended FROM plan WHERE id = ?",
      [id],
    );
    expect(JSON.parse(row!.ended)).toMatchObject({ cause: 'cancelled', unrestored: [] });
  }, 300_000);

  test('a plan that nobody confirms on a full disk goes back', async () => {
    const { id } = await waitingOnFullDisk(1302);
    const file = join(folder, 'apply');
    await writeWindow(file, { ...(await readWindow(file))!, ...deadlineIn(0) }, { spend: true });
    await until(async () => (await mtu()) === '1300');
    empty();
    await inState(id, 'reverted');
  }, 300_000);
});

test('with space again everything works without a restart, and nothing is damaged', async () => {
  empty();
  expect((await createToken('afterwards')).status).toBe(201);
  const [check] = await house.services.store.all<{ integrity_check: string }>('PRAGMA integrity_check');
  expect(check?.integrity_check).toBe('ok');
  expect((await verifyAudit(house.services.store, house.services.keys)).fault).toBeNull();
});
