// Ends what commands of the shell own whose process was killed.
import { deadCommands, releaseLocks } from '../../shared/kernel/access/mutation-lock.ts';
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';

export const scheduled = defineScheduled({
  id: 'releaseLocks',
  every: 5,
  description: 'Releases the mutation lock of commands whose process has ended without it.',
  async run({ store, logger }) {
    const dead = await deadCommands(store);
    if (dead.length === 0) return;
    await store.write(async (tx) => {
      for (const owner of dead) await releaseLocks(tx, owner);
    });
    logger.warn('locks of ended commands released', { owners: dead });
  },
});
