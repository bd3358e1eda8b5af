// The rules of alerts: from when on a condition counts, how long it lasts before it is told, and what is never told. One
// settings document beside those of the units, though no apply concerns it.
import * as v from 'valibot';
import { type Clock, instant } from '../../ground/clock.ts';
import { component, described, integerSchema } from '../../ground/schemas/component.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { type Precondition, requireRevision } from '../../ground/store/revision.ts';
import { saveDocument, savedDocument } from '../../platform/units/documents.ts';
import { whole } from '../../platform/units/settings-schemas.ts';
import { CONDITION_IDS, type ConditionId } from './condition-ids.ts';

const KEY = 'alerts';

export interface Thresholds {
  certificate_days: number;
  disk_percent: number;
  pool_percent: number;
  clock_offset_ms: number;
  failed_sign_ins: number;
}

export interface Rules extends Thresholds {
  open_after_seconds: number;
  close_after_seconds: number;
  reminder_hours: number;
  silent: ConditionId[];
}

export const RULES_DEFAULTS: Rules = {
  certificate_days: 14,
  disk_percent: 90,
  pool_percent: 90,
  clock_offset_ms: 1000,
  failed_sign_ins: 50,
  open_after_seconds: 60,
  close_after_seconds: 120,
  reminder_hours: 0,
  silent: [],
};

/** For archives, which carry it. */
export const RULES_DOCUMENT = { key: KEY, label: 'Rules of alerts', defaults: RULES_DEFAULTS };

export type SavedRules = Rules & {
  /** 0 while nothing was ever saved and the defaults hold. */
  revision: number;
  updated_at: string | null;
};

const unique = (items: readonly string[]): boolean => new Set(items).size === items.length;

const MEMBERS = {
  certificate_days: whole(1, 90, 'Days before its end from which on a certificate counts:'),
  disk_percent: whole(50, 99, 'Share of a disk in percent beyond which it counts, unless 20 GiB are free:'),
  pool_percent: whole(50, 100, 'Share of the addresses of a DHCP scope in percent that may be leased:'),
  clock_offset_ms: whole(1, 60_000, 'Milliseconds by which the clock may be off:'),
  failed_sign_ins: whole(5, 10_000, 'Sign-ins that may fail within a quarter of an hour:'),
  open_after_seconds: whole(0, 3600, 'Seconds that a condition lasts before an alert is opened:'),
  close_after_seconds: whole(
    30,
    3600,
    'Seconds that it is gone before the alert is closed; doubled when it comes back:',
  ),
  reminder_hours: whole(0, 168, 'Hours after which an open alert that nobody acknowledged is sent again; 0: never.'),
  silent: v.pipe(
    v.array(v.picklist(CONDITION_IDS)),
    v.check((items) => unique(items), 'Names a condition twice.'),
    v.description('Conditions of which no alert is opened. The page Health shows them all the same.'),
  ),
};

export const rulesUpdateSchema = component('AlertRulesUpdate', v.partial(v.strictObject(MEMBERS)), {
  certificate_days: 21,
  reminder_hours: 24,
});
export type RulesUpdate = v.InferOutput<typeof rulesUpdateSchema>;

const said = (member: keyof Rules) => v.getDescription(MEMBERS[member]) ?? '';
const number = (member: keyof Rules) => described(integerSchema, said(member));

export const rulesSchema = component(
  'AlertRules',
  v.object({
    certificate_days: number('certificate_days'),
    disk_percent: number('disk_percent'),
    pool_percent: number('pool_percent'),
    clock_offset_ms: number('clock_offset_ms'),
    failed_sign_ins: number('failed_sign_ins'),
    open_after_seconds: number('open_after_seconds'),
    close_after_seconds: number('close_after_seconds'),
    reminder_hours: number('reminder_hours'),
    silent: described(v.array(v.picklist(CONDITION_IDS)), said('silent')),
    revision: described(integerSchema, '0 while nothing was ever saved and the defaults hold.'),
    updated_at: described(v.nullable(v.string()), 'RFC 3339 in UTC; null while nothing was ever saved.'),
  }),
);

/** The saved rules, or the defaults. What does not read as a rule counts as its default. One statement. */
export async function readRules(db: Database): Promise<SavedRules> {
  const row = await savedDocument(db, KEY);
  if (!row) return { ...RULES_DEFAULTS, revision: 0, updated_at: null };
  // An archive may bring back anything: each member is held against its own schema.
  const kept = Object.entries(JSON.parse(row.document) as Record<string, unknown>).filter(
    ([name, value]) => Object.hasOwn(MEMBERS, name) && v.is(MEMBERS[name as keyof Rules], value),
  );
  return { ...RULES_DEFAULTS, ...Object.fromEntries(kept), revision: row.revision, updated_at: row.updated_at };
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Changes the members that are named. Without a difference nothing is written.
 * @throws Problem 412
 */
export async function saveRules(
  tx: Transaction,
  { clock }: { clock: Clock },
  patch: RulesUpdate,
  if_match: Precondition,
): Promise<{ saved: SavedRules; changed: (keyof Rules)[] }> {
  const before = await readRules(tx);
  requireRevision(if_match, before.revision);
  const { revision, updated_at: _at, ...members } = before;
  const next: Rules = {
    ...members,
    ...Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)),
  };
  const changed = (Object.keys(members) as (keyof Rules)[]).filter((name) => !same(next[name], members[name]));
  if (changed.length === 0) return { saved: before, changed };
  const updated_at = instant(clock.now());
  await saveDocument(tx, KEY, next, updated_at);
  return { saved: { ...next, revision: revision + 1, updated_at }, changed };
}
