// The encoding of KMIP: what is written is read as it was, and every bound holds.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  DEPTH_MOST,
  decode,
  encode,
  ITEMS_MOST,
  type Item,
  MESSAGE_MOST,
  messageLength,
  TtlvFault,
} from '../../../../shared/services/kms/protocol/ttlv.ts';

const tag = fc.integer({ min: 0x420000, max: 0x42ffff });
const { item } = fc.letrec<{ item: Item }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.record({ tag, type: fc.constant(2 as const), value: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }) }),
    fc.record({ tag, type: fc.constantFrom(5 as const, 10 as const), value: fc.nat(2 ** 32 - 1) }),
    fc.record({ tag, type: fc.constantFrom(3 as const, 9 as const), value: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n) }),
    fc.record({ tag, type: fc.constant(6 as const), value: fc.boolean() }),
    fc.record({ tag, type: fc.constant(7 as const), value: fc.string({ unit: 'grapheme', maxLength: 30 }) }),
    fc.record({
      tag,
      type: fc.constant(8 as const),
      value: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    }),
    fc.record({ tag, type: fc.constant(1 as const), value: fc.array(tie('item'), { maxLength: 5 }) }),
  ) as fc.Arbitrary<Item>,
}));

test('an item is read as it was written, and has one spelling', () => {
  fc.assert(
    fc.property(item, (one) => {
      const bytes = encode(one);
      expect(bytes.length % 8).toBe(0);
      expect(decode(bytes)).toEqual(one);
      expect(encode(decode(bytes))).toEqual(bytes);
    }),
    { numRuns: 300 },
  );
});

test('an item that is cut anywhere is refused', () => {
  fc.assert(
    fc.property(item, fc.nat(), (one, at) => {
      const bytes = encode(one);
      expect(() => decode(bytes.subarray(0, at % bytes.length))).toThrow(TtlvFault);
    }),
    { numRuns: 300 },
  );
});

const nested = (depth: number): Buffer => {
  let inside: Item = { tag: 0x420001, type: 2, value: 1 };
  for (let at = 1; at < depth; at++) inside = { tag: 0x420001, type: 1, value: [inside] };
  return encode(inside);
};
const many = (count: number): Buffer =>
  encode({
    tag: 0x420001,
    type: 1,
    value: Array.from({ length: count - 1 }, () => ({ tag: 0x420002, type: 1, value: [] })),
  });
const raw = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');

test('depth, count and size have their bounds, and no more', () => {
  expect(decode(nested(DEPTH_MOST)).type).toBe(1);
  expect(() => decode(nested(DEPTH_MOST + 1))).toThrow('deep');
  expect(decode(many(ITEMS_MOST)).type).toBe(1);
  expect(() => decode(many(ITEMS_MOST + 1))).toThrow('items');
  expect(() => decode(Buffer.alloc(MESSAGE_MOST + 8))).toThrow('bytes');
});

test.each([
  ['a tag of nobody', '430001 02 00000004 00000001 00000000', 'none of KMIP'],
  ['a type of nobody', '420001 0b 00000000', 'no type'],
  ['an integer of eight bytes', '420001 02 00000008 0000000000000001', 'another length'],
  ['a boolean that is neither', '420001 06 00000008 0000000000000002', 'neither true nor false'],
  ['a text that is no UTF-8', '420001 07 00000002 c328000000000000', 'not UTF-8'],
  ['a length beyond the message', '420001 08 00000010 0000000000000000', 'longer than'],
  ['the largest length', '420001 08 ffffffff 0000000000000000', 'longer than'],
  ['padding that is missing', '420001 08 00000001 00', 'longer than'],
  [
    'a member beyond its parent',
    '420001 01 00000008 420002 08 00000008 0000000000000000',
    'Something follows|longer than',
  ],
  ['what follows', '420001 08 00000000 420001 08 00000000', 'Something follows'],
])('%s is refused', (_what, hex, words) => {
  expect(() => decode(raw(hex))).toThrow(new RegExp(words));
});

test('the length of a message is known from its head alone', () => {
  expect(messageLength(raw('420078 01 000000'), 0x420078)).toBeNull();
  expect(messageLength(raw('420078 01 00000010'), 0x420078)).toBe(24);
  expect(() => messageLength(raw('420078 01 00010000'), 0x420078)).toThrow('bytes');
  expect(() => messageLength(raw('16030100 00000010'), 0x420078)).toThrow(TtlvFault);
});
