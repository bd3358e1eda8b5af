// What the server and the kernel tell of whoever uses datastores: who is connected, and of the kernel's server also which
// clients of NFS 4.1 it knows, and who has mounted over NFS 3 at some time. Texts of others are cut and cleaned here. nfsd(7),
// proc_pid_net(5), rpc.mountd(8).
import { parseAddress } from '../../ground/addresses/address.ts';
import type { Host } from '../../ground/machine/host.ts';
import { QUESTIONS } from '../../platform/host/system-questions.ts';
import { NFS_PORT, serverOf } from './files.ts';

export interface Connection {
  /** Address of the server. */
  at: string;
  from: string;
}

/** A client of NFS 4.1, as the kernel's server knows it. */
export interface Known {
  address: string;
  /** What it says that it is, such as `Linux 6.1.0`; empty: nothing. */
  program: string;
  /** Seconds since it renewed its lease last. */
  renewed_seconds: number;
  /** Files that it has open. */
  open_files: number;
}

export interface Mount3 {
  address: string;
  path: string;
}

export interface Sightings {
  connections: Connection[];
  /** Null: the server does not say. */
  known: Known[] | null;
  /** A hint: a host that does not unmount stays listed. */
  mounts: Mount3[];
}

const ESTABLISHED = '01';
const hexBytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** Words of 32 bits, each in the order of a little machine. IPv4 within IPv6 becomes IPv4. */
function addressIn(hex: string): string | null {
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = Buffer.concat(words.map((word) => hexBytes(word).reverse()));
  if (bytes.length === 4) return [...bytes].join('.');
  if (bytes.length !== 16) return null;
  const mapped = bytes.subarray(0, 12).equals(Buffer.from('00000000000000000000ffff', 'hex'));
  if (mapped) return [...bytes.subarray(12)].join('.');
  return canonical((bytes.toString('hex').match(/.{4}/g) ?? []).join(':'));
}

const canonical = (text: string): string | null => parseAddress(text)?.text ?? null;

/** Pure: both tables of sockets, one after the other; who is connected to the port of NFS, each pair once. */
export function connectionsIn(tables: string): Connection[] {
  const found = new Map<string, Connection>();
  for (const row of tables.split('\n')) {
    const [, local = '', remote = '', state] = row.trim().split(/\s+/);
    const [hex = '', port = ''] = local.split(':');
    if (state !== ESTABLISHED || Number.parseInt(port, 16) !== NFS_PORT) continue;
    const [at, from] = [addressIn(hex), addressIn(remote.split(':')[0]!)];
    if (at !== null && from !== null) found.set(`${at} ${from}`, { at, from });
  }
  return [...found.values()];
}

const FILE = /^\/run\/groundcrew\/nfsd\/clients\/(\d+)\/(?:info|states):(.*)$/;
/** Lines of these files by the number of the client. */
function byClient(told: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const row of told.split('\n')) {
    const [, number, line = ''] = FILE.exec(row) ?? [];
    if (number !== undefined) found.set(number, [...(found.get(number) ?? []), line]);
  }
  return found;
}

const PROGRAM_MOST = 60;
const plain = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '').slice(0, PROGRAM_MOST);

/** `10.0.0.5:921`, `[fd00::5]:921`. */
const hostOf = (text: string): string | null => canonical(text.replace(/:\d+$/, '').replaceAll(/[[\]]/g, ''));

/** Pure. `info` and `states`: as grep(1) prints the files of all clients. */
export function knownIn(info: string, states: string): Known[] {
  const open = byClient(states);
  return [...byClient(info)].flatMap(([number, lines]): Known[] => {
    const of = (member: string): string =>
      lines
        .find((line) => line.startsWith(`${member}: `))
        ?.slice(member.length + 2)
        .replace(/^"(.*)"$/, '$1') ?? '';
    const address = hostOf(of('address'));
    if (address === null) return [];
    return [
      {
        address,
        program: plain(of('Implementation name')),
        renewed_seconds: Number(of('seconds from last renew')) || 0,
        open_files: (open.get(number) ?? []).filter((line) => line.includes('{ type: open,')).length,
      },
    ];
  });
}

/** Pure: `host:path:0x00000001`, one a line. */
export const mountsIn3 = (rmtab: string): Mount3[] =>
  rmtab.split('\n').flatMap((row) => {
    const [, host = '', path] = /^(.+?):(\/.*):0x[0-9a-f]+$/.exec(row) ?? [];
    const address = canonical(host.replaceAll(/[[\]]/g, ''));
    return address !== null && path !== undefined ? [{ address, path }] : [];
  });

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
const RMTAB = '/var/lib/nfs/rmtab';
const MOST = { output: 2 << 20 };

/** Never rejects: what can't be read is not told. */
export async function sightings(host: Host): Promise<Sightings> {
  if (!host.enforces) return { connections: [], known: null, mounts: [] };
  const cat = async (...files: string[]) => (await host.exec('cat', files, MOST)).stdout;
  const connections = connectionsIn(await cat(...TABLES));
  if (serverOf(host.kind) === 'ganesha') return { connections, known: null, mounts: [] };
  const grep = async (question: string) => {
    const { code, stdout } = await host.exec('grep', [...QUESTIONS[question]!.args], MOST);
    // It finds nothing where there is nobody.
    return { fine: code === 0 || code === 1, stdout };
  };
  const [info, states] = await Promise.all([grep('nfs-clients'), grep('nfs-states')]);
  const mounts = mountsIn3(await cat(RMTAB));
  return { connections, known: info.fine ? knownIn(info.stdout, states.stdout) : null, mounts };
}
