// Ways in that were just given: 256 bits, for 30 seconds, once. Only their hashes are kept, in memory: a restart ends them all.
import { createHash } from 'node:crypto';
import type { Clock, Entropy } from '../../../ground/clock.ts';

export const TICKET_SECONDS = 30;
/** At the same time, of one session: whoever asks again has lost the one before. */
const MOST = 64;

export interface RemoteTarget {
  vault_id: string;
  entry_id: string;
  uri: string;
  host: string;
  port: number;
}

export interface Ticket {
  user_id: string;
  /** The hashed session that asked. */
  credential_id: string;
  /** Account of the operating system. */
  account: string;
  /** Another machine, by an entry of a vault, in place of the appliance. */
  remote?: RemoteTarget;
  /** Address that it was asked from. */
  source_address: string;
}

export const hashed = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

export class Tickets {
  readonly #given = new Map<string, Ticket & { until: number }>();
  readonly #clock: Clock;
  readonly #entropy: Entropy;

  constructor({ clock, entropy }: { clock: Clock; entropy: Entropy }) {
    this.#clock = clock;
    this.#entropy = entropy;
  }

  give(ticket: Ticket): string {
    const now = this.#clock.now().getTime();
    for (const [hash, { until, credential_id }] of this.#given)
      if (until <= now || credential_id === ticket.credential_id) this.#given.delete(hash);
    if (this.#given.size >= MOST) this.#given.delete(this.#given.keys().next().value!);
    const secret = this.#entropy.bytes(32).toString('base64url');
    this.#given.set(hashed(secret), { ...ticket, until: now + TICKET_SECONDS * 1000 });
    return secret;
  }

  /** Only for the session that asked; a ticket that is shown is used, whoever shows it. */
  take(secret: string, credential_id: string): Ticket | null {
    const hash = hashed(secret);
    const found = this.#given.get(hash);
    this.#given.delete(hash);
    if (!found || found.credential_id !== credential_id) return null;
    const now = this.#clock.now().getTime();
    // A clock that is set back makes no ticket older.
    return found.until > now && found.until - now <= TICKET_SECONDS * 1000 ? found : null;
  }
}

const all = new WeakMap<object, Tickets>();

/** Those of this service: operation and WebSocket share them. */
export function ticketsOf(services: { store: object; clock: Clock; entropy: Entropy }): Tickets {
  const found = all.get(services.store);
  if (found) return found;
  const tickets = new Tickets(services);
  all.set(services.store, tickets);
  return tickets;
}
