// Visits to a target that somebody asks for: a test of it, and a look at its host key. Slow work, before any transaction.
import { randomUUID } from 'node:crypto';
import { Problem } from '../../../ground/problems.ts';
import type { Database } from '../../../ground/store/database.ts';
import { copyVerified } from './places/copy.ts';
import { openPlace, type PlaceShell } from './places/open.ts';
import { sourceOf } from './places/place.ts';
import type { HostKey } from './places/ssh.ts';
import type { SftpPlace, Target, TargetOf } from './target.ts';
import { findTarget } from './target-store.ts';

/** Milliseconds that a visit takes at most: somebody waits for it. */
const VISIT_MS = 45_000;

/** Writes a small file, reads it back and removes it. @throws Problem 409, 507 */
export async function testTarget(shell: PlaceShell, target: Target): Promise<void> {
  const signal = AbortSignal.timeout(VISIT_MS);
  const name = `groundcrew-test-${randomUUID()}`;
  try {
    const place = await openPlace(shell, target, signal);
    try {
      await copyVerified(place, { name, part: `${name}.part` }, sourceOf(Buffer.from(`${name}\n`)), signal);
      await place.remove(name);
    } finally {
      await place.close();
    }
  } catch (error) {
    throw signal.aborted ? late(target) : error;
  }
}

/** @throws Problem 404; 409 for a target that has none */
export async function sftpTarget(db: Database, id: string): Promise<TargetOf<'sftp'>> {
  const target = await findTarget(db, id);
  if (target.kind === 'sftp') return target;
  throw new Problem('state_conflict', 'Only a target of the kind sftp has a host key.');
}

/** The host key that the machine shows now. @throws Problem 409 */
export async function lookAtHostKey(shell: PlaceShell, target: TargetOf<'sftp'>): Promise<HostKey> {
  const { observeHostKey } = await import('./places/ssh.ts');
  return observeHostKey(shell, target.place, AbortSignal.timeout(VISIT_MS)).catch((error) => {
    throw error instanceof DOMException ? late(target) : error;
  });
}

/** @throws Problem 409 where the machine does not show the key that was confirmed */
export async function sameHostKey(shell: PlaceShell, target: TargetOf<'sftp'>, confirmed: string): Promise<void> {
  const { sha256 } = await lookAtHostKey(shell, target);
  if (sha256 === confirmed) return;
  const { hostKeyChanged } = await import('./places/ssh.ts');
  throw hostKeyChanged(target.place satisfies SftpPlace, sha256, confirmed);
}

const late = ({ name }: Target): Problem =>
  new Problem('remote_timeout', `The target ${name} was not ready within ${VISIT_MS / 1000} seconds. Try again later.`);
