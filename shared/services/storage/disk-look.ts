// Root's own look at a disk, right before something is done to it: its signatures and its edges, read from the disk itself.
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecOptions, ExecResult } from '../../ground/machine/host.ts';
import type { Seen } from './disks.ts';
import { type Content, type Disk, diskNamed, disksOf } from './inventory.ts';

export type Exec = (program: string, args: string[], options?: ExecOptions) => Promise<ExecResult>;

export interface Look {
  disk: Disk;
  /** Its file below /dev. */
  node: string;
  /** Whether its first and its last MiB are nothing but zeros. */
  zero: boolean;
  /** Whether nobody else has it for himself: no mount, no holder, no swap. */
  free: boolean;
}

const MIB = 1 << 20;

/** Pure: what `wipefs --json` says; nothing at all where there is no signature. */
export function signaturesIn(stdout: string): Content[] {
  if (stdout.trim() === '') return [];
  const { signatures } = JSON.parse(stdout) as { signatures: { type: string | null; uuid: string | null }[] };
  return signatures.map(({ type, uuid }) => ({ type: type ?? 'unknown', uuid: uuid ?? '' }));
}

/** Pure: each of them once. */
export const together = (...all: readonly Content[]): Content[] => [
  ...new Map(all.map((each) => [`${each.type} ${each.uuid}`, each])).values(),
];

async function edgesAreZero(node: string, bytes: number): Promise<boolean> {
  const handle = await open(node, constants.O_RDONLY);
  try {
    for (const at of new Set([0, Math.max(0, bytes - MIB)])) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(MIB), 0, Math.min(MIB, bytes), at);
      // A disk that can't be read to its edge is none that anybody knows to be blank.
      if (bytesRead !== Math.min(MIB, bytes) || buffer.some((byte) => byte !== 0)) return false;
    }
    return true;
  } finally {
    await handle.close();
  }
}

/** open(2): of a block device, O_EXCL without O_CREAT fails with EBUSY while it is in use by the system. */
async function isFree(node: string): Promise<boolean> {
  try {
    await (await open(node, constants.O_RDONLY | constants.O_EXCL)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EBUSY') return false;
    throw error;
  }
}

/** @throws Error in a clause for a disk that is away, goes by a name of two, or can't be read */
export async function lookAt(
  device: string,
  { seen, exec, dev }: { seen: Seen; exec: Exec; dev: string },
): Promise<Look> {
  const disk = diskNamed(await disksOf(seen), device);
  if (disk === null) throw new Error('is away, or another one goes by the same name');
  const node = join(dev, disk.name);
  const { rdev } = await stat(node);
  // As makedev(3) has them: eight bits of the minor number below the major one, the rest above.
  const [major, minor] = [(rdev >> 8) & 0xfff, (rdev & 0xff) | ((rdev >> 12) & 0xfff00)];
  if (`${major}:${minor}` !== disk.number) throw new Error(`is not what ${node} is`);
  const wiped = await exec('wipefs', ['--no-act', '--json', node]);
  if (wiped.code !== 0) throw new Error(`can’t be read: wipefs ended with code ${wiped.code}`);
  const contents = together(...disk.contents, ...signaturesIn(wiped.stdout));
  return { disk: { ...disk, contents }, node, zero: await edgesAreZero(node, disk.bytes), free: await isFree(node) };
}
