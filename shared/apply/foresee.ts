// What the reviewed apply would do with the saved state of one unit, without a plan: for the legacy routes.

import * as v from 'valibot';
import { newId } from '../operation/clock.ts';
import { component } from '../operation/component.ts';
import type { Services } from '../operation/services.ts';
import { UNITS } from '../units/registry.ts';
import { UNIT_IDS, type UnitId } from '../units/unit.ts';
import { checkStaged, gather } from './make-plan.ts';
import { changeOf } from './plan.ts';

export const foreseenSchema = component(
  'ForeseenApply',
  v.object({
    unit: v.picklist(UNIT_IDS),
    valid: v.boolean(),
    errors: v.array(v.string()),
    changed: v.boolean(),
    would: v.array(v.string()),
    interruption: v.string(),
    review: v.string(),
  }),
);
export type Foreseen = v.InferOutput<typeof foreseenSchema>;

export const REVIEW_PAGE = '/ui/management/appliance-apply';

/** Renders the saved state, has it checked, and says what an apply would change. `operator` is the asking address. */
export async function foresee(services: Services, id: UnitId, operator: string): Promise<Foreseen> {
  const nothing = { unit: id, valid: true, errors: [], changed: false, interruption: 'none', review: REVIEW_PAGE };
  const unit = UNITS.find((known) => known.id === id);
  if (!unit) return { ...nothing, would: ['Appliance apply does not enforce this unit yet.'] };
  const material = await gather(services, unit, undefined, operator);
  const { ok, faults } = await checkStaged(services, newId('foresee', services.entropy), material, material.desired);
  const change = changeOf(material);
  const { says, interruption } = change
    ? unit.impact(change)
    : { says: ['Nothing: everything saved is in force.'], interruption: 'none' };
  return { ...nothing, valid: ok, errors: faults, changed: change !== null, would: says, interruption };
}
