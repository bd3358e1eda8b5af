// What must not be written down: typed passwords that a queued job needs, and what a wizard has read and not yet used. It
// lives in the memory of this process, few at a time and for a while; after a restart it is gone, and whoever asks is told.
import { later } from '../operation/clock.ts';
import type { Services } from '../operation/services.ts';
import type { ApplianceCredential } from '../vcf-api/session.ts';

export interface TransientLimits<T> {
  most: number;
  seconds: number;
  /** Called with each value that leaves: overwrites what can be overwritten. */
  wipe?: (value: T) => void;
}

interface Kept<T> {
  value: T;
  until: number;
}

/** A bounded map in memory. The oldest goes when there are too many, and each when its time is over. */
export class Transient<T> {
  readonly #clock: Pick<Services, 'clock'>;
  readonly #limits: TransientLimits<T>;
  readonly #kept = new Map<string, Kept<T>>();
  #timer: NodeJS.Timeout | null = null;

  constructor(clock: Pick<Services, 'clock'>, limits: TransientLimits<T>) {
    this.#clock = clock;
    this.#limits = limits;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** Keeps a value from now on for its whole time, in place of an older one. */
  put(id: string, value: T): void {
    const before = this.#kept.get(id)?.value;
    if (before !== undefined && before !== value) this.drop(id);
    else this.#kept.delete(id);
    this.#kept.set(id, { value, until: later(this.#clock.clock.now(), this.#limits.seconds).getTime() });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#limits.most) break;
      this.drop(oldest);
    }
    this.#watch();
  }

  get(id: string): T | null {
    this.#expire();
    return this.#kept.get(id)?.value ?? null;
  }

  drop(id: string): void {
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    if (kept) this.#limits.wipe?.(kept.value);
  }

  #expire(): void {
    const now = this.#clock.clock.now().getTime();
    for (const [id, { until }] of this.#kept) if (until <= now) this.drop(id);
  }

  /** Nobody has to ask for a value to go. */
  #watch(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#expire();
      if (this.#kept.size > 0) this.#watch();
    }, SWEEP_MS).unref();
  }
}

const SWEEP_MS = 60_000;

/** A typed login as bytes, so that it can be overwritten. */
interface KeptLogin {
  username: string;
  password: Buffer;
}

/** Typed logins of jobs, by the job's id. */
class TypedLogins {
  readonly #kept: Transient<KeptLogin>;

  constructor(services: Pick<Services, 'clock'>) {
    const wipe = ({ password }: KeptLogin) => void password.fill(0);
    this.#kept = new Transient<KeptLogin>(services, { most: 64, seconds: 30 * 60, wipe });
  }

  get size(): number {
    return this.#kept.size;
  }

  put(job_id: string, { username, password }: ApplianceCredential): void {
    this.#kept.put(job_id, { username, password: Buffer.from(password, 'utf8') });
  }

  get(job_id: string): ApplianceCredential | null {
    const kept = this.#kept.get(job_id);
    return kept && { username: kept.username, password: kept.password.toString('utf8') };
  }

  drop(job_id: string): void {
    this.#kept.drop(job_id);
  }
}

const logins = new WeakMap<object, TypedLogins>();

/** The logins of one running service. */
export function typedLogins(services: Services): TypedLogins {
  const own = logins.get(services.store) ?? new TypedLogins(services);
  logins.set(services.store, own);
  return own;
}
