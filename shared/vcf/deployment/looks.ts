// Machines that a pre-flight looks at beside its target: they count as looks of the user, and are named in the audit
// log. Else the inventory of a forged target could make the appliance scan the network unseen.

import { Problem } from '../../ground/problems.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { countLooks } from '../connection/recorded-look.ts';
import { serverText, type Target } from '../connection/target.ts';

/** For the audit log: the result of each host, and every other machine that got packets. */
export interface LookedAt {
  /** Server → its address, or the code of what went wrong. */
  upload_hosts: Record<string, string>;
  name_servers: string[];
  time_servers: string[];
  /** Addresses that were tested for another machine. */
  addresses: string[];
}

export class Looks {
  readonly at: LookedAt = { upload_hosts: {}, name_servers: [], time_servers: [], addresses: [] };
  readonly #count: (servers: readonly string[]) => void;

  /** @param count before any of them is looked at; throws when they are too many */
  constructor(count: (servers: readonly string[]) => void = () => undefined) {
    this.#count = count;
  }

  /** @throws Problem 429: then no machine may be looked at */
  count(targets: readonly Target[]): void {
    this.#count(targets.map(serverText));
  }

  host(target: Target, outcome: string): void {
    this.at.upload_hosts[serverText(target)] = outcome;
  }

  asked(kind: Exclude<keyof LookedAt, 'upload_hosts'>, addresses: readonly string[]): void {
    // Two checks may ask the same name server.
    this.at[kind] = [...new Set([...this.at[kind], ...addresses])];
  }

  /** Only what there is. */
  get said(): Partial<LookedAt> {
    return Object.fromEntries(Object.entries(this.at).filter(([, each]) => Object.keys(each).length > 0));
  }
}

export const looksOf = (services: Pick<Services, 'store' | 'clock'>, actor: Actor): Looks =>
  new Looks((servers) => countLooks(services, actor, servers));

/** Users whose pre-flight runs, of this process. */
const running = new WeakMap<object, Set<string>>();

/** One at a time for a user: each has programs run. @throws Problem 429 */
export async function alone<T>({ store }: Pick<Services, 'store'>, actor: Actor, work: () => Promise<T>): Promise<T> {
  const users = running.get(store) ?? new Set<string>();
  running.set(store, users);
  const user = actor.user_id ?? '';
  if (users.has(user)) {
    throw new Problem('too_many_attempts', 'A pre-flight of yours is still running. Wait for it, then try again.', {
      retry_after: 5,
    });
  }
  users.add(user);
  try {
    return await work();
  } finally {
    users.delete(user);
  }
}
