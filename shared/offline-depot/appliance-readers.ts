// Who reads an OVA now: it is neither deleted nor replaced under a job that streams it.
import { Problem } from '../operation/problems.ts';
import type { Database } from '../store/database.ts';
import { DEPLOY_KIND } from '../vcf-helper/deployment/tasks.ts';

/** Kinds of jobs that read OVAs, and where their input names the file. */
const READERS: readonly { kind: string; file: string }[] = [{ kind: DEPLOY_KIND, file: '$.ova.file' }];

/** Ids of the jobs that read the file or are about to. */
export async function readersOf(db: Database, file: string): Promise<string[]> {
  const reads = READERS.map(() => '(kind = ? AND json_extract(input, ?) = ?)').join(' OR ');
  const sql = `SELECT id FROM job WHERE state IN ('queued', 'running', 'waiting') AND (${reads}) ORDER BY created_at LIMIT 10`;
  const values = READERS.flatMap((reader) => [reader.kind, reader.file, file]);
  return (await db.all<{ id: string }>(sql, values)).map(({ id }) => id);
}

/** @throws Problem 409 that names each job */
export async function refuseRead(db: Database, file: string): Promise<void> {
  const readers = await readersOf(db, file);
  if (readers.length === 0) return;
  throw new Problem('still_referenced', `A deployment reads ${file}; wait for its end, or cancel it.`, {
    blockers: readers.map((id) => ({
      subject: `Job ${id}`,
      reason: 'It deploys an appliance from this OVA.',
      page: `/ui/management/jobs/${id}`,
      unblock: 'Open the job',
    })),
  });
}
