// Has root's program do what was ordered for the plan, disk by disk, and waits for it.
import { setTimeout as pause } from 'node:timers/promises';
import { firstLine } from '../../ground/machine/exec.ts';
import type { Host } from '../../ground/machine/host.ts';
import type { StorageDesired } from './desired.ts';
import { readRecord, type Work, workUnit } from './disk-order.ts';
import { strangeOn } from './disk-state.ts';
import type { Seen } from './disks.ts';
import { mounted } from './render.ts';

export interface Bench {
  /** Of the plan that is put in force; without one no disk is worked on. */
  plan_id?: string | undefined;
  /** Root's records; tests have their own. */
  records?: string | undefined;
}

/** A little longer than the service takes at most. */
const WORKING = { timeout: 1_000_000 };
/** Looks until udev knows what a disk carries now, and milliseconds between two. */
const LOOKS = 300;
const BETWEEN = 100;

const DONE: Readonly<Record<Work, string>> = { format: 'was formatted', grow: 'fills its disk' };

/** Answers a sentence for each disk. @throws Error in a sentence for the first one that was refused */
export async function workOnDisks(
  host: Host,
  desired: StorageDesired,
  work: Work,
  seen: Seen,
  { plan_id, records }: Bench,
): Promise<string[]> {
  const said: string[] = [];
  for (const volume of mounted(desired)) {
    const { name, filesystem, ordered } = volume;
    if (!filesystem || ordered?.work !== work || plan_id === undefined || ordered.plan !== plan_id) continue;
    const done = await host.exec('systemctl', ['start', workUnit(work, filesystem.uuid)], WORKING);
    if (done.code !== 0) {
      const { said: why } = await readRecord(filesystem.uuid, records);
      throw new Error(
        why === '' ? `The disk of the volume ${name}: ${firstLine(done)}` : `The disk of the volume ${name} ${why}.`,
      );
    }
    for (let look = 0; look < LOOKS && (await strangeOn(volume, seen)) !== null; look += 1) await pause(BETWEEN);
    said.push(`Volume ${name} ${DONE[work]}.`);
  }
  return said;
}
