// Puts a plan that nobody confirmed back: unit by unit in the order of the plan, so that the path comes first. Whoever
// calls it holds the host lock. A second call, or one after a crash in the middle, does what is left.
import { setTimeout as pause } from 'node:timers/promises';
import type { Host } from '../../../ground/machine/host.ts';
import { type UnitId, unitName } from '../../../platform/unit-names.ts';
import { findUnit } from '../../units.ts';
import { keptFolder, loadKept, putBack } from '../kept.ts';
import { endedBy, isOpen, type RevertCause, type WindowRecord } from './record.ts';
import { writeWindow } from './record-file.ts';

interface Way {
  host: Host;
  folder: string;
}

/** Answers the record as it ended. A unit that can't be rolled back does not keep the others from it. */
export async function revert(
  { host, folder }: Way,
  record: WindowRecord,
  { by, cause, how = 'activate' }: { by: string; cause: RevertCause; how?: 'activate' | 'files' },
): Promise<WindowRecord> {
  if (!isOpen(record)) return record;
  // Whoever finishes what another one began says why that one did.
  const begun = record.state === 'reverting' && record.ended ? record.ended : endedBy(by, cause);
  // On a full disk the way back comes first: it gives the space that was set aside free.
  await writeWindow(folder, { ...record, state: 'reverting', ended: begun }).catch(() => undefined);
  const said: string[] = [];
  const unrestored: UnitId[] = [];
  for (const id of record.units) {
    const { ok, sentence } = await unitBack({ host, folder }, record, id, how);
    if (!ok) unrestored.push(id);
    if (sentence !== '') said.push(sentence);
  }
  const state = unrestored.length === 0 ? 'reverted' : 'unreverted';
  const ended: WindowRecord = { ...record, state, ended: endedBy(begun.by, begun.cause, said, unrestored) };
  await writeWindow(folder, ended, { spend: true });
  return ended;
}

const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '');

/** Tries again, because what stands against it (a disk that is full, a program that is busy) may pass. */
const TRIES = 4;
const BETWEEN_TRIES = 300;

async function unitBack({ host, folder }: Way, record: WindowRecord, id: UnitId, how: 'activate' | 'files') {
  const unit = findUnit(id);
  for (let tried = 1; ; tried += 1) {
    try {
      const place = keptFolder(folder, record.plan_id, id);
      const kept = await loadKept(place);
      if (!kept) {
        // Its turn had not come yet; or somebody took away what was kept, which nobody may call rolled back.
        if (!record.touched.includes(id)) return { ok: true, sentence: '' };
        return { ok: false, sentence: `${unitName(unit.id)} could not be rolled back: what was kept of it is gone` };
      }
      return {
        ok: true,
        sentence: `${unitName(unit.id)}: ${(await putBack(place, host, unit, kept, how)).map(withoutStop).join('; ')}`,
      };
    } catch (error) {
      if (tried === TRIES) {
        return { ok: false, sentence: `${unitName(unit.id)} could not be rolled back: ${(error as Error).message}` };
      }
      await pause(BETWEEN_TRIES);
    }
  }
}
