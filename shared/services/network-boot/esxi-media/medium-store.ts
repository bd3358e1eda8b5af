// The states of a medium's row while the medium is received and unpacked. The collection stores names and descriptions.
import { type Clock, instant } from '../../../ground/clock.ts';
import { notFound } from '../../../ground/problems.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import type { UnpackedMedium } from './unpack.ts';

export const MEDIUM_STATES = ['receiving', 'unpacking', 'ready', 'failed'] as const;
export type MediumState = (typeof MEDIUM_STATES)[number];

/** `source` of a medium that is uploaded; that of another is its path below the import folder. */
export const UPLOADED = 'upload';

export interface MediumProgress {
  id: string;
  name: string;
  source: string;
  state: MediumState;
  size_bytes: number;
}

const PROGRESS = 'SELECT id, name, source, state, size_bytes FROM network_boot_medium';

/** @throws Problem 404 */
export async function mediumProgress(db: Database, id: string): Promise<MediumProgress> {
  const row = await db.one<MediumProgress>(`${PROGRESS} WHERE id = ?`, [id]);
  if (!row) throw notFound('This medium');
  return row;
}

const MOVE = 'state = ?, revision = revision + 1, updated_at = ?';

/** True when the medium was in the state `from`. */
export async function startUnpacking(tx: Transaction, clock: Clock, id: string, from: MediumState): Promise<boolean> {
  const sql = `UPDATE network_boot_medium SET ${MOVE}, fault = '' WHERE id = ? AND state = ?`;
  return (await tx.run(sql, ['unpacking', instant(clock.now()), id, from])) === 1;
}

export async function keepReady(tx: Transaction, clock: Clock, id: string, medium: UnpackedMedium): Promise<void> {
  await tx.run(
    `UPDATE network_boot_medium SET ${MOVE}, fault = '', product = ?, size_bytes = ?, file_count = ?, content_digest = ?,
       loaders = ?, boot_config = ? WHERE id = ?`,
    [
      'ready',
      instant(clock.now()),
      medium.product,
      medium.size_bytes,
      medium.file_count,
      medium.content_digest,
      JSON.stringify(medium.loaders),
      JSON.stringify(medium.boot_config),
      id,
    ],
  );
}

/** Stores why the medium can't be used. An earlier reason stays. */
export async function keepFailed(tx: Transaction, clock: Clock, id: string, fault: string): Promise<void> {
  await tx.run(
    `UPDATE network_boot_medium SET ${MOVE}, fault = CASE fault WHEN '' THEN ? ELSE fault END
       WHERE id = ? AND state = 'unpacking'`,
    ['failed', instant(clock.now()), fault, id],
  );
}

/** Announced size of a medium that is being received. */
export interface Announced {
  id: string;
  size_bytes: number;
}

export async function announcedUploads(db: Database): Promise<Announced[]> {
  return db.all<Announced>("SELECT id, size_bytes FROM network_boot_medium WHERE state = 'receiving'");
}

/** Media being received whose rows were last written before the first time, or after the second. */
export async function oldUploads(db: Database, before: Date, beyond: Date): Promise<string[]> {
  const sql = `SELECT id FROM network_boot_medium WHERE state = 'receiving' AND (updated_at < ? OR updated_at > ?)
    ORDER BY id LIMIT 100`;
  return (await db.all<{ id: string }>(sql, [instant(before), instant(beyond)])).map(({ id }) => id);
}

/** True when this call changed the medium from receiving to failed. */
export async function giveUpUpload(tx: Transaction, clock: Clock, id: string, fault: string): Promise<boolean> {
  const sql = `UPDATE network_boot_medium SET ${MOVE}, fault = ? WHERE id = ? AND state = 'receiving'`;
  return (await tx.run(sql, ['failed', instant(clock.now()), fault, id])) === 1;
}

/** States by id, of all media. */
export async function mediumStates(db: Database): Promise<Map<string, MediumState>> {
  const rows = await db.all<{ id: string; state: MediumState }>('SELECT id, state FROM network_boot_medium');
  return new Map(rows.map(({ id, state }) => [id, state]));
}
