// The record of a confirm window on disk. It is a file, because the database may be out of reach of whoever ends the window:
// whole or not there at all, with a checksum, and twice. The copy's name tells its plan, also when neither can be read.
import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { replaceFile } from '../../../ground/machine/durable-file.ts';
import { UNIT_IDS } from '../../../platform/unit-names.ts';
import { isOpen, REVERT_CAUSES, WINDOW_STATES, type WindowRecord } from './record.ts';

/** The record exists but can't be read: that must not be taken for "no window". */
export class DamagedWindow extends Error {
  constructor() {
    super('the record of the confirm window is damaged');
  }
}

export const windowFile = (folder: string): string => join(folder, 'window.json');
export const windowCopy = (folder: string, plan_id: string): string => join(folder, `window-${plan_id}.json`);
const COPY = /^window-(plan_\w+)\.json$/;

/** A release that writes another one is a later one. */
const FORMAT = 1;

const units = v.array(v.picklist(UNIT_IDS));
const text = v.string();
const whole = v.number();

const recordSchema: v.GenericSchema<unknown, WindowRecord> = v.strictObject({
  plan_id: text,
  state: v.picklist(WINDOW_STATES),
  nonce_sha256: text,
  units,
  touched: units,
  timeout_seconds: whole,
  opened_uptime_ms: v.exactOptional(whole),
  boot_id: text,
  deadline_uptime_ms: whole,
  deadline_at: text,
  enforced_uptime_ms: v.nullable(whole),
  arrived_at: text,
  listeners: v.array(text),
  ended: v.nullable(
    v.strictObject({
      by: text,
      at: text,
      cause: v.picklist([...REVERT_CAUSES, 'confirmed']),
      said: v.array(text),
      unrestored: units,
    }),
  ),
});

const checksum = (record: object): string => createHash('sha256').update(JSON.stringify(record)).digest('hex');

const sealed = (record: WindowRecord): string =>
  JSON.stringify({ format: FORMAT, sha256: checksum(record), ...record });

/** What a file says, or null where it says nothing that can be relied on. Earlier releases wrote no checksum. */
function unsealed(content: string): WindowRecord | null {
  try {
    const { format, sha256, ...record } = JSON.parse(content) as Record<string, unknown>;
    const early = format === undefined && sha256 === undefined;
    if (!early && (format !== FORMAT || sha256 !== checksum(record))) return null;
    return v.parse(recordSchema, record);
  } catch {
    return null;
  }
}

/** What keeps a file from being read now and may not a moment later. */
const PASSING = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN']);

async function readOne(path: string): Promise<WindowRecord | 'damaged' | null> {
  try {
    return unsealed(await readFile(path, 'utf8')) ?? 'damaged';
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (PASSING.has(code)) throw error;
    return 'damaged';
  }
}

/** Plans with a copy of the record, whatever it says: their windows are not forgotten yet. */
export async function plansWithWindow(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.flatMap((name) => COPY.exec(name)?.[1] ?? []);
}

/** @throws DamagedWindow where neither the record nor its copy can be relied on; Error when the file can't be read now */
export async function readWindow(folder: string): Promise<WindowRecord | null> {
  const found = await readOne(windowFile(folder));
  if (found !== 'damaged' && found !== null) return found;
  const read = await Promise.all((await plansWithWindow(folder)).map((id) => readOne(windowCopy(folder, id))));
  // One that went away since its name was read is being removed with its window.
  const copies = read.filter((copy) => copy !== null);
  const records = copies.filter((copy) => copy !== 'damaged');
  const copy = records.find(isOpen) ?? records[0];
  if (copy) return copy;
  if (found === null && copies.length === 0) return null;
  throw new DamagedWindow();
}

/** For `catch`: treats a damaged record as none. */
export function unlessDamaged(error: Error): null {
  if (error instanceof DamagedWindow) return null;
  throw error;
}

const RESERVE = 'window.reserve';
/** Bytes: several times what both files need. */
const RESERVE_BYTES = 64 << 10;

/** Sets space aside for the words that end a window: a disk that fills up meanwhile can't keep them from being written. */
export async function reserveForWindow(folder: string): Promise<void> {
  await replaceFile(join(folder, RESERVE), '\0'.repeat(RESERVE_BYTES), 0o600, { folderMode: 0o755 });
}

export interface Writing {
  /** On a full disk the space that was set aside is used. */
  spend?: boolean;
}

/**
 * Replaces the record, then its copy: what is written is in force with the first.
 * @throws Error as the disk gives it; then both are as they were
 */
export async function writeWindow(folder: string, record: WindowRecord, { spend }: Writing = {}): Promise<void> {
  const content = sealed(record);
  const copy = windowCopy(folder, record.plan_id);
  let spent = false;
  const written = (write: () => Promise<void>) =>
    write().catch(async (error: Error) => {
      if (!spend || spent || !isFull(error)) throw error;
      spent = true;
      await rm(join(folder, RESERVE), { force: true });
      await write();
    });
  await written(() => replaceWindow(folder, content));
  // One that says something else than the record is worse than none.
  await written(() => replaceFile(copy, content, 0o644)).catch(() => rm(copy, { recursive: true, force: true }));
  // What was replaced has made room again.
  if (spent) await reserveForWindow(folder).catch(() => undefined);
}

async function replaceWindow(folder: string, content: string): Promise<void> {
  const file = windowFile(folder);
  // Readable to the service where root writes it: it holds no secret.
  const write = () => replaceFile(file, content, 0o644, { folderMode: 0o755 });
  await write().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EISDIR' && error.code !== 'ENOTEMPTY') throw error;
    await rm(file, { recursive: true, force: true });
    await write();
  });
}

export const isFull = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOSPC' || code === 'EDQUOT';

/** Removes copies of other plans than this one: a window that is opened is the only one. */
export async function forgetOtherCopies(folder: string, plan_id: string | null): Promise<void> {
  for (const id of await plansWithWindow(folder)) {
    if (id !== plan_id) await rm(windowCopy(folder, id), { recursive: true, force: true });
  }
}

/** Removes the record, then its copies, and gives the space that was set aside free. */
export async function removeWindow(folder: string): Promise<void> {
  await rm(windowFile(folder), { recursive: true, force: true });
  await forgetOtherCopies(folder, null);
  await rm(join(folder, RESERVE), { force: true });
}
