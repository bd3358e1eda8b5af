// Erases the material of keys that clients destroyed long ago.
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';
import { eraseDestroyed, KEPT_DAYS } from '../../shared/services/kms/keys/administration.ts';

export const scheduled = defineScheduled({
  id: 'eraseDestroyedKeys',
  every: 3600,
  description: `Erases the material of keys that were destroyed ${KEPT_DAYS} days ago; until then an administrator can bring them back.`,
  async run(services) {
    const erased = await eraseDestroyed(services);
    if (erased > 0) services.logger.info('material of destroyed keys erased', { erased });
  },
});
