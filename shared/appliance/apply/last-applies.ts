// How plans last ended, and whether one waits.
import type { Database } from '../../ground/store/database.ts';
import type { PlanState } from './plan.ts';
import type { RevertCause } from './window/record.ts';

export interface LastApplies {
  /** When plans last ended, by how. */
  ended: { state: PlanState; at: string }[];
  /** Why the last of those that were rolled back was; null: there is none, or it says nothing of it. */
  reverted_by: RevertCause | null;
  /** Until when a plan waits for its confirmation; null: none does. */
  deadline_at: string | null;
}

const LAST = `SELECT (SELECT json_group_array(json_object('state', state, 'at', at)) FROM
    (SELECT state, max(finished_at) AS at FROM plan WHERE finished_at IS NOT NULL GROUP BY state ORDER BY state)) AS ended,
  (SELECT window ->> '$.ended.cause' FROM plan WHERE state = 'reverted' ORDER BY finished_at DESC LIMIT 1) AS reverted_by,
  (SELECT window ->> '$.deadline_at' FROM plan WHERE state = 'confirming' LIMIT 1) AS deadline_at`;

/** One statement. */
export async function lastApplies(database: Database): Promise<LastApplies> {
  const row = (await database.one<Omit<LastApplies, 'ended'> & { ended: string }>(LAST))!;
  return { ...row, ended: JSON.parse(row.ended) as LastApplies['ended'] };
}
