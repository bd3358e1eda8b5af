// Room for files that are uploaded.
import { statfs } from 'node:fs/promises';
import { Problem } from '../../ground/problems.ts';

/** Room to leave for the database and its log, which may be on the same disk. */
const SPARE_BYTES = 256 << 20;

/** The folder must exist. @throws Problem 507 with `detail` when `needed` more bytes do not fit. */
export async function refuseFull(folder: string, needed: number, detail: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize <= needed + SPARE_BYTES) throw new Problem('storage_full', detail);
}
