// Numbers of a type that has no place where they are sent: each is refused, and the next request is answered.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { structure } from '../../../../shared/services/kms/protocol/message.ts';
import { OPERATION, TAG } from '../../../../shared/services/kms/protocol/tags.ts';
import { encode, type Item } from '../../../../shared/services/kms/protocol/ttlv.ts';
import { attribute, CREATE, number, read, request, word } from '../../../setup/kmip-messages.ts';
import { addProvider, ask, type KmsSide, openKms } from '../../../setup/kms-side.ts';

let side: KmsSide;
beforeAll(async () => {
  side = await openKms(mkdtempSync(join(tmpdir(), 'groundcrew-kms-types-')));
  await addProvider(side);
}, 60_000);
afterAll(() => side?.store.close());

const FAILED = 1;
const INVALID_MESSAGE = 4;
const INVALID_FIELD = 7;
const MOST = 0xff_ff_ff_ff;

const create = (name: string, value: Item): Item[] => [
  word(TAG.objectType, 2),
  structure(TAG.templateAttribute, [
    ...(CREATE[1]!.value as Item[]).filter((each) => !JSON.stringify(each.value).includes(name)),
    attribute(name, value),
  ]),
];

test.each([
  ['Cryptographic Usage Mask', word(TAG.attributeValue, MOST)],
  ['Cryptographic Length', word(TAG.attributeValue, 256)],
  ['Cryptographic Algorithm', number(TAG.attributeValue, 3)],
])('of %s', async (name, value) => {
  const payload = create(name, value);
  const [made] = read(await ask(side, request([{ operation: 'Create', payload }]))).items;
  expect(made).toMatchObject({ status: FAILED, reason: INVALID_FIELD });
});

test.each([
  ['an integer', number(TAG.operation, -1)],
  ['a long integer', { tag: TAG.operation, type: 3, value: -1n } as const],
])('of an operation: %s', async (_what, operation) => {
  const version = structure(TAG.version, [number(TAG.versionMajor, 1), number(TAG.versionMinor, 1)]);
  const header = structure(TAG.requestHeader, [version, number(TAG.batchCount, 1)]);
  const item = structure(TAG.batchItem, [operation, structure(TAG.requestPayload, [])]);
  const [refused] = read(await ask(side, encode(structure(TAG.request, [header, item])))).items;
  expect(refused).toMatchObject({ status: FAILED, reason: INVALID_MESSAGE });
});

test('a value that was kept and that no answer can have is one failure, and its connection alone ends', async () => {
  const [made] = read(await ask(side, request([{ operation: 'Create', payload: CREATE }]))).items;
  expect(made!.status).toBe(0);
  await side.store.write((tx) => tx.run('UPDATE kms_key SET usage_mask = ?', [MOST]));
  const [{ id } = { id: '' }] = await side.store.all<{ id: string }>('SELECT id FROM kms_key');
  const payload: Item[] = [{ tag: TAG.id, type: 7, value: id }];
  const asked = request([{ operation: OPERATION.GetAttributes, payload }]);
  expect(read(await ask(side, asked)).items[0]).toMatchObject({ status: FAILED });
  expect(side.logged.join()).toContain('a request of KMIP failed');
});
