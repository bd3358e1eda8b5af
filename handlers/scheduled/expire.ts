// Removes what has run out: sessions, idempotency keys, throttles, plans that a later one replaced, old boot attempts.

import { forgetReplaced } from '../../shared/appliance/apply/plan-store.ts';
import { instant, later } from '../../shared/ground/clock.ts';
import { endOldSignIns } from '../../shared/kernel/access/external/under-way.ts';
import { forgetOldNetworks } from '../../shared/kernel/access/known-network.ts';
import { forgetUnconfirmed } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { forgetRegistrations } from '../../shared/kernel/access/second-factor/passkey-registration.ts';
import { endOldSteps } from '../../shared/kernel/access/second-factor/sign-in-step.ts';
import { endOldSessions } from '../../shared/kernel/access/session.ts';
import { pruneThrottle } from '../../shared/kernel/access/throttle-rows.ts';
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';
import { forgetAnswers } from '../../shared/kernel/operation/middleware/idempotency.ts';
import { forgetAttempts } from '../../shared/services/network-boot/boot/attempt-store.ts';

const DAY = 86_400;

export const scheduled = defineScheduled({
  id: 'expire',
  every: 60,
  description:
    'Removes idle sessions, old idempotency keys and throttles, plans that were replaced a week ago, and boot attempts that ended a month ago.',
  async run({ store, clock, uptime }) {
    await store.write(async (tx) => {
      await endOldSessions(tx, { clock, ...(uptime && { uptime }) });
      await forgetAnswers(tx, clock.now());
      await pruneThrottle(tx, clock.now());
      await forgetOldNetworks(tx, clock.now());
      await endOldSteps(tx, clock.now());
      await endOldSignIns(tx, clock.now());
      await forgetUnconfirmed(tx, clock.now());
      await forgetRegistrations(tx, clock.now());
      await forgetAttempts(tx, later(clock.now(), -30 * DAY));
      await forgetReplaced(tx, instant(later(clock.now(), -7 * DAY)));
    });
  },
});
