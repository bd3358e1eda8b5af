// Ends what commands of the shell own whose process was killed.
import { deadCommands, releaseDead } from '../../shared/kernel/access/held-locks.ts';
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';

export const scheduled = defineScheduled({
  id: 'releaseLocks',
  every: 5,
  description: 'Releases the mutation lock of commands whose process has ended without it.',
  async run({ store, logger }) {
    if ((await deadCommands(store)).length === 0) return;
    logger.warn('locks of ended commands released', { owners: await store.write(releaseDead) });
  },
});
