// Durable jobs and their tasks: queued, running with their progress, and ended. No secret is stored here.
import { type Entropy, instant, newId } from '../../ground/clock.ts';
import { notFound, Problem } from '../../ground/problems.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { Page } from '../../ground/store/pagination.ts';
import { searchIn, sortedPage } from '../../ground/store/sorted-page.ts';
import type { ProblemDocument } from '../operation/problem-document.ts';

export const JOB_STATES = ['queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];
export const ENDED: readonly JobState[] = ['succeeded', 'failed', 'cancelled'];

export const TASK_STATES = ['queued', 'running', 'succeeded', 'failed', 'skipped', 'cancelled'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** A line of a task's log: when and what, for people. */
export interface LogLine {
  at: string;
  text: string;
  /** Milliseconds that the step took, where it is a step. */
  duration_ms?: number;
  /** Which kind of bar the timeline draws for it. */
  kind?: 'write' | 'act' | 'probe' | 'wait';
  ok?: boolean;
  /** It succeeded, but somebody should look at it. */
  warning?: boolean;
}

/** Progress of a step that counts bytes or rows; any of the figures may be unknown. */
export interface Progress {
  done_bytes?: number;
  total_bytes?: number;
  done_rows?: number;
  total_rows?: number;
  bytes_per_second?: number;
  seconds_left?: number | null;
}

export interface Task {
  id: string;
  job_id: string;
  name: string;
  title: string;
  state: TaskState;
  progress_percent: number;
  /** Null for a step without progress. */
  progress: Progress | null;
  started_at: string | null;
  finished_at: string | null;
  log: LogLine[];
}

export interface Job {
  id: string;
  kind: string;
  /** What the job is about: a plan id. */
  subject: string | null;
  state: JobState;
  progress_percent: number;
  created_by: string;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  result: unknown;
  error: Partial<ProblemDocument> | null;
  tasks: Task[];
}

interface JobRow extends Omit<Job, 'result' | 'error' | 'tasks'> {
  result: string | null;
  error: string | null;
}

interface TaskRow extends Omit<Task, 'log' | 'progress'> {
  log: string;
  progress: string | null;
}

export interface NewJob {
  kind: string;
  subject: string | null;
  input: Record<string, unknown>;
  created_by: string;
  tasks: { name: string; title: string }[];
}

/** Queues a job in the caller's transaction. */
export async function queueJob(transaction: Transaction, now: Date, entropy: Entropy, job: NewJob): Promise<string> {
  const id = newId('job', entropy);
  await transaction.run(
    `INSERT INTO job (id, kind, state, subject, input, created_by, created_at) VALUES (?, ?, 'queued', ?, ?, ?, ?)`,
    [id, job.kind, job.subject, JSON.stringify(job.input), job.created_by, instant(now)],
  );
  const tasks = job.tasks.map(({ name, title }, position) => {
    return { id: newId('task', entropy), job_id: id, position, name, title, state: 'queued' };
  });
  if (tasks.length > 0) await transaction.run(build('task').insert(tasks));
  return id;
}

export interface JobQuery {
  state?: JobState | undefined;
  kind?: string | undefined;
  /** A part of kind, subject, id or who started it, in any case. */
  search?: string | undefined;
  /** One of JOB_SORTS, `-` before it for descending. */
  sort?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

const SORTS = {
  kind: 'kind',
  subject: "coalesce(subject, '')",
  state: 'state',
  created_by: 'created_by',
  created_at: 'created_at',
};
export const JOB_SORTS = Object.keys(SORTS);

/** The list that its page shows, by the texts of the page's query. */
export const jobFilter = ({ search, sort, state }: Partial<Record<string, string>>) => ({
  search,
  sort,
  state: JOB_STATES.find((known) => known === state),
});

/** Newest first unless another order is asked for, without tasks' logs left out: two statements however many jobs. */
export async function listJobs(database: Database, query: JobQuery): Promise<Page<Job>> {
  const list = build('job').select('job.*');
  if (query.state) list.where('state', query.state);
  if (query.kind) list.where('kind', query.kind);
  searchIn(list, ['kind', 'subject', 'id', 'created_by'], query.search);
  const order = { sorts: SORTS, own: ['created_at', 'id'], descending: true } as const;
  const page = await sortedPage<JobRow, JobRow>(database, list, order, query, (row) => row);
  const ids = page.items.map(({ id }) => id);
  if (ids.length === 0) return { ...page, items: [] };
  const tasks = await database.all<TaskRow>(
    build<TaskRow>('task').whereIn('job_id', ids).orderBy(['job_id', 'position']),
  );
  const byJob = Map.groupBy(tasks, (task) => task.job_id);
  return { ...page, items: page.items.map((row) => jobView(row, byJob.get(row.id) ?? [])) };
}

/** Input and notes of a job, for its own kind. The job must exist. */
export async function jobNotes<I, K = unknown>(database: Database, id: string): Promise<{ input: I; kept: K }> {
  const notes = await database.one<{ input: string; kept: string }>('SELECT input, kept FROM job WHERE id = ?', [id]);
  return { input: JSON.parse(notes!.input) as I, kept: JSON.parse(notes!.kept) as K };
}

const OPEN = "state IN ('queued', 'running', 'waiting')";

/** @throws Problem 409 for a job of this kind, and about this subject where one is named, that has not ended. */
export async function refuseSecond(
  transaction: Transaction,
  does: string,
  kind: string,
  subject: string | null = null,
): Promise<void> {
  const sql = `SELECT id FROM job WHERE kind = ?1 AND (?2 IS NULL OR subject = ?2) AND ${OPEN}`;
  const open = await transaction.one<{ id: string }>(sql, [kind, subject]);
  if (open) throw new Problem('state_conflict', `The job ${open.id} ${does} already.`);
}

/** How many jobs of this kind have not ended. */
export async function openJobsOf(database: Database, kind: string): Promise<number> {
  const row = await database.one<{ n: number }>(`SELECT count(*) AS n FROM job WHERE kind = ? AND ${OPEN}`, [kind]);
  return row!.n;
}

/** Ids of the first ten jobs that have not ended and were asked for this: `$.ova.file` and its value. */
export async function openJobsAbout(database: Database, member: string, value: string): Promise<string[]> {
  const sql = `SELECT id FROM job WHERE ${OPEN} AND json_extract(input, ?) = ? ORDER BY created_at LIMIT 10`;
  return (await database.all<{ id: string }>(sql, [member, value])).map(({ id }) => id);
}

export async function findJob(database: Database, id: string): Promise<Job> {
  const row = await database.one<JobRow>('SELECT * FROM job WHERE id = ?', [id]);
  if (!row) throw notFound('This job');
  return jobView(row, await database.all<TaskRow>('SELECT * FROM task WHERE job_id = ? ORDER BY position', [id]));
}

export async function findTask(database: Database, id: string): Promise<Task> {
  const row = await database.one<TaskRow>('SELECT * FROM task WHERE id = ?', [id]);
  if (!row) throw notFound('This task');
  return taskView(row);
}

/**
 * Asks a job to stop. A queued one ends at the runner's next pass without running; a running one stops at its next safe
 * point. @throws Problem 409 when it has ended.
 */
export async function cancelJob(transaction: Transaction, id: string): Promise<Job> {
  const job = await findJob(transaction, id);
  if (ENDED.includes(job.state)) throw new Problem('job_finished', `This job has already ${job.state}.`);
  await transaction.run('UPDATE job SET cancel_requested = 1 WHERE id = ?', [id]);
  return job;
}

/** Queues an ended job again, with this input: from its first task on, or after those that succeeded. */
export async function requeueJob(
  transaction: Transaction,
  id: string,
  input: object,
  keepsSucceeded: boolean,
): Promise<void> {
  await transaction.run(
    `UPDATE task SET state = 'queued', started_at = NULL, finished_at = NULL, progress_percent = 0, progress = NULL
     WHERE job_id = ? AND NOT (? AND state = 'succeeded')`,
    [id, keepsSucceeded ? 1 : 0],
  );
  await transaction.run(
    `UPDATE job SET state = 'queued', error = NULL, result = NULL, finished_at = NULL, cancel_requested = 0, resumes = 0,
       progress_percent = (SELECT 100 * sum(t.state = 'succeeded') / count(*) FROM task t WHERE t.job_id = job.id), input = ?
     WHERE id = ?`,
    [JSON.stringify(input), id],
  );
}

/** Whether it is over; false for one that is not known. */
export async function hasEnded(database: Database, id: string): Promise<boolean> {
  const row = await database.one<{ state: JobState }>('SELECT state FROM job WHERE id = ?', [id]);
  return row !== undefined && ENDED.includes(row.state);
}

/** Whether a stop of the job was requested. */
export async function isStopping(database: Database, id: string): Promise<boolean> {
  const row = await database.one<{ cancel_requested: number }>('SELECT cancel_requested FROM job WHERE id = ?', [id]);
  return row?.cancel_requested === 1;
}

function jobView(row: JobRow, tasks: TaskRow[]): Job {
  return {
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    state: row.state,
    progress_percent: row.progress_percent,
    created_by: row.created_by,
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
    result: row.result === null ? null : JSON.parse(row.result),
    error: row.error === null ? null : JSON.parse(row.error),
    tasks: tasks.map(taskView),
  };
}

function taskView(row: TaskRow): Task {
  return {
    id: row.id,
    job_id: row.job_id,
    name: row.name,
    title: row.title,
    state: row.state,
    progress_percent: row.progress_percent,
    progress: row.progress === null ? null : (JSON.parse(row.progress) as Progress),
    started_at: row.started_at,
    finished_at: row.finished_at,
    log: JSON.parse(row.log) as LogLine[],
  };
}
