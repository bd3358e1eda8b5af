// Room for media: they lie where the database does, which must not be left without any.
import { statfs } from 'node:fs/promises';
import type { Host } from '../../host/host.ts';
import { Problem } from '../../operation/problems.ts';
import { mediaFolder } from './media-folder.ts';

/** Beyond the files: room for the database and its log. */
const SPARE_BYTES = 256 << 20;

/** Expects the folder of media. @throws Problem 507 when `needed` bytes more do not fit. */
export async function refuseFull(host: Pick<Host, 'resolve'>, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(mediaFolder(host));
  if (bavail * bsize > needed + SPARE_BYTES) return;
  throw new Problem('storage_full', 'There is no room on the appliance for the files of this medium.');
}
