// What a host writes and reads through an export of ours, beside the same server with the shortest configuration by hand. Both run
// all the time, each in a namespace of its own on the same file system, and take turns: what else the machine does meets both.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeLab } from '../setup/namespaces.ts';

const MIB = 256;
const FILES = 600;
/** Rounds that nobody counts. */
const WARMING = 2;
/** Milliseconds until the server by hand has to answer. */
const STARTS = 20_000;

/** MiB/s of a large file; and small files (made, written, read and removed) a second. */
export type Figures = Record<'write' | 'read' | 'small', number>;
export const UNITS: Record<keyof Figures, string> = { write: 'MiB/s', read: 'MiB/s', small: 'files/s' };

interface Side {
  /** Namespace of the host that asks. */
  client: string;
  path: string;
}
interface Place {
  program: string;
  address: string;
}

function ask({ program, address }: Place, { client, path }: Side): Figures {
  const args = [program, address, path, `${MIB}`, `${FILES}`];
  const ran = spawnSync('ip', ['netns', 'exec', client, process.execPath, ...args], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (ran.status !== 0) throw new Error(ran.stderr);
  const { write, read, small } = JSON.parse(ran.stdout) as Figures;
  return { write: MIB / write, read: MIB / read, small: FILES / small };
}

/** The shortest configuration that exports a folder over NFS 3. */
const BY_HAND = (path: string) => `NFS_CORE_PARAM { Protocols = 3; Enable_NLM = false; Enable_RQUOTA = false; }
EXPORT { Export_Id = 1; Path = ${path}; Pseudo = ${path}; Protocols = 3; Access_Type = RW; Squash = No_Root_Squash;
  FSAL { Name = VFS; } }
`;
const START = `mount -t tmpfs none /run && mkdir /run/rpcbind && rpcbind -w; exec ganesha.nfsd -F -f "$1" -L "$2" -p "$3" -N EVENT`;

/** The first answer, as soon as the server gives one. */
async function answers(place: Place, side: Side): Promise<void> {
  for (const until = performance.now() + STARTS; ; await pause(250)) {
    try {
      ask(place, side);
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
    }
  }
}

/** Figures of both sides, round by round. `folder`: where the one by hand has its files. */
export async function takeTurns(
  place: Place,
  ours: Side,
  folder: string,
  rounds: number,
): Promise<[Figures, Figures][]> {
  const other = makeLab('nfshand');
  try {
    spawnSync('ip', ['-n', other.appliance, 'addr', 'add', `${place.address}/24`, 'dev', 'lab0']);
    const path = join(folder, 'by-hand');
    mkdirSync(path);
    const file = join(folder, 'by-hand.conf');
    writeFileSync(file, BY_HAND(path));
    const args = ['netns', 'exec', other.appliance, 'unshare', '--mount', 'sh', '-c', START, 'nfs', file];
    spawn('ip', [...args, join(folder, 'hand.log'), join(folder, 'hand.pid')], { stdio: 'ignore' });
    const hand = { client: other.client, path };
    await answers(place, hand);
    const found: [Figures, Figures][] = [];
    for (let round = 0; round < WARMING + rounds; round += 1) {
      // Who begins changes too.
      const first = round % 2 === 0;
      const one = ask(place, first ? ours : hand);
      const two = ask(place, first ? hand : ours);
      if (round >= WARMING) found.push(first ? [one, two] : [two, one]);
    }
    return found;
  } finally {
    other.remove();
  }
}
