// Finds the file of a medium for a path of the boot listener, if it may be served now. MediaFiles has the bytes. They
// are no secret, but a loader is served only to an authorized boot.
import type { Database } from '../../../ground/store/database.ts';
import { BOOT_CONFIG_FILE, bootFilePath, POLL_FILE } from '../paths.ts';
import { standing } from './attempt.ts';
import { appliedOrigin, type BootShell, loaderFor, machineOfAttempt, now } from './context.ts';
import { attemptOfClaim, boundTo } from './poll.ts';
import { appliedNow } from './retrieve.ts';

/** Paths with operations of their own. */
const NOT_BYTES: readonly string[] = [POLL_FILE, BOOT_CONFIG_FILE, 'pxelinux.cfg'];

export interface BootFile {
  media_id: string;
  name: string;
}

/**
 * The file of `rawPath`, requested with the header Host `host`. Null for any other path, for media that are not in the
 * applied state, and for attempts that are not authorized.
 */
export async function findBootFile(
  db: Database,
  shell: BootShell,
  rawPath: string,
  host: string | undefined,
): Promise<BootFile | null> {
  const path = bootFilePath(rawPath);
  if (!path || (path.kind === 'loader' && NOT_BYTES.includes(path.name))) return null;
  const applied = await appliedNow(shell);
  const origin = applied && appliedOrigin(applied, host);
  if (!applied || !origin) return null;
  if (path.kind === 'medium') {
    const { media_id, name } = path;
    return applied.manifest.media.some(({ id }) => id === media_id) ? { media_id, name } : null;
  }
  const attempt = await attemptOfClaim(db, path.claim, origin);
  const found = attempt && boundTo(applied, attempt);
  if (!attempt || !found?.medium || standing(attempt, now(shell)) !== 'issued') return null;
  if (loaderFor(found, machineOfAttempt(attempt).firmware) === null) return null;
  return { media_id: found.medium.id, name: path.name };
}
