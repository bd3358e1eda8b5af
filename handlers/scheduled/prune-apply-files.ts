// Removes what applies left behind: baselines that nothing refers to any more (a large zone's is several megabytes), the
// rows of applied plans beyond those that can be brought back, and the staged files of a review or a run that was killed.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { forgetOldRows } from '../../shared/appliance/apply/applied-rows.ts';
import { isNear } from '../../shared/ground/clock.ts';
import { findLock } from '../../shared/kernel/access/mutation-lock.ts';
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';
import { unitStates } from '../../shared/platform/applied/unit-state.ts';

/** Younger ones may belong to an apply that has only just begun. */
const DAY = 86_400;

export const scheduled = defineScheduled({
  id: 'pruneApplyFiles',
  every: 3600,
  description:
    'Removes baselines of earlier applies, rows of all but the last 50 applied plans and files of interrupted ones, a day after they were written.',
  async run({ store, clock, settings }) {
    // Its files are needed, however old they seem: the apply may be the one that sets the clock.
    if (await findLock(store)) return;
    const inForce = [...(await unitStates(store)).values()].map((state) => state.entries_digest);
    const needed = new Set([...inForce, ...(await forgetOldRows({ store }))]);
    for (const kind of ['baselines', 'contents', 'rows', 'review', 'work']) {
      const folder = join(settings.data, 'apply', kind);
      for (const name of await readdir(folder).catch(() => [])) {
        if (needed.has(name)) continue;
        // An apply that runs now may take its files away between the listing and this look at one of them.
        const found = await stat(join(folder, name)).catch(unlessGone);
        if (found === undefined || isNear(found.mtimeMs, clock.now(), DAY)) continue;
        await rm(join(folder, name), { recursive: true, force: true });
      }
    }
  },
});

function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
