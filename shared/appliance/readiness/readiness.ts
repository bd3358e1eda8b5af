// Whether each subject is ready, and what it still needs: what is saved by one statement, what is in force by the facts of
// the last apply.
import { instant } from '../../ground/clock.ts';
import type { Services } from '../../kernel/operation/services.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import { ALL_DOCUMENTS } from '../../platform/units/documents.ts';
import { type Step, stepsOf, type There, type UnitReadiness } from '../../platform/units/readiness.ts';
import { settingsOf } from '../../platform/units/settings-store.ts';
import { type Comparison, factsBefore } from '../states/comparison.ts';
import { enforcedStandings, type Standing } from '../states/standing.ts';
import { BORROWED, SUBJECTS, type Subject } from './subjects.ts';

export interface Readiness {
  subject: Subject;
  /** Whether it is saved as on; what has no switch always is. */
  on: boolean;
  /** Whether an apply puts it in force. */
  enforced: boolean;
  steps: Step[];
}

export type Readinesses = ReadonlyMap<Subject, Readiness>;

const ALL = Object.entries(SUBJECTS) as [Subject, UnitReadiness][];

const ROWS = ALL.flatMap(([subject, { rows = {}, sample = {} }]) => [
  ...Object.entries(rows).map(([step, sql]) => `'${subject} ${step}', EXISTS (${sql})`),
  ...Object.entries(sample).map(([step, sql]) => `'${subject} ${step}', (${sql})`),
]);
const SAVED = `SELECT json_object(${ROWS.join(', ')}) AS rows, ${ALL_DOCUMENTS} AS documents`;

/** By `<subject> <step>`: 1 where there is a row; of a sample the key of its fact. */
type Rows = Readonly<Record<string, number | string | null>>;

/** All subjects: one statement, and those of the standings. */
export async function readinesses(services: Services, known?: ReadonlyMap<UnitId, Standing>): Promise<Readinesses> {
  const { store, clock } = services;
  const units = known ?? (await enforcedStandings(services));
  const row = (await store.one<{ rows: string; documents: string }>(SAVED, [instant(clock.now())]))!;
  const [rows, documents] = [JSON.parse(row.rows), JSON.parse(row.documents)] as [Rows, Record<string, object>];
  const found = new Map<Subject, Readiness>();
  for (const [subject, readiness] of ALL) {
    const settings = settingsOf<Record<string, unknown>>(readiness.settings, documents[readiness.settings.key]);
    const saved = { ...readiness.set(settings) } as Record<string, boolean>;
    for (const step of Object.keys({ ...readiness.rows, ...readiness.sample }))
      saved[step] = Boolean(rows[`${subject} ${step}`]);
    for (const [step, [other, theirs]] of Object.entries(BORROWED[subject] ?? {}))
      saved[step] = found.get(other)?.steps.find((each) => each.step === theirs)?.saved ?? false;
    const standing = units.get(readiness.settings.unit);
    const inForce = standing ? inForceOf(subject, standing, rows) : null;
    const steps = stepsOf(readiness, saved, inForce, standing !== undefined && isCurrent(standing));
    found.set(subject, { subject, on: settings.enabled !== false, enforced: isEnforced(readiness), steps });
  }
  for (const [subject, borrowed] of Object.entries(BORROWED)) lend(found, subject as Subject, borrowed);
  return found;
}

/** One of them. */
export const readinessOf = async (
  services: Services,
  subject: Subject,
  known?: ReadonlyMap<UnitId, Standing>,
): Promise<Readiness> => (await readinesses(services, known)).get(subject)!;

/** Whether there is nothing left to do. What no apply enforces is as ready as it is saved. */
export const isReady = ({ steps, enforced }: Pick<Readiness, 'steps' | 'enforced'>): boolean =>
  steps.every(({ saved, done }) => (enforced ? done : saved));

function lend(
  found: Map<Subject, Readiness>,
  subject: Subject,
  borrowed: NonNullable<(typeof BORROWED)[Subject]>,
): void {
  for (const step of found.get(subject)!.steps) {
    const [other, theirs] = borrowed[step.step] ?? [];
    if (other) step.done = found.get(other)!.steps.find((each) => each.step === theirs)!.done;
  }
}

const isEnforced = ({ inForce, sample, atOnce }: UnitReadiness): boolean =>
  [inForce, sample, atOnce].some((each) => each !== undefined);

/** All that is saved was applied, and the host was not found to be otherwise since. */
const isCurrent = ({ state, pending, applied_at }: Standing): boolean =>
  applied_at !== null && !pending && state !== 'drifted' && state !== 'failing';

/** What is in force of the subjects of a unit, by its comparison: that may hold a hundred thousand facts, and stays as it is. */
const seen = new WeakMap<Comparison, Map<string, There<string>>>();

function inForceOf(subject: Subject, { comparison, applied_at }: Standing, rows: Rows): There<string> | null {
  const { inForce, sample = {} }: UnitReadiness = SUBJECTS[subject];
  if (!comparison || applied_at === null) return null;
  const samples = Object.keys(sample).map((step) => [step, String(rows[`${subject} ${step}`] ?? '')] as const);
  const of = [subject, ...samples.map(([, key]) => key)].join(' ');
  const known = seen.get(comparison) ?? new Map<string, There<string>>();
  seen.set(comparison, known);
  const there = known.get(of);
  if (there) return there;
  const facts = comparison.differing.size === 0 ? comparison.facts : factsBefore(comparison);
  const found = { ...inForce?.(facts), ...Object.fromEntries(samples.map(([step, key]) => [step, facts.has(key)])) };
  known.set(of, found);
  return found;
}
