// Runs queued jobs and takes over those whose owner died. What touches this host runs one at a time; what works on
// remote machines or on large files runs beside it, a few at once. A kind's `run` may be called again for the same job
// after a crash and must go on from what it wrote down.
import { AsyncLocalStorage } from 'node:async_hooks';
import { instant, later } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import { problemDocument } from '../operation/problem-document.ts';
import type { Services } from '../operation/services.ts';
import { type Claimed, claim, giveBack } from './claim.ts';
import { AT_ONCE, type JobKind, type JobOutcome, type Lane } from './kind.ts';
import { HEARTBEAT_SECONDS, LEASE_SECONDS, leaseOwner } from './lease.ts';
import { Cancelled, fencedOff, Left, Life } from './life.ts';
import { JobRun } from './run.ts';
import { jobSecrets } from './secrets.ts';

export type { JobKind } from './kind.ts';

/** How often requests to stop are looked for while jobs run, besides at each notification. */
const STOP_LOOK_MS = 1500;

const LANES = Object.keys(AT_ONCE) as Lane[];

interface Ended {
  outcome: JobOutcome;
  result: unknown;
  error: unknown;
}

interface Running {
  run: JobRun;
  lane: Lane;
  done: Promise<void>;
}

export class JobRunner {
  readonly #services: Services;
  readonly #kinds: Map<string, JobKind>;
  readonly #owner = leaseOwner();
  readonly #running = new Map<string, Running>();
  /** Jobs whose end could not be written in this pass. They are tried again in the next one, not in an endless loop. */
  readonly #unended = new Set<string>();
  #looking: Promise<void> | null = null;
  #again = false;
  #stopped = false;
  #stopLook: NodeJS.Timeout | null = null;
  /** A job belongs to no request, so it runs outside the context of the request that woke the runner. */
  readonly #apart = AsyncLocalStorage.snapshot();

  constructor(services: Services, kinds: readonly JobKind[]) {
    this.#services = services;
    this.#kinds = new Map(kinds.map((kind) => [kind.kind, kind]));
  }

  /** Looks for work and for wishes to stop; called after a commit that queued some and by the ticker. */
  wake(): void {
    if (this.#stopped) return;
    if (this.#looking) {
      this.#again = true;
      return;
    }
    this.#looking = this.#apart(() => this.#look()).finally(() => {
      this.#looking = null;
      if (this.#again) {
        this.#again = false;
        this.wake();
      }
    });
  }

  /**
   * Takes no new job and waits for those that run. A job on this host is finished. Jobs that obey their signal, as
   * remote ones do, and a job that waits for a person are left to the next start.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { run } of this.#running.values()) run.leave();
    await this.#looking;
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  /** For tests and the command line: runs all queued jobs and waits for them. */
  async idle(): Promise<void> {
    this.wake();
    while (this.#looking || this.#running.size > 0) {
      await (this.#looking ?? Promise.race([...this.#running.values()].map(({ done }) => done)));
    }
  }

  async #look(): Promise<void> {
    try {
      this.#unended.clear();
      if (this.#running.size > 0) await this.#reachStopped();
      for (let job = await this.#claim(); job; job = await this.#claim()) {
        if (this.#stopped) return await giveBack(this.#services, this.#owner, job);
        this.#start(job);
      }
    } catch (error) {
      this.#queueFailed(error);
    }
  }

  /** The queue itself failed (full disk): the ticker tries again. */
  #queueFailed(error: unknown): void {
    this.#services.logger.error('job queue failure', { failure: { message: (error as Error).message } });
  }

  async #claim(): Promise<Claimed | null> {
    if (this.#stopped) return null;
    const lanes = new Map([...this.#kinds].map(([name, kind]) => [name, laneOf(kind)]));
    const runs = (lane: Lane) => [...this.#running.values()].filter((running) => running.lane === lane).length;
    const room = LANES.filter((lane) => runs(lane) < AT_ONCE[lane]);
    const running = [...this.#running.keys(), ...this.#unended];
    return claim({ services: this.#services, owner: this.#owner, lanes, room, running });
  }

  #start(job: Claimed): void {
    const kind = this.#kinds.get(job.kind) ?? { kind: job.kind, run: async () => null };
    const life = new Life(this.#owner, JSON.parse(job.kept) as Record<string, unknown>);
    const run = new JobRun(this.#services, { ...job, input: JSON.parse(job.input) as Record<string, unknown> }, life);
    const { promise: done, resolve } = Promise.withResolvers<void>();
    this.#running.set(job.id, { run, lane: laneOf(kind), done });
    // A stop of a resumed job may have been requested before. A queued job with such a request is never started.
    if (job.cancel_requested === 1 && job.state !== 'queued') run.cancel();
    this.#watchForStops();
    this.#run(kind, run, job.state)
      .then(
        () => true,
        (error) => {
          this.#unended.add(job.id);
          this.#queueFailed(error);
        },
      )
      .then((ended) => {
        this.#running.delete(job.id);
        // One that could not be ended waits for the ticker: at once it would only fail again.
        if (ended) this.wake();
        resolve();
      });
  }

  async #run(kind: JobKind, run: JobRun, found: string): Promise<void> {
    const secrets = jobSecrets(this.#services);
    const heartbeat = setInterval(() => void this.#heartbeat(run), HEARTBEAT_SECONDS * 1000);
    heartbeat.unref();
    const { id, resumes } = run.job;
    this.#services.logger.info('job started', { job_id: id, kind: kind.kind, resumed: found !== 'queued', resumes });
    secrets.hold(id);
    try {
      const ended = await this.#outcome(kind, run, found === 'queued');
      clearInterval(heartbeat);
      if (ended === null) return await this.#leave(run);
      await this.#end(kind, run, ended);
      secrets.drop(id);
      await kind.swept?.(run);
    } finally {
      clearInterval(heartbeat);
      run.end();
      // The process that took the job over does not have them.
      if (run.fenced) secrets.drop(id);
      else secrets.release(id);
    }
  }

  /** Returns the lease, so that the next process need not wait for its end. */
  async #leave(run: JobRun): Promise<void> {
    await this.#services.store.write(async (tx) => {
      await run.lastTold(tx);
      await tx.run('UPDATE job SET lease_owner = NULL WHERE id = ? AND lease_owner = ?', [run.id, this.#owner]);
    });
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
    } catch (thrown) {
      const error = causeOf(thrown, run.signal);
      if (error instanceof Left) return null;
      if (error instanceof Cancelled) return { outcome: 'cancelled', result: null, error: null };
      if (!(error instanceof Problem)) {
        const { message, stack = '' } = error as Error;
        const hide = (text: string) => jobSecrets(this.#services).hide(run.id, text);
        this.#services.logger.error('job failure', {
          job_id: run.id,
          request_id: run.id,
          failure: { message: hide(message), stack: hide(stack) },
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
      if (kept === 0 && !run.over) run.fence();
    } catch (error) {
      logger.warn('a heartbeat could not be written', {
        job_id: run.id,
        failure: { message: (error as Error).message },
      });
    }
  }

  /** Another process, such as the command line, may store a request to stop without notifying this one. */
  #watchForStops(): void {
    this.#stopLook ??= setTimeout(() => {
      this.#stopLook = null;
      if (this.#running.size === 0) return;
      this.#watchForStops();
      this.#reachStopped().catch((error) => this.#queueFailed(error));
    }, STOP_LOOK_MS).unref();
  }

  async #reachStopped(): Promise<void> {
    const ids = [...this.#running].filter(([, { run }]) => !run.signal.aborted).map(([id]) => id);
    if (ids.length === 0) return;
    const asked = await this.#services.store.all<{ id: string }>(
      'SELECT id FROM job WHERE cancel_requested = 1 AND id IN (SELECT value FROM json_each(?))',
      [JSON.stringify(ids)],
    );
    for (const { id } of asked) this.#running.get(id)?.run.cancel();
  }

  async #end(kind: JobKind, run: JobRun, { outcome, result, error }: Ended): Promise<void> {
    const { store, clock, settings } = this.#services;
    const document =
      outcome === 'failed'
        ? problemDocument(error instanceof Problem ? error : UNEXPECTED, {
            base_url: settings.base_url,
            instance: `/api/v1/jobs/${run.id}`,
            request_id: run.id,
          })
        : null;
    const hide = (text: string) => jobSecrets(this.#services).hide(run.id, text);
    await store.write(async (tx) => {
      const now = instant(clock.now());
      await run.lastTold(tx);
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
          document && JSON.stringify(document, (_name, value) => (typeof value === 'string' ? hide(value) : value)),
          now,
          outcome,
          run.id,
          this.#owner,
        ],
      );
      if (written === 0) throw fencedOff(run.id);
      await kind.ended?.(run.within(tx), outcome);
    });
    run.end();
    this.#services.logger.info('job ended', { job_id: run.id, kind: kind.kind, state: outcome });
    this.#services.notify('jobs');
    this.#services.notify('pending');
  }
}

/** Nothing of an error that was not foreseen reaches the caller. */
const UNEXPECTED = new Problem(
  'unexpected_failure',
  'The job failed unexpectedly. The log of the service says why, under this request id.',
);

const laneOf = (kind: JobKind): Lane => kind.lane ?? 'host';

/** An error caused by the signal is replaced by the signal's reason. */
function causeOf(thrown: unknown, signal: AbortSignal): unknown {
  if (!signal.aborted) return thrown;
  const aborted = thrown instanceof DOMException && thrown.name === 'AbortError';
  return aborted || (thrown as { code?: unknown } | null)?.code === 'ABORT_ERR' ? signal.reason : thrown;
}
