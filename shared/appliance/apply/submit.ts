// Submitting a reviewed plan: refuses what was not reviewed, takes the mutation lock and queues the job, all in the
// transaction that also writes the audit row.

import { instant } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { takeLock } from '../../kernel/access/mutation-lock.ts';
import { queueJob } from '../../kernel/jobs/job.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { unitStates } from '../../platform/applied/unit-state.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import { findUnit } from '../units.ts';
import type { Plan, PlanWindow } from './plan.ts';
import { findPlan } from './plan-store.ts';

/** The task that stands for the confirm window. */
export const CONFIRM_TASK = 'confirm';
export const APPLY_JOB = 'apply';
export const NOTE_MAX = 500;

interface Reviewed {
  digest: string;
  note: string;
  window?: Omit<PlanWindow, 'nonce' | 'ended'> | null;
  overwrite_drift?: readonly UnitId[] | undefined;
}

/** Refuses a plan that is not the reviewed one, or that cannot go ahead. */
async function refuseUnready(transaction: Transaction, plan: Plan, digest: string): Promise<void> {
  if (plan.state !== 'open') {
    throw new Problem(
      'state_conflict',
      `This plan is ${plan.state}; only an open plan can be applied. Review a new one.`,
    );
  }
  const states = await unitStates(transaction);
  const changed = plan.units.filter((unit) => states.get(unit.id)?.desired_version !== unit.version);
  if (changed.length > 0 || digest !== plan.digest) {
    const names = changed.map((unit) => unit.label).join(', ') || 'The plan';
    throw new Problem('plan_stale', `${names} changed after this plan was made. Review a new plan.`, {
      units: changed.map((unit) => unit.id),
    });
  }
  const failing = plan.units.filter((unit) => unit.check && !unit.check.ok);
  if (failing.length > 0) {
    throw new Problem('state_conflict', `${failing.map((unit) => unit.label).join(', ')} did not pass validation.`, {
      units: failing.map((unit) => unit.id),
    });
  }
}

/**
 * @throws Problem 409 `state_conflict` when the plan was used before or a check failed, `plan_stale` naming the units
 * that changed since, 423 while another guarded operation runs.
 */
export async function submitPlan(
  transaction: Transaction,
  services: Services,
  plan_id: string,
  reviewed: Reviewed,
  by: string,
): Promise<Plan> {
  const plan = await findPlan(transaction, plan_id);
  await refuseUnready(transaction, plan, reviewed.digest);
  const now = services.clock.now();
  const window = reviewed.window ? { nonce: nonceFrom(services), ...reviewed.window, ended: null } : null;
  const overwrite_drift = overwrites(plan, reviewed.overwrite_drift);
  const tasks = plan.units.map((unit) => ({ name: unit.id, title: unit.label }));
  const job_id = await queueJob(transaction, now, services.entropy, {
    kind: APPLY_JOB,
    subject: plan_id,
    input: { plan_id },
    created_by: by,
    tasks: [
      { name: 'prepare', title: 'Prepare' },
      ...tasks,
      ...(window ? [{ name: CONFIRM_TASK, title: 'Confirm' }] : []),
    ],
  });
  await takeLock(transaction, 'all', job_id, instant(now));
  await transaction.run(
    `UPDATE plan SET state = 'submitted', note = ?, submitted_by = ?, submitted_at = ?, job_id = ?, window = ?,
       document = json_set(document, '$.overwrite_drift', json(?)) WHERE id = ?`,
    [
      reviewed.note,
      by,
      instant(now),
      job_id,
      window && JSON.stringify(window),
      JSON.stringify(overwrite_drift),
      plan_id,
    ],
  );
  for (const { id } of plan.units) await findUnit(id).submitted?.(transaction, plan_id);
  const submitted = {
    overwrite_drift,
    submitted_by: by,
    submitted_at: instant(now),
    job_id,
    window,
  };
  return { ...plan, state: 'submitted', note: reviewed.note, ...submitted };
}

/** The units whose changes on the host may be overwritten: those that the plan is to put in force once more, and the named. */
export const overwrites = (
  { overwrite_drift }: Pick<Plan, 'overwrite_drift'>,
  named: readonly UnitId[] = [],
): UnitId[] => [...new Set([...overwrite_drift, ...named])];

/** 192 random bits. */
const nonceFrom = ({ entropy }: Services): string => entropy.bytes(24).toString('base64url');
