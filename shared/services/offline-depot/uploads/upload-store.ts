// Rows of uploads into the depot. A finished upload is remembered for a day.

import { type Clock, type Entropy, instant, newId } from '../../../ground/clock.ts';
import { notFound, Problem } from '../../../ground/problems.ts';
import { build } from '../../../ground/store/builder.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import { newestPage, type Page } from '../../../ground/store/pagination.ts';
import { endOfJob, runningTasks } from '../../../kernel/jobs/glances.ts';
import type { Progress } from '../../../kernel/jobs/job.ts';

export const UPLOAD_STATES = ['receiving', 'completing', 'done'] as const;
export type UploadState = (typeof UPLOAD_STATES)[number];

export interface UploadRow {
  id: string;
  /** Of the file that it becomes. */
  name: string;
  size_bytes: number;
  /** As given, hexadecimal; null: not compared. */
  sha256: string | null;
  overwrite: boolean;
  state: UploadState;
  /** The job that completes it, or did so last. */
  job_id: string | null;
  /** Why that job failed. */
  fault: { code: string; detail: string } | null;
  created_by: string;
  created_at: string;
  updated_at: string;
}

interface Stored extends Omit<UploadRow, 'overwrite' | 'fault'> {
  overwrite: number;
  error: string | null;
  job_state: string | null;
}

const COLUMNS = `depot_upload.*, ${endOfJob('depot_upload.job_id')}`;

function read({ error, job_state, overwrite, ...row }: Stored): UploadRow {
  return { ...row, overwrite: overwrite === 1, fault: row.state === 'receiving' ? faultOf(error, job_state) : null };
}

function faultOf(error: string | null, job_state: string | null): UploadRow['fault'] {
  if (job_state === 'cancelled') return { code: 'cancelled', detail: 'Completing it was cancelled.' };
  if (error === null) return null;
  const { error_code = '', detail = '' } = JSON.parse(error) as { error_code?: string; detail?: string };
  return { code: error_code, detail };
}

/** @throws Problem 404 */
export async function findUpload(db: Database, id: string): Promise<UploadRow> {
  const row = await db.one<Stored>(`SELECT ${COLUMNS} FROM depot_upload WHERE id = ?`, [id]);
  if (!row) throw notFound('This upload');
  return read(row);
}

/** Newest first. */
export const listUploads = (
  db: Database,
  query: { limit: number; cursor?: string | undefined },
): Promise<Page<UploadRow>> => newestPage(db, build('depot_upload').select(build.raw(COLUMNS)), query, read);

export interface NewUpload {
  name: string;
  size_bytes: number;
  sha256: string | null;
  overwrite: boolean;
  created_by: string;
}

export async function addUpload(
  tx: Transaction,
  { clock, entropy }: { clock: Clock; entropy: Entropy },
  { name, size_bytes, sha256, overwrite, created_by }: NewUpload,
): Promise<UploadRow> {
  const id = newId('upload', entropy);
  const at = instant(clock.now());
  await tx.run(
    `INSERT INTO depot_upload (id, name, size_bytes, sha256, overwrite, created_by, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [id, name, size_bytes, sha256, overwrite ? 1 : 0, created_by, at, at],
  );
  const fresh = { state: 'receiving' as const, job_id: null, fault: null, created_at: at, updated_at: at };
  return { id, name, size_bytes, sha256, overwrite, created_by, ...fresh };
}

/** True when this call changed the upload from receiving to completing. */
export async function startCompleting(
  tx: Transaction,
  clock: Clock,
  { id, sha256, overwrite, job_id }: Pick<UploadRow, 'id' | 'sha256' | 'overwrite' | 'job_id'>,
): Promise<boolean> {
  const sql = `UPDATE depot_upload SET state = 'completing', sha256 = ?, overwrite = ?, job_id = ?, updated_at = ?
    WHERE id = ? AND state = 'receiving'`;
  return (await tx.run(sql, [sha256, overwrite ? 1 : 0, job_id, instant(clock.now()), id])) === 1;
}

/** Changes the upload to done; or, after a failure, to receiving, so that it can be completed again. */
export async function endCompleting(
  tx: Transaction,
  clock: Clock,
  { id, state }: { id: string; state: 'receiving' | 'done' },
): Promise<void> {
  const sql = "UPDATE depot_upload SET state = ?, updated_at = ? WHERE id = ? AND state = 'completing'";
  await tx.run(sql, [state, instant(clock.now()), id]);
}

/** Name of the removed upload; null when it is not receiving. */
export async function removeUpload(tx: Transaction, id: string): Promise<string | null> {
  const sql = "SELECT name FROM depot_upload WHERE id = ? AND state = 'receiving'";
  const row = await tx.one<{ name: string }>(sql, [id]);
  if (row) await tx.run('DELETE FROM depot_upload WHERE id = ?', [id]);
  return row?.name ?? null;
}

/** Uploads that wait for pieces: UPLOADS_MOST of them, at most. */
export async function announcedUploads(db: Database): Promise<{ id: string; size_bytes: number }[]> {
  return db.all("SELECT id, size_bytes FROM depot_upload WHERE state = 'receiving'");
}

/** Uploads that may wait for pieces at once. */
export const UPLOADS_MOST = 100;

/** @throws Problem 409 when UPLOADS_MOST uploads wait already */
export async function refuseManyUploads(db: Database): Promise<void> {
  const { count } = (await db.one<{ count: number }>(
    "SELECT count(*) AS count FROM depot_upload WHERE state = 'receiving'",
  ))!;
  if (count < UPLOADS_MOST) return;
  const detail = `${count} uploads into the depot wait for their pieces, and no more than ${UPLOADS_MOST} may. Complete or remove some of them first.`;
  throw new Problem('state_conflict', detail);
}

export async function oldUploads(db: Database, before: Date, beyond: Date): Promise<string[]> {
  const sql = `SELECT id FROM depot_upload WHERE state = 'receiving' AND (updated_at < ? OR updated_at > ?)
    ORDER BY id LIMIT 100`;
  return (await db.all<{ id: string }>(sql, [instant(before), instant(beyond)])).map(({ id }) => id);
}

/** Forgets uploads that were done before that time. */
export async function forgetDone(tx: Transaction, before: Date): Promise<void> {
  await tx.run("DELETE FROM depot_upload WHERE state = 'done' AND updated_at < ?", [instant(before)]);
}

export async function uploadIds(db: Database): Promise<Set<string>> {
  const rows = await db.all<{ id: string }>("SELECT id FROM depot_upload WHERE state <> 'done'");
  return new Set(rows.map(({ id }) => id));
}

/** Progress of the job that completes an upload. */
export interface UploadPace {
  percent: number;
  figures: Progress | null;
}

/** By job, for uploads that are being completed. */
export async function uploadPaces(db: Database): Promise<Map<string, UploadPace>> {
  const rows = await db.all<{ job_id: string; percent: number; progress: string | null }>(
    runningTasks("SELECT job_id FROM depot_upload WHERE state = 'completing'"),
  );
  return new Map(
    rows.map(({ job_id, percent, progress }) => [
      job_id,
      { percent, figures: progress === null ? null : (JSON.parse(progress) as Progress) },
    ]),
  );
}
