// Jobs that read an OVA: meanwhile it is neither deleted nor replaced.
import { pagePath } from '../../../ground/page-paths.ts';
import { Problem } from '../../../ground/problems.ts';
import type { Database } from '../../../ground/store/database.ts';
import { openJobsAbout } from '../../../kernel/jobs/job.ts';

/** Path of the OVA's name in the input of a job, of any kind. */
const FILE = '$.ova.file';

/** Ids of the jobs that read the file or will. */
export const readersOf = (db: Database, file: string): Promise<string[]> => openJobsAbout(db, FILE, file);

/** @throws Problem 409 that names each job */
export async function refuseRead(db: Database, file: string): Promise<void> {
  const readers = await readersOf(db, file);
  if (readers.length === 0) return;
  throw new Problem('still_referenced', `A deployment reads ${file}; wait for its end, or cancel it.`, {
    blockers: readers.map((id) => ({
      subject: `Job ${id}`,
      reason: 'It deploys an appliance from this OVA.',
      page: pagePath('job', id),
      unblock: 'Open the job',
    })),
  });
}
