// What the reviewed apply would do with the saved state of one unit, without a plan: for the legacy routes.

import * as v from 'valibot';
import { newId } from '../../ground/clock.ts';
import { pagePath } from '../../ground/page-paths.ts';
import { component } from '../../ground/schemas/component.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { UNIT_IDS, type UnitId } from '../../platform/unit-names.ts';
import { UNITS } from '../units.ts';
import { checkStaged, gather } from './make-plan.ts';
import { changeOf } from './plan.ts';

export const foreseenSchema = component(
  'ForeseenApply',
  v.object({
    unit: v.picklist(UNIT_IDS),
    applied: v.pipe(v.literal(false), v.description('Always: only a reviewed plan is applied.')),
    reloaded: v.pipe(v.literal(false), v.description('Always: no daemon was told anything.')),
    dry_run: v.pipe(v.literal(true), v.description('Always, whatever was asked for.')),
    warnings: v.pipe(
      v.array(v.string()),
      v.description('That nothing was applied, and where the pending change is reviewed and applied. Never empty.'),
    ),
    valid: v.boolean(),
    errors: v.array(v.string()),
    changed: v.boolean(),
    would: v.array(v.string()),
    interruption: v.string(),
    review: v.string(),
  }),
);
export type Foreseen = v.InferOutput<typeof foreseenSchema>;

export const REVIEW_PAGE = pagePath('apply');
export const PLANS_PATH = '/api/v1/apply/plans';

/** Clients of the earlier contract took an answer for an apply: every one says that it is none. */
const NOT_APPLIED = { applied: false, reloaded: false, dry_run: true } as const;

const NOTHING_DONE = 'Nothing was applied, and nothing was reloaded.';
const INSTEAD = `${NOTHING_DONE} Review the pending change and apply it at ${REVIEW_PAGE}, or with POST ${PLANS_PATH} and its submit.`;
const CURE = 'What is saved can’t be applied as it is: correct what `errors` names first.';

/** Renders the saved state, has it checked, and says what an apply would change. `operator` is the asking address. */
export async function foresee(services: Services, id: UnitId, operator: string): Promise<Foreseen> {
  const nothing = { ...NOT_APPLIED, unit: id, changed: false, interruption: 'none', review: REVIEW_PAGE };
  const unit = UNITS.find((known) => known.id === id);
  if (!unit) {
    const would = ['Appliance apply does not enforce this unit yet.'];
    return { ...nothing, valid: true, errors: [], warnings: [NOTHING_DONE], would };
  }
  const material = await gather(services, unit, undefined, operator);
  const { ok, faults } = await checkStaged(services, newId('foresee', services.entropy), material, material.desired);
  const change = changeOf(material);
  const { says, interruption } = change
    ? unit.impact(change, material.desired)
    : { says: ['Nothing: everything saved is in force.'], interruption: 'none' };
  const warnings = [change ? INSTEAD : `${NOTHING_DONE} Everything saved is in force already.`, ...(ok ? [] : [CURE])];
  return { ...nothing, valid: ok, errors: faults, warnings, changed: change !== null, would: says, interruption };
}
