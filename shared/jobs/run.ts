// What a running job may do: start and finish its tasks, write lines into their logs, notice that it should stop.
import { instant } from '../operation/clock.ts';
import { Problem } from '../operation/problems.ts';
import type { Services } from '../operation/services.ts';
import type { Database, Transaction } from '../store/database.ts';
import type { LogLine, Task, TaskState } from './job.ts';
import { RESUMES_MOST } from './lease.ts';

/** Thrown by a job at a safe point after someone asked it to stop. */
export class Cancelled extends Error {}

/** Thrown by a job that waits for somebody when the service stops: it is not over, the next start takes it up. */
export class Left extends Error {}

export interface RunningJob {
  id: string;
  kind: string;
  subject: string | null;
  input: Record<string, unknown>;
  created_by: string;
  /** How often it was taken over from a process that died, since a task of it ended last. */
  resumes: number;
}

export class JobRun {
  readonly services: Services;
  readonly job: RunningJob;
  /** Set inside the transaction that ends the job. */
  readonly transaction: Transaction | null;
  #fenced = false;
  readonly #leaving = Promise.withResolvers<void>();
  #left = false;

  constructor(services: Services, job: RunningJob, transaction: Transaction | null = null) {
    this.services = services;
    this.job = job;
    this.transaction = transaction;
  }

  get id(): string {
    return this.job.id;
  }

  within(transaction: Transaction): JobRun {
    return new JobRun(this.services, this.job, transaction);
  }

  async tasks(): Promise<Pick<Task, 'id' | 'name' | 'state'>[]> {
    return this.#database.all('SELECT id, name, state FROM task WHERE job_id = ? ORDER BY position', [this.id]);
  }

  /** Marks a task as running and the job's progress as the share of tasks before it. */
  async startTask(name: string): Promise<void> {
    await this.#write(async (tx) => {
      await tx.run(
        "UPDATE task SET state = 'running', started_at = coalesce(started_at, ?) WHERE job_id = ? AND name = ?",
        [this.#now, this.id, name],
      );
      await tx.run(
        `UPDATE job SET progress_percent = (SELECT 100 * sum(t.state NOT IN ('queued', 'running')) / count(*)
           FROM task t WHERE t.job_id = job.id) WHERE id = ?`,
        [this.id],
      );
    });
  }

  async endTask(name: string, state: Extract<TaskState, 'succeeded' | 'failed' | 'skipped'>): Promise<void> {
    await this.#write(async (tx) => {
      // A task that begins anew with each run has ended before: that is no progress.
      if (this.job.resumes > 0) {
        await tx.run(
          `UPDATE job SET resumes = 0 WHERE id = ? AND EXISTS
             (SELECT 1 FROM task WHERE job_id = job.id AND name = ? AND finished_at IS NULL)`,
          [this.id, name],
        );
      }
      await tx.run(
        `UPDATE task SET state = ?, finished_at = ?, progress_percent = CASE WHEN ? = 'succeeded' THEN 100 ELSE progress_percent END
         WHERE job_id = ? AND name = ?`,
        [state, this.#now, state, this.id, name],
      );
    });
  }

  /** Appends a line to a task's log. No secrets. */
  async say(name: string, text: string, facts: Omit<LogLine, 'at' | 'text'> = {}): Promise<void> {
    const line: LogLine = { at: this.#now, text, ...facts };
    await this.#write((tx) =>
      tx.run("UPDATE task SET log = json_insert(log, '$[#]', json(?)) WHERE job_id = ? AND name = ?", [
        JSON.stringify(line),
        this.id,
        name,
      ]),
    );
  }

  /** Nothing to do for the job itself: it waits for somebody. It still runs, and is taken over like any other. */
  async waiting(): Promise<void> {
    await this.#write((tx) => tx.run("UPDATE job SET state = 'waiting' WHERE id = ?", [this.id]));
  }

  async askedToStop(): Promise<boolean> {
    const row = await this.#database.one<{ cancel_requested: number }>(
      'SELECT cancel_requested FROM job WHERE id = ?',
      [this.id],
    );
    return row?.cancel_requested === 1;
  }

  /** A safe point. @throws Cancelled when someone asked the job to stop. */
  async stopIfAsked(): Promise<void> {
    if (await this.askedToStop()) throw new Cancelled();
  }

  get #now(): string {
    return instant(this.services.clock.now());
  }

  get #database(): Database {
    return this.transaction ?? this.services.store;
  }

  /** Called when another runner has taken the lease: from here on every write fails. */
  fence(): void {
    this.#fenced = true;
  }

  get fenced(): boolean {
    return this.#fenced;
  }

  /** Called when the service stops. */
  leave(): void {
    this.#left = true;
    this.#leaving.resolve();
  }

  /** Waits for something that may take long. @throws Left when the service stops meanwhile */
  async leaveOr(wait: Promise<unknown>): Promise<void> {
    await Promise.race([wait, this.#leaving.promise]);
    if (this.#left) throw new Left();
  }

  /** Before each step that touches more than the job's own rows. */
  stopIfFenced(): void {
    if (this.#fenced) throw new Error(`the lease of ${this.id} was taken by another runner`);
  }

  /**
   * A point from which the job can still put back what it began.
   * @throws Problem 500 when it was taken over too often without getting further
   */
  stopIfSpent(): void {
    const { resumes } = this.job;
    if (resumes <= RESUMES_MOST) return;
    throw new Problem(
      'unexpected_failure',
      `The service ended ${resumes} times while it ran this job, which got no further in between; it is not tried again. The log of the service says why it ended.`,
    );
  }

  async #write(work: (tx: Transaction) => Promise<unknown>): Promise<void> {
    this.stopIfFenced();
    if (this.transaction) await work(this.transaction);
    else await this.services.store.write(work);
    this.services.notify('jobs');
  }
}
