// DHCP scopes: the subnet follows its interface, ranges and operators' gateways keep their host offset in it, and
// values that were the appliance's own address follow that address. Empty values follow by themselves and stay empty.

import {
  type Cidr,
  contains,
  isUsableHost,
  overlaps,
  parseAddress,
  parseCidr,
} from '../../../ground/addresses/address.ts';
import { pagePath } from '../../../ground/page-paths.ts';
import type { Blocker } from '../../../ground/problems.ts';
import type { Change } from './change.ts';
import { gatewayFor, handedOut, ownAddress, type ServiceInterfaces } from './handed-out.ts';
import { rebasedAddress, rebasedSubnet } from './rebase.ts';
import { type AddressRange, LEGACY_SCOPE, type Move, NO_GATEWAY, type ScopeRow } from './snapshot.ts';
import { carriesService, goneSentences, type Standing, standingIn } from './standing.ts';

export interface FollowedScope {
  /** The same scope when nothing changes. */
  scope: ScopeRow;
  /** The scope as it would be without blockers, so that later blockers are found in the same answer. */
  tentative: ScopeRow;
  blockers: Blocker[];
}

/** `DHCP scope lab`, or the legacy binding that is in force while there are no scopes. */
export const scopeSubject = ({ id, name }: ScopeRow): string =>
  id === LEGACY_SCOPE ? 'Legacy global DHCP binding' : `DHCP scope ${name}`;
export const scopePage = ({ id }: ScopeRow): string =>
  id === LEGACY_SCOPE ? pagePath('dhcp-legacy-binding') : pagePath('dhcp-scope', id);

/** Follows one scope. A disabled scope never blocks: it keeps what does not fit. */
export function followScope(scope: ScopeRow, change: Change): FollowedScope {
  const faults: [reason: string, unblock: string][] = [];
  const gone = change.affected.has(scope.interface) ? goneSentences([scope.interface], change.before) : '';
  const next = scopeAfter(scope, change, (reason, unblock) => void faults.push([reason + gone, unblock]));
  if (faults.length > 0) {
    const words = { subject: scopeSubject(scope), page: scopePage(scope) };
    if (!scope.enabled) return { scope, tentative: scope, blockers: [] };
    const blockers = faults.map(([reason, unblock]) => ({ ...words, reason, unblock }));
    return { scope, tentative: next, blockers };
  }
  return { scope: next, tentative: next, blockers: [] };
}

/** A scope whose servers are reservations that moved: the servers follow (from → to). */
export function followReserved(followed: FollowedScope, moved: ReadonlyMap<string, string>): FollowedScope {
  return { ...followed, scope: withServers(followed.scope, { replaced: moved }, () => {}) };
}

type Fault = (reason: string, unblock: string) => void;

function scopeAfter(scope: ScopeRow, change: Change, fault: Fault): ScopeRow {
  const affected = change.affected.has(scope.interface);
  if (!affected) return withServers(withGateway(scope, change, fault), change, fault);
  if (change.removed.has(scope.interface)) {
    fault(
      `It serves ${scope.interface}, which would be deleted.`,
      'Move the scope to another interface, or disable it.',
    );
    return scope;
  }
  const [before, after] = [change.before, change.after].map((all) => standingIn(all, scope.interface));
  const [from, to] = [before, after].map((standing) => standing!.networks[scope.address_family]);
  if (!to) {
    if (!from || !isServing(scope, change)) return withServers(scope, change, fault);
    // The lost interface is reason enough; lost servers are not named as well.
    fault(...noFamily(scope, after!.on));
    return scope;
  }
  // An edit of the other family leaves this scope alone, even one outside of its interface's network.
  const moved = from?.text === to.text ? scope : rebased(scope, from ?? to, to, change, fault);
  const [told, next] = [gatewayFor(scope, from?.address.text ?? null), gatewayFor(moved, to.address.text)];
  if (told !== '' && next === '') fault(...lostGateway(told, to.address.text, moved.subnet_cidr));
  return withServers(moved, change, fault);
}

const lostGateway = (told: string, next: string, subnet: string): [string, string] => [
  `Its gateway ${told} follows the appliance and would become ${next}, outside of ${subnet}.`,
  'Give the scope another gateway, or disable it.',
];

/** Whether an enabled scope has what it needs of its interface. One that lacked it before the edit blocks nothing. */
const isServing = (scope: ScopeRow, change: Change): boolean =>
  carriesService(standingIn(change.before, scope.interface));

function noFamily({ interface: name, address_family }: ScopeRow, on: boolean): [string, string] {
  const family = address_family === 'ipv4' ? 'IPv4' : 'IPv6';
  const reason = on
    ? `It serves ${name} and needs a static ${family} address there.`
    : `It serves ${name}, which could not carry it any more.`;
  return [reason, 'Disable the scope and its reservations, or move them to another interface.'];
}

function rebased(scope: ScopeRow, from: Cidr, to: Cidr, change: Change, fault: Fault): ScopeRow {
  const old = parseCidr(scope.subnet_cidr);
  if (!old) return scope;
  const subnet = rebasedSubnet(old, from, to);
  if (!subnet) {
    fault(
      `Its subnet ${old.text} does not fit into the new network of ${scope.interface}.`,
      'Give the scope a smaller subnet, or disable it.',
    );
    return scope;
  }
  const gateway = gatewayAfter(scope.gateway, old, subnet, change, fault);
  if (subnet.text === old.text) return { ...scope, gateway };
  const ranges = scope.ranges.map((range) => rebasedRange(range, old, subnet, fault));
  return { ...scope, subnet_cidr: subnet.text, ranges, gateway };
}

function rebasedRange(range: AddressRange, old: Cidr, subnet: Cidr, fault: Fault): AddressRange {
  const [start, end] = [range.start, range.end].map((text) => {
    const address = parseAddress(text);
    return address && rebasedAddress(address, old, subnet);
  });
  if (start && end) return { start: start.text, end: end.text };
  fault(
    `Its range ${range.start} to ${range.end} does not fit into ${subnet.text}.`,
    'Shorten or remove the range, or disable the scope.',
  );
  return range;
}

/**
 * The appliance's own address follows; an operator's gateway stays while it is in the subnet, else it keeps its host
 * offset.
 */
function gatewayAfter(text: string, old: Cidr, subnet: Cidr, change: Change, fault: Fault): string {
  const address = text === NO_GATEWAY ? null : parseAddress(text);
  if (!address) return text;
  const replacement = parseAddress(change.replaced.get(text) ?? '');
  if (!contains(old, address)) return replacement?.text ?? text;
  const next = replacement ?? (isUsableHost(subnet, address) ? address : rebasedAddress(address, old, subnet));
  if (next && isUsableHost(subnet, next)) return next.text;
  fault(
    `Its gateway ${text} would ${next ? `become ${next.text}, outside of` : 'not fit into'} ${subnet.text}.`,
    'Give the scope another gateway, or disable it.',
  );
  return text;
}

/** The gateway of a wide subnet may be an address of another interface; it follows that one within the subnet. */
function withGateway(scope: ScopeRow, change: Change, fault: Fault): ScopeRow {
  if (!change.replaced.has(scope.gateway)) return scope;
  const next = parseAddress(change.replaced.get(scope.gateway) ?? '');
  const old = parseAddress(scope.gateway);
  const subnet = parseCidr(scope.subnet_cidr);
  if (subnet && next && isUsableHost(subnet, next)) return { ...scope, gateway: next.text };
  if (!subnet || !old || !contains(subnet, old)) return scope;
  fault(
    `Its gateway is ${scope.gateway}, an address that would be gone from its subnet.`,
    'Give the scope another gateway, or disable it.',
  );
  return scope;
}

/** Servers stay as they are, but an address of an interface follows it. */
function withServers(scope: ScopeRow, change: Pick<Change, 'replaced'>, fault: Fault): ScopeRow {
  const follow = (servers: string[], what: string): string[] => {
    if (!servers.some((server) => change.replaced.has(server))) return servers;
    const followed = servers.flatMap((server) =>
      change.replaced.has(server) ? (change.replaced.get(server) ?? []) : server,
    );
    if (followed.length === 0) {
      fault(
        `Its only ${what} server is ${servers.join(', ')}, an address that would be gone.`,
        `Give the scope another ${what} server, or disable it.`,
      );
      return servers;
    }
    return [...new Set(followed)];
  };
  const dns_servers = follow(scope.dns_servers, 'DNS');
  const ntp_servers = follow(scope.ntp_servers, 'NTP');
  if (dns_servers === scope.dns_servers && ntp_servers === scope.ntp_servers) return scope;
  return { ...scope, dns_servers, ntp_servers };
}

const FOLLOWING = ['subnet_cidr', 'ranges', 'gateway', 'dns_servers', 'ntp_servers'] as const;

const rangeText = ({ start, end }: AddressRange): string => (start === end ? start : `${start}–${end}`);

const textOf = (scope: ScopeRow, property: (typeof FOLLOWING)[number]): string =>
  property === 'ranges' ? scope.ranges.map(rangeText).join(', ') : [scope[property]].flat().join(', ');

/** What interfaces carry, and where services listen. */
export interface Serving {
  standing: ReadonlyMap<string, Standing>;
  listening: ServiceInterfaces;
}

/**
 * The scope with what its clients get: an empty value is not written, but what it stands for changes. Unchanged where
 * disabled.
 */
function asHandedOut(scope: ScopeRow, { standing, listening }: Serving): ScopeRow {
  return scope.enabled ? { ...scope, ...handedOut(scope, ownAddress(scope, standing), listening) } : scope;
}

/** Every value of the scope that the change alters. */
export function scopeMoves(before: ScopeRow, after: ScopeRow, serving: readonly [Serving, Serving]): Move[] {
  const words = { unit: 'dns-dhcp' as const, subject: scopeSubject(before), page: scopePage(before) };
  const [was, is] = [asHandedOut(before, serving[0]), asHandedOut(after, serving[1])];
  return FOLLOWING.flatMap((property) => {
    const [from, to] = [textOf(was, property), textOf(is, property)];
    return from === to ? [] : [{ ...words, property, from, to }];
  });
}

/** Enabled scopes of one family that overlap only because of the change: no server could choose between them. */
export function newOverlaps(before: readonly ScopeRow[], after: readonly ScopeRow[]): Blocker[] {
  const subnets = (scopes: readonly ScopeRow[]) => scopes.map(({ subnet_cidr }) => parseCidr(subnet_cidr));
  const [was, is] = [subnets(before), subnets(after)];
  const meet = (all: readonly (Cidr | null)[], one: number, other: number): boolean =>
    all[one] !== null && all[other] !== null && overlaps(all[one]!, all[other]!);
  return after.flatMap((scope, one) => {
    if (!scope.enabled || is[one]!.text === was[one]?.text) return [];
    const other = after.findIndex((each, at) => at !== one && each.enabled && meet(is, one, at) && !meet(was, one, at));
    if (other < 0) return [];
    return [
      {
        subject: scopeSubject(scope),
        reason: `It would move to ${scope.subnet_cidr} and overlap ${scopeSubject(after[other]!)}.`,
        page: scopePage(scope),
        unblock: 'Disable or move one of the two scopes first.',
      },
    ];
  });
}
