// What is said on the next page after an interface or VLAN was saved.

import type { PhysicalInterface, Vlan } from '../../shared/platform/interfaces/interface-resource.ts';
import { unitName } from '../../shared/platform/unit-names.ts';

/** After an edit: `ens224 is saved, and 2 units followed: DNS and DHCP, NTP.` */
export function flashOfSave(body: unknown): string {
  const { name, impact } = body as PhysicalInterface | Vlan;
  if (impact?.changed.length === 0) return `Nothing changed on ${name}.`;
  return saidOf(`${name} is saved`, impact?.refreshed_units);
}

/** After a VLAN was added. */
export function flashOfCreate(body: unknown): string {
  const { name, impact } = body as Vlan;
  return saidOf(`${name} is added`, impact?.refreshed_units);
}

function saidOf(done: string, units: readonly string[] = []): string {
  const followed = units.length === 1 ? '1 unit' : `${units.length} units`;
  const names = units.map(unitName).join(', ');
  const others = units.length === 0 ? '' : `, and ${followed} followed: ${names}`;
  return `${done}${others}. The host follows at the next apply.`;
}
