// Removes what applies left behind: baselines that nothing refers to any more (a large zone's is several megabytes), and
// the staged files of a review or a run that was killed.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unitStates } from '../../shared/apply/unit-state.ts';
import { defineScheduled } from '../../shared/operation/define-scheduled.ts';

/** Younger ones may belong to an apply that runs now. */
const DAY_MS = 86_400_000;

export const scheduled = defineScheduled({
  id: 'pruneApplyFiles',
  every: 3600,
  description: 'Removes baselines of earlier applies and files of interrupted ones, a day after they were written.',
  async run({ store, clock, settings }) {
    const inForce = new Set([...(await unitStates(store)).values()].map((state) => state.entries_digest));
    for (const kind of ['baselines', 'review', 'work']) {
      const folder = join(settings.data, 'apply', kind);
      for (const name of await readdir(folder).catch(() => [])) {
        if (inForce.has(name)) continue;
        // An apply that runs now may take its files away between the listing and this look at one of them.
        const found = await stat(join(folder, name)).catch(unlessGone);
        if (found === undefined || clock.now().getTime() - found.mtimeMs <= DAY_MS) continue;
        await rm(join(folder, name), { recursive: true, force: true });
      }
    }
  },
});

function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
