// The settings document of the schedule: one row beside those of the units, though no apply concerns it.
import type { Database } from '../../../ground/store/database.ts';
import { savedDocument } from '../../../platform/units/documents.ts';
import type { Keep } from './retention.ts';
import type { Times } from './timing.ts';

export interface Schedule extends Times, Keep {
  enabled: boolean;
  /** X25519 recipients of age. There is no passphrase: one that is kept here would open the copies from here. */
  recipients: string[];
}

export const SCHEDULE_KEY = 'archive-schedule';

export const SCHEDULE_DEFAULTS: Schedule = {
  enabled: false,
  every: 'daily',
  weekday: 'sunday',
  at: '02:00',
  recipients: [],
  keep_last: 7,
  keep_daily: 7,
  keep_weekly: 4,
  keep_monthly: 12,
};

/** For archives, which carry it. */
export const SCHEDULE_DOCUMENT = {
  key: SCHEDULE_KEY,
  label: 'Schedule of archives',
  defaults: SCHEDULE_DEFAULTS,
};

export type SavedSchedule = Schedule & {
  /** 0 while nothing was ever saved and the defaults hold. */
  revision: number;
  updated_at: string | null;
};

/** The saved schedule, or the defaults. One statement. */
export async function readSchedule(db: Database): Promise<SavedSchedule> {
  const row = await savedDocument(db, SCHEDULE_KEY);
  if (!row) return { ...SCHEDULE_DEFAULTS, revision: 0, updated_at: null };
  const { revision, updated_at, document } = row;
  return { ...SCHEDULE_DEFAULTS, ...(JSON.parse(document) as Partial<Schedule>), revision, updated_at };
}
