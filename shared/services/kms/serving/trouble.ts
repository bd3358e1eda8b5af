// A trouble that lasts, as the log has it: its first line at once, then one a minute with how often it came, and its end.
import type { Services } from '../../../kernel/operation/services.ts';

/** Milliseconds from one line to the next. */
const QUIET_MS = 60_000;

export class Trouble {
  readonly #logger: Pick<Services['logger'], 'error' | 'info'>;
  readonly #what: string;
  readonly #now: () => number;
  #told = Number.NEGATIVE_INFINITY;
  #times = 0;
  #lasts = false;

  /** `now`: milliseconds of a clock that nobody sets. */
  constructor(
    logger: Pick<Services['logger'], 'error' | 'info'>,
    what: string,
    now: () => number = () => performance.now(),
  ) {
    this.#logger = logger;
    this.#what = what;
    this.#now = now;
  }

  met({ message }: Error): void {
    this.#times += 1;
    this.#lasts = true;
    if (this.#now() - this.#told < QUIET_MS) return;
    this.#logger.error(this.#what, { failure: { message }, times: this.#times });
    this.#told = this.#now();
    this.#times = 0;
  }

  over(): void {
    if (!this.#lasts) return;
    this.#logger.info(`${this.#what}: over`, { times: this.#times });
    this.#lasts = false;
    this.#told = Number.NEGATIVE_INFINITY;
    this.#times = 0;
  }
}
