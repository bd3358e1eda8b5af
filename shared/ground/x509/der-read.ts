// Reading DER (X.690) from anybody: one level at a time, so that nothing that is nested deep costs anything, and never more
// values than the caller expects.

/** What is read is no DER. */
export class DerFault extends Error {}

export interface DerValue {
  tag: number;
  content: Buffer;
  /** With tag and length. */
  whole: Buffer;
}

export const TAGS = { integer: 0x02, bits: 0x03, octets: 0x04, objectId: 0x06, sequence: 0x30 } as const;

/** No value is longer: four bytes of length are more than anything here needs. */
const LENGTH_BYTES_MOST = 4;

function readAt(bytes: Buffer, start: number): DerValue {
  const tag = bytes[start];
  const first = bytes[start + 1];
  // No tag of more than one byte is used by anything that is read here.
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw new DerFault('No DER value.');
  let [begin, length] = [start + 2, first];
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > LENGTH_BYTES_MOST || begin + count > bytes.length) throw new DerFault('No DER length.');
    length = bytes.readUIntBE(begin, count);
    begin += count;
    // Only the shortest form is DER.
    if (length < 0x80 || length < 2 ** (8 * (count - 1))) throw new DerFault('Not the shortest length.');
  }
  const end = begin + length;
  if (end > bytes.length) throw new DerFault('A DER value is cut off.');
  return { tag, content: bytes.subarray(begin, end), whole: bytes.subarray(start, end) };
}

/** Exactly one value, of this kind. @throws DerFault */
export function readOne(bytes: Buffer, tag: number): DerValue {
  const value = readAt(bytes, 0);
  if (value.tag !== tag || value.whole.length !== bytes.length) throw new DerFault('Another DER value was expected.');
  return value;
}

/** The values that follow one another; what is in them is not looked at. @throws DerFault, also for more than `most` */
export function readAll(bytes: Buffer, most: number): DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (values.length === most) throw new DerFault('Too many DER values.');
    const value = readAt(bytes, at);
    values.push(value);
    at += value.whole.length;
  }
  return values;
}

/** `1.3.6.1.5.5.7.48.1.2` @throws DerFault */
export function dotted(content: Buffer): string {
  if (content.length === 0 || content.length > 64) throw new DerFault('No object identifier.');
  const numbers: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if (value > 2 ** 40) throw new DerFault('No object identifier.');
    if (byte >= 0x80) continue;
    numbers.push(value);
    value = 0;
  }
  if (content.at(-1)! >= 0x80) throw new DerFault('No object identifier.');
  const [first = 0, ...rest] = numbers;
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - top * 40, ...rest].join('.');
}
