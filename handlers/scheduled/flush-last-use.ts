// Writes down when tokens and sessions were last used.
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';

export const scheduled = defineScheduled({
  id: 'flushLastUse',
  every: 10,
  description: 'Writes when API tokens and sessions were last used, gathered since the last time.',
  run: (services) => services.lastUse.flush(services.store),
});
