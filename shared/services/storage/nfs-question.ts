// A separate program: asks for datastores like a host that mounts them, and prints the answers as JSON. It runs where the
// server answers. Argument: NfsQuestion[] as JSON.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import {
  compound,
  createSession,
  decodeReply,
  destroyClient,
  destroySession,
  encodeCall,
  exchangeId,
  getSpace,
  lookup,
  NfsRefusal,
  nextRecord,
  OP,
  putRoot,
  readCompound,
  readResult,
  readSpace,
  type Space,
  sequence,
  type XdrReader,
  XdrWriter,
} from './nfs-message.ts';

export interface NfsQuestion {
  address: string;
  /** Address that it asks from. */
  from: string;
  version: '3' | '4.1';
  /** What is mounted. */
  path: string;
}

/** A datastore as it answered. */
export interface NfsAnswer {
  /** Bytes, in decimal; null: it was not shown, or the version does not tell. */
  total: string | null;
  available: string | null;
  /** Status of NFS or MOUNT that it was refused with; null: it was not refused. */
  refused: number | null;
  /** Why it was not reached, or refused, in a clause; null: it was mounted. */
  error: string | null;
}

const WAIT_MS = 4_000;
const NFS = 100_003;
const MOUNT = 100_005;
const PORT_MAPPER = 100_000;
const PORTS = { mapper: 111, nfs: 2_049 } as const;
const TCP = 6;

/** Calls over one connection, one at a time. */
class Caller {
  readonly #socket: Socket;
  #bytes: Buffer = Buffer.alloc(0);
  #xid = randomBytes(4).readUInt32BE();
  #turn: { done(record: Buffer): void; failed(error: Error): void } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#heard(chunk));
    socket.on('error', (error) => this.#turn?.failed(error));
    socket.on('close', () => this.#turn?.failed(new Error('the connection was closed')));
    socket.setTimeout(WAIT_MS, () => socket.destroy(new Error('no answer in time')));
  }

  static open(host: string, port: number, localAddress: string): Promise<Caller> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port, localAddress });
      socket.once('error', reject);
      socket.setTimeout(WAIT_MS, () => socket.destroy(new Error('no answer in time')));
      socket.once('connect', () => {
        socket.removeListener('error', reject);
        resolve(new Caller(socket));
      });
    });
  }

  #heard(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    try {
      const next = nextRecord(this.#bytes);
      if (next === null) return;
      this.#bytes = next.rest;
      this.#turn?.done(next.record);
    } catch (error) {
      this.#turn?.failed(error as Error);
    }
  }

  async call(program: number, version: number, procedure: number, body: Buffer = Buffer.alloc(0)): Promise<XdrReader> {
    this.#xid = (this.#xid + 1) >>> 0;
    const xid = this.#xid;
    const record = await new Promise<Buffer>((done, failed) => {
      this.#turn = { done, failed };
      this.#socket.write(encodeCall({ xid, program, version, procedure, body }));
    });
    this.#turn = null;
    return decodeReply(record, xid);
  }

  /** @throws NfsRefusal where an operation fails */
  async compound(...operations: Buffer[]): Promise<XdrReader> {
    const { status, count, read } = readCompound(await this.call(NFS, 4, 1, compound(...operations)));
    if (count === 0 && status !== 0) throw new NfsRefusal(status);
    return read;
  }

  close(): void {
    this.#socket.destroy();
  }
}

/**
 * Sessions are the only way in: a client of 4.1 begins none without them. One of them asks for all datastores of an address, since
 * most of the time goes into beginning it. Answers in the order of the paths.
 */
async function ask41({ address, from }: NfsQuestion, paths: readonly string[]): Promise<(Space | Error)[]> {
  const caller = await Caller.open(address, PORTS.nfs, from);
  try {
    await caller.call(NFS, 4, 0);
    const owner = `groundcrew ${randomBytes(8).toString('hex')}`;
    const known = readResult(await caller.compound(exchangeId(randomBytes(8), owner)), OP.exchangeId);
    const client = known.u64();
    const begun = readResult(await caller.compound(createSession(client, known.u32())), OP.createSession);
    const session = Buffer.from(begun.fixed(16));
    try {
      const found: (Space | Error)[] = [];
      for (const [at, path] of paths.entries())
        found.push(await askPath(caller, session, at + 1, path).catch((error: Error) => error));
      return found;
    } finally {
      await caller.compound(destroySession(session)).catch(() => undefined);
      await caller.compound(destroyClient(client)).catch(() => undefined);
    }
  } finally {
    caller.close();
  }
}

/** `turn`: of the session's only slot; each counts one more, also one that was refused. */
async function askPath(caller: Caller, session: Buffer, turn: number, path: string): Promise<Space> {
  const names = path.split('/').filter((name) => name !== '');
  const read = await caller.compound(sequence(session, turn), putRoot(), ...names.map(lookup), getSpace());
  readResult(read, OP.sequence).fixed(16);
  for (let left = 5; left > 0; left -= 1) read.u32();
  readResult(read, OP.putrootfh);
  for (const _ of names) readResult(read, OP.lookup);
  return readSpace(read);
}

async function once<T>(address: string, port: number, from: string, ask: (caller: Caller) => Promise<T>): Promise<T> {
  const caller = await Caller.open(address, port, from);
  try {
    return await ask(caller);
  } finally {
    caller.close();
  }
}

/** As a host of NFS 3: the port of MOUNT, the handle of the folder, and what its file system holds (FSSTAT). */
async function ask3({ address, from, path }: NfsQuestion): Promise<Space> {
  const mapping = new XdrWriter().u32(MOUNT, 3, TCP, 0).bytes();
  const port = await once(address, PORTS.mapper, from, async (caller) =>
    (await caller.call(PORT_MAPPER, 2, 3, mapping)).u32(),
  );
  if (port === 0) throw new Error('its port mapper knows no MOUNT');
  const folder = new XdrWriter().opaque(path).bytes();
  const handle = await once(address, port, from, async (caller) => {
    const read = await caller.call(MOUNT, 3, 1, folder);
    const status = read.u32();
    if (status !== 0) throw new NfsRefusal(status);
    const found = Buffer.from(read.opaque());
    await caller.call(MOUNT, 3, 3, folder);
    return found;
  });
  return once(address, PORTS.nfs, from, async (caller) => {
    const read = await caller.call(NFS, 3, 18, new XdrWriter().opaque(handle).bytes());
    const status = read.u32();
    if (status !== 0) throw new NfsRefusal(status);
    // Attributes may come first; they are 84 bytes.
    if (read.u32() === 1) read.fixed(84);
    const [total, free, available] = [read.u64(), read.u64(), read.u64()];
    return { total, free, available };
  });
}

const answerOf = (found: Space | Error): NfsAnswer =>
  found instanceof Error
    ? {
        ...{ total: null, available: null },
        refused: found instanceof NfsRefusal ? found.status : null,
        error: found.message,
      }
    : { total: `${found.total}`, available: `${found.available}`, refused: null, error: null };

/** Never rejects. One after the other, and one session a pair of addresses: a server counts its clients. */
export async function askDatastores(questions: readonly NfsQuestion[]): Promise<NfsAnswer[]> {
  const answers = new Map<NfsQuestion, NfsAnswer>();
  const pairs = Map.groupBy(questions, ({ version, address, from, path }) =>
    [version, address, from, version === '3' ? path : ''].join(' '),
  );
  for (const group of pairs.values()) {
    const [first] = group as [NfsQuestion];
    const paths = group.map(({ path }) => path);
    const asked: Promise<(Space | Error)[]> =
      first.version === '3' ? ask3(first).then((space) => [space]) : ask41(first, paths);
    const found = await asked.catch((error: Error) => paths.map(() => error));
    for (const [at, question] of group.entries()) answers.set(question, answerOf(found[at] ?? found[0]!));
  }
  return questions.map((question) => answers.get(question)!);
}

export const askDatastore = async (question: NfsQuestion): Promise<NfsAnswer> => (await askDatastores([question]))[0]!;

if (import.meta.main) {
  const questions = JSON.parse(process.argv[2] ?? '[]') as NfsQuestion[];
  process.stdout.write(`${JSON.stringify(await askDatastores(questions))}\n`);
}
