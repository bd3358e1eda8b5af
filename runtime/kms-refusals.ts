// Strangers at the KMIP server as the log has them: one line an address and minute, however often it comes.
import type { Services } from '../shared/kernel/operation/services.ts';

/** Milliseconds from one line of an address to its next. */
const QUIET_MS = 60_000;
/** Addresses that are told apart; all others share one line. */
const ADDRESSES_MOST = 256;
const OTHERS = 'others';

interface Heard {
  /** When its last line was written, milliseconds. */
  told: number;
  /** Refusals since that line. */
  since: number;
  /** Of the last one. */
  sha256: string | null;
}

export class Refusals {
  readonly #logger: Pick<Services['logger'], 'warn'>;
  readonly #now: () => number;
  readonly #heard = new Map<string, Heard>();

  /** `now`: milliseconds of a clock that nobody sets. */
  constructor(logger: Pick<Services['logger'], 'warn'>, now: () => number = () => performance.now()) {
    this.#logger = logger;
    this.#now = now;
  }

  /** The first of an address is told at once. */
  add(source_address: string, sha256: string | null): void {
    const apart = this.#heard.has(source_address) || this.#heard.size < ADDRESSES_MOST;
    const place = apart ? source_address : OTHERS;
    const heard = this.#heard.get(place) ?? { told: Number.NEGATIVE_INFINITY, since: 0, sha256 };
    this.#heard.set(place, { ...heard, since: heard.since + 1, sha256 });
    this.#tell(place);
  }

  /** Tells of those whose minute is over, and forgets addresses that were quiet for one. */
  tell(): void {
    for (const place of this.#heard.keys()) this.#tell(place);
  }

  #tell(place: string): void {
    const { told, since, sha256 } = this.#heard.get(place)!;
    if (this.#now() - told < QUIET_MS) return;
    if (since === 0) return void this.#heard.delete(place);
    this.#logger.warn('kms client refused', { source_address: place, sha256, times: since });
    this.#heard.set(place, { told: this.#now(), since: 0, sha256: null });
  }
}
