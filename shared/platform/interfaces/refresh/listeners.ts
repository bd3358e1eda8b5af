// Services that listen on interfaces: their selection, the addresses derived from it, and URLs on those addresses.

import { networkOf } from '../../../ground/addresses/address.ts';
import type { Blocker } from '../../../ground/problems.ts';
import type { Change } from './change.ts';
import { familyOf } from './change.ts';
import type { Deselection, Move, ServiceDependents, ServiceDocument, ServiceRow } from './snapshot.ts';
import { addressesOn, carriesService, goneSentences, standingIn } from './standing.ts';

export interface FollowedService {
  document: ServiceDocument;
  deselected: Deselection[];
  moves: Move[];
  notes: string[];
  blocker: Blocker | null;
}

/** How a service follows a change. Answers the same document when nothing changes. */
export function followService({ document }: ServiceRow, declared: ServiceDependents, change: Change): FollowedService {
  const lost = document.listen_interfaces.filter((name) => isLost(name, document.enabled, change));
  const kept = document.listen_interfaces.filter((name) => !lost.includes(name));
  const nothing = { document, deselected: [], moves: [], notes: [], blocker: null };
  const last = document.enabled && lost.length > 0 && !kept.some((name) => carries(name, change.after));
  if (last && declared.lastBinding === 'refuse') return { ...nothing, blocker: refusal(declared, lost, change) };
  const selection = last ? [] : kept;
  const next = withAddresses({ ...document, listen_interfaces: selection }, declared, change);
  if (JSON.stringify(next) === JSON.stringify(document))
    return { ...nothing, notes: clientNotes(document, declared, change) };
  const subject = declared.label;
  const { unit, page } = declared;
  const gone = document.listen_interfaces.filter((name) => !selection.includes(name));
  return {
    document: next,
    deselected: gone.map((name) => ({ unit, subject, page, interface: name })),
    moves: movesBetween(document, next, declared),
    notes: clientNotes(document, declared, change),
    blocker: null,
  };
}

/**
 * A selection is lost when its interface is gone, or could carry the service and no longer can. A selection that was
 * unusable before the edit stays; a service that is off keeps its selection until it is switched on.
 */
function isLost(name: string, enabled: boolean, change: Change): boolean {
  if (change.removed.has(name)) return true;
  return enabled && carries(name, change.before) && !carries(name, change.after);
}

const carries = (name: string, standing: Change['after']): boolean => carriesService(standingIn(standing, name));

/** The document with the addresses of its interfaces; its URLs follow addresses that were replaced. */
export function withAddresses(
  document: ServiceDocument,
  { urls = [] }: ServiceDependents,
  change: Pick<Change, 'after' | 'replaced'>,
): ServiceDocument {
  const listen_addresses = addressesOn(document.listen_interfaces, change.after);
  const followed: ServiceDocument = { ...document, listen_addresses };
  for (const member of urls) {
    const url = followed[member];
    if (typeof url === 'string' && url !== '') followed[member] = rehosted(url, change, listen_addresses);
  }
  return followed;
}

/** The host of a URL, an IPv6 address without its brackets; empty for what is no URL. */
export const hostOf = (text: string): string => URL.parse(text)?.hostname.replace(/^\[|\]$/g, '') ?? '';

/** A URL whose host is a replaced address gets the new one; any other stays as it is. */
export function rehosted(text: string, change: Pick<Change, 'replaced'>, listening: readonly string[]): string {
  const url = URL.parse(text);
  const host = hostOf(text);
  if (!url || !change.replaced.has(host)) return text;
  const address = change.replaced.get(host) ?? listening[0];
  if (address === undefined) return text;
  url.hostname = familyOf(address) === 'ipv6' ? `[${address}]` : address;
  url.username = '';
  url.password = '';
  // The parser adds a slash to an empty path; what was written without one stays without.
  return url.pathname === '/' && !text.endsWith('/') ? url.href.replace(/\/$/, '') : url.href;
}

function refusal(declared: ServiceDependents, lost: readonly string[], change: Change): Blocker {
  const names = lost.join(', ');
  const gone = lost.every((name) => change.removed.has(name));
  return {
    subject: declared.label,
    reason: `It listens on ${names} only, which ${gone ? 'would be deleted' : 'could not carry it any more'}.${goneSentences(lost, change.before)}`,
    page: declared.page,
    unblock: `Let ${declared.label} listen on another interface as well, or switch it off.`,
  };
}

function movesBetween(before: ServiceDocument, after: ServiceDocument, declared: ServiceDependents): Move[] {
  const { unit, label, page, urls = [] } = declared;
  const move = (property: string, from: string, to: string): Move[] =>
    from === to ? [] : [{ unit, subject: label, page, property, from, to }];
  return [
    ...move('listen_addresses', before.listen_addresses.join(', '), after.listen_addresses.join(', ')),
    ...urls.flatMap((member) => move(member, String(before[member] ?? ''), String(after[member] ?? ''))),
  ];
}

/** Lists of clients are the operator's; a note names those with exactly the network that moves. */
function clientNotes(document: ServiceDocument, { clients = [], label }: ServiceDependents, change: Change): string[] {
  if (!document.enabled) return [];
  const lists = clients.flatMap((member) => (document[member] as string[] | undefined) ?? []);
  return leftNetworks(change)
    .filter((network) => lists.includes(network))
    .map((network) => `${label} names ${network} among its clients, the network that moves; review the list.`);
}

/** Upstream servers are the operator's; a note names those that are a reservation which moves. */
export function upstreamNotes(services: readonly ServiceRow[], moved: ReadonlyMap<string, string>): string[] {
  const named = services.flatMap(({ document }) =>
    document.enabled ? ((document.upstream_servers as string[] | undefined) ?? []) : [],
  );
  return named.flatMap((server) => {
    const [address = ''] = server.split('#');
    const to = moved.get(address);
    return to
      ? [`The DNS upstream server ${address} is a reservation that moves to ${to}; review the upstream servers.`]
      : [];
  });
}

/** Networks that no interface has any more after the change. */
export function leftNetworks(change: Change): string[] {
  const networks = (standing: Change['after']): Set<string> =>
    new Set(
      [...standing.values()].flatMap(({ networks: { ipv4, ipv6 } }) =>
        [ipv4, ipv6].flatMap((cidr) => (cidr ? [networkOf(cidr)] : [])),
      ),
    );
  const after = networks(change.after);
  return [...networks(change.before)].filter((network) => !after.has(network));
}
