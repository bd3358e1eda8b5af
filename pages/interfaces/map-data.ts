// The dependency map's data: interfaces that the appliance configures, their addresses, and who listens on them. Pure.
import { parseCidr } from '../../shared/network/address.ts';
import { usableAddresses } from '../../shared/network/management-listener.ts';
import type { MapAddress, NetworkMapData } from '../components/network-map-layout.ts';
import { type Line, type Standing, troubleOf } from './standing.ts';

/** Beyond this many addresses a drawing tells less than the table. */
export const MOST_ADDRESSES = 80;

function addressesOf(line: Line): MapAddress[] {
  const { saved, was, becomes } = line;
  const problem = saved && !saved.present && troubleOf(line);
  const trouble = problem ? { problem: problem.toLowerCase() } : {};
  const configured = ['ipv4_cidr', 'ipv6_cidr'].flatMap((key): MapAddress[] => {
    const [from, to] = [was, becomes].map((settings) => addressIn(settings.get(key)));
    if (from && to && from === to) return [{ cidr: from, ...trouble }];
    if (from) return [{ cidr: from, pending: to ?? 'removed', ...trouble }];
    return to ? [{ cidr: to, pending: to, ...trouble }] : [];
  });
  const dhcp = becomes.get('ipv4_method') === 'dhcp' ? (saved?.observed?.ipv4_cidrs ?? []) : [];
  return [...configured, ...dhcp.map((cidr) => ({ cidr, ...trouble }))];
}

/** Router advertisements have no address to show. */
const addressIn = (text: string | undefined): string | null => (text && parseCidr(text) ? text : null);

export function mapData({ interfaces, lines, services }: Standing): NetworkMapData {
  const configured = lines.filter((line) => line.was.size > 0 || line.becomes.size > 0);
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
    services: services.map(({ label, page, interfaces: names }) => ({
      label,
      page,
      addresses: interfaces.filter((row) => names.includes(row.name)).flatMap(usableAddresses),
    })),
  };
}

export function addressCount({ interfaces }: NetworkMapData): number {
  const counts = interfaces.flatMap((own) => [own, ...own.vlans]).map(({ addresses }) => addresses.length);
  return counts.reduce((sum, count) => sum + count, 0);
}
