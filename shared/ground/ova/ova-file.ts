// The file of an OVA, opened so that neither links nor pipes mislead, and watched for changes.
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { OvaFault } from './fault.ts';

export interface FileState {
  size: number;
  mtime_ms: number;
}

/** Opens it for reading. @throws OvaFault file_missing, file_not_regular, file_changed when it is not as expected */
export async function openOva(path: string, expected?: FileState): Promise<{ file: FileHandle; state: FileState }> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(refuseOpening);
  try {
    const state = await stateOf(file);
    if (expected && !same(state, expected)) throw new OvaFault('file_changed');
    return { file, state };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** @throws OvaFault file_changed */
export async function requireUnchanged(file: FileHandle, expected: FileState): Promise<void> {
  if (!same(await stateOf(file), expected)) throw new OvaFault('file_changed');
}

/** Fills `into` from `position` on. @throws OvaFault file_changed when the file has become shorter */
export async function readExactly(file: FileHandle, into: Buffer, position: number): Promise<Buffer> {
  for (let done = 0; done < into.length; ) {
    const { bytesRead } = await file.read(into, done, into.length - done, position + done);
    if (bytesRead === 0) throw new OvaFault('file_changed');
    done += bytesRead;
  }
  return into;
}

async function stateOf(file: FileHandle): Promise<FileState> {
  const stats = await file.stat();
  if (!stats.isFile()) throw new OvaFault('file_not_regular');
  return { size: stats.size, mtime_ms: stats.mtimeMs };
}

const same = (one: FileState, other: FileState): boolean => one.size === other.size && one.mtime_ms === other.mtime_ms;

function refuseOpening(error: NodeJS.ErrnoException): never {
  if (error.code === 'ELOOP' || error.code === 'ENXIO') throw new OvaFault('file_not_regular');
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EACCES')
    throw new OvaFault('file_missing');
  throw error;
}
