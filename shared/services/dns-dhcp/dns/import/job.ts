// The import of a file of records as a durable job. It reads and checks all rows, which changes nothing and keeps nobody from
// working. Then it owns everything for as long as one transaction takes, which compares them with what is saved, and saves all of
// them, its audit row and a note that it did, or nothing. After a kill it begins again, or finds the note.
import { instant } from '../../../../ground/clock.ts';
import { pagePath } from '../../../../ground/page-paths.ts';
import { Problem } from '../../../../ground/problems.ts';
import type { Database, Transaction } from '../../../../ground/store/database.ts';
import { systemActor } from '../../../../kernel/access/actor.ts';
import { type Behalf, requireStillMay } from '../../../../kernel/access/behalf.ts';
import { releaseLocks, takeLock } from '../../../../kernel/access/mutation-lock.ts';
import { appendAudit } from '../../../../kernel/audit/audit.ts';
import { queueJob } from '../../../../kernel/jobs/job.ts';
import type { JobKind } from '../../../../kernel/jobs/kind.ts';
import type { JobRun } from '../../../../kernel/jobs/run.ts';
import type { Services } from '../../../../kernel/operation/services.ts';
import { changedMeanwhile } from '../../../../platform/units/import-answer.ts';
import { type Checked, checkedRows, compared, comparedStrictly } from './checked.ts';
import type { SourceType } from './limits.ts';
import type { Refused } from './refused.ts';
import type { Saving } from './save.ts';
import { dropFile, textOfFile, type WaitingFile } from './waiting-file.ts';

export const IMPORT_KIND = 'dns-records-import';
const SCOPE = 'write:dns';
const CHECK = 'check';
const SAVE = 'save';
/** Milliseconds between two looks whether what owns everything has ended. */
const LOOK = 500;

interface Input {
  file: WaitingFile;
  type: SourceType;
  /** Nothing is saved: only what would become of the rows is told. */
  check_only: boolean;
  /** Completes the names of lines. */
  zone?: string;
  /** What the preview of the page answered: rows that are saved already stay as they are then. */
  previewed?: string;
  /** On whose behalf. */
  behalf: Behalf;
}

export interface ImportResult {
  rows: number;
  saved: number;
  /** Names of the zones that rows went to, at most 20. */
  zones: string[];
  /** Of the canonical rows. */
  sha256: string;
}

export interface Queued extends Input {
  by: string;
}

/** Queues it in the caller's transaction. */
export function queueImport(
  tx: Transaction,
  { clock, entropy }: Pick<Services, 'clock' | 'entropy'>,
  { by, ...input }: Queued,
): Promise<string> {
  return queueJob(tx, clock.now(), entropy, {
    kind: IMPORT_KIND,
    subject: input.check_only ? 'check' : 'save',
    input,
    created_by: by,
    tasks: [
      { name: CHECK, title: 'Check the rows' },
      { name: SAVE, title: input.check_only ? 'Compare them with what is saved' : 'Save all of them' },
    ],
  });
}

export const importJob: JobKind = {
  kind: IMPORT_KIND,
  says: (subject) => (subject === 'check' ? 'Check a file of DNS records' : 'Import a file of DNS records'),
  file: ({ id }) => ({ href: `${pagePath('dns')}/imports/${id}/refused.csv`, label: 'Refused rows as CSV' }),
  lane: 'files',
  stops: SCOPE,
  async run(job): Promise<ImportResult> {
    const { saved } = job.kept as { saved?: ImportResult };
    if (saved) return saved;
    const input = job.job.input as unknown as Input;
    const rows = await checkedFile(job, input);
    await job.services.checkpoint?.('import.checked');
    await job.startTask(SAVE);
    const result = await savedRows(job, input, rows);
    await job.services.checkpoint?.('import.saved');
    await job.say(SAVE, input.check_only ? 'Every row would be saved' : savedWords(result), { ok: true });
    await job.endTask(SAVE, 'succeeded');
    return result;
  },
  async ended(job) {
    await releaseLocks(job.transaction!, job.id);
  },
  async swept(job) {
    await dropFile(job.services, (job.job.input as unknown as Input).file.name);
  },
};

async function checkedFile(job: JobRun, { file, type, zone, behalf }: Input): Promise<Checked> {
  await job.startTask(CHECK);
  await requireStillMay(job.services.store, behalf, SCOPE);
  const text = await textOfFile(job.services, file.name);
  const expected = Math.max(1, occurrences(text, type === 'application/json' ? '"fqdn"' : '\n'));
  const checked = await checkedRows({ text, type, zone }, async (done_rows) => {
    job.signal.throwIfAborted();
    await job.progress(CHECK, { done_rows, percent: Math.min(99, (100 * done_rows) / expected) });
  });
  const { rows, refused } = checked;
  await job.progress(CHECK, { done_rows: rows.length, total_rows: rows.length });
  const words = refused.rows === 0 ? 'none refused for what it says' : `${refused.rows} refused for what they say`;
  await job.say(CHECK, `${rows.length} rows, ${words}`, { ok: refused.rows === 0 });
  await job.endTask(CHECK, 'succeeded');
  return checked;
}

function savedWords({ rows, saved }: ImportResult): string {
  return saved === rows ? 'Every row is saved' : `${saved} rows are saved, ${rows - saved} were there already and stay`;
}

/** About how many rows a file has, before it is read. */
function occurrences(text: string, mark: string): number {
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) count++;
  return count;
}

async function savedRows(job: JobRun, input: Input, checked: Checked): Promise<ImportResult> {
  const { check_only, file, behalf } = input;
  const { rows, refused } = checked;
  const { store, entropy, clock } = job.services;
  if (check_only) {
    const told = await comparedBy(job, input, checked, store, null);
    await refuseRefused(job, refused);
    return { rows: rows.length, ...told, saved: 0 };
  }
  await own(job);
  await job.services.checkpoint?.('import.owned');
  const work = async (tx: Transaction): Promise<ImportResult> => {
    // Time has passed, and from here on nobody can revoke anything before all is saved.
    await requireStillMay(tx, behalf, SCOPE);
    const told = await comparedBy(job, input, checked, tx, { tx, entropy, now: instant(clock.now()) });
    if (refused.rows > 0) throw new TakenBack();
    const done = { rows: rows.length, ...told };
    await job.services.checkpoint?.('import.inserted');
    await record(tx, job, done, file);
    await job.within(tx).keep({ saved: done });
    await job.services.checkpoint?.('import.noted');
    return done;
  };
  return store.write(work, { apart: true }).catch(async (error) => {
    if (error instanceof TakenBack) await refuseRefused(job, refused);
    throw error;
  });
}

/** @throws Problem 409 when the rows are no longer what the preview was of */
async function comparedBy(
  { signal }: JobRun,
  { previewed }: Input,
  checked: Checked,
  db: Database,
  into: Saving['into'],
): Promise<Omit<ImportResult, 'rows'>> {
  const all = checked.rows.length;
  if (previewed === undefined) return { saved: all, ...(await comparedStrictly(db, checked, { signal, into })) };
  const { zones, sha256, stays, ...told } = await compared(db, checked, { signal, into });
  if (checked.refused.rows === 0 && told.previewed !== previewed) throw changedMeanwhile();
  return { saved: all - stays.size, zones, sha256 };
}

/** Rows were refused: what was saved of the others is taken back. */
class TakenBack extends Error {}

/** @throws Problem when a row is refused. Which ones are kept with the job, for whoever wants to read more than the first. */
async function refuseRefused(job: JobRun, refused: Refused): Promise<void> {
  if (refused.rows === 0) return;
  await job.keep({ refused: refused.kept });
  throw refused.problem();
}

/** Owns everything for this job, as soon as nothing else does. @throws Cancelled, Left */
async function own(job: JobRun): Promise<void> {
  const { store, clock } = job.services;
  for (let waits = false; ; waits = true) {
    try {
      job.stopIfFenced();
      return await store.write((tx) => takeLock(tx, 'all', job.id, instant(clock.now())));
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.code !== 'mutation_locked') throw problem;
      if (!waits) await job.say(SAVE, problem.message);
      await job.sleep(LOOK);
    }
  }
}

function record(tx: Transaction, job: JobRun, { saved, zones, sha256 }: ImportResult, file: WaitingFile) {
  const { clock, keys } = job.services;
  const context = { at: instant(clock.now()), actor: systemActor('dns'), request_id: job.id, source_address: '' };
  const detail = {
    count: saved,
    zones,
    sha256,
    file_sha256: file.sha256,
    job_id: job.id,
    queued_by: job.job.created_by,
  };
  const event = { action: 'dns.record.import', resource_type: 'dns_record', resource_id: null, detail };
  return appendAudit(tx, keys, context, event, { holdsLock: true });
}
