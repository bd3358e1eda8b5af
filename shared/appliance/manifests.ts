// What every unit says of itself, in apply order: the one list of units. It loads none of their code.
import { UNIT_IDS } from '../kernel/generated/units.ts';
import type { UnitManifest } from '../platform/units/manifest.ts';
import { manifests } from './generated/manifests.ts';

export const MANIFESTS: readonly UnitManifest[] = inApplyOrder(manifests, ({ id }) => id);

/** Settings documents that an apply makes true on the host: pages and operations say of the others that it does not. */
export const ENFORCED: ReadonlySet<string> = new Set(MANIFESTS.flatMap(({ enforces }) => enforces));

/** Members of units, by the order of their units. */
export function inApplyOrder<T>(members: readonly T[], unitOf: (member: T) => string): T[] {
  const place = (member: T): number => (UNIT_IDS as readonly string[]).indexOf(unitOf(member));
  return members.toSorted((a, b) => place(a) - place(b));
}
