// Media that are in the applied state: their files are served until the next apply.
import type { Host } from '../../../ground/machine/host.ts';
import { Problem } from '../../../ground/problems.ts';
import { readManifest } from '../manifest.ts';

/** @throws Problem 409 while the boot listener serves this medium, and while that is not known. */
export async function refuseApplied(host: Pick<Host, 'read'>, id: string): Promise<void> {
  const applied = await readManifest(host).catch(() => {
    throw new Problem(
      'state_conflict',
      'The applied state of network boot can’t be read, so that nobody knows whether it serves this medium. Apply network boot once more, then delete the medium.',
    );
  });
  if (!applied?.manifest.media.some((medium) => medium.id === id)) return;
  throw new Problem('still_referenced', 'The applied state serves this medium. Apply network boot without it first.');
}
