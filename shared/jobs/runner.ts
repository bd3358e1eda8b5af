// Runs queued jobs, one at a time, and takes over those whose owner died. A kind's `run` may be called again for the
// same job after a crash and must go on from what it wrote down.
import { instant, later } from '../operation/clock.ts';
import { asProblem, problemDocument } from '../operation/problem-document.ts';
import { Problem } from '../operation/problems.ts';
import type { Services } from '../operation/services.ts';
import { HEARTBEAT_SECONDS, LEASE_SECONDS, leaseOwner, ownerIsDead } from './lease.ts';
import { Cancelled, JobRun, Left } from './run.ts';

export interface JobKind {
  kind: string;
  /** Answers the job's result. What it throws becomes the job's error. */
  run(job: JobRun): Promise<unknown>;
  /** Its `run` calls stopIfSpent itself, where it can put back what it began; others are stopped before they run again. */
  putsBack?: true;
  /** In the transaction that ends the job: releases what it held. */
  ended?(job: JobRun, outcome: Outcome): Promise<void>;
  /** After that commit: removes what only an unfinished job needs. */
  swept?(job: JobRun): Promise<void>;
}

type Outcome = 'succeeded' | 'failed' | 'cancelled';

interface Ended {
  outcome: Outcome;
  result: unknown;
  error: unknown;
}

interface Candidate {
  id: string;
  kind: string;
  subject: string | null;
  input: string;
  created_by: string;
  state: string;
  lease_owner: string | null;
  lease_until: string | null;
  cancel_requested: number;
  resumes: number;
}

export class JobRunner {
  readonly #services: Services;
  readonly #kinds: Map<string, JobKind>;
  readonly #owner = leaseOwner();
  #running: Promise<void> | null = null;
  #current: JobRun | null = null;
  #again = false;
  #stopped = false;

  constructor(services: Services, kinds: readonly JobKind[]) {
    this.#services = services;
    this.#kinds = new Map(kinds.map((kind) => [kind.kind, kind]));
  }

  /** Looks for work now; called after a commit that queued some and by the ticker. */
  wake(): void {
    if (this.#stopped) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = this.#drain().finally(() => {
      this.#running = null;
      if (this.#again) {
        this.#again = false;
        this.wake();
      }
    });
  }

  /** Takes no new job and waits for the running one; one that itself waits for somebody is left to the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#current?.leave();
    await this.#running;
  }

  /** For tests and the command line: runs what is there and waits for it. */
  async idle(): Promise<void> {
    this.wake();
    while (this.#running) await this.#running;
  }

  async #drain(): Promise<void> {
    try {
      for (let job = await this.#claim(); job && !this.#stopped; job = await this.#claim()) await this.#run(job);
    } catch (error) {
      // The queue itself failed (full disk): the ticker tries again.
      this.#services.logger.error('job queue failure', { failure: { message: (error as Error).message } });
    }
  }

  async #claim(): Promise<Candidate | null> {
    const { store, clock } = this.#services;
    const now = clock.now();
    const candidates = await store.all<Candidate>(
      "SELECT * FROM job WHERE state IN ('queued', 'running', 'waiting') ORDER BY created_at LIMIT 50",
    );
    const free = candidates.find(
      (job) =>
        // A job of a kind that this program does not know can still be cancelled.
        (this.#kinds.has(job.kind) || job.cancel_requested === 1) &&
        // Nothing runs while this looks: a running job of our own is one whose end could not be written.
        (job.state === 'queued' ||
          !job.lease_owner ||
          job.lease_owner === this.#owner ||
          job.lease_until! < instant(now) ||
          ownerIsDead(job.lease_owner)),
    );
    if (!free) return null;
    const resumes = free.resumes + (this.#diedWith(free) ? 1 : 0);
    const taken = await store.write((tx) =>
      tx.run(
        `UPDATE job SET state = 'running', lease_owner = ?, lease_until = ?, started_at = coalesce(started_at, ?),
           resumes = ?
         WHERE id = ? AND state IN ('queued', 'running', 'waiting') AND lease_owner IS ?`,
        [this.#owner, instant(later(now, LEASE_SECONDS)), instant(now), resumes, free.id, free.lease_owner],
      ),
    );
    return taken === 1 ? { ...free, resumes } : this.#claim();
  }

  /** Whether another process had it when it died. One that was left at a stop, or could not be ended, is no such job. */
  #diedWith({ state, lease_owner }: Candidate): boolean {
    return state === 'running' && lease_owner !== null && lease_owner !== this.#owner;
  }

  async #run(candidate: Candidate): Promise<void> {
    const kind = this.#kinds.get(candidate.kind) ?? { kind: candidate.kind, run: async () => null };
    const run = new JobRun(this.#services, { ...candidate, input: JSON.parse(candidate.input) });
    const heartbeat = setInterval(() => void this.#heartbeat(run), HEARTBEAT_SECONDS * 1000);
    heartbeat.unref();
    this.#services.logger.info('job started', {
      job_id: candidate.id,
      kind: candidate.kind,
      resumed: candidate.state !== 'queued',
      resumes: candidate.resumes,
    });
    this.#current = run;
    const ended = await this.#outcome(kind, run, candidate.state === 'queued');
    this.#current = null;
    clearInterval(heartbeat);
    if (ended === null) return this.#leave(run);
    await this.#end(kind, run, ended);
    await kind.swept?.(run);
  }

  /** The lease is given back, so that whoever starts next need not wait for it. */
  async #leave(run: JobRun): Promise<void> {
    await this.#services.store.write((tx) =>
      tx.run('UPDATE job SET lease_owner = NULL WHERE id = ? AND lease_owner = ?', [run.id, this.#owner]),
    );
    this.#services.logger.info('job left to the next start', { job_id: run.id, kind: run.job.kind });
  }

  /**
   * How the job ended, or null when it has not. Decided before it is written down: a write that fails must not turn a
   * success into a failure.
   */
  async #outcome(kind: JobKind, run: JobRun, fresh: boolean): Promise<Ended | null> {
    try {
      // One that had begun knows its own safe points; one of an unknown kind has none.
      if (fresh || !this.#kinds.has(run.job.kind)) await run.stopIfAsked();
      if (!kind.putsBack) run.stopIfSpent();
      return { outcome: 'succeeded', result: await kind.run(run), error: null };
    } catch (error) {
      if (error instanceof Left) return null;
      if (error instanceof Cancelled) return { outcome: 'cancelled', result: null, error: null };
      if (!(error instanceof Problem)) {
        this.#services.logger.error('job failure', {
          job_id: run.id,
          failure: { message: (error as Error).message, stack: (error as Error).stack },
        });
      }
      return { outcome: 'failed', result: null, error };
    }
  }

  /** A lease that somebody else has taken meanwhile fences this run off: its next write fails. */
  async #heartbeat(run: JobRun): Promise<void> {
    const { store, clock, logger } = this.#services;
    const until = instant(later(clock.now(), LEASE_SECONDS));
    try {
      const kept = await store.write((tx) =>
        tx.run('UPDATE job SET lease_until = ? WHERE id = ? AND lease_owner = ?', [until, run.id, this.#owner]),
      );
      if (kept === 0) run.fence();
    } catch (error) {
      logger.warn('a heartbeat could not be written', {
        job_id: run.id,
        failure: { message: (error as Error).message },
      });
    }
  }

  async #end(kind: JobKind, run: JobRun, { outcome, result, error }: Ended): Promise<void> {
    const { store, clock, settings } = this.#services;
    const document =
      outcome === 'failed'
        ? problemDocument(asProblem(error), {
            base_url: settings.base_url,
            instance: `/api/v1/jobs/${run.id}`,
            request_id: run.id,
          })
        : null;
    await store.write(async (tx) => {
      const now = instant(clock.now());
      await tx.run(
        `UPDATE task SET state = CASE state WHEN 'running' THEN ? ELSE ? END, finished_at = coalesce(finished_at, ?)
         WHERE job_id = ? AND state IN ('queued', 'running')`,
        [outcome, outcome === 'cancelled' ? 'cancelled' : 'skipped', now, run.id],
      );
      const written = await tx.run(
        `UPDATE job SET state = ?, result = ?, error = ?, finished_at = ?, lease_owner = NULL, lease_until = NULL,
           progress_percent = CASE WHEN ? = 'succeeded' THEN 100 ELSE progress_percent END
         WHERE id = ? AND lease_owner = ?`,
        [
          outcome,
          result === null ? null : JSON.stringify(result),
          document && JSON.stringify(document),
          now,
          outcome,
          run.id,
          this.#owner,
        ],
      );
      if (written === 0) throw new Error(`the lease of ${run.id} was taken by another runner`);
      await kind.ended?.(run.within(tx), outcome);
    });
    this.#services.logger.info('job ended', { job_id: run.id, kind: kind.kind, state: outcome });
    this.#services.notify('jobs');
    this.#services.notify('pending');
  }
}
