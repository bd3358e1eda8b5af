// Removes baselines that nothing refers to any more: each apply leaves the one before it behind, and a large zone's is
// several megabytes.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unitStates } from '../../shared/apply/unit-state.ts';
import { defineScheduled } from '../../shared/operation/define-scheduled.ts';

const DAY_MS = 86_400_000;

export const scheduled = defineScheduled({
  id: 'pruneBaselines',
  every: 3600,
  description: 'Removes baselines of earlier applies, a day after they were written.',
  async run({ store, clock, settings }) {
    const folder = join(settings.data, 'apply', 'baselines');
    const inForce = new Set([...(await unitStates(store)).values()].map((state) => state.entries_digest));
    for (const name of await readdir(folder).catch(() => [])) {
      if (inForce.has(name)) continue;
      // Not the one that a running apply has written and not yet recorded.
      const { mtimeMs } = await stat(join(folder, name));
      if (clock.now().getTime() - mtimeMs > DAY_MS) await rm(join(folder, name), { force: true });
    }
  },
});
