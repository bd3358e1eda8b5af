// Ends boot attempts whose ten minutes are over, by either clock.
import { systemActor } from '../../shared/access/actor.ts';
import { appendAudit } from '../../shared/audit/audit.ts';
import { endAttempt, overdueAttempts } from '../../shared/network-boot/attempt-store.ts';
import { now } from '../../shared/network-boot/context.ts';
import { attemptEvent } from '../../shared/network-boot/retrieve.ts';
import { instant, newId } from '../../shared/operation/clock.ts';
import { defineScheduled } from '../../shared/operation/define-scheduled.ts';

/** In one transaction. */
const AT_ONCE = 100;

export const scheduled = defineScheduled({
  id: 'expireBootAttempts',
  every: 2,
  description: 'Ends boot attempts whose ten minutes are over. They are of no use before this sees them, too.',
  async run(services) {
    const { store, keys, entropy } = services;
    const moment = now(services);
    const overdue = await overdueAttempts(store, moment, AT_ONCE);
    if (overdue.length === 0) return;
    await store.write(async (tx) => {
      const context = {
        at: instant(moment.at),
        actor: systemActor('ticker'),
        request_id: newId('tick', entropy),
        source_address: '',
      };
      for (const attempt of overdue) {
        if (!(await endAttempt(tx, attempt.id, 'time-over', moment.at))) continue;
        await appendAudit(tx, keys, context, attemptEvent('expire', attempt, { was: attempt.state }), {
          holdsLock: true,
        });
      }
    });
    services.notify('pending');
  },
});
