// The clock's look at the conditions: what lasts long enough becomes an alert, what is gone closes it.
import type { Services } from '../../kernel/operation/services.ts';
import { takeStep } from '../../vcf/alerts/alert-store.ts';
import { readRules } from '../../vcf/alerts/rules.ts';
import { healthOf } from './health.ts';

/** About twenty statements, and no transaction where nothing changes. */
export async function watchConditions(services: Services): Promise<void> {
  const { store, clock, logger } = services;
  const { conditions, unknown } = await healthOf(services);
  const changes = await takeStep(services, { now: clock.now(), present: conditions, unknown }, await readRules(store));
  for (const { alert, tells } of changes) {
    if (tells === null) continue;
    const { condition, subject, severity } = alert;
    logger.info('an alert', { event: tells, condition, subject, severity });
  }
}
