// A confirm window whose record is damaged. Nobody can confirm it, so the files that were kept are put back. Where nothing was
// kept, that is said, and an administrator can clear the record.
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { UnitId } from '../../../platform/unit-names.ts';
import { keptUnits } from '../kept.ts';
import { deadlineIn, type WindowRecord } from './record.ts';
import { windowFile } from './record-file.ts';

/**
 * A new record to go back by: each unit's files were kept before the unit was changed. `reached`: units that the run had come
 * to; one of which nothing was kept must not be reported as rolled back.
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

/** Where the last record that was cleared is left, for inspection. */
export const setAsideFile = (folder: string): string => join(folder, 'cleared-window.json');

export async function setAside(folder: string): Promise<void> {
  await rename(windowFile(folder), setAsideFile(folder)).catch(() => undefined);
}
