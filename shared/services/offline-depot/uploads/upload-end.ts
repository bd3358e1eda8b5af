// Ends abandoned uploads into the depot, and removes bytes that no upload needs.
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isNear, later } from '../../../ground/clock.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { endAbandoned, UPLOAD_HOURS } from '../../../platform/uploads/abandoned.ts';
import { lastPieceAt } from '../../../platform/uploads/pieces.ts';
import { depotUploadPath, UPLOAD_ID, uploadsFolder } from '../store.ts';
import { dropBytes } from './upload.ts';
import { forgetDone, oldUploads, removeUpload, uploadIds } from './upload-store.ts';

type Needed = Pick<Services, 'store' | 'host' | 'clock' | 'keys' | 'entropy'>;

/** Seconds: younger bytes may belong to a running request. */
const HOUR = 3600;

/** Answers the ids of the uploads that were given up. */
export function endDepotUploads(services: Needed): Promise<string[]> {
  const { store, host } = services;
  return endAbandoned(services, {
    old: (before, beyond) => oldUploads(store, before, beyond),
    lastPieceAt: (id) => lastPieceAt(depotUploadPath(host, id)),
    async giveUp(tx, id) {
      const file = await removeUpload(tx, id);
      const detail = { file, fault: `Nothing came for ${UPLOAD_HOURS} hours.` };
      return file === null ? null : { action: 'depot.upload.expired', resource_type: 'depot.upload', detail };
    },
    drop: (id) => dropBytes(host, id),
  });
}

/** Forgets uploads that were done a day ago and removes bytes that belong to no upload. Answers their names. */
export async function pruneDepotUploads({ store, host, clock }: Needed): Promise<string[]> {
  const now = clock.now();
  await store.write((tx) => forgetDone(tx, later(now, -UPLOAD_HOURS * HOUR)));
  const folder = uploadsFolder(host);
  const known = await uploadIds(store);
  const removed: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    if (known.has(name) || !UPLOAD_ID.test(name)) continue;
    const found = await lstat(join(folder, name)).catch(() => null);
    if (!found?.isFile() || isNear(found.mtimeMs, now, HOUR)) continue;
    await rm(join(folder, name), { force: true });
    removed.push(name);
  }
  return removed;
}
