// The encoding of KMIP: tag, type, length, value (TTLV; OASIS KMIP Specification 1.4, section 9.1). Every bound is checked
// before anything is kept, so that what a stranger sends costs no more than its own bytes.

/** Bytes of a message, its header included. */
export const MESSAGE_MOST = 64 << 10;
/** Structures within structures. */
export const DEPTH_MOST = 16;
/** Items of one message. */
export const ITEMS_MOST = 2_048;
/** Bytes before the value: tag 3, type 1, length 4 (9.1.1). */
export const HEAD_BYTES = 8;

/** Item types (9.1.1.2). */
export const TYPE = {
  structure: 1,
  integer: 2,
  long: 3,
  big: 4,
  enumeration: 5,
  boolean: 6,
  text: 7,
  bytes: 8,
  date: 9,
  interval: 10,
} as const;
type TypeCode = (typeof TYPE)[keyof typeof TYPE];

/** One item. Integers, enumerations and intervals are numbers; longs and dates (seconds since 1970) are bigints. */
export type Item =
  | { tag: number; type: typeof TYPE.structure; value: Item[] }
  | { tag: number; type: 2 | 5 | 10; value: number }
  | { tag: number; type: 3 | 9; value: bigint }
  | { tag: number; type: typeof TYPE.boolean; value: boolean }
  | { tag: number; type: typeof TYPE.text; value: string }
  | { tag: number; type: 4 | 8; value: Buffer };

/** The bytes are no message. Its words name what is wrong and repeat nothing of the message. */
export class TtlvFault extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'TtlvFault';
  }
}

/** Bytes of values whose length is fixed (9.1.1.3). */
const FIXED: Readonly<Partial<Record<TypeCode, number>>> = { 2: 4, 3: 8, 5: 4, 6: 8, 9: 8, 10: 4 };

/** Values are padded to a multiple of eight bytes (9.1.1.4). */
const padded = (length: number): number => (length + 7) & ~7;

/**
 * Bytes of the message that begins here; null while its head is not there yet.
 * @throws TtlvFault when it is no structure with this tag, or larger than MESSAGE_MOST
 */
export function messageLength(head: Buffer, tag: number): number | null {
  if (head.length < HEAD_BYTES) return null;
  if (head.readUIntBE(0, 3) !== tag || head[3] !== TYPE.structure) throw new TtlvFault('This is no such message.');
  const length = head.readUInt32BE(4) + HEAD_BYTES;
  if (length > MESSAGE_MOST) throw new TtlvFault(`A message has at most ${MESSAGE_MOST} bytes.`);
  return length;
}

/** One item, and nothing behind it. @throws TtlvFault */
export function decode(bytes: Buffer): Item {
  if (bytes.length > MESSAGE_MOST) throw new TtlvFault(`A message has at most ${MESSAGE_MOST} bytes.`);
  const reading = { bytes, items: 0 };
  const { item, end } = itemAt(reading, 0, bytes.length, 1);
  if (end !== bytes.length) throw new TtlvFault('Something follows the message.');
  return item;
}

interface Reading {
  bytes: Buffer;
  items: number;
}

function itemAt(reading: Reading, at: number, limit: number, depth: number): { item: Item; end: number } {
  const { bytes } = reading;
  reading.items += 1;
  if (reading.items > ITEMS_MOST) throw new TtlvFault(`A message has at most ${ITEMS_MOST} items.`);
  if (depth > DEPTH_MOST) throw new TtlvFault(`Structures are at most ${DEPTH_MOST} deep.`);
  if (at + HEAD_BYTES > limit) throw new TtlvFault('An item ends within its head.');
  const tag = bytes.readUIntBE(at, 3);
  // Tags of the standard, and those of extensions (9.1.1.1).
  if (tag >> 16 !== 0x42 && tag >> 16 !== 0x54) throw new TtlvFault('A tag is none of KMIP.');
  const type = bytes[at + 3]!;
  const length = bytes.readUInt32BE(at + 4);
  const start = at + HEAD_BYTES;
  const end = start + padded(length);
  if (length > limit - start || end > limit) throw new TtlvFault('An item is longer than what it stands in.');
  if (type === TYPE.structure) {
    if (length % 8 !== 0) throw new TtlvFault('A structure has a broken length.');
    return { item: { tag, type, value: itemsIn(reading, start, end, depth) }, end };
  }
  return { item: leaf(tag, type, bytes.subarray(start, start + length)), end };
}

function itemsIn(reading: Reading, start: number, end: number, depth: number): Item[] {
  const items: Item[] = [];
  for (let at = start; at < end; ) {
    const next = itemAt(reading, at, end, depth + 1);
    items.push(next.item);
    at = next.end;
  }
  return items;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function leaf(tag: number, type: number, value: Buffer): Item {
  const fixed = FIXED[type as TypeCode];
  if (fixed !== undefined && value.length !== fixed) throw new TtlvFault('A value has another length than its type.');
  switch (type) {
    case TYPE.integer:
      return { tag, type, value: value.readInt32BE() };
    case TYPE.enumeration:
    case TYPE.interval:
      return { tag, type, value: value.readUInt32BE() };
    case TYPE.long:
    case TYPE.date:
      return { tag, type, value: value.readBigInt64BE() };
    case TYPE.boolean:
      return { tag, type, value: truth(value) };
    case TYPE.text:
      return { tag, type, value: textOf(value) };
    case TYPE.big:
      if (value.length % 8 !== 0) throw new TtlvFault('A value has another length than its type.');
      return { tag, type, value: Buffer.from(value) };
    case TYPE.bytes:
      return { tag, type, value: Buffer.from(value) };
    default:
      throw new TtlvFault('An item has no type of KMIP.');
  }
}

function truth(value: Buffer): boolean {
  const read = value.readBigUInt64BE();
  if (read > 1n) throw new TtlvFault('A boolean is neither true nor false.');
  return read === 1n;
}

function textOf(value: Buffer): string {
  try {
    return UTF8.decode(value);
  } catch {
    throw new TtlvFault('A text is not UTF-8.');
  }
}

/** The one spelling of an item: decoding it gives the same item. */
export function encode(item: Item): Buffer {
  const value = valueBytes(item);
  const bytes = Buffer.alloc(HEAD_BYTES + padded(value.length));
  bytes.writeUIntBE(item.tag, 0, 3);
  bytes[3] = item.type;
  bytes.writeUInt32BE(value.length, 4);
  value.copy(bytes, HEAD_BYTES);
  return bytes;
}

function valueBytes(item: Item): Buffer {
  switch (item.type) {
    case TYPE.structure:
      return Buffer.concat(item.value.map(encode));
    case TYPE.text:
      return Buffer.from(item.value, 'utf8');
    case TYPE.big:
    case TYPE.bytes:
      return item.value;
    default:
      return numberBytes(item);
  }
}

function numberBytes({ type, value }: Exclude<Item, { type: 1 | 4 | 7 | 8 }>): Buffer {
  const bytes = Buffer.alloc(FIXED[type]!);
  if (type === TYPE.integer) bytes.writeInt32BE(value);
  else if (type === TYPE.boolean) bytes.writeBigUInt64BE(value ? 1n : 0n);
  else if (typeof value === 'bigint') bytes.writeBigInt64BE(value);
  else bytes.writeUInt32BE(value);
  return bytes;
}
