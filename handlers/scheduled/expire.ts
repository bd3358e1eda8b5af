// Removes what has run out: sessions, idempotency keys, throttles, plans that a later one replaced, old boot attempts.

import { instant, later } from '../../shared/ground/clock.ts';
import { forgetOldNetworks } from '../../shared/kernel/access/known-network.ts';
import { endOldSessions } from '../../shared/kernel/access/session.ts';
import { pruneThrottle } from '../../shared/kernel/access/throttle-rows.ts';
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';
import { IDEMPOTENCY_KEPT } from '../../shared/kernel/operation/middleware/idempotency.ts';
import { forgetAttempts } from '../../shared/services/network-boot/boot/attempt-store.ts';

const DAY = 86_400;

export const scheduled = defineScheduled({
  id: 'expire',
  every: 60,
  description:
    'Removes idle sessions, old idempotency keys and throttles, plans that were replaced a week ago, and boot attempts that ended a month ago.',
  async run({ store, clock, uptime }) {
    const ago = (seconds: number) => instant(later(clock.now(), -seconds));
    await store.write(async (tx) => {
      await endOldSessions(tx, { clock, ...(uptime && { uptime }) });
      // Of a clock that was set back as well, but not before its own time: a request sent again must not run twice.
      await tx.run('DELETE FROM idempotency_key WHERE created_at <= ? OR created_at > ?', [
        ago(IDEMPOTENCY_KEPT),
        ago(-IDEMPOTENCY_KEPT),
      ]);
      await pruneThrottle(tx, clock.now());
      await forgetOldNetworks(tx, clock.now());
      await forgetAttempts(tx, later(clock.now(), -30 * DAY));
      await tx.run("DELETE FROM plan WHERE state = 'superseded' AND created_at <= ?", [ago(7 * DAY)]);
    });
  },
});
