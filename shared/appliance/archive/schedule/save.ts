// Saves the schedule. It takes effect at once: no apply concerns it.
import { instant } from '../../../ground/clock.ts';
import { invalid } from '../../../ground/problems.ts';
import type { Transaction } from '../../../ground/store/database.ts';
import { type Precondition, requireRevision } from '../../../ground/store/revision.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { saveDocument } from '../../../platform/units/documents.ts';
import { countFrom } from './clock.ts';
import { readSchedule, type SavedSchedule, SCHEDULE_KEY, type Schedule } from './document.ts';
import type { ScheduleUpdate } from './schemas.ts';

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A change of these: times before it were not asked for. */
const TIMED: readonly (keyof Schedule)[] = ['enabled', 'every', 'weekday', 'at'];

/**
 * Changes the members that are named. Without a difference nothing is written.
 * @throws Problem 412; 422 for a schedule that is on and has no recipient
 */
export async function saveSchedule(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  patch: ScheduleUpdate,
  if_match: Precondition,
): Promise<{ saved: SavedSchedule; changed: (keyof Schedule)[] }> {
  const before = await readSchedule(tx);
  requireRevision(if_match, before.revision);
  const { revision, updated_at: _at, ...members } = before;
  const next = { ...members, ...Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) };
  if (next.enabled && next.recipients.length === 0)
    throw invalid({ pointer: '/recipients', detail: 'A schedule that is on needs a recipient.' });
  const changed = (Object.keys(members) as (keyof Schedule)[]).filter((name) => !same(next[name], members[name]));
  if (changed.length === 0) return { saved: before, changed };
  const updated_at = instant(clock.now());
  await saveDocument(tx, SCHEDULE_KEY, next, updated_at);
  if (changed.some((name) => TIMED.includes(name))) await countFrom(tx, updated_at);
  return { saved: { ...next, revision: revision + 1, updated_at }, changed };
}
