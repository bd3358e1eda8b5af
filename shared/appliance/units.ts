// The units that an apply can enforce today, in apply order.
import type { AnyUnit } from '../platform/units/unit.ts';
import { units } from './generated/units.ts';
import { inApplyOrder } from './manifests.ts';

export const UNITS: readonly AnyUnit[] = inApplyOrder(units, ({ id }) => id);

/** @throws Error for a unit that this program does not know: a plan made by a newer one. */
export function findUnit(id: string): AnyUnit {
  const unit = UNITS.find((known) => known.id === id);
  if (!unit) throw new Error(`This program does not know the unit ${id}.`);
  return unit;
}
