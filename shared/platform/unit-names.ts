// The units: their ids in apply order, and their names. Both come from the manifests.
import { UNIT_NAMES, type UnitId } from '../kernel/generated/units.ts';

export { UNIT_IDS, type UnitId } from '../kernel/generated/units.ts';

/** The name of a unit; its id when this program does not know it. */
export const unitName = (id: string): string => UNIT_NAMES[id as UnitId] ?? id;

export const isUnit = (id: string): id is UnitId => Object.hasOwn(UNIT_NAMES, id);
