// How plans last ended, and whether one waits.
import type { Database } from '../../ground/store/database.ts';
import type { PlanState } from './plan.ts';

/** When plans last ended, by how, and until when one waits for its confirmation: one statement. */
export async function lastApplies(
  database: Database,
): Promise<{ ended: { state: PlanState; at: string }[]; deadline_at: string | null }> {
  const row = (await database.one<{ ended: string; deadline_at: string | null }>(
    `SELECT (SELECT json_group_array(json_object('state', state, 'at', at)) FROM
         (SELECT state, max(finished_at) AS at FROM plan WHERE finished_at IS NOT NULL GROUP BY state ORDER BY state)) AS ended,
       (SELECT window ->> '$.deadline_at' FROM plan WHERE state = 'confirming' AND window IS NOT NULL LIMIT 1) AS deadline_at`,
  ))!;
  return { ended: JSON.parse(row.ended) as { state: PlanState; at: string }[], deadline_at: row.deadline_at };
}
