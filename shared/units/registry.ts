// The units that an apply can enforce today, in apply order.
import { dnsDhcpUnit } from './dns-dhcp/unit.ts';
import { networkUnit } from './network/unit.ts';
import type { AnyUnit } from './unit.ts';

export const UNITS: readonly AnyUnit[] = [networkUnit, dnsDhcpUnit];

/** @throws Error for a unit that this program does not know: a plan made by a newer one. */
export function findUnit(id: string): AnyUnit {
  const unit = UNITS.find((known) => known.id === id);
  if (!unit) throw new Error(`This program does not know the unit ${id}.`);
  return unit;
}
