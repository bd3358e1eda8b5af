// How the last push ended, and when the clock may push again.
import { instant, later } from '../../../ground/clock.ts';
import type { Database, Row, Transaction } from '../../../ground/store/database.ts';
import type { ScimTarget } from './targets.ts';

/** Seconds after which a push that failed or was refused something is tried again: doubled each time, six hours at most. */
export const AGAIN = { first: 300, most: 6 * 3600 };

export interface Ended {
  job_id: string;
  outcome: NonNullable<ScimTarget['last_outcome']>;
  reason: string;
  /** Digest of what was wanted; null: it was not found out. */
  pushed_sha256: string | null;
}

const REASON_MOST = 1000;

/** Writes it; no revision: it is observed. A target that is gone has no standing. */
export async function notePush(tx: Transaction, id: string, now: Date, ended: Ended): Promise<void> {
  const { job_id, outcome, reason, pushed_sha256 } = ended;
  const row = await tx.one<{ failures: number }>('SELECT failures FROM scim_target WHERE id = ?', [id]);
  if (!row) return;
  const failures = outcome === 'succeeded' ? 0 : row.failures + 1;
  const seconds = Math.min(AGAIN.most, AGAIN.first * 2 ** Math.min(failures - 1, 10));
  const next = failures === 0 ? null : instant(later(now, seconds));
  await tx.run(
    `UPDATE scim_target SET last_job_id = ?, last_outcome = ?, last_at = ?, last_reason = ?, failures = ?, next_at = ?,
       pushed_sha256 = coalesce(?, pushed_sha256) WHERE id = ?`,
    [job_id, outcome, instant(now), reason.slice(0, REASON_MOST), failures, next, pushed_sha256, id],
  );
}

export interface Due {
  id: string;
  client_id: string;
  pushed_sha256: string;
  last_outcome: ScimTarget['last_outcome'];
}

/** Targets that the clock may push to now. */
export const pushable = (db: Database, now: Date): Promise<Due[]> =>
  db.all<Row>(
    `SELECT t.id, t.client_id, t.pushed_sha256, t.last_outcome FROM scim_target t JOIN oidc_client c ON c.id = t.client_id
     WHERE t.enabled = 1 AND c.enabled = 1 AND t.sha256 IS NOT NULL AND (t.next_at IS NULL OR t.next_at <= ?)
     ORDER BY t.id`,
    [instant(now)],
  ) as unknown as Promise<Due[]>;
