// Verified copies: a row each, by target.
import { newId } from '../../../ground/clock.ts';
import { build } from '../../../ground/store/builder.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import type { Services } from '../../../kernel/operation/services.ts';

export interface Copy {
  id: string;
  target_id: string;
  /** Name of the file, or the last part of the object's key. */
  name: string;
  size_bytes: number;
  sha256: string;
  made_at: string;
  verified_at: string;
  job_id: string;
}

export interface Newest {
  id: string;
  name: string;
  newest_verified_at: string | null;
}

/** Of each target, whether it is in use and when its newest copy was verified. One statement. */
export async function newestCopies(db: Database): Promise<(Newest & { enabled: boolean })[]> {
  const rows = await db.all<Newest & { enabled: number }>(
    `SELECT t.id, t.name, t.enabled, max(c.verified_at) AS newest_verified_at
     FROM archive_target t LEFT JOIN archive_copy c ON c.target_id = t.id GROUP BY t.id ORDER BY t.name`,
  );
  return rows.map((row) => ({ ...row, enabled: row.enabled === 1 }));
}

/** Newest first. */
export const copiesAt = (db: Database, target_id: string, most = -1): Promise<Copy[]> =>
  db.all<Copy>('SELECT * FROM archive_copy WHERE target_id = ? ORDER BY made_at DESC LIMIT ?', [target_id, most]);

/** When the newest copy that lies anywhere was made: all of then is in it. */
export const newestVerified = async (db: Database): Promise<string | null> =>
  (await db.one<{ at: string | null }>('SELECT max(made_at) AS at FROM archive_copy'))!.at;

/** The same as an SQL expression; empty where there is none. */
export const NEWEST_VERIFIED_SQL = "coalesce((SELECT max(made_at) FROM archive_copy), '')";

/** Whether a copy of this name was verified at any target. */
export const isKnown = async (db: Database, name: string): Promise<boolean> =>
  (await db.one('SELECT 1 AS yes FROM archive_copy WHERE name = ? LIMIT 1', [name])) !== undefined;

export async function addCopy(
  tx: Transaction,
  { entropy }: Pick<Services, 'entropy'>,
  copy: Omit<Copy, 'id'>,
): Promise<void> {
  await tx.run(build('archive_copy').insert({ id: newId('copy', entropy), ...copy }));
}

export const forgetCopy = (tx: Transaction, id: string): Promise<number> =>
  tx.run('DELETE FROM archive_copy WHERE id = ?', [id]);

/** They lie where the target no longer is. */
export const forgetCopies = (tx: Transaction, target_id: string): Promise<number> =>
  tx.run('DELETE FROM archive_copy WHERE target_id = ?', [target_id]);
