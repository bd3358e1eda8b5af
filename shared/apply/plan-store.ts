// Plans in the database: stored whole as they were reviewed, kept for ever as the history of applies.
import { notFound } from '../operation/problems.ts';
import { build } from '../store/builder.ts';
import type { Database, SqlValue, Transaction } from '../store/database.ts';
import { decodeCursor, type Page, pageOf } from '../store/pagination.ts';
import type { UnitId } from '../units/unit.ts';
import type { Plan, PlanDocument, PlanState } from './plan.ts';

type PlanRow = Omit<Plan, 'units' | 'unchanged'> & { document: string; run: string | null };

export async function insertPlan(transaction: Transaction, plan: Plan): Promise<void> {
  await transaction.run("UPDATE plan SET state = 'superseded' WHERE state = 'open'");
  await transaction.run(
    'INSERT INTO plan (id, state, digest, document, created_by, created_at) VALUES (?, ?, ?, ?, ?, ?)',
    [
      plan.id,
      plan.state,
      plan.digest,
      JSON.stringify({ units: plan.units, unchanged: plan.unchanged }),
      plan.created_by,
      plan.created_at,
    ],
  );
}

export async function findPlan(database: Database, id: string): Promise<Plan> {
  const row = await database.one<PlanRow>('SELECT * FROM plan WHERE id = ?', [id]);
  if (!row) throw notFound('This plan');
  return view(row);
}

/** Newest first. */
export async function listPlans(database: Database, limit: number, cursor?: string): Promise<Page<Plan>> {
  const list = build<PlanRow>('plan').orderBy([
    { column: 'created_at', order: 'desc' },
    { column: 'id', order: 'desc' },
  ]);
  if (cursor) list.whereRaw('(created_at, id) < (?, ?)', decodeCursor(cursor, 2));
  const rows = await database.all<PlanRow>(list.limit(limit + 1));
  return pageOf(rows, limit, (row) => [row.created_at, row.id] as SqlValue[], view);
}

/**
 * How far the run of a plan is, unit by unit. A restart skips what is applied and does the rest again; from `saved` on the
 * previous files are kept and are not saved a second time.
 */
export type RunStep = 'saved' | 'swapped' | 'activated' | 'probed' | 'applied' | 'restored' | 'unrestored';
export type RunJournal = Partial<Record<UnitId, RunStep>>;

export async function readJournal(database: Database, id: string): Promise<RunJournal> {
  const row = await database.one<{ run: string | null }>('SELECT run FROM plan WHERE id = ?', [id]);
  return row?.run ? (JSON.parse(row.run) as RunJournal) : {};
}

export async function writeJournal(transaction: Transaction, id: string, journal: RunJournal): Promise<void> {
  await transaction.run('UPDATE plan SET run = ? WHERE id = ?', [JSON.stringify(journal), id]);
}

export async function endPlan(transaction: Transaction, id: string, state: PlanState, at: string): Promise<void> {
  await transaction.run('UPDATE plan SET state = ?, finished_at = ? WHERE id = ?', [state, at, id]);
}

function view({ document, run: _run, ...row }: PlanRow): Plan {
  return { ...row, ...(JSON.parse(document) as PlanDocument) };
}
