// Media that are in the applied state: their files are served until the next apply.
import type { Host } from '../../host/host.ts';
import { Problem } from '../../operation/problems.ts';
import { readManifest } from '../manifest.ts';

/** @throws Problem 409 while the boot listener serves this medium. */
export async function refuseApplied(host: Pick<Host, 'read'>, id: string): Promise<void> {
  const applied = await readManifest(host);
  if (!applied?.manifest.media.some((medium) => medium.id === id)) return;
  throw new Problem('still_referenced', 'The applied state serves this medium. Apply network boot without it first.');
}
