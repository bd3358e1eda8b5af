// Room for files that are uploaded.
import { statfs } from 'node:fs/promises';
import { Problem } from '../../ground/problems.ts';

/** Beyond the files: room for the database and its log, which may lie on the same disk and must not be left without any. */
const SPARE_BYTES = 256 << 20;

/** Expects the folder. @throws Problem 507 with `detail` when `needed` bytes more do not fit. */
export async function refuseFull(folder: string, needed: number, detail: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize <= needed + SPARE_BYTES) throw new Problem('storage_full', detail);
}
