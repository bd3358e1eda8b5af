// Messages of an NFS client, as far as a probe needs them: ONC RPC over TCP (RFC 5531), XDR (RFC 4506), NFS 4.1 (RFC 8881),
// MOUNT and NFS 3 (RFC 1813), port mapper (RFC 1833).

/** Puts XDR together: big-endian, each member in units of four bytes. */
export class XdrWriter {
  readonly #parts: Buffer[] = [];

  u32(...values: number[]): this {
    for (const value of values) {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      this.#parts.push(bytes);
    }
    return this;
  }

  u64(value: bigint): this {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(value);
    return this.fixed(bytes);
  }

  fixed(bytes: Uint8Array): this {
    this.#parts.push(Buffer.from(bytes), Buffer.alloc((4 - (bytes.length % 4)) % 4));
    return this;
  }

  opaque(bytes: Uint8Array | string): this {
    const buffer = Buffer.from(bytes);
    return this.u32(buffer.length).fixed(buffer);
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

/** Takes XDR apart. Every method throws an Error where the message ends too early. */
export class XdrReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  fixed(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error('the answer ends too early');
    const found = this.#bytes.subarray(this.#at, end);
    this.#at = end + ((4 - (length % 4)) % 4);
    return found;
  }

  u32(): number {
    return this.fixed(4).readUInt32BE();
  }

  u64(): bigint {
    return this.fixed(8).readBigUInt64BE();
  }

  opaque(): Buffer {
    return this.fixed(this.u32());
  }
}

export interface Call {
  xid: number;
  program: number;
  version: number;
  procedure: number;
  body: Buffer;
}

const LAST_FRAGMENT = 0x8000_0000;
const AUTH_SYS = 1;

/** A call as the user root, in one fragment. */
export function encodeCall({ xid, program, version, procedure, body }: Call): Buffer {
  const credentials = new XdrWriter().u32(0).opaque('groundcrew').u32(0, 0, 0).bytes();
  const call = new XdrWriter()
    .u32(xid, 0, 2, program, version, procedure, AUTH_SYS)
    .opaque(credentials)
    .u32(0, 0)
    .bytes();
  return Buffer.concat([new XdrWriter().u32(LAST_FRAGMENT + call.length + body.length).bytes(), call, body]);
}

/** Bytes of a record that are believed. */
const RECORD_MOST = 1 << 20;

/** The first whole record of what came so far, and the rest; null: more has to come. @throws Error for one too long */
export function nextRecord(bytes: Buffer): { record: Buffer; rest: Buffer } | null {
  const parts: Buffer[] = [];
  for (let at = 0; at + 4 <= bytes.length; ) {
    const mark = bytes.readUInt32BE(at);
    const end = at + 4 + (mark & 0x7fff_ffff);
    if (end - at > RECORD_MOST || end > RECORD_MOST) throw new Error('the answer is too long');
    if (end > bytes.length) return null;
    parts.push(bytes.subarray(at + 4, end));
    if (mark >= LAST_FRAGMENT) return { record: Buffer.concat(parts), rest: bytes.subarray(end) };
    at = end;
  }
  return null;
}

/** Why a call is refused (RFC 5531, 9), and the status of NFS and MOUNT for the same. */
const AUTH_ERROR = 1;
const ACCESS = 13;

/** What follows the header of an answer. @throws NfsRefusal for a caller that it does not know, Error where the server did not run the procedure */
export function decodeReply(record: Buffer, xid: number): XdrReader {
  const read = new XdrReader(record);
  if (read.u32() !== xid || read.u32() !== 1) throw new Error('it answers another question');
  // The kernel's server knows nobody who is a client of no datastore: it refuses each call of his, even before NFS.
  if (read.u32() !== 0) throw read.u32() === AUTH_ERROR ? new NfsRefusal(ACCESS) : new Error('it refuses the call');
  read.u32();
  read.opaque();
  const state = read.u32();
  const why = [
    '',
    'it does not offer this program',
    'it does not speak this version',
    'it does not know this procedure',
  ];
  if (state !== 0) throw new Error(why[state] ?? `it refuses the call with ${state}`);
  return read;
}

export const OP = {
  getattr: 9,
  lookup: 15,
  putrootfh: 24,
  exchangeId: 42,
  createSession: 43,
  destroySession: 44,
  sequence: 53,
  destroyClientid: 57,
} as const;

/** A COMPOUND of minor version 1, of operations that are encoded already. */
export const compound = (...operations: Buffer[]): Buffer =>
  Buffer.concat([new XdrWriter().opaque('').u32(1, operations.length).bytes(), ...operations]);

const operation = (code: number): XdrWriter => new XdrWriter().u32(code);

export const exchangeId = (verifier: Buffer, owner: string): Buffer =>
  operation(OP.exchangeId).fixed(verifier).opaque(owner).u32(0, 0, 0).bytes();

/** Bytes of a request and of an answer, operations of a compound, and slots. */
const channel = (write: XdrWriter): XdrWriter => write.u32(0, 8_192, 8_192, 2_048, 32, 1, 0);

export function createSession(client: bigint, sequence: number): Buffer {
  const write = operation(OP.createSession).u64(client).u32(sequence, 0);
  // No calls back: a program number, and no credentials for it.
  return channel(channel(write)).u32(0x4000_0000, 1, 0).bytes();
}

export const sequence = (session: Buffer, number: number): Buffer =>
  operation(OP.sequence).fixed(session).u32(number, 0, 0, 0).bytes();
export const putRoot = (): Buffer => operation(OP.putrootfh).bytes();
export const lookup = (name: string): Buffer => operation(OP.lookup).opaque(name).bytes();
/** Bytes that are available, free, and there at all: attributes 42, 43, 44. */
export const getSpace = (): Buffer =>
  operation(OP.getattr)
    .u32(2, 0, (1 << 10) | (1 << 11) | (1 << 12))
    .bytes();
export const destroySession = (session: Buffer): Buffer => operation(OP.destroySession).fixed(session).bytes();
export const destroyClient = (client: bigint): Buffer => operation(OP.destroyClientid).u64(client).bytes();

export interface CompoundAnswer {
  /** 0, or why the last operation failed. */
  status: number;
  /** At the results: each begins with the code of its operation and its status. */
  read: XdrReader;
  count: number;
}

export function readCompound(read: XdrReader): CompoundAnswer {
  const status = read.u32();
  read.opaque();
  return { status, count: read.u32(), read };
}

/** Begins the result of an operation. @throws Error with the name of its failure */
export function readResult(read: XdrReader, code: number): XdrReader {
  const found = read.u32();
  const status = read.u32();
  if (found !== code) throw new Error(`it answers operation ${found} for ${code}`);
  if (status !== 0) throw new NfsRefusal(status);
  return read;
}

const NAMES: Readonly<Record<number, string>> = {
  1: 'not permitted',
  2: 'no such export',
  5: 'input/output error',
  13: 'access denied',
  20: 'not a folder',
  70: 'stale handle',
  10008: 'delayed',
  10013: 'in its grace period',
  10016: 'wrong security',
  10021: 'minor version not spoken',
};

/** A status of NFS or MOUNT that is not success. */
export class NfsRefusal extends Error {
  readonly status: number;
  constructor(status: number) {
    super(NAMES[status] ?? `status ${status}`);
    this.status = status;
  }
}

/** What a file system holds, in bytes. */
export interface Space {
  available: bigint;
  free: bigint;
  total: bigint;
}

export function readSpace(read: XdrReader): Space {
  readResult(read, OP.getattr);
  const words = read.u32();
  const bitmap = Array.from({ length: words }, () => read.u32());
  if (bitmap[0] !== 0 || bitmap[1] !== 0x1c00) throw new Error('it does not tell its space');
  const values = new XdrReader(read.opaque());
  return { available: values.u64(), free: values.u64(), total: values.u64() };
}
