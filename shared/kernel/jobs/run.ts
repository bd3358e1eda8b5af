// What a running job may do: start and finish tasks, report progress, write to task logs, keep notes to resume from,
// and notice that it should stop.
import { instant } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { Services } from '../operation/services.ts';
import type { LogLine, Task, TaskState } from './job.ts';
import { RESUMES_MOST } from './lease.ts';
import { Cancelled, fencedOff, Life } from './life.ts';
import { boundedText, LINES_MOST, withLine } from './log-lines.ts';
import { type ProgressFacts, TaskProgress } from './progress.ts';
import { jobSecrets } from './secrets.ts';

export { Cancelled, Left } from './life.ts';

export interface RunningJob {
  id: string;
  kind: string;
  subject: string | null;
  input: Record<string, unknown>;
  created_by: string;
  /** Times that it was taken over from a dead process since one of its tasks last ended. */
  resumes: number;
}

/** Share of the work done: tasks that ended, and the finished part of those that run. */
const JOB_PROGRESS = `UPDATE job SET progress_percent = (SELECT sum(CASE t.state WHEN 'queued' THEN 0
    WHEN 'running' THEN t.progress_percent ELSE 100 END) / count(*) FROM task t WHERE t.job_id = job.id) WHERE id = ?`;

export class JobRun {
  readonly services: Services;
  readonly job: RunningJob;
  /** Set inside the transaction that ends the job. */
  readonly transaction: Transaction | null;
  readonly #life: Life;
  readonly #progress: TaskProgress;

  constructor(
    services: Services,
    job: RunningJob,
    life: Life = new Life(null, {}),
    transaction: Transaction | null = null,
  ) {
    this.services = services;
    this.job = job;
    this.transaction = transaction;
    this.#life = life;
    this.#progress = new TaskProgress((name) => this.#tellLater(name));
  }

  get id(): string {
    return this.job.id;
  }

  /** Aborted with a Cancelled on a requested stop, a Left when the service stops, an Error when fenced off. */
  get signal(): AbortSignal {
    return this.#life.signal;
  }

  /** The notes that `keep` stored, in this run or an earlier one. */
  get kept(): Readonly<Record<string, unknown>> {
    return this.#life.kept;
  }

  /** Its typed secrets; null when there are none, or they are gone. */
  get secrets(): Readonly<Record<string, string>> | null {
    return jobSecrets(this.services).get(this.id);
  }

  within(transaction: Transaction): JobRun {
    return new JobRun(this.services, this.job, this.#life, transaction);
  }

  async tasks(): Promise<Pick<Task, 'id' | 'name' | 'state'>[]> {
    return this.#database.all('SELECT id, name, state FROM task WHERE job_id = ? ORDER BY position', [this.id]);
  }

  /** Whether a task succeeded, in this run or one before it. */
  async succeeded(name: string): Promise<boolean> {
    return (await this.tasks()).some((task) => task.name === name && task.state === 'succeeded');
  }

  /** Marks a task as running, and updates the job's progress. The task's progress in an earlier run is dropped. */
  async startTask(name: string): Promise<void> {
    this.#progress.forget(name);
    await this.#write(async (tx) => {
      await tx.run(
        `UPDATE task SET state = 'running', started_at = coalesce(started_at, ?), progress_percent = 0, progress = NULL
         WHERE job_id = ? AND name = ?`,
        [this.#now, this.id, name],
      );
      await tx.run(JOB_PROGRESS, [this.id]);
    });
  }

  async endTask(name: string, state: Extract<TaskState, 'succeeded' | 'failed' | 'skipped'>): Promise<void> {
    await this.#write(async (tx) => {
      await this.#tell(tx, name);
      // A task that repeats in each run has ended before, so its end is no progress.
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

  /** Appends a line to a task's log, which is limited. Typed secrets of the job are removed from the line. */
  async say(name: string, text: string, facts: Omit<LogLine, 'at' | 'text'> = {}): Promise<void> {
    const line: LogLine = { at: this.#now, text: boundedText(this.#hide(text)), ...facts };
    await this.#write(async (tx) => {
      const written = await tx.run(
        `UPDATE task SET log = json_insert(log, '$[#]', json(?))
         WHERE job_id = ? AND name = ? AND json_array_length(log) < ?`,
        [JSON.stringify(line), this.id, name, LINES_MOST],
      );
      if (written > 0) return;
      const full = await tx.one<{ log: string }>('SELECT log FROM task WHERE job_id = ? AND name = ?', [this.id, name]);
      if (!full) return;
      const log = withLine(JSON.parse(full.log) as LogLine[], line);
      await tx.run('UPDATE task SET log = ? WHERE job_id = ? AND name = ?', [JSON.stringify(log), this.id, name]);
    });
  }

  /**
   * Reports a task's progress. It may be called any number of times: the last value is written at most once a second,
   * and again with the task's end. Rate and time left are computed from the bytes when they are not given.
   */
  async progress(name: string, facts: ProgressFacts): Promise<void> {
    if (this.#life.over || this.#life.fenced) return;
    if (this.#progress.take(name, facts)) await this.#tellNow(name);
  }

  /**
   * Saves durable notes by name, to continue from after a restart; notes of other names stay. They are never shown, and
   * typed secrets of the job are removed.
   * @throws Error when another runner has the job
   */
  async keep(part: Record<string, unknown>): Promise<void> {
    this.stopIfFenced();
    const life = this.#life;
    life.kept = { ...life.kept, ...withoutSecrets(part, (text) => this.#hide(text)) };
    const text = JSON.stringify(life.kept);
    const work = (tx: Transaction) =>
      tx.run('UPDATE job SET kept = ? WHERE id = ? AND lease_owner IS ?', [text, this.id, life.owner]);
    if ((await (this.transaction ? work(this.transaction) : this.services.store.write(work))) === 1) return;
    this.fence();
    this.stopIfFenced();
  }

  /** @throws the signal's reason, at once, when there is one */
  async sleep(ms: number): Promise<void> {
    const { signal } = this.#life;
    signal.throwIfAborted();
    const slept = Promise.withResolvers<void>();
    const aborted = () => slept.reject(signal.reason);
    const timer = setTimeout(slept.resolve, ms);
    signal.addEventListener('abort', aborted, { once: true });
    try {
      await slept.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
    }
  }

  /** The job waits for a person. It still counts as running, and is taken over like any other. */
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

  /** A safe point. @throws Cancelled when a stop was requested. */
  async stopIfAsked(): Promise<void> {
    if (await this.askedToStop()) throw new Cancelled();
  }

  get #now(): string {
    return instant(this.services.clock.now());
  }

  #hide(text: string): string {
    return jobSecrets(this.services).hide(this.id, text);
  }

  get #database(): Database {
    return this.transaction ?? this.services.store;
  }

  /** Called when another runner has taken the lease: from here on every write fails. */
  fence(): void {
    this.#life.fence(this.id);
  }

  get fenced(): boolean {
    return this.#life.fenced;
  }

  /** Called when the service stops. */
  leave(): void {
    this.#life.leave();
  }

  /** Called when a stop was requested: aborts `signal`. */
  cancel(): void {
    this.#life.cancel();
  }

  /** Waits for something that may take long. @throws Left when the service stops meanwhile */
  async leaveOr(wait: Promise<unknown>): Promise<void> {
    await this.#life.leaveOr(wait);
  }

  /** Before each step that touches more than the job's own rows. */
  stopIfFenced(): void {
    if (this.#life.fenced) throw fencedOff(this.id);
  }

  /**
   * A point from which the job can still roll back.
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

  /** Writes the last reports in the transaction that ends the job; nothing is written after it. */
  async lastTold(tx: Transaction): Promise<void> {
    for (const name of this.#progress.waiting) await this.#tell(tx, name);
  }

  /** Its end is written. */
  get over(): boolean {
    return this.#life.over;
  }

  /** The run is over: no more progress is reported. */
  end(): void {
    this.#life.end();
    this.#progress.close();
  }

  async #tellNow(name: string): Promise<void> {
    await this.#write(async (tx) => {
      await this.#tell(tx, name);
      await tx.run(JOB_PROGRESS, [this.id]);
    });
  }

  #tellLater(name: string): void {
    if (this.#life.over || this.#life.fenced) return;
    this.#tellNow(name).catch((error: Error) => {
      this.services.logger.warn('how far a job is could not be written', {
        job_id: this.id,
        failure: { message: error.message },
      });
    });
  }

  async #tell(tx: Transaction, name: string): Promise<void> {
    const told = this.#progress.toWrite(name);
    if (told === null) return;
    await tx.run(
      "UPDATE task SET progress_percent = ?, progress = ? WHERE job_id = ? AND name = ? AND state = 'running'",
      [told.percent, JSON.stringify(told.progress), this.id, name],
    );
  }

  async #write(work: (tx: Transaction) => Promise<unknown>): Promise<void> {
    this.stopIfFenced();
    if (this.transaction) await work(this.transaction);
    else await this.services.store.write(work);
    this.services.notify('jobs');
  }
}

/** The same notes, each text in them as `hide` leaves it. */
function withoutSecrets<T>(value: T, hide: (text: string) => string): T {
  if (typeof value === 'string') return hide(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, hide)) as T;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutSecrets(each, hide)])) as T;
}
