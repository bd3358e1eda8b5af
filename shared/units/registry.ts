// The units that an apply can enforce today, in apply order.
import { dnsDhcpUnit } from './dns-dhcp/unit.ts';
import { firewallUnit } from './firewall/unit.ts';
import { networkUnit } from './network/unit.ts';
import { networkBootUnit } from './network-boot/unit.ts';
import { ntpUnit } from './ntp/unit.ts';
import { privateCloudServicesUnit } from './private-cloud-services/unit.ts';
import type { AnyUnit } from './unit.ts';

export const UNITS: readonly AnyUnit[] = [
  networkUnit,
  firewallUnit,
  dnsDhcpUnit,
  ntpUnit,
  privateCloudServicesUnit,
  networkBootUnit,
];

/** @throws Error for a unit that this program does not know: a plan made by a newer one. */
export function findUnit(id: string): AnyUnit {
  const unit = UNITS.find((known) => known.id === id);
  if (!unit) throw new Error(`This program does not know the unit ${id}.`);
  return unit;
}
