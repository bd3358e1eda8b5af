// The units that an apply can enforce today, in apply order.

import { networkUnit } from '../platform/network/unit.ts';
import type { AnyUnit } from '../platform/units/unit.ts';
import { dnsDhcpUnit } from '../services/dns-dhcp/unit.ts';
import { firewallUnit } from '../services/firewall/unit.ts';
import { networkBootUnit } from '../services/network-boot/unit.ts';
import { ntpUnit } from '../services/ntp/unit.ts';
import { privateCloudServicesUnit } from '../services/offline-depot/unit.ts';

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
