// Tar headers as the formats of tar write them, every field open to a test that wants a wrong one.

export const BLOCK = 512;

export type TarFormat = 'ustar' | 'gnu' | 'pax' | 'v7';

export interface TarEntry {
  name: string | Buffer;
  size?: number;
  /** The type flag: '0' file, '1' hard link, '2' symbolic link, '5' folder, 'L' long name, 'x' pax… */
  type?: string;
  link?: string;
  prefix?: string;
  mode?: number;
  format?: TarFormat;
  /** The size field as it is to stand there, 12 bytes. */
  size_field?: Buffer;
  /** Added to the right checksum, to make it a wrong one. */
  checksum_off_by?: number;
}

const MAGIC: Record<TarFormat, string> = { ustar: 'ustar\u000000', pax: 'ustar\u000000', gnu: 'ustar  \0', v7: '' };
/** Largest size that eleven octal digits say. */
const LARGEST_OCTAL = 0o77777777777;

/** The header block of one member. A size that octal can't say is written base-256 (the pax form is the caller's). */
export function tarHeader(entry: TarEntry): Buffer {
  const header = Buffer.alloc(BLOCK);
  const name = Buffer.isBuffer(entry.name) ? entry.name : Buffer.from(entry.name);
  name.copy(header, 0, 0, 100);
  octal(header, 100, 8, entry.mode ?? 0o644);
  octal(header, 108, 8, 64);
  octal(header, 116, 8, 64);
  (entry.size_field ?? sizeField(entry.size ?? 0)).copy(header, 124, 0, 12);
  octal(header, 136, 12, 1_760_000_000);
  header.write(entry.type ?? '0', 156, 1, 'latin1');
  header.write(entry.link ?? '', 157, 100);
  header.write(MAGIC[entry.format ?? 'ustar'], 257, 8, 'latin1');
  if (entry.format !== 'v7') header.write('someone', 265, 32);
  header.write(entry.prefix ?? '', 345, 155);
  header.fill(0x20, 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0) + (entry.checksum_off_by ?? 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 8, 'latin1');
  return header;
}

/** Eleven octal digits, or base-256 with the first bit set above 8 GiB. */
export function sizeField(size: number): Buffer {
  const field = Buffer.alloc(12);
  if (size <= LARGEST_OCTAL) field.write(`${size.toString(8).padStart(11, '0')}\0`, 0, 12, 'latin1');
  else {
    field[0] = 0x80;
    field.writeBigUInt64BE(BigInt(size), 4);
  }
  return field;
}

/** A pax extended header (type x, or g for all that follows) with its records, ready to stand before a member. */
export function paxHeader(records: readonly (readonly [string, string])[], type: 'x' | 'g' = 'x'): Buffer {
  return headerWithData({ name: 'PaxHeaders.0/member', type, format: 'pax' }, paxRecords(records));
}

export function paxRecords(records: readonly (readonly [string, string])[]): Buffer {
  return Buffer.concat(records.map(([key, value]) => paxRecord(key, value)));
}

function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.from(` ${key}=${value}\n`);
  let length = rest.length + 1;
  while (length !== rest.length + String(length).length) length = rest.length + String(length).length;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}

/** A GNU long name (L) or long link target (K) that stands before its member. */
export function gnuLong(type: 'L' | 'K', text: string): Buffer {
  return headerWithData({ name: '././@LongLink', type, format: 'gnu' }, Buffer.from(`${text}\0`));
}

/** Header, data and padding of a small member. */
export function headerWithData(entry: TarEntry, data: Buffer): Buffer {
  return Buffer.concat([tarHeader({ size: data.length, ...entry }), data, padding(data.length)]);
}

export const padding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);

/** The two zero blocks that end an archive. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * BLOCK);

function octal(header: Buffer, at: number, width: number, value: number): void {
  header.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at, width, 'latin1');
}
