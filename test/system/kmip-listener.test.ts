// The KMIP server as clients meet it: who is let in, what a vCenter asks, who is slow, and what is broken.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { operations } from '../../runtime/generated/operations.ts';
import { pages } from '../../runtime/generated/pages.ts';
import type { Operation } from '../../shared/kernel/operation/define-operation.ts';
import { child } from '../../shared/services/kms/protocol/message.ts';
import { TAG } from '../../shared/services/kms/protocol/tags.ts';
import { MESSAGE_MOST } from '../../shared/services/kms/protocol/ttlv.ts';
import { PASSWORD } from '../setup/house.ts';
import {
  asked,
  attribute,
  CREATE,
  EXTRAS,
  idIn,
  materialIn,
  named,
  number,
  read,
  request,
  type Sent,
  VCENTER,
} from '../setup/kmip-messages.ts';
import { KmsScene, type Pair } from '../setup/kms-scene.ts';
import { selfSigned } from '../setup/self-signed.ts';
import { until } from '../setup/until.ts';

const TIMES = { idle: 20_000, message: 400, linger: 200 };
let scene: KmsScene;
let provider_id: string;
let pair: Pair;
let key_id: string;
const logged: string[] = [];

beforeAll(async () => {
  scene = await KmsScene.open({ ticker: false, log: (line) => logged.push(line) }, TIMES);
  provider_id = await scene.provider('management-domain');
  pair = await scene.client(provider_id);
  key_id = idIn((await ask(pair, [{ operation: 'Create', payload: CREATE }]))!);
}, 300_000);
afterAll(() => scene?.close());

/** One connection, one request; null: it was closed instead. */
async function ask(who: Pick<Pair, 'certificate' | 'private_key'> | null, sent: Sent[], header = {}) {
  const socket = await scene.connect(who).catch(() => null);
  if (!socket) return null;
  const answer = await asked(socket, request(sent, header));
  socket.destroy();
  return answer && read(answer);
}
const get = (who: Pair, id = key_id) => ask(who, [{ operation: 'Get', payload: [named(id)] }]);

/** Of the first item. */
const outcome = (answer: Awaited<ReturnType<typeof ask>>) =>
  answer && { status: answer.items[0]!.status, reason: answer.items[0]!.reason };
const GIVEN = { status: 0, reason: undefined };

test.each([
  ['first', { before: EXTRAS }],
  ['last', { after: EXTRAS }],
  ['nowhere', {}],
])('a vCenter is answered, with what newer ones add to the header %s', async (_where, header) => {
  let id = '';
  const ended = [];
  for (const step of VCENTER) {
    const sent = step(id);
    const answer = (await ask(pair, sent, header))!;
    if (sent[0]!.operation === 'Create') id = idIn(answer);
    expect(answer.minor).toBe(1);
    expect(answer.items.map(({ status, reason }) => [status, reason])).toEqual(sent.map(() => [0, undefined]));
    expect(answer.items.map(({ batch_id }) => batch_id)).toEqual(
      sent.map(({ batch_id }) => batch_id?.toString('hex') ?? null),
    );
    ended.push(answer);
  }
  const [, , , , before, , after, got] = ended;
  // What is absent is left out, and is no error.
  expect(before!.items[0]!.payload).toEqual([named(id)]);
  expect(after!.items[0]!.payload[1]).toEqual(
    attribute('x-Product_Version', { tag: TAG.attributeValue, type: 7, value: '7.0.3 build-19234570' }),
  );
  expect(materialIn(got!)).toHaveLength(32);
});

test('three AddAttribute to a key that is none are three failures with their own ids', async () => {
  const sent = VCENTER[5]!('key_nobody');
  const answer = (await ask(pair, sent))!;
  expect(answer.items.map(({ reason, batch_id }) => [reason, batch_id])).toEqual(
    sent.map(({ batch_id }) => [1, batch_id!.toString('hex')]),
  );
});

test('an operation that is not offered fails alone, and the connection stays', async () => {
  const socket = await scene.connect(pair);
  const both: Sent[] = [{ operation: 0x09 }, { operation: 'Get', payload: [named(key_id)] }];
  const answer = read((await asked(socket, request(both)))!);
  expect(answer.items.map(({ status, reason }) => [status, reason])).toEqual([
    [1, 5],
    [0, undefined],
  ]);
  expect(read((await asked(socket, request([{ operation: 'DiscoverVersions' }])))!).items[0]!.payload).toHaveLength(5);
  socket.destroy();
});

test('the key of an item is that of the one before it', async () => {
  const answer = (await ask(pair, [{ operation: 'Create', payload: CREATE }, { operation: 'Get' }]))!;
  expect(answer.items.map(({ status }) => status)).toEqual([0, 0]);
  expect(child(answer.items[1]!.payload, TAG.id)!.value).toBe(idIn(answer));
});

test('strangers, whoever signed them, get a closed connection', async () => {
  const versions: Sent[] = [{ operation: 'DiscoverVersions' }];
  expect(await ask(null, versions)).toBeNull();
  expect(await ask(selfSigned('vc01.lab.example'), versions)).toBeNull();
  // Of our own authority, for something else.
  const other = await scene.provider('other-server');
  const removed = await scene.client(other, 'gone.lab.example');
  expect(await ask(removed, versions)).not.toBeNull();
  await scene.api('DELETE', `/api/v1/kms/clients/${removed.client_id}`);
  expect(await ask(removed, versions)).toBeNull();
});

test('a certificate that ended opens nothing', async () => {
  const own = selfSigned('old.lab.example');
  const sent = { provider_id, name: 'old', certificate: own.certificate, own_password: PASSWORD };
  const { id } = await scene.api('POST', '/api/v1/kms/clients', sent);
  expect(await ask(own, [{ operation: 'DiscoverVersions' }])).not.toBeNull();
  const { store } = scene.house.services;
  await store.write((tx) => tx.run("UPDATE kms_client SET not_after = '2026-01-01T00:00:00.000Z' WHERE id = ?", [id]));
  expect(await ask(own, [{ operation: 'DiscoverVersions' }])).toBeNull();
  expect((await scene.api('GET', `/api/v1/kms/clients/${id}`)).state).toBe('expired');
});

test('one that our authority revokes opens nothing from then on, on an open connection too', async () => {
  const revoked = await scene.client(provider_id, 'revoked.lab.example');
  const socket = await scene.connect(revoked);
  expect(await asked(socket, request([{ operation: 'DiscoverVersions' }]))).not.toBeNull();
  const { sha256 } = await scene.api('GET', `/api/v1/kms/clients/${revoked.client_id}`);
  const { items } = await scene.api('GET', '/api/v1/certificate-authority/certificates?profile=client');
  const { id } = items.find((each: { sha256: string }) => each.sha256 === sha256);
  await scene.api('POST', `/api/v1/certificate-authority/certificates/${id}/revoke`, {
    revocation_reason: 'keyCompromise',
  });
  expect(await asked(socket, request([{ operation: 'DiscoverVersions' }]))).toBeNull();
  expect(await ask(revoked, [{ operation: 'DiscoverVersions' }])).toBeNull();
});

test('another provider’s key is as unknown as one that there never was', async () => {
  const foreign = await scene.client(await scene.provider('workload-domain'), 'vc02.lab.example');
  for (const operation of ['Get', 'GetAttributes', 'Activate', 'Destroy'] as const) {
    const sent: Sent[] = [{ operation, payload: [named(key_id)] }];
    expect(outcome(await ask(foreign, sent))).toEqual({ status: 1, reason: 1 });
  }
  const located = (await ask(foreign, [{ operation: 'Locate' }]))!;
  expect(located.items[0]!.payload).toEqual([]);
  expect(outcome(await get(pair))).toEqual(GIVEN);
});

test('a destroyed key is hidden, and an administrator brings it back unchanged', async () => {
  const id = idIn((await ask(pair, [{ operation: 'Create', payload: CREATE }]))!);
  const before = materialIn((await get(pair, id))!);
  const revocation = [
    named(id),
    { tag: TAG.revocationReason, type: 1 as const, value: [{ tag: TAG.revocationCode, type: 5 as const, value: 1 }] },
  ];
  expect(outcome(await ask(pair, [{ operation: 'Destroy', payload: [named(id)] }]))).toEqual({ status: 1, reason: 12 });
  expect(outcome(await ask(pair, [{ operation: 'Revoke', payload: revocation }]))).toEqual(GIVEN);
  expect(outcome(await get(pair, id))).toEqual(GIVEN);
  expect(outcome(await ask(pair, [{ operation: 'Destroy', payload: [named(id)] }]))).toEqual(GIVEN);
  expect(outcome(await get(pair, id))).toEqual({ status: 1, reason: 1 });
  await scene.api('POST', `/api/v1/kms/keys/${id}/bring-back`, { own_password: PASSWORD });
  expect(materialIn((await get(pair, id))!)).toEqual(before);
});

test('what is not offered has its own reason', async () => {
  const bad = (payload: Sent['payload'], operation: Sent['operation'] = 'Get') =>
    ask(pair, [{ operation, payload: payload! }]);
  expect(outcome(await bad([named(key_id), { tag: TAG.keyFormat, type: 5, value: 2 }]))).toEqual({
    status: 1,
    reason: 16,
  });
  expect(outcome(await bad([named(key_id), { tag: TAG.keyWrappingWanted, type: 1, value: [] }]))).toEqual({
    status: 1,
    reason: 5,
  });
  expect(outcome(await bad([]))).toEqual({ status: 1, reason: 6 });
  const state = attribute('State', { tag: TAG.attributeValue, type: 5, value: 1 });
  expect(outcome(await bad([named(key_id), state], 'AddAttribute'))).toEqual({ status: 1, reason: 7 });
});

test('a registered key is given as it came', async () => {
  const material = Buffer.alloc(16, 0x5a);
  const block = (type: number, value: unknown) => ({ tag: type, type: 1 as const, value: value as never });
  const answer = (await ask(pair, [
    {
      operation: 'Register',
      payload: [
        { tag: TAG.objectType, type: 5, value: 2 },
        block(TAG.symmetricKey, [
          block(TAG.keyBlock, [
            { tag: TAG.keyFormat, type: 5, value: 1 },
            block(TAG.keyValue, [{ tag: TAG.keyMaterial, type: 8, value: material }]),
            { tag: TAG.algorithm, type: 5, value: 3 },
            number(TAG.length, 128),
          ]),
        ]),
      ],
    },
  ]))!;
  expect(materialIn((await get(pair, idIn(answer)))!)).toEqual(Buffer.alloc(16, 0x5a));
});

test('slow and half-open clients end, and a working one beside them is answered', async () => {
  const slow = await Promise.all(Array.from({ length: 20 }, () => scene.connect(pair)));
  const half = request([{ operation: 'Get', payload: [named(key_id)] }]).subarray(0, 20);
  const ends = slow.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
  for (const socket of slow) socket.on('error', () => undefined).write(half);
  for (let at = 0; at < 5; at++) expect(outcome(await get(pair))).toEqual(GIVEN);
  await Promise.all(ends);
});

test('what is no message is answered once, and the connection ends', async () => {
  const too = Buffer.alloc(16);
  too.writeUIntBE(TAG.request, 0, 3);
  too[3] = 1;
  too.writeUInt32BE(MESSAGE_MOST, 4);
  for (const bytes of [Buffer.from('GET / HTTP/1.1\r\nhost: kms\r\n\r\n'), too]) {
    const socket = await scene.connect(pair);
    const ended = new Promise((resolve) => socket.once('close', resolve));
    expect(outcome(read((await asked(socket, bytes))!))).toEqual({ status: 1, reason: 4 });
    await ended;
  }
});

test('the vaults’ keys are others: no material, a clear failure, and the rest goes on', async () => {
  const { services } = scene.house;
  const find = services.keyring.find.bind(services.keyring);
  services.keyring.find = async () => null;
  try {
    expect(outcome(await get(pair))).toEqual({ status: 1, reason: 10 });
    expect(outcome(await ask(pair, [{ operation: 'GetAttributes', payload: [named(key_id)] }]))).toEqual(GIVEN);
  } finally {
    services.keyring.find = find;
  }
  expect(outcome(await get(pair))).toEqual(GIVEN);
});

test('the disk is full: the client is told that nothing was kept, and nothing is', async () => {
  const { services } = scene.house;
  const count = async () =>
    (await services.store.one<{ count: number }>('SELECT count(*) AS count FROM kms_key'))!.count;
  const before = await count();
  services.checkpoint = (step) => {
    if (step === 'kms: the key is written') throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' });
  };
  try {
    expect(outcome(await ask(pair, [{ operation: 'Create', payload: CREATE }]))).toEqual({ status: 1, reason: 0x100 });
  } finally {
    delete services.checkpoint;
  }
  expect(await count()).toBe(before);
});

test('requests are listed without values, and the key says where it went', async () => {
  await get(pair);
  await until(async () => (await scene.api('GET', `/api/v1/kms/keys/${key_id}`)).last_get_from === '127.0.0.1');
  const listed = await scene.api('GET', '/api/v1/kms/requests');
  const text = JSON.stringify(listed);
  expect(text).toContain('x-Product_Version');
  for (const value of ['7.0.3 build', 'a password that nobody asked for']) expect(text).not.toContain(value);
  expect(listed.items.length).toBeLessThanOrEqual(200);
});

test('material is in no answer, page, log line, audit row or column in the clear', async () => {
  const material = materialIn((await get(pair))!);
  const placed = (path: string): string =>
    path.replace('{key_id}', key_id).replace('{provider_id}', provider_id).replace('{client_id}', pair.client_id);
  const paths = (of: readonly Operation[], root: string) =>
    of
      .map(({ spec }) => spec)
      .filter(({ method, path }) => method === 'GET' && path.startsWith(root) && !path.includes('{job_id}'));
  const reads = paths(operations, '/api/v1/kms');
  for (const { path } of reads) await scene.api('GET', placed(path));
  const shown = paths(pages, '/ui/management/kms');
  for (const { path } of shown) {
    const { status } = await scene.house.send('GET', placed(path), { session: scene.admin });
    expect([path, status]).toEqual([path, 200]);
  }
  expect(Math.min(reads.length, shown.length)).toBeGreaterThanOrEqual(10);
  const { store } = scene.house.services;
  const rows = JSON.stringify([
    await store.all('SELECT * FROM kms_key'),
    await store.all('SELECT * FROM audit_event'),
    await store.all('SELECT * FROM kms_request'),
    scene.house.heard.map(({ answer }) => answer),
    logged,
  ]);
  for (const form of ['hex', 'base64', 'base64url', 'latin1'] as const)
    expect(rows).not.toContain(material.toString(form));
  const audited = await scene.house.audited();
  expect(audited).toEqual(
    expect.arrayContaining(['kms.key.create', 'kms.key.update', 'kms.key.revoke', 'kms.key.destroy']),
  );
});
