// What whoever is refused during a confirm window is told: for how long it goes on, who opened it, and the two ways to end it.
import { systemClock } from '../../../ground/clock.ts';
import { pagePath } from '../../../ground/page-paths.ts';
import { Problem, type ProblemMembers } from '../../../ground/problems.ts';
import type { Database } from '../../../ground/store/database.ts';
import { subjectOfJob } from '../../../kernel/jobs/glances.ts';

/** Seconds that a refused caller is told to wait, at least. */
const RETRY_AFTER = 5;

interface WaitingPlan {
  id: string;
  submitted_by: string;
  deadline_at: string | null;
}

const WAITING = `SELECT id, submitted_by, window ->> '$.deadline_at' AS deadline_at FROM plan
  WHERE id = ${subjectOfJob('?')} AND state = 'confirming'`;

/** The refusal of what a job owns whose plan waits for its confirmation; null for a job that works. */
export async function refusedInWindow(
  database: Database,
  owner: NonNullable<ProblemMembers['owner']>,
): Promise<Problem | null> {
  const plan = await database.one<WaitingPlan>(WAITING, [owner.job_id]);
  if (!plan) return null;
  const { id, submitted_by, deadline_at } = plan;
  const left = deadline_at === null ? 0 : Math.ceil((Date.parse(deadline_at) - systemClock.now().getTime()) / 1000);
  const seconds_left = Math.max(0, left);
  const said = `The plan ${id} of ${submitted_by} is in force and waits for its confirmation. Confirm it or roll it back first; otherwise it goes back in ${seconds_left} seconds.`;
  const path = `/api/v1/apply/plans/${id}`;
  const window = {
    plan_id: id,
    opened_by: submitted_by,
    seconds_left,
    confirm: `${path}/confirm`,
    put_back: `${path}/cancel`,
  };
  const members = { owner: { ...owner, page: pagePath('plan', id), window } };
  return new Problem('mutation_locked', said, { ...members, retry_after: Math.max(RETRY_AFTER, seconds_left) });
}
