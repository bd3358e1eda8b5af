// Typed secrets of jobs: logins and passwords that a job needs and that must not be written down. They live in the memory
// of this process, as bytes that are overwritten when they go: half an hour while the job waits for its turn, and as long
// as it runs. After a restart they are gone, and the job says so.
import { Problem } from '../../ground/problems.ts';
import type { Services } from '../operation/services.ts';
import { Transient } from './transient.ts';

/** Shortest secret that is removed from messages: shorter ones are ordinary words. User names may be shown. */
const HIDDEN_FROM = 6;
const TOLD = /user_?name$/i;

/** Jobs that have some at once. */
const JOBS_MOST = 64;
/** How long they wait for their job to begin. */
export const WAIT_SECONDS = 30 * 60;

type Kept = Map<string, Buffer>;

export class JobSecrets {
  readonly #kept: Transient<Kept>;

  constructor(services: Pick<Services, 'uptime'>) {
    const wipe = (kept: Kept) => {
      for (const value of kept.values()) value.fill(0);
      kept.clear();
    };
    this.#kept = new Transient<Kept>(services, { most: JOBS_MOST, seconds: WAIT_SECONDS, wipe });
  }

  /** Jobs that have some. */
  get size(): number {
    return this.#kept.size;
  }

  /** Replaces the job's secrets. @throws Problem 409 when so many jobs wait that another one's secrets would be dropped. */
  put(job_id: string, secrets: Readonly<Record<string, string>>): void {
    if (this.#kept.get(job_id) === null && this.#kept.size >= JOBS_MOST) {
      throw new Problem('state_conflict', 'Too many jobs wait with a typed password. Try again once some have ended.');
    }
    this.#kept.put(job_id, new Map(Object.entries(secrets).map(([name, text]) => [name, Buffer.from(text, 'utf8')])));
  }

  /** Null when none were typed, or they are gone. */
  get(job_id: string): Readonly<Record<string, string>> | null {
    const kept = this.#kept.get(job_id);
    return kept && Object.fromEntries([...kept].map(([name, bytes]) => [name, bytes.toString('utf8')]));
  }

  /** The text without the job's secrets, for others to read. A safeguard against careless messages. */
  hide(job_id: string, text: string): string {
    const values = Object.entries(this.get(job_id) ?? {})
      .filter(([name, value]) => value.length >= HIDDEN_FROM && !TOLD.test(name))
      .map(([, value]) => value)
      // Longest first: removing a secret that is part of another would leave the rest behind.
      .sort((one, other) => other.length - one.length);
    return values.reduce((shown, value) => shown.replaceAll(value, '(hidden)'), text);
  }

  drop(job_id: string): void {
    this.#kept.drop(job_id);
  }

  /** The job runs: they stay until it drops them or ends. */
  hold(job_id: string): void {
    this.#kept.stay(job_id, Number.POSITIVE_INFINITY);
  }

  /** The job waits again for its turn. */
  release(job_id: string): void {
    this.#kept.stay(job_id, WAIT_SECONDS);
  }
}

const all = new WeakMap<object, JobSecrets>();

/** Those of one running service. */
export function jobSecrets(services: Pick<Services, 'store' | 'uptime'>): JobSecrets {
  const own = all.get(services.store) ?? new JobSecrets(services);
  all.set(services.store, own);
  return own;
}
