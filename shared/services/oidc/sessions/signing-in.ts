// Sign-ins under way, from the look at a password to the session: what ends all of a person in between ends them too. Each such end
// leaves a mark, which a sign-in compares with the one that it saw before; a sign-in that was proven is a row which the end takes
// away; and the session stands beside the others in the transaction that uses that row up.
import { instant, newId } from '../../../ground/clock.ts';
import { Problem } from '../../../ground/problems.ts';
import type { SealShell } from '../../../ground/sealing/sealed-text.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { type Artifact, keyOfId, type Payload, putArtifacts } from '../artifacts/artifacts.ts';
import { hashed } from '../artifacts/hashes.ts';

/** Seconds for which a mark is kept: no sign-in takes that long. */
const MARK_SECONDS = 3_600;

const markOf = (subject: string): string => hashed('ended', subject);

/** Called with what ends all of a person. The row is nobody's: no list has it. */
export async function markEnd(tx: Transaction, subject: string, now: Date): Promise<void> {
  const expires_at = Math.floor(now.getTime() / 1000) + MARK_SECONDS;
  await tx.run(
    `INSERT INTO oidc_session (id, uid_hash, subject, user_name, source, organization, source_address, clients, created_at,
         last_used_at, expires_at, ended_at)
       VALUES ('oidcend_' || lower(hex(randomblob(16))), ?1, '', '', 'appliance', '', '', '[]', ?2, ?2, ?3, ?2)
       ON CONFLICT (uid_hash) DO UPDATE SET id = excluded.id, ended_at = excluded.ended_at, expires_at = excluded.expires_at`,
    [markOf(subject), instant(now), expires_at],
  );
}

/** The mark of the last time that all of a person was ended; null: not lately. */
export async function lastEnd(db: Database, subject: string): Promise<string | null> {
  const row = await db.one<{ id: string }>('SELECT id FROM oidc_session WHERE uid_hash = ?', [markOf(subject)]);
  return row?.id ?? null;
}

/** Who was found to be who they are, and what lastEnd() said before. */
export interface Proven {
  subject: string;
  ended: string | null;
}

/** What the library keeps of a sign-in that was proven; null: this one is not. */
export function provenOf(payload: Payload): Proven | null {
  const { login } = (payload.result ?? {}) as { login?: { accountId?: string; ended?: string | null } };
  return login?.accountId === undefined ? null : { subject: login.accountId, ended: login.ended ?? null };
}

/** @throws Problem 401 where all of the person was ended meanwhile */
export async function keepProven(tx: Transaction, shell: SealShell, artifact: Artifact, proven: Proven): Promise<void> {
  const { subject, ended } = proven;
  const now = await lastEnd(tx, subject);
  const kept = await tx.one('SELECT 1 FROM oidc_artifact WHERE id_hash = ?', [keyOfId(artifact.model, artifact.id)]);
  if (!kept || (now !== null && now !== ended))
    throw new Problem('session_required', 'Your sessions were ended meanwhile. Sign in again.');
  await putArtifacts(tx, shell, [artifact]);
}

/** A session that a sign-in becomes now. */
export interface Ending {
  uid: string;
  subject: string;
  /** Seconds. */
  lasts: number;
}

/** Uses a sign-in up that was proven, for its session. False: it was used before, or ended. */
export async function beginSession(
  tx: Transaction,
  { clock, entropy }: Pick<Services, 'clock' | 'entropy'>,
  interaction: string,
  { uid, subject, lasts }: Ending,
): Promise<boolean> {
  const used = await tx.run('DELETE FROM oidc_artifact WHERE id_hash = ?', [keyOfId('Interaction', interaction)]);
  if (used !== 1) return false;
  const now = clock.now();
  const expires_at = Math.floor(now.getTime() / 1000) + lasts;
  // The rest is known when the library saves it, at the end of the same request; until then no list has it.
  await tx.run(
    `INSERT INTO oidc_session (id, uid_hash, subject, user_name, source, organization, source_address, clients, created_at,
         last_used_at, expires_at)
       VALUES (?1, ?2, ?3, '', 'appliance', '', '', '[]', ?4, ?4, ?5)
       ON CONFLICT (uid_hash) DO UPDATE SET subject = excluded.subject, expires_at = excluded.expires_at
         WHERE ended_at IS NULL`,
    [newId('oidcsession', entropy), hashed('uid', uid), subject, instant(now), expires_at],
  );
  return true;
}
