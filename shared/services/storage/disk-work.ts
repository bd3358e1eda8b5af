// The work on a disk itself: making a filesystem on a blank one, and growing one to its disk. Root looks at the disk once more,
// right before: whatever changed since the review stops it. Nothing is ever wiped.
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { firstLine } from '../../ground/machine/exec.ts';
import type { ExecResult } from '../../ground/machine/host.ts';
import { twinFault } from './carriers.ts';
import { fingerprintOf, formatFault, growFault, strangeContent } from './disk-fitness.ts';
import { type Exec, type Look, lookAt } from './disk-look.ts';
import {
  type DiskOrder,
  type DiskRecord,
  diskFile,
  isHalf,
  readOrder,
  readRecord,
  type Work,
  writeRecord,
} from './disk-order.ts';
import type { Seen } from './disks.ts';

export interface Workplace {
  /** Folder of the orders: /etc/groundcrew/storage/disks. */
  orders: string;
  records: string;
  /** /dev */
  dev: string;
  seen: Seen;
  exec: Exec;
}

/** A large disk takes a while, even with nothing discarded. */
const PATIENT = { timeout: 15 * 60_000 };

const OTHER = 'is not the disk that was reviewed: its names, its size or its serial number differ';

/** Pure: why nothing may be made on it now, in a clause; null: it may. */
export function formatRefusal(order: DiskOrder, { disk, zero, free }: Look, record: DiskRecord) {
  if (fingerprintOf(disk) !== order.fingerprint) return OTHER;
  const fault = formatFault(disk, isHalf(record, order.fingerprint) ? order : null);
  if (fault !== null) return fault;
  if (!free) return 'is in use';
  // What carries no signature may still be somebody's.
  if (disk.contents.length === 0 && !zero) {
    return 'carries data in its first or last MiB, though no signature: nothing is wiped here';
  }
  return null;
}

/** Pure. Nothing is discarded: what a thin disk once held is none of ours to free. `again`: over our own half-made one. */
export function makeArguments({ kind, uuid }: DiskOrder, node: string, again: boolean): [string, string[]] {
  return kind === 'xfs'
    ? ['mkfs.xfs', ['-q', '-K', ...(again ? ['-f'] : []), '-m', `uuid=${uuid}`, node]]
    : ['mkfs.ext4', ['-q', ...(again ? ['-F'] : []), '-m', '0', '-E', 'nodiscard', '-U', uuid, node]];
}

async function format(order: DiskOrder, record: DiskRecord, place: Workplace): Promise<string> {
  const look = await lookAt(order.device, place);
  if (record.made) {
    const strange = strangeContent(look.disk, order);
    if (strange === null) return 'was formatted before';
    throw new Error(`was formatted before, and now ${strange}: order it anew on the page of its volume`);
  }
  const refusal = formatRefusal(order, look, record);
  if (refusal !== null) throw new Error(refusal);
  const twin = await twinFault(order.uuid, look.disk.number, place.seen);
  if (twin !== null) throw new Error(twin);
  const begun = { begun: true, fingerprint: order.fingerprint, said: '' };
  await writeRecord(order.uuid, { ...begun, made: false, bytes: 0 }, place.records);
  const [program, args] = makeArguments(order, look.node, look.disk.contents.length > 0);
  const made = await place.exec(program, args, PATIENT);
  if (made.code !== 0) throw new Error(`could not be formatted: ${program}: ${firstLine(made)}`);
  await writeRecord(order.uuid, { ...begun, made: true, bytes: order.bytes }, place.records);
  return `carries ${order.kind} with the UUID ${order.uuid} now`;
}

/** resize2fs(8) says its name and version first, and each of its reasons begins with its name. */
function whyOf(grown: ExecResult): string {
  const stderr = grown.stderr.split('\n').filter((line) => !/^resize2fs \d/.test(line));
  return firstLine({ ...grown, stderr: stderr.join('\n') }).replace(/^(?:resize2fs|xfs_growfs): /, '');
}

async function grow(order: DiskOrder, _record: DiskRecord, place: Workplace): Promise<string> {
  const { disk, node } = await lookAt(order.device, place);
  if (fingerprintOf(disk) !== order.fingerprint) throw new Error(OTHER);
  // Growing what fills its disk already does nothing: a work that was cut off is done again.
  const fault = growFault(disk, { ...order, bytes: 0 }, order.at);
  if (fault !== null) throw new Error(fault);
  const [program, args]: [string, string[]] =
    order.kind === 'xfs' ? ['xfs_growfs', ['-d', order.at]] : ['resize2fs', [node]];
  const grown = await place.exec(program, args, PATIENT);
  if (grown.code !== 0) throw new Error(`could not be grown: ${whyOf(grown)}`);
  const { bytes, fingerprint } = order;
  await writeRecord(order.uuid, { begun: true, made: true, bytes, fingerprint, said: '' }, place.records);
  return 'fills its disk now';
}

const WORK = { format, grow } as const;

/** Answers what the disk is now, in a clause. @throws Error with the same of why nothing was done, which the record keeps */
export async function workOn(work: Work, uuid: string, place: Workplace): Promise<string> {
  const record = await readRecord(uuid, place.records);
  try {
    const order = readOrder(await readFile(join(place.orders, basename(diskFile(uuid))), 'utf8'));
    if (order.uuid !== uuid) throw new Error('is named by another file than its own');
    return await WORK[work](order, record, place);
  } catch (error) {
    const after = await readRecord(uuid, place.records);
    const said = (error as Error).message.replaceAll(/[^\x20-\x7e’]/g, '?').slice(0, 300);
    await writeRecord(uuid, { ...after, said }, place.records);
    throw new Error(said);
  }
}
