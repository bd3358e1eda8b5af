// A record of a confirm window that can't be relied on. Nobody can confirm such a window, so the safe thing is to put back
// what was kept; and where nothing was, to say so and let an administrator clear it.
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { UnitId } from '../../units/unit.ts';
import { keptUnits } from '../kept.ts';
import { deadlineIn, type WindowRecord } from './record.ts';
import { windowFile } from './record-file.ts';

/**
 * A record to go back by: what was kept was kept before anything of its unit was changed. `reached`: units that are known to
 * have been changed, of which nobody may say that they are put back where nothing was kept.
 */
export function rebuilt(folder: string, plan_id: string, reached: readonly UnitId[] = []): WindowRecord {
  const units = [...new Set([...keptUnits(folder, plan_id), ...reached])];
  return {
    plan_id,
    state: 'reverting',
    nonce_sha256: '',
    units,
    touched: units,
    ...deadlineIn(0),
    enforced_uptime_ms: null,
    arrived_at: '',
    listeners: [],
    ended: null,
  };
}

/** For whoever wants to know what became of it: the last one that was cleared. */
export const setAsideFile = (folder: string): string => join(folder, 'cleared-window.json');

export async function setAside(folder: string): Promise<void> {
  await rename(windowFile(folder), setAsideFile(folder)).catch(() => undefined);
}
