// Addresses that authenticated recently, by a session, a token or a right login. In memory and limited. A full listener
// reserves room for them.
import { instant, later } from '../../ground/clock.ts';
import type { Database } from '../../ground/store/database.ts';

/** As long as a session lives at most. */
const KEPT_MS = 12 * 3600_000;
/** More than any appliance has people and scripts; the ones that were quiet for longest are forgotten first. */
const MOST = 512;

export class KnownAddresses {
  readonly #now: () => number;
  /** When it was last known. */
  readonly #last = new Map<string, number>();

  /** @param now milliseconds that only grow */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Somebody there was recognised. Addresses are plain: IPv4 without `::ffff:`. */
  note(address: string): void {
    this.#last.set(address, this.#now());
    if (this.#last.size > MOST) this.#forgetOne();
  }

  #forgetOne(): void {
    let quietest: string | undefined;
    let since = Number.POSITIVE_INFINITY;
    for (const [address, at] of this.#last) {
      if (at >= since) continue;
      quietest = address;
      since = at;
    }
    this.#last.delete(quietest!);
  }

  has(address: string): boolean {
    const last = this.#last.get(address);
    return last !== undefined && this.#now() - last < KEPT_MS;
  }
}

const USED = `SELECT address FROM (
    SELECT user_id, source_address AS address, last_seen_at AS at FROM session
    UNION ALL SELECT user_id, last_used_from, last_used_at FROM api_token WHERE revoked_at IS NULL) used
  JOIN user ON user.id = used.user_id AND user.enabled = 1
  WHERE address IS NOT NULL AND at > ? GROUP BY address ORDER BY max(at)`;

/** After a restart: where the sessions and tokens in the database were used lately. */
export async function recallAddresses(db: Database, known: KnownAddresses, now: Date): Promise<void> {
  const rows = await db.all<{ address: string }>(USED, [instant(later(now, -KEPT_MS / 1000))]);
  for (const { address } of rows) known.note(address);
}
