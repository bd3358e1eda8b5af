// Ends boot attempts after ten minutes by either clock, and those whose host was applied with other values since.

import { instant, newId } from '../../shared/ground/clock.ts';
import { systemActor } from '../../shared/kernel/access/actor.ts';
import { type AuditEvent, appendAudit } from '../../shared/kernel/audit/audit.ts';
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { type EndReason, standing } from '../../shared/services/network-boot/boot/attempt.ts';
import {
  type Attempt,
  endAttempt,
  findAttempt,
  openAttempts,
} from '../../shared/services/network-boot/boot/attempt-store.ts';
import { now } from '../../shared/services/network-boot/boot/context.ts';
import { boundTo } from '../../shared/services/network-boot/boot/poll.ts';
import { attemptEvent } from '../../shared/services/network-boot/boot/retrieve.ts';
import { readManifest } from '../../shared/services/network-boot/manifest.ts';

/** In one transaction. */
const AT_ONCE = 100;

export const scheduled = defineScheduled({
  id: 'expireBootAttempts',
  every: 2,
  description:
    'Ends boot attempts whose ten minutes are over, and those whose host network boot was applied otherwise or without. They are of no use before this sees them, too.',
  async run(services) {
    const { store, keys, entropy } = services;
    const open = await openAttempts(store);
    if (open.length === 0) return;
    // Both read after the attempts: none of them began later than now, or is bound to what came in force later.
    const moment = now(services);
    const bound = await boundNow(services);
    const ended = open.flatMap((attempt): [Attempt, EndReason][] => {
      if (standing(attempt, moment) === 'expired') return [[attempt, 'time-over']];
      return bound(attempt) ? [] : [[attempt, 'applied-changed']];
    });
    if (ended.length === 0) return;
    await store.write(async (tx) => {
      const context = {
        at: instant(moment.at),
        actor: systemActor('ticker'),
        request_id: newId('tick', entropy),
        source_address: '',
      };
      for (const [attempt, reason] of ended.slice(0, AT_ONCE)) {
        // One that was authorized meanwhile has ten minutes more.
        if ((await findAttempt(tx, 'id', attempt.id))?.state !== attempt.state) continue;
        if (!(await endAttempt(tx, attempt.id, reason, moment.at))) continue;
        await appendAudit(tx, keys, context, eventOf(attempt, reason), { holdsLock: true });
      }
    });
    services.notify('pending');
  },
});

function eventOf(attempt: Attempt, reason: EndReason): AuditEvent {
  if (reason === 'time-over') return attemptEvent('expire', attempt, { was: attempt.state });
  return { ...attemptEvent('burn', attempt, { was: attempt.state, reason }), outcome: 'failure' };
}

/** Whether an attempt can still come to its end by what is in force. Of a manifest that can't be read nobody knows. */
async function boundNow({ host }: Services): Promise<(attempt: Attempt) => boolean> {
  try {
    const applied = await readManifest(host);
    return (attempt) => applied !== null && boundTo(applied, attempt) !== null;
  } catch {
    return () => true;
  }
}
