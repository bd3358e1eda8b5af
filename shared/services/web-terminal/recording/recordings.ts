// Recordings as the appliance shows them, and what becomes of them: none is kept longer than the person was told.
import type { InferOutput } from 'valibot';
import { type Clock, instant } from '../../../ground/clock.ts';
import { notFound, Problem } from '../../../ground/problems.ts';
import type { Keys } from '../../../ground/sealing/keys.ts';
import { decodeCursor, type Page, pageOf } from '../../../ground/store/pagination.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import type { TerminalManifest } from '../manifest.ts';
import { RECORDING } from './facts.ts';
import { type RecordingFile, recordingFile, recordingFiles, recordingsSize, removeRecordingFile } from './folder.ts';
import { type Asciicast, asciicastOf, type Glance, glanceAt } from './reading.ts';
import { isRunning } from './recorder.ts';
import type { recordingSchema } from './schemas.ts';

export type Recording = InferOutput<typeof recordingSchema>;
export interface RecordingShell {
  settings: Pick<Services['settings'], 'data'>;
  keys: Keys;
}

const DAY_MS = 86_400_000;

/** Newest first. @throws Problem 400 for a cursor of another list */
export async function listRecordings(
  shell: RecordingShell,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<Recording>> {
  const [began = 0, id = ''] = cursor ? decodeCursor(cursor, 2) : [];
  const files = await recordingFiles(shell);
  const after = cursor
    ? files.filter((file) => file.began < Number(began) || (file.began === Number(began) && file.id < String(id)))
    : files;
  const shown: { file: RecordingFile; glance: Glance }[] = [];
  for (const file of after.slice(0, limit + 1)) {
    const glance = await glanceAt(shell.keys, file.id, file.path).catch(unlessGone);
    if (glance) shown.push({ file, glance });
  }
  return pageOf(
    shown,
    limit,
    ({ file }) => [file.began, file.id],
    ({ file, glance }) => viewOf(file, glance),
  );
}

/** One that was deleted between the list and the look at it. */
function unlessGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** @throws Problem 404 */
export async function findRecording(shell: RecordingShell, id: string): Promise<Recording> {
  const file = await requireFile(shell, id);
  return viewOf(file, await glanceAt(shell.keys, id, file.path));
}

/** @throws Problem 404; 409 for one that can't be opened, or is not ended */
export async function openRecording(shell: RecordingShell, id: string): Promise<Asciicast> {
  const { path } = await requireFile(shell, id);
  refuseRunning(id);
  const found = await asciicastOf(shell.keys, id, path);
  if (found) return found;
  throw new Problem(
    'state_conflict',
    'This recording can’t be opened: it was damaged or moved, or the keys file is another one. Delete it.',
  );
}

/** Its file, for who removes it after the commit. @throws Problem 404; 409 while it goes on */
export async function endedRecording(shell: RecordingShell, id: string): Promise<RecordingFile> {
  const file = await requireFile(shell, id);
  refuseRunning(id);
  return file;
}

async function requireFile(shell: RecordingShell, id: string): Promise<RecordingFile> {
  const file = await recordingFile(shell, id);
  if (!file) throw notFound('This recording');
  return file;
}

function refuseRunning(id: string): void {
  if (isRunning(id)) throw new Problem('state_conflict', 'This terminal is still open. Wait until it has ended.');
}

function viewOf({ id, began }: RecordingFile, { head, end, size }: Glance): Recording {
  const state = isRunning(id) ? 'running' : head === null ? 'unreadable' : end === null ? 'cut-off' : 'complete';
  return {
    id,
    state,
    user: head?.user ?? '',
    account: head?.account ?? '',
    machine: head?.machine ?? '',
    source_address: head?.source_address ?? '',
    started_at: instant(new Date(began)),
    ended_at: end?.ended_at ?? null,
    ended_by: end?.cause ?? null,
    kept_until: head?.kept_until ?? null,
    size_bytes: size,
  };
}

type Terms = NonNullable<TerminalManifest['recording']>;

/** Bytes that another recording may have; null: there is no room for one. Nothing is deleted to make room: an attacker would. */
export async function roomForAnother(shell: RecordingShell, { megabytes }: Terms): Promise<number | null> {
  const { count, bytes } = await recordingsSize(shell);
  const left = megabytes * 1_000_000 - bytes;
  return count < RECORDING.kept && left >= RECORDING.least_room ? left : null;
}

export const keptUntil = (now: Date, { days }: Terms): string => instant(new Date(now.getTime() + days * DAY_MS));

/** One that can't be opened is kept as long as any may be. */
const UNREADABLE_MS = 365 * DAY_MS;

/** Recordings whose time is over. */
export async function dueRecordings(shell: RecordingShell & { clock: Clock }): Promise<RecordingFile[]> {
  const now = shell.clock.now().getTime();
  const due: RecordingFile[] = [];
  for (const file of await recordingFiles(shell)) {
    if (isRunning(file.id)) continue;
    const glance = await glanceAt(shell.keys, file.id, file.path).catch(unlessGone);
    if (!glance) continue;
    const until = glance.head ? Date.parse(glance.head.kept_until) : file.began + UNREADABLE_MS;
    if (until <= now) due.push(file);
  }
  return due;
}

export { removeRecordingFile };
