// A client of NFS 3 for benchmarks (RFC 1813): runs in the namespace of a host, mounts a folder and writes and reads files there.
// Arguments: address, path, MiB of the large file, number of small ones. Prints seconds of each as JSON. What it writes it removes.
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import {
  decodeReply,
  encodeCall,
  nextRecord,
  type XdrReader,
  XdrWriter,
} from '../../shared/services/storage/nfs-message.ts';

const [address = '', path = '', mib = '64', files = '200'] = process.argv.slice(2);
const [NFS, MOUNT, MAPPER] = [100_003, 100_005, 100_000];
/** Bytes of one call, and calls that are under way at once, as a host has them. */
const CHUNK = 256 << 10;
const AT_ONCE = 8;
const SMALL = 4_096;
/** UNSTABLE, which a COMMIT follows, and FILE_SYNC, as ESX writes. */
const [UNSTABLE, FILE_SYNC] = [0, 2];

class Client {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (record: Buffer) => void>();
  #parts: Buffer[] = [];
  #length = 0;
  #xid = 1;

  constructor(socket: Socket) {
    this.#socket = socket.setNoDelay();
    socket.on('data', (chunk: Buffer) => this.#heard(chunk));
  }

  static open = (port: number): Promise<Client> =>
    new Promise((done, failed) => {
      const socket = connect({ host: address, port }, () => done(new Client(socket)));
      socket.on('error', failed);
    });

  #heard(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#length += chunk.length;
    // Joined once a record is whole: a large one comes in many pieces.
    const first = this.#parts[0]!;
    if (first.length >= 4 && (first.readUInt32BE() & 0x7fff_ffff) + 4 > this.#length) return;
    let bytes: Buffer = Buffer.concat(this.#parts);
    for (let next = nextRecord(bytes); next !== null; next = nextRecord(bytes)) {
      const xid = next.record.readUInt32BE();
      this.#waiting.get(xid)?.(next.record);
      this.#waiting.delete(xid);
      bytes = next.rest;
    }
    this.#parts = bytes.length > 0 ? [bytes] : [];
    this.#length = bytes.length;
  }

  call(program: number, version: number, procedure: number, body: Buffer): Promise<XdrReader> {
    this.#xid += 1;
    const xid = this.#xid;
    return new Promise((done, failed) => {
      this.#waiting.set(xid, (record) => {
        try {
          done(decodeReply(record, xid));
        } catch (error) {
          failed(error);
        }
      });
      this.#socket.write(encodeCall({ xid, program, version, procedure, body }));
    });
  }

  async nfs(procedure: number, body: Buffer): Promise<XdrReader> {
    const read = await this.call(NFS, 3, procedure, body);
    const status = read.u32();
    if (status !== 0) throw new Error(`NFS procedure ${procedure}: status ${status}`);
    return read;
  }

  close = (): void => void this.#socket.destroy();
}

async function mount(): Promise<Buffer> {
  const mapper = await Client.open(111);
  const port = (await mapper.call(MAPPER, 2, 3, new XdrWriter().u32(MOUNT, 3, 6, 0).bytes())).u32();
  mapper.close();
  const client = await Client.open(port);
  const read = await client.call(MOUNT, 3, 1, new XdrWriter().opaque(path).bytes());
  const status = read.u32();
  if (status !== 0) throw new Error(`MOUNT: status ${status}`);
  const handle = Buffer.from(read.opaque());
  client.close();
  return handle;
}

const root = await mount();
const client = await Client.open(2_049);
const named = (name: string) => new XdrWriter().opaque(root).opaque(name);

async function create(name: string): Promise<Buffer> {
  // Unchecked; a mode, and nothing else.
  const read = await client.nfs(8, named(name).u32(0, 1, 0o644, 0, 0, 0, 0, 0).bytes());
  if (read.u32() !== 1) throw new Error('no handle came back');
  return Buffer.from(read.opaque());
}
const write = (handle: Buffer, at: number, data: Buffer, stable: number) => {
  const head = new XdrWriter().opaque(handle).u64(BigInt(at)).u32(data.length, stable).opaque(data);
  return client.nfs(7, head.bytes());
};
const read = (handle: Buffer, at: number, length: number) =>
  client.nfs(6, new XdrWriter().opaque(handle).u64(BigInt(at)).u32(length).bytes());
const commit = (handle: Buffer) => client.nfs(21, new XdrWriter().opaque(handle).u64(0n).u32(0).bytes());
const remove = (name: string) => client.nfs(12, named(name).bytes());

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

/** So many at once, in their order. */
async function pooled(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < count) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

const data = Buffer.alloc(CHUNK, 'x');
const large = await create('bench-large');
const chunks = (Number(mib) << 20) / CHUNK;
const written = await seconds(async () => {
  await pooled(chunks, (at) => write(large, at * CHUNK, data, UNSTABLE));
  await commit(large);
});
const reread = await seconds(() => pooled(chunks, (at) => read(large, at * CHUNK, CHUNK)));
await remove('bench-large');
const small = await seconds(async () => {
  for (let at = 0; at < Number(files); at += 1) {
    const handle = await create(`bench-${at}`);
    await write(handle, 0, data.subarray(0, SMALL), FILE_SYNC);
    await read(handle, 0, SMALL);
    await remove(`bench-${at}`);
  }
});
client.close();
process.stdout.write(JSON.stringify({ write: written, read: reread, small }));
