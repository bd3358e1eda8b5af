// What is gone stays gone: a client that was removed or revoked, and a key whose material was erased, whatever older state is
// restored, and after a factory reset. Only who adds a client anew lets it in.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { stateNow } from '../../../../shared/appliance/archive/now.ts';
import { reset } from '../../../../shared/appliance/archive/reset.ts';
import { restoreState } from '../../../../shared/appliance/archive/restore.ts';
import type { State } from '../../../../shared/appliance/archive/rows.ts';
import { TABLES } from '../../../../shared/appliance/archive/tables.ts';
import { instant } from '../../../../shared/ground/clock.ts';
import { build } from '../../../../shared/ground/store/builder.ts';
import { MIGRATIONS } from '../../../../shared/ground/store/migrations/index.ts';
import { migrate } from '../../../../shared/ground/store/open-store.ts';
import { Store } from '../../../../shared/ground/store/store.ts';
import { systemActor } from '../../../../shared/kernel/access/actor.ts';
import { eraseDestroyed } from '../../../../shared/services/kms/keys/administration.ts';
import { remember, remembered } from '../../../../shared/services/kms/keys/remembered.ts';
import { callerOf } from '../../../../shared/services/kms/serving/caller.ts';
import { readClientCertificate } from '../../../../shared/services/kms/trust/client-certificate.ts';
import { addClient, removeClient } from '../../../../shared/services/kms/trust/clients.ts';
import { providers } from '../../../../shared/services/kms/trust/providers.ts';
import { clientPem } from '../../../setup/client-pem.ts';
import { CREATE, idIn, read, request } from '../../../setup/kmip-messages.ts';
import { addProvider, ask, type KmsSide, openKms, PROVIDER } from '../../../setup/kms-side.ts';

const PEM = await clientPem('vc01.lab.example');
/** Schema of the last database that knows no holds. */
const BEFORE_HOLDS = MIGRATIONS.findIndex(({ name }) => name === '0025-kms-holds');
const opened: KmsSide[] = [];
let side: KmsSide;

const open = async (): Promise<KmsSide> => {
  const of = await openKms(mkdtempSync(join(tmpdir(), 'groundcrew-kms-tombstones-')));
  opened.push(of);
  return of;
};
beforeEach(async () => {
  side = await open();
  await addProvider(side);
}, 60_000);
afterAll(() => Promise.all(opened.map(({ store }) => store.close())));

const certificate = () => readClientCertificate(PEM, instant(side.clock.now()));
const add = async (to = side, provider_id = PROVIDER.id): Promise<{ id: string; sha256: string }> => {
  const trusted = { provider_id, name: 'vc01', origin: 'uploaded', certificate: certificate(), by: 'ada' } as const;
  return (await to.store.write((tx) => addClient(tx, to, trusted))).client;
};
const isLetIn = async (of = side): Promise<boolean> =>
  (await callerOf(of.store, of, certificate().sha256, '192.0.2.9')) !== null;
const remove = (id: string) => side.store.write((tx) => removeClient(tx, side, id, 'ada'));

const ALL: State = new Map(TABLES.map(({ name }) => [name, [{ id: 'x' }]]));
const archived = async (of = side): Promise<State> => {
  const state = await of.store.write((tx) => stateNow(tx, of, { state: ALL, many: [] }));
  return new Map([...state].filter(([table]) => table.startsWith('kms_')));
};
const restore = (state: State, into = side) =>
  into.store.write((tx) =>
    restoreState(tx, into, systemActor('test'), { state, many: [] }, { mode: 'replace', units: null }),
  );
const factoryReset = () => side.store.write((tx) => reset(tx, side, systemActor('test'), null));

/** As our authority keeps what it issued. */
async function issued(to = side): Promise<void> {
  const at = instant(side.clock.now());
  const { sha256, subject, certificate_pem, not_before, not_after } = certificate();
  const key = { kek_id: '', sealed_key: '', sealed_value: '' };
  const both = { subject, certificate_pem, serial_number: 'ab', key_algorithm: 'rsa-2048', not_before, not_after };
  const made = { created_by: 'ada', created_at: at, ...key };
  await to.store.write(async (tx) => {
    const root = { id: 'ca_test', sha256: 'AA', standing: 'signing', chain_pem: '', origin: 'made' };
    await tx.run(build('certificate_authority').insert({ ...both, ...made, ...root }));
    const row = { id: 'cert_test', sha256, authority_id: 'ca_test', purpose: '', profile: 'client', names: '[]' };
    await tx.run(build('issued_certificate').insert({ ...both, ...made, ...row }));
  });
}
const release = () =>
  side.store.write((tx) => tx.run('UPDATE issued_certificate SET revoked_at = NULL, revocation_reason = NULL'));
const revoke = (reason: string) =>
  side.store.write((tx) =>
    tx.run('UPDATE issued_certificate SET revoked_at = ?, revocation_reason = ?', [instant(side.clock.now()), reason]),
  );

test('a removed client stays out after a restore of an archive that trusts it, until it is added anew', async () => {
  const { id } = await add();
  const old = await archived();
  await remove(id);
  await restore(old);
  expect(await isLetIn()).toBe(false);
  expect(await side.store.all('SELECT id FROM kms_client')).toEqual([]);
  await factoryReset();
  await restore(old);
  expect(await isLetIn()).toBe(false);
  await add();
  expect(await isLetIn()).toBe(true);
  // And out again: each removal is remembered.
  await restore(old);
  expect(await isLetIn()).toBe(true);
  const again = (await side.store.one<{ id: string }>('SELECT id FROM kms_client'))!;
  await remove(again.id);
  await restore(old);
  expect(await isLetIn()).toBe(false);
});

test('a revoked client stays out after a factory reset, which forgets what the authority revoked, and a restore', async () => {
  await issued();
  await add();
  const old = await archived();
  await revoke('keyCompromise');
  expect(await isLetIn()).toBe(false);
  await factoryReset();
  expect(await side.store.all('SELECT id FROM issued_certificate')).toEqual([]);
  expect(await isLetIn()).toBe(false);
  await restore(old);
  expect(await isLetIn()).toBe(false);
  expect(await side.store.all('SELECT why, provider, name FROM kms_tombstone')).toEqual([
    { why: 'revoked', provider: PROVIDER.name, name: 'vc01' },
  ]);
  // A person may let it in again; the row that opens nothing makes room.
  await add();
  expect(await isLetIn()).toBe(true);
});

test('a hold that is taken back leaves no trace; one that the authority forgets stays', async () => {
  await issued();
  await add();
  await revoke('certificateHold');
  expect(await isLetIn()).toBe(false);
  await release();
  expect(await isLetIn()).toBe(true);
  expect(await side.store.all('SELECT 1 FROM kms_tombstone')).toEqual([]);
  await revoke('certificateHold');
  await factoryReset();
  expect(await isLetIn()).toBe(false);
});

/** As a snapshot that is put back gets what the database in its place remembers. */
const putBack = async (snapshot: () => Promise<unknown>): Promise<void> => {
  const known = await remembered(side.store);
  await side.store.write((tx) => tx.run('DELETE FROM kms_tombstone'));
  await snapshot();
  await side.store.write((tx) => remember(tx, known));
};

test('a hold outlives a snapshot that is put back, until it is taken back', async () => {
  await issued();
  await add();
  await revoke('certificateHold');
  await putBack(release);
  expect(await isLetIn()).toBe(false);
  // The authority of then holds it as well, so that taking it back is what it always is.
  expect(await side.store.all('SELECT revocation_reason FROM issued_certificate')).toEqual([
    { revocation_reason: 'certificateHold' },
  ]);
  await release();
  expect(await isLetIn()).toBe(true);
  await putBack(async () => undefined);
  expect(await isLetIn()).toBe(true);
});

test('a hold outlives a reset and a restore of an archive from before it; taken back, one from during it changes nothing', async () => {
  await issued();
  await add();
  const all = async () =>
    new Map(
      [...(await side.store.write((tx) => stateNow(tx, side, { state: ALL, many: [] })))].filter(([table]) =>
        /^(kms_|issued_|certificate_authority)/.test(table),
      ),
    );
  const before = await all();
  await revoke('certificateHold');
  const during = await all();
  await factoryReset();
  await restore(before);
  expect(await isLetIn()).toBe(false);
  expect(await side.store.all("SELECT why FROM kms_tombstone WHERE kind = 'client'")).toEqual([{ why: 'held' }]);
  await release();
  expect(await isLetIn()).toBe(true);
  await restore(during);
  expect(await isLetIn()).toBe(true);
});

test('a hold travels, and becomes a revocation or a removal', async () => {
  await issued();
  const { id } = await add();
  const trusting = await archived();
  await revoke('certificateHold');
  const other = await open();
  await restore(trusting, other);
  expect(await isLetIn(other)).toBe(true);
  await restore(await archived(), other);
  expect(await isLetIn(other)).toBe(false);
  await revoke('keyCompromise');
  expect(await side.store.all('SELECT why FROM kms_tombstone')).toEqual([{ why: 'revoked' }]);
  await side.store.write(async (tx) => {
    await tx.run('DELETE FROM kms_tombstone');
    await tx.run("UPDATE issued_certificate SET revocation_reason = 'certificateHold'");
  });
  await remove(id);
  await release();
  await restore(trusting);
  expect(await isLetIn()).toBe(false);
  expect(await side.store.all('SELECT why FROM kms_tombstone')).toEqual([{ why: 'removed' }]);
});

test('a hold of before the migration is remembered from then on', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'groundcrew-kms-older-')), 'older.sqlite');
  await migrate(file, BEFORE_HOLDS);
  const older = { ...side, store: await Store.open(file) };
  await addProvider(older);
  await issued(older);
  await add(older);
  const hold =
    "UPDATE issued_certificate SET revoked_at = '2026-01-01T00:00:00.000Z', revocation_reason = 'certificateHold'";
  await older.store.write((tx) => tx.run(hold));
  expect(await older.store.all('SELECT why FROM kms_tombstone')).toEqual([]);
  await older.store.close();
  await migrate(file, BEFORE_HOLDS + 1);
  const store = await Store.open(file);
  opened.push({ ...side, store });
  expect(await store.all('SELECT why FROM kms_tombstone')).toEqual([{ why: 'held' }]);
  await store.write((tx) => tx.run('DELETE FROM issued_certificate'));
  expect(await isLetIn({ ...side, store })).toBe(false);
});

test('a database of before there were holds keeps one for good', async () => {
  const held = {
    id: 'kmstomb_a',
    kind: 'client',
    subject: 'AA',
    provider_id: 'p',
    provider: 'p',
    name: 'n',
    why: 'held',
  };
  const known = { tombstones: [{ ...held, created_by: 'ada', created_at: '2026-01-01T00:00:00.000Z' }], erased: [] };
  const file = join(mkdtempSync(join(tmpdir(), 'groundcrew-kms-older-')), 'older.sqlite');
  await migrate(file, BEFORE_HOLDS);
  const older = await Store.open(file);
  await older.write((tx) => remember(tx, known));
  expect(await older.all('SELECT why FROM kms_tombstone')).toEqual([{ why: 'revoked' }]);
  await older.close();
});

test('tombstones travel: those of both sides count after a restore', async () => {
  const { id } = await add();
  const trusting = await archived();
  await remove(id);
  const newer = await archived();
  expect(newer.get('kms_tombstone')).toHaveLength(1);
  const other = await open();
  await restore(trusting, other);
  expect(await isLetIn(other)).toBe(true);
  await restore(newer, other);
  expect(await isLetIn(other)).toBe(false);
  await restore(trusting, other);
  expect(await isLetIn(other)).toBe(false);
});

test('clients that went with their provider stay out, and its erased keys stay erased', async () => {
  await add();
  const key_id = idIn(read(await ask(side, request([{ operation: 'Create', payload: CREATE }]))));
  const old = await archived();
  await side.store.write((tx) => tx.run("UPDATE kms_key SET destroyed_at = '2020-01-01T00:00:00.000Z'"));
  expect(await eraseDestroyed(side as never)).toBe(1);
  await restore(old);
  const material = () => side.store.all("SELECT id FROM kms_key WHERE kek_id <> ''");
  expect(await material()).toEqual([]);
  const context = { params: { provider_id: PROVIDER.id }, request: { if_match: null } };
  await side.store.write((tx) =>
    providers.verbs!.remove!({ tx, services: side, actor: systemActor('ada'), ...context } as never),
  );
  await restore(old);
  expect(await isLetIn()).toBe(false);
  expect(await material()).toEqual([]);
  expect(await side.store.all('SELECT subject FROM kms_tombstone WHERE kind = ?', ['key'])).toEqual([
    { subject: key_id },
  ]);
});

test('a provider that only has the name of another is another one', async () => {
  await add();
  const old = await archived();
  const other = await open();
  await addProvider(other);
  await other.store.write((tx) => tx.run("UPDATE kms_provider SET id = 'kmsprovider_other'"));
  await restore(old, other);
  expect(await other.store.all('SELECT id, name FROM kms_provider ORDER BY id')).toEqual([
    { id: 'kmsprovider_other', name: PROVIDER.name },
    { id: PROVIDER.id, name: `${PROVIDER.name}-restored` },
  ]);
  expect((await callerOf(other.store, other, certificate().sha256, ''))!.provider!.id).toBe(PROVIDER.id);
  // Once here, it is known again.
  await restore(old, other);
  expect(await other.store.all('SELECT id FROM kms_provider')).toHaveLength(2);
});
