// Values that must not be stored: typed secrets of jobs, and data that a wizard has read and not used yet. They are in
// the memory of this process, few at a time and for a limited time, by the uptime clock. A restart drops them; the
// caller gets an error then.
import { systemUptime, type Uptime } from '../../ground/machine/uptime.ts';

export interface TransientLimits<T> {
  most: number;
  seconds: number;
  /** Most values of one owner. Beyond that the owner's own oldest is dropped, never another owner's. */
  each?: { most: number; ownerOf: (value: T) => string };
  /** Called with each value that leaves: overwrites what can be overwritten. */
  wipe?: (value: T) => void;
}

interface Kept<T> {
  value: T;
  until: number;
}

/** A bounded map in memory. The oldest goes when there are too many, and each when its time is over. */
export class Transient<T> {
  readonly #uptime: Uptime;
  readonly #limits: TransientLimits<T>;
  readonly #kept = new Map<string, Kept<T>>();
  #timer: NodeJS.Timeout | null = null;

  constructor({ uptime = systemUptime }: { uptime?: Uptime }, limits: TransientLimits<T>) {
    this.#uptime = uptime;
    this.#limits = limits;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** Stores a value for its whole lifetime from now on, in place of an older one. */
  put(id: string, value: T): void {
    const before = this.#kept.get(id)?.value;
    if (before !== undefined && before !== value) this.drop(id);
    else this.#kept.delete(id);
    this.#kept.set(id, { value, until: this.#uptime.milliseconds() + this.#limits.seconds * 1000 });
    for (const oldest of this.#beyondOwn(value)) this.drop(oldest);
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

  /** Gives one value, which is in use, another lifetime from now on. */
  stay(id: string, seconds: number): void {
    const kept = this.#kept.get(id);
    if (kept) kept.until = this.#uptime.milliseconds() + seconds * 1000;
  }

  drop(id: string): void {
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    if (kept) this.#limits.wipe?.(kept.value);
  }

  /** Ids of the owner's oldest beyond what one may have. */
  #beyondOwn(value: T): string[] {
    const { each } = this.#limits;
    if (!each) return [];
    const owner = each.ownerOf(value);
    const own = [...this.#kept].filter(([, kept]) => each.ownerOf(kept.value) === owner).map(([id]) => id);
    return own.slice(0, Math.max(0, own.length - each.most));
  }

  #expire(): void {
    const now = this.#uptime.milliseconds();
    for (const [id, { until }] of this.#kept) if (until <= now) this.drop(id);
  }

  /** Values expire even if they are not read. */
  #watch(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#expire();
      if (this.#kept.size > 0) this.#watch();
    }, SWEEP_MS).unref();
  }
}

const SWEEP_MS = 60_000;
