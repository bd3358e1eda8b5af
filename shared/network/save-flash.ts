// What is said on the next page after an interface or VLAN was saved.
import type { PhysicalInterface, Vlan } from './interface-resource.ts';

export function flashOfSave(body: unknown): string {
  const { name, impact } = body as PhysicalInterface | Vlan;
  if (impact?.changed.length === 0) return `Nothing changed on ${name}.`;
  return `${name} is saved. The host follows at the next apply.`;
}
