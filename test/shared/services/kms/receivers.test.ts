// Who was given a key is kept for each key and client certificate, whatever number of requests came since, and is not lost when
// it can't be written at once.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addReceiver, findReceivers, RECEIVERS_MOST } from '../../../../shared/services/kms/keys/receivers.ts';
import { type Told, Trace } from '../../../../shared/services/kms/serving/trace.ts';
import { CREATE, idIn, read, request } from '../../../setup/kmip-messages.ts';
import { addProvider, ask, CALLER, type KmsSide, openKms } from '../../../setup/kms-side.ts';

let side: KmsSide;
let key_id: string;
beforeAll(async () => {
  side = await openKms(mkdtempSync(join(tmpdir(), 'groundcrew-kms-receivers-')));
  await addProvider(side);
  key_id = idIn(read(await ask(side, request([{ operation: 'Create', payload: CREATE }]))));
}, 60_000);
afterAll(() => side?.store.close());

const told = (more: Partial<Told> = {}): Told => ({
  ...{ provider: 'test', client: 'vc01', source_address: '192.0.2.9', version: '1.1', operation: 'Get', key_id },
  ...{ attributes: [], result: 'success', took_ms: 1, got: true, ...more },
});
const found = () => findReceivers(side.store, key_id);

test('it outlives the list of the last requests, and counts', async () => {
  const trace = new Trace(side);
  trace.add(CALLER, [told(), told({ source_address: '192.0.2.10' })]);
  await trace.flush();
  const other = { ...CALLER, sha256: 'CC:DD', client: { id: 'kmsclient_other', name: 'vc02' } };
  for (let count = 0; count < 300; count++) trace.add(other, [told({ got: false, operation: 'GetAttributes' })]);
  await trace.flush();
  expect(await side.store.all('SELECT 1 FROM kms_request WHERE operation = ?', ['Get'])).toEqual([]);
  const [only, ...more] = await found();
  expect(more).toEqual([]);
  expect(only).toMatchObject({ client: CALLER.client.name, sha256: CALLER.sha256, times: 2 });
  expect(only).toMatchObject({ first_from: '192.0.2.9', last_from: '192.0.2.10' });
});

test('what could not be written waits, and is written with what came meanwhile', async () => {
  const trace = new Trace(side);
  const write = side.store.write.bind(side.store);
  trace.add(CALLER, [told()]);
  side.store.write = () => Promise.reject(new Error('disk full'));
  await expect(trace.flush()).rejects.toThrow('disk full');
  side.store.write = write;
  trace.add(CALLER, [told({ source_address: '192.0.2.11' })]);
  await trace.flush();
  expect(await found()).toMatchObject([{ times: 4, first_from: '192.0.2.9', last_from: '192.0.2.11' }]);
});

test('the first one of a key and certificate is on the disk before the answer leaves, later ones wait', async () => {
  const [first, second] = await Promise.all(
    [1, 2].map(async () => idIn(read(await ask(side, request([{ operation: 'Create', payload: CREATE }]))))),
  );
  const trace = new Trace(side);
  const of = (key: string) => findReceivers(side.store, key);
  await Promise.all([first, second].map((key) => trace.record(CALLER, [told({ key_id: key! })])));
  for (const key of [first, second]) expect(await of(key!)).toMatchObject([{ sha256: CALLER.sha256, times: 1 }]);
  expect(await side.store.one('SELECT last_get_from FROM kms_key WHERE id = ?', [first!])).toEqual({
    last_get_from: '192.0.2.9',
  });
  await trace.record(CALLER, [told({ key_id: first!, source_address: '192.0.2.12' })]);
  await new Trace(side).record(CALLER, [told({ key_id: first! })]);
  expect(await of(first!)).toMatchObject([{ times: 1 }]);
  await trace.flush();
  expect(await of(first!)).toMatchObject([{ times: 2, first_from: '192.0.2.9', last_from: '192.0.2.12' }]);
});

test('a full disk keeps nobody from a key: the log has it, and it is written later', async () => {
  const key = idIn(read(await ask(side, request([{ operation: 'Create', payload: CREATE }]))));
  const trace = new Trace(side);
  const write = side.store.write.bind(side.store);
  side.store.write = () => Promise.reject(new Error('disk full'));
  const logged = side.logged.length;
  await trace.record(CALLER, [told({ key_id: key })]);
  await trace.record(CALLER, [told({ key_id: key })]);
  side.store.write = write;
  expect(side.logged.slice(logged)).toHaveLength(1);
  expect(side.logged.at(-1)).toContain(key);
  await trace.flush();
  expect(await findReceivers(side.store, key)).toMatchObject([{ times: 2 }]);
});

test('it is bounded: the certificates that got it last', async () => {
  await side.store.write(async (tx) => {
    for (let count = 0; count < RECEIVERS_MOST + 20; count++) {
      const at = new Date(Date.UTC(2030, 0, 1, 0, 0, count)).toISOString();
      const each = { client: 'vc', sha256: `${count}`, first_at: at, first_from: '', last_at: at, last_from: '' };
      await addReceiver(tx, key_id, { ...each, times: 1 });
    }
  });
  const all = await found();
  expect(all).toHaveLength(RECEIVERS_MOST);
  expect(all[0]!.sha256).toBe(String(RECEIVERS_MOST + 19));
});
