// Looking at a machine that somebody names: each look is recorded with what came of it, and one user looks at so many
// machines in a while. Else who may open a wizard could find out by it, unseen, what listens where in the network.

import { systemUptime } from '../../ground/machine/uptime.ts';
import { Problem } from '../../ground/problems.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { AuditEvent } from '../../kernel/audit/audit.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { type Observation, observeTarget, type ReachOptions } from './reach.ts';
import { serverText, type Target } from './target.ts';

/** Different servers that one user may look at in the time. The same one again is free. */
export const LOOKS_MOST = 20;
export const LOOKS_SECONDS = 10 * 60;

/** Server → when its time is over, by user; of this process. */
const looks = new WeakMap<object, Map<string, Map<string, number>>>();

function looksOf({ store }: Pick<Services, 'store'>, { user_id }: Actor): Map<string, number> {
  const users = looks.get(store) ?? new Map<string, Map<string, number>>();
  looks.set(store, users);
  const own = users.get(user_id ?? '') ?? new Map<string, number>();
  users.set(user_id ?? '', own);
  return own;
}

/** Counts looks before they begin, so that simultaneous ones count as well. All or none. @throws Problem 429 */
export function countLooks(
  services: Pick<Services, 'store' | 'uptime'>,
  actor: Actor,
  servers: readonly string[],
): void {
  const own = looksOf(services, actor);
  const now = (services.uptime ?? systemUptime).milliseconds();
  for (const [known, until] of own) if (until <= now) own.delete(known);
  const fresh = [...new Set(servers)].filter((server) => !own.has(server));
  if (fresh.length > 0 && own.size + fresh.length > LOOKS_MOST) {
    // When enough of them are over.
    const times = [...own.values()].sort((one, other) => one - other);
    const free = times[own.size + fresh.length - LOOKS_MOST - 1] ?? now;
    const seconds = Math.max(1, Math.ceil((free - now) / 1000));
    throw new Problem(
      'too_many_attempts',
      `You have looked at ${LOOKS_MOST} servers in ${LOOKS_SECONDS / 60} minutes, which is the most. Look at the next one in ${seconds} s.`,
      { retry_after: seconds },
    );
  }
  for (const server of fresh) own.set(server, now + LOOKS_SECONDS * 1000);
}

export type Looked = { seen: Observation } | { refuse: Problem };

/**
 * Counts, and looks. A refusal by the policy and a missing answer are results too: `lookEvent` records them.
 * @throws Problem 429
 */
export async function look(
  services: Services,
  actor: Actor,
  target: Target,
  options: ReachOptions = {},
): Promise<Looked> {
  countLooks(services, actor, [serverText(target)]);
  try {
    return { seen: await observeTarget(services, target, options) };
  } catch (error) {
    if (error instanceof Problem) return { refuse: error };
    throw error;
  }
}

/** The audit event of one look. */
export function lookEvent(task: string, target: Target, looked: Looked): AuditEvent {
  const refused = 'refuse' in looked;
  return {
    action: 'remote.target.probe',
    resource_type: 'remote_target',
    resource_id: null,
    outcome: refused ? 'failure' : 'success',
    detail: {
      task,
      server: serverText(target),
      ...(refused
        ? { refused: looked.refuse.code }
        : { address: looked.seen.address, sha256: looked.seen.certificate.sha256 }),
    },
  };
}
