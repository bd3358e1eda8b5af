// The dependency map's data: interfaces that the appliance configures, their addresses, and who listens on them. Pure.

import type { Binding } from '../../shared/appliance/edits/bindings.ts';
import {
  isNothing,
  type Line,
  parentOf,
  type Standing,
  troubleOf,
} from '../../shared/appliance/states/interface-lines.ts';
import type { MapAddress, MapService, NetworkMapData } from '../components/network-map-links.ts';

/** Beyond this many addresses a drawing tells less than the table. */
export const MOST_ADDRESSES = 80;
export const MOST_SERVICES = 80;

function addressesOf(line: Line): MapAddress[] {
  const { saved, was, becomes } = line;
  const problem = saved && !saved.present && troubleOf(line);
  const trouble = problem ? { problem: problem.toLowerCase() } : {};
  const configured = (['ipv4_cidr', 'ipv6_cidr'] as const).flatMap((key): MapAddress[] => {
    const [from, to] = [was[key], becomes[key]];
    if (from && to && from === to) return [{ cidr: from, ...trouble }];
    if (from) return [{ cidr: from, pending: to ?? 'removed', ...trouble }];
    return to ? [{ cidr: to, pending: to, ...trouble }] : [];
  });
  const dhcp = becomes.ipv4_method === 'dhcp' ? (saved?.observed?.ipv4_cidrs ?? []) : [];
  const all = [...configured, ...dhcp.map((cidr) => ({ cidr, ...trouble }))];
  // What is bound to an interface without addresses stands on something nevertheless.
  if (all.length > 0 || line.dependents.length === 0) return all;
  return [
    {
      cidr: 'no address',
      ...(line.dependents.some(({ faults }) => faults.length > 0) && { problem: 'nothing answers' }),
    },
  ];
}

/** Router advertisements have no address to show. */
export function mapData({ lines, bindings }: Standing): NetworkMapData {
  const configured = linesOf(lines);
  const parents = configured.filter((line) => line.saved?.kind === 'physical');
  const shown = (line: Line) => ({
    name: line.name,
    addresses: addressesOf(line),
    ...(line.href && { href: line.href }),
  });
  return {
    interfaces: parents.map((parent) => ({
      ...shown(parent),
      vlans: configured
        .filter((line) => line !== parent && line.name.startsWith(`${parent.name}.`))
        .map((line) => ({ ...shown(line), vlan_id: Number(line.name.slice(parent.name.length + 1)) })),
    })),
    services: bindings.map(serviceOf),
  };
}

/** Lines that the appliance configures or that something is bound to, and the parents of VLANs among them. */
function linesOf(lines: readonly Line[]): Line[] {
  const concerned = lines.filter(
    ({ was, becomes, dependents }) => !isNothing(was) || !isNothing(becomes) || dependents.length > 0,
  );
  const parents = new Set(concerned.map((line) => parentOf(line)));
  return lines.filter((line) => concerned.includes(line) || parents.has(line.name));
}

function serviceOf({ label, page, interfaces, addresses, faults, reservations }: Binding): MapService {
  const detail = reservations === 1 ? '1 reservation' : `${reservations} reservations`;
  const problem = faults.map(({ words }) => words).join(', ');
  return { label, page, interfaces, addresses, ...(problem && { problem }), ...(reservations && { detail }) };
}

export function addressCount({ interfaces }: NetworkMapData): number {
  const counts = interfaces.flatMap((own) => [own, ...own.vlans]).map(({ addresses }) => addresses.length);
  return counts.reduce((sum, count) => sum + count, 0);
}
