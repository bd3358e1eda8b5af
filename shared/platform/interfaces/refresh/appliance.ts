// Addresses in the appliance's own settings: its DNS servers, which may be its own addresses, and the networks that may
// reach the management UI.
import { pagePath } from '../../../ground/page-paths.ts';
import type { Change } from './change.ts';
import { leftNetworks } from './listeners.ts';
import type { ApplianceRow, Move } from './snapshot.ts';

export interface FollowedAppliance {
  /** Null when they stay as they are. */
  dns_servers: string[] | null;
  moves: Move[];
}

/** DNS servers that are an address of an interface follow it; an address without a successor is removed. */
export function followAppliance(
  { dns_servers }: ApplianceRow,
  { replaced }: Pick<Change, 'replaced'>,
): FollowedAppliance {
  if (!dns_servers.some((server) => replaced.has(server))) return { dns_servers: null, moves: [] };
  const followed = dns_servers.flatMap((server) => (replaced.has(server) ? (replaced.get(server) ?? []) : server));
  const next = [...new Set(followed)];
  const words = { unit: 'network' as const, subject: 'Name resolution', page: pagePath('settings') };
  const move: Move = { ...words, property: 'dns_servers', from: dns_servers.join(', '), to: next.join(', ') };
  return { dns_servers: next, moves: [move] };
}

/** The list of networks is the operator's, but one that is exactly the network that moves may lock the operator out. */
export function filterNotes({ management_networks }: ApplianceRow, change: Change): string[] {
  if (management_networks.length === 0) return [];
  return leftNetworks(change)
    .filter((network) => management_networks.includes(network))
    .map(
      (network) =>
        `The firewall names ${network} among the networks that may reach the management UI, the network that moves; review the list.`,
    );
}
