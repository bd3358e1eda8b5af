// Where recordings lie: files of the data folder, which is in no archive. Their names begin with the time, so that a list needs to
// open those alone that it shows.
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Services } from '../../../kernel/operation/services.ts';

type Place = { settings: Pick<Services['settings'], 'data'> };

const NAME = /^(\d{13})-(rec_[a-z0-9]{16})\.recording$/;

export interface RecordingFile {
  id: string;
  /** When it began, as its name says: milliseconds since 1970. */
  began: number;
  path: string;
}

const folderOf = ({ settings }: Place): string => join(settings.data, 'recordings');
export const RECORDING_ID = /^rec_[a-z0-9]{16}$/;

/** The newest first. */
export async function recordingFiles(place: Place): Promise<RecordingFile[]> {
  const names = await readdir(folderOf(place)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .flatMap((name) => {
      const [, began, id] = NAME.exec(name) ?? [];
      return began && id ? [{ id, began: Number(began), path: join(folderOf(place), name) }] : [];
    })
    .sort((a, b) => b.began - a.began || (a.id < b.id ? 1 : -1));
}

export async function recordingFile(place: Place, id: string): Promise<RecordingFile | null> {
  return (await recordingFiles(place)).find((file) => file.id === id) ?? null;
}

/** A new file that nobody else reads. */
export async function newRecordingFile(place: Place, id: string, began: Date) {
  await mkdir(folderOf(place), { recursive: true, mode: 0o700 });
  const path = join(folderOf(place), `${String(began.getTime()).padStart(13, '0')}-${id}.recording`);
  return { path, handle: await open(path, 'ax', 0o600) };
}

export const removeRecordingFile = (path: string): Promise<void> => rm(path, { force: true });

/** How many there are, and how many bytes they have together. */
export async function recordingsSize(place: Place): Promise<{ count: number; bytes: number }> {
  const files = await recordingFiles(place);
  let bytes = 0;
  for (const { path } of files) bytes += await sizeOf(path);
  return { count: files.length, bytes };
}

/** One that was deleted meanwhile has none. */
export const sizeOf = async (path: string): Promise<number> =>
  (
    await stat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return { size: 0 };
      throw error;
    })
  ).size;
