// Plans in the database: stored whole as they were reviewed, kept for ever as the history of applies.
import { notFound } from '../../ground/problems.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { newestPage, type Page } from '../../ground/store/pagination.ts';
import { searchIn } from '../../ground/store/sorted-page.ts';
import { DESIRED_VERSIONS } from '../../platform/applied/unit-state.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import {
  PLAN_STATES,
  type Plan,
  type PlanDocument,
  type PlannedUnit,
  type PlanState,
  type PlanWindow,
  type WindowEnd,
} from './plan.ts';

type PlanRow = Omit<Plan, keyof PlanDocument | 'restorable' | 'window'> & {
  document: string;
  run: string | null;
  applied_rows: string | null;
  window: string | null;
};

export async function insertPlan(transaction: Transaction, plan: Plan): Promise<void> {
  await transaction.run("UPDATE plan SET state = 'superseded' WHERE state = 'open'");
  await transaction.run(
    'INSERT INTO plan (id, state, digest, document, created_by, created_at) VALUES (?, ?, ?, ?, ?, ?)',
    [plan.id, plan.state, plan.digest, JSON.stringify(documentOf(plan)), plan.created_by, plan.created_at],
  );
}

function documentOf({
  units,
  unchanged,
  selection,
  left_out,
  overwrite_drift,
  confirm,
  changes_filter,
}: Plan): PlanDocument {
  return { units, unchanged, selection, left_out, overwrite_drift, confirm, changes_filter };
}

/** @throws Problem 404 */
export async function findPlan(database: Database, id: string): Promise<Plan> {
  const row = await database.one<PlanRow>('SELECT * FROM plan WHERE id = ?', [id]);
  if (!row) throw notFound('This plan');
  return view(row);
}

/** The plan that is being applied with a confirm window, or null. */
export async function planWithWindow(database: Database): Promise<string | null> {
  const row = await database.one<{ id: string }>(
    "SELECT id FROM plan WHERE state IN ('submitted', 'confirming') AND window IS NOT NULL",
  );
  return row?.id ?? null;
}

/** A plan together with how far its run is, and which of its units changed since it was made. */
export interface FollowedPlan extends Plan {
  journal: RunJournal;
  /** Only told of an open plan: it can't be submitted any more. */
  stale_units: UnitId[];
}

const FOLLOWED = `SELECT plan.*, ${DESIRED_VERSIONS} AS versions
  FROM plan WHERE id = ?`;

/** @throws Problem 404 */
export async function followPlan(database: Database, id: string): Promise<FollowedPlan> {
  const row = await database.one<PlanRow & { versions: string }>(FOLLOWED, [id]);
  if (!row) throw notFound('This plan');
  const { versions, ...stored } = row;
  const plan = view(stored);
  const now = JSON.parse(versions) as Partial<Record<UnitId, number>>;
  const stale = plan.units.filter((unit) => plan.state === 'open' && now[unit.id] !== unit.version);
  return { ...plan, journal: journalOf(stored.run), stale_units: stale.map((unit) => unit.id) };
}

/** A plan without its diffs. */
export interface PlanSummary extends Omit<Plan, keyof PlanDocument | 'digest'> {
  units: Pick<PlannedUnit, 'id' | 'label' | 'reason' | 'version'>[];
}

export interface PlanQuery {
  states?: readonly PlanState[] | undefined;
  /** Part of its note, of who made or submitted it, or of its id, in any case. */
  search?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

const SUMMARY = `id, state, note, created_by, created_at, submitted_by, submitted_at, job_id, finished_at, window,
  state = 'applied' AND applied_rows IS NOT NULL AS restorable,
  (SELECT json_group_array(json_object('id', value ->> 'id', 'label', value ->> 'label', 'reason', value ->> 'reason',
    'version', value ->> 'version')) FROM json_each(document, '$.units')) AS units`;

/** The history that its page shows, by the texts of the page's query. */
export function planFilter({
  search,
  state,
}: Partial<Record<string, string>>): Pick<PlanQuery, 'search' | 'states'> & { state: PlanState | '' } {
  const known = PLAN_STATES.find((each) => each === state);
  return { search, states: known && [known], state: known ?? '' };
}

/** Newest first. */
export async function listPlans(database: Database, query: PlanQuery): Promise<Page<PlanSummary>> {
  type Row = Omit<PlanSummary, 'units' | 'restorable' | 'window'> & {
    units: string;
    restorable: number;
    window: string | null;
  };
  const list = build('plan').select(build.raw(SUMMARY));
  if (query.states) list.whereIn('state', query.states);
  searchIn(list, ["coalesce(note, '')", 'created_by', "coalesce(submitted_by, '')", 'id'], query.search?.trim());
  return newestPage<Row, PlanSummary>(database, list, query, (row) => ({
    ...row,
    restorable: row.restorable === 1,
    units: JSON.parse(row.units) as PlanSummary['units'],
    window: windowOf(row.window),
  }));
}

/**
 * How far the run of a plan is, unit by unit. A restart skips what is applied and does the rest again; from `saved` on the
 * previous files are kept and are not saved a second time.
 */
export const RUN_STEPS = ['saved', 'swapped', 'activated', 'probed', 'applied', 'restored', 'unrestored'] as const;
export type RunStep = (typeof RUN_STEPS)[number];
export type RunJournal = Partial<Record<UnitId, RunStep>>;

export async function readJournal(database: Database, id: string): Promise<RunJournal> {
  const row = await database.one<{ run: string | null }>('SELECT run FROM plan WHERE id = ?', [id]);
  return journalOf(row?.run ?? null);
}

/** Units of which the way back was to be kept: the run had come to them. */
export const unitsReached = (journal: RunJournal): UnitId[] => Object.keys(journal) as UnitId[];

const journalOf = (run: string | null): RunJournal => (run ? (JSON.parse(run) as RunJournal) : {});

export async function writeJournal(transaction: Transaction, id: string, journal: RunJournal): Promise<void> {
  await transaction.run('UPDATE plan SET run = ? WHERE id = ?', [JSON.stringify(journal), id]);
}

export async function setPlanState(transaction: Transaction, id: string, state: PlanState): Promise<void> {
  await transaction.run('UPDATE plan SET state = ? WHERE id = ?', [state, id]);
}

/** Writes down until when the waiting plan is in force, for callers that are told to wait for it. */
export async function keepDeadline(transaction: Transaction, id: string, deadline_at: string | null): Promise<void> {
  await transaction.run("UPDATE plan SET window = json_set(window, '$.deadline_at', ?) WHERE id = ?", [
    deadline_at,
    id,
  ]);
}

export interface PlanEnd {
  state: PlanState;
  /** RFC 3339 */
  at: string;
  journal: RunJournal;
  /** Kept where the plan had a window. */
  window: WindowEnd;
}

/** The nonce is worth nothing any more, and is not kept. */
export async function endPlan(
  transaction: Transaction,
  id: string,
  { state, at, journal, window }: PlanEnd,
): Promise<void> {
  await transaction.run(
    `UPDATE plan SET state = ?, finished_at = ?, run = ?,
       window = json_set(window, '$.ended', json(?), '$.nonce', '') WHERE id = ?`,
    [state, at, JSON.stringify(journal), JSON.stringify(window), id],
  );
}

const windowOf = (text: string | null): PlanWindow | null => (text === null ? null : (JSON.parse(text) as PlanWindow));

function view({ document, run: _run, applied_rows, window, ...row }: PlanRow): Plan {
  // Plans of earlier releases always held all changed units.
  const whole = { selection: null, left_out: [], overwrite_drift: [], confirm: null };
  const stored = JSON.parse(document) as StoredDocument;
  return {
    ...row,
    restorable: row.state === 'applied' && applied_rows !== null,
    window: windowOf(window),
    ...whole,
    ...stored,
    changes_filter:
      stored.changes_filter ??
      (Array.isArray(stored.units) && stored.units.some((unit) => unit && changedFilter(unit))),
  };
}

/** Plans of before that instant in whose place a later one came. */
export async function forgetReplaced(transaction: Transaction, before: string): Promise<void> {
  await transaction.run("DELETE FROM plan WHERE state = 'superseded' AND created_at <= ?", [before]);
}

export async function isFinished(database: Database, id: string): Promise<boolean> {
  return (await database.one('SELECT 1 AS yes FROM plan WHERE id = ? AND finished_at IS NOT NULL', [id])) !== undefined;
}

type StoredDocument = Pick<PlanDocument, 'units' | 'unchanged'> & Partial<PlanDocument>;

/** For plans of the release before facts, which said it in the words of the review alone. Those words are fixed. */
function changedFilter({ id, diff }: Pick<PlannedUnit, 'id'> & Partial<Pick<PlannedUnit, 'diff'>>): boolean {
  // The root step reads what the service wrote, which may be anything.
  const [row, ...others] = Array.isArray(diff?.rows) ? diff.rows : [];
  const staysOff = row?.setting === 'firewall' && row.before === null && row.after === 'off' && others.length === 0;
  return id === 'firewall' && !staysOff;
}

/** How the audit log names a plan by id. */
export const NAMED_PLANS = { table: 'plan', column: 'created_at' } as const;
