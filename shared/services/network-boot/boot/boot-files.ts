// Which file of which medium a path of the boot listener stands for, and whether it may be had now. The bytes come from
// MediaFiles; nothing of this is secret, but a loader is only there for the boot that was authorized.
import type { Database } from '../../../ground/store/database.ts';
import { BOOT_CONFIG_FILE, bootFilePath, POLL_FILE } from '../paths.ts';
import { standing } from './attempt.ts';
import { appliedOrigin, type BootShell, loaderFor, machineOfAttempt, now } from './context.ts';
import { attemptOfClaim, boundTo } from './poll.ts';
import { appliedNow } from './retrieve.ts';

/** Answered by operations of their own. */
const NOT_BYTES: readonly string[] = [POLL_FILE, BOOT_CONFIG_FILE, 'pxelinux.cfg'];

export interface BootFile {
  media_id: string;
  name: string;
}

/**
 * The file behind `rawPath`, asked for with the header Host `host`. Null for what is no such path and for what can't be
 * had: media that are not in the applied state, attempts that are not authorized.
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
