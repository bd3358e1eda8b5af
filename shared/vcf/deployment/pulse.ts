// Renews a lease while its disks are sent, by progress reports on a timer of its own, even while the upload stalls.
// When the target has given the lease up, the upload ends at once.
import { Problem } from '../../ground/problems.ts';
import { VsphereFault, type VsphereReason } from '../vsphere/fault.ts';

export interface PulseOptions {
  /** Reports to the target, and waits for its answer. */
  say: (percent: number) => Promise<unknown>;
  /** 0 to 100, of the bytes that were really sent. */
  percent: () => number;
  every_ms: number;
  /** After so many seconds without a word the target ends the lease. */
  timeout_seconds: number;
  /** Hears of a word that failed, when the lease may still live. */
  onTrouble?: (error: Error) => void;
}

/** After these nothing that is sent is of use. */
const OVER: readonly VsphereReason[] = ['lease_over', 'gone', 'session_lost', 'not_permitted'];
/** Milliseconds for the answer to a word. */
export const WORD_MS = 24_000;
/**
 * Words that may be under way at once: as many as a target that answers none leaves open, so that none is left out; and
 * fewer than the connections to it, so that a question gets through.
 */
export const MOST_OPEN = 5;

export class LeasePulse {
  readonly #options: PulseOptions;
  readonly #over = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #open = 0;
  #heard = performance.now();

  constructor(options: PulseOptions) {
    this.#options = options;
  }

  /** Aborted, with why, once the lease cannot be alive any more. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  start(): this {
    this.#heard = performance.now();
    this.#timer = setInterval(() => void this.#say(), this.#options.every_ms);
    void this.#say();
    return this;
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #say(): Promise<void> {
    if (this.#open >= MOST_OPEN) return this.#judge(null);
    this.#open++;
    try {
      await this.#options.say(Math.max(0, Math.min(100, Math.floor(this.#options.percent()))));
      this.#heard = performance.now();
    } catch (error) {
      this.#judge(error as Error);
    } finally {
      this.#open--;
    }
  }

  #judge(error: Error | null): void {
    if (this.#timer === null) return;
    const fatal =
      (error instanceof VsphereFault && OVER.includes(error.reason)) ||
      (error instanceof Problem && error.code === 'certificate_changed');
    const silent = performance.now() - this.#heard > this.#options.timeout_seconds * 1000;
    if (!fatal && !silent) {
      if (error) this.#options.onTrouble?.(error);
      return;
    }
    this.stop();
    this.#over.abort(fatal ? error : unheard(this.#options.timeout_seconds));
  }
}

const unheard = (seconds: number): Problem =>
  new Problem(
    'remote_timeout',
    `The target heard nothing of this import for ${seconds} seconds, after which it gives it up. Check the connection to it, then start again.`,
  );
