// The bytes of an archive, for whoever downloads it.
import { readFile } from 'node:fs/promises';
import { Problem } from '../../ground/problems.ts';
import type { Answer, ReadContext } from '../../kernel/operation/operation.ts';
import { archiveFile, wholeArchive } from './kept.ts';

/** @throws Problem 404; 409 while it is not whole, or its file is gone */
export async function archiveContent(
  { db, services }: Pick<ReadContext<unknown, unknown>, 'db' | 'services'>,
  id: string,
): Promise<Answer> {
  const { name } = await wholeArchive(db, id);
  const bytes = await readFile(archiveFile(services.settings, id)).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? fileGone() : error;
  });
  return { bytes, headers: { 'content-disposition': `attachment; filename="${name}"` } };
}

export const fileGone = (): Problem =>
  new Problem('state_conflict', 'The file of this archive is gone from the disk. Delete the archive.');
