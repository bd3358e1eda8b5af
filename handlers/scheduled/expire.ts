// Removes what has run out: sessions, idempotency keys, throttles, plans that a later one replaced, old boot attempts.
import { SESSION_ABSOLUTE_SECONDS, SESSION_IDLE_SECONDS } from '../../shared/access/session.ts';
import { forgetAttempts } from '../../shared/network-boot/attempt-store.ts';
import { instant, later } from '../../shared/operation/clock.ts';
import { defineScheduled } from '../../shared/operation/define-scheduled.ts';
import { IDEMPOTENCY_KEPT } from '../../shared/operation/middleware/idempotency.ts';

const DAY = 86_400;

export const scheduled = defineScheduled({
  id: 'expire',
  every: 60,
  description:
    'Removes idle sessions, old idempotency keys and throttles, plans that were replaced a week ago, and boot attempts that ended a month ago.',
  async run({ store, clock }) {
    const ago = (seconds: number) => instant(later(clock.now(), -seconds));
    await store.write(async (tx) => {
      await tx.run('DELETE FROM session WHERE last_seen_at <= ? OR created_at <= ?', [
        ago(SESSION_IDLE_SECONDS),
        ago(SESSION_ABSOLUTE_SECONDS),
      ]);
      await tx.run('DELETE FROM idempotency_key WHERE created_at <= ?', [ago(IDEMPOTENCY_KEPT)]);
      await tx.run('DELETE FROM sign_in_throttle WHERE last_failure_at <= ?', [ago(DAY)]);
      await forgetAttempts(tx, later(clock.now(), -30 * DAY));
      await tx.run("DELETE FROM plan WHERE state = 'superseded' AND created_at <= ?", [ago(7 * DAY)]);
    });
  },
});
