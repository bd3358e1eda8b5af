// DHCP reservations that a moved scope would leave behind, with their DNS records and the network boot hosts that own
// them.

import { type Address, type Cidr, contains, parseAddress, parseCidr } from '../../../ground/addresses/address.ts';
import { lookupBySubnet, type SubnetLookup } from '../../../ground/addresses/subnet-lookup.ts';
import { pagePath } from '../../../ground/page-paths.ts';
import type { Blocker } from '../../../ground/problems.ts';
import type { Change } from './change.ts';
import { rebasedAddress } from './rebase.ts';
import { scopeSubject } from './scopes.ts';
import {
  type BootHostRow,
  type Move,
  OWNER,
  type RecordRow,
  type ReservationRow,
  type ScopeRow,
  type Snapshot,
  type Writes,
} from './snapshot.ts';

export interface FollowedReservations {
  writes: Pick<Writes, 'reservations' | 'boot_hosts'> & { records: { id: string; value: string }[] };
  moves: Move[];
  /** Old address of a reservation → its new one. */
  moved: Map<string, string>;
  blockers: Blocker[];
}

interface ScopeMove {
  scope: ScopeRow;
  from: Cidr;
  to: Cidr;
}

/** Enabled scopes whose subnet changes. */
export function movedScopes(before: readonly ScopeRow[], after: readonly ScopeRow[]): ScopeMove[] {
  return after.flatMap((scope, at) => {
    const old = before[at]!;
    if (!scope.enabled || old.subnet_cidr === scope.subnet_cidr) return [];
    const [from, to] = [parseCidr(old.subnet_cidr), parseCidr(scope.subnet_cidr)];
    return from && to ? [{ scope, from, to }] : [];
  });
}

const enabledSubnets = (scopes: readonly ScopeRow[]): Cidr[] =>
  scopes.flatMap(({ enabled, subnet_cidr }) => (enabled ? (parseCidr(subnet_cidr) ?? []) : []));

/** Follows every reservation that would otherwise leave all enabled scopes. */
export function followReservations(
  { reservations, records, boot_hosts }: Snapshot,
  before: readonly ScopeRow[],
  after: readonly ScopeRow[],
  change: Change,
): FollowedReservations {
  const followed: FollowedReservations = {
    writes: { reservations: [], boot_hosts: [], records: [] },
    moves: [],
    moved: new Map(),
    blockers: [],
  };
  const moved = movedScopes(before, after);
  const place = {
    moved,
    subnets: enabledSubnets(after),
    served: lookupBySubnet(enabledSubnets(after), (subnet) => subnet),
    taken: new Set(reservations.map(({ ip_address }) => ip_address)),
    own: new Set([...change.after.values()].flatMap(({ addresses }) => addresses)),
    gateways: gatewaysOf(after),
  };
  const known = gatewaysOf(before);
  const kept = new OwnedRows(records, boot_hosts);
  for (const reservation of reservations) {
    const address = reservation.enabled ? parseAddress(reservation.ip_address) : null;
    if (!address) continue;
    const found = destination(address, place);
    if (found === 'stays') {
      if (isNewlyOwn(address.text, change)) followed.blockers.push(ownAddress(reservation));
      else if (place.gateways.has(address.text) && !known.has(address.text)) {
        followed.blockers.push(refusal(reservation, 'A scope that moves would get this very address as its gateway.'));
      }
      continue;
    }
    const fault = typeof found === 'string' ? found : kept.faultOf(reservation, found.text);
    if (fault !== null) {
      // The refusal of a reservation that does not agree with its host is about the reservation alone.
      followed.blockers.push(refusal(typeof found === 'string' ? reservation : { ...reservation, owner: null }, fault));
      continue;
    }
    follow(reservation, (found as Address).text, kept, followed);
  }
  return followed;
}

interface Destinations {
  moved: readonly ScopeMove[];
  subnets: readonly Cidr[];
  served: SubnetLookup<Cidr>;
  taken: ReadonlySet<string>;
  own: ReadonlySet<string>;
  gateways: ReadonlySet<string>;
}

const gatewaysOf = (scopes: readonly ScopeRow[]): ReadonlySet<string> =>
  new Set(scopes.flatMap(({ enabled, gateway }) => (enabled ? gateway : [])));

/** Where a reservation goes: an address, `stays`, or the sentence why it can't follow. */
function destination(
  address: Address,
  { moved, subnets, served, taken, own, gateways }: Destinations,
): Address | string {
  // Not every address stays: a host address may become the broadcast address of a narrower subnet.
  if (served.find(address, 'usable') !== null) return 'stays';
  const left = moved.filter(({ from }) => contains(from, address));
  if (left.length === 0) return 'stays';
  const candidates = left.flatMap(({ from, to }) => {
    const candidate = rebasedAddress(address, from, to);
    return candidate && subnets.filter((subnet) => contains(subnet, candidate)).length === 1 ? [candidate] : [];
  });
  const names = left.map(({ scope }) => scopeSubject(scope)).join(' and ');
  const [only, ...more] = candidates;
  if (!only) return `It would leave every enabled scope: its address would not exist in ${names} any more.`;
  if (more.length > 0) return `It is in ${names}, and could follow any of them.`;
  if (taken.has(only.text)) return `It would move to ${only.text}, which another reservation has.`;
  if (gateways.has(only.text) && !own.has(only.text)) return `It would move to ${only.text}, the gateway of a scope.`;
  return own.has(only.text) ? `It would move to ${only.text}, an interface's own address.` : only;
}

const isNewlyOwn = (address: string, change: Change): boolean =>
  [...change.affected].some(
    (name) =>
      change.after.get(name)?.addresses.includes(address) && !change.before.get(name)?.addresses.includes(address),
  );

/** Rows that the appliance owns for reservations, by owner and by natural key. */
class OwnedRows {
  readonly #records = new Map<string, RecordRow[]>();
  readonly #keys: ReadonlySet<string>;
  readonly #hosts: ReadonlyMap<string, BootHostRow>;

  constructor(records: readonly RecordRow[], hosts: readonly BootHostRow[]) {
    for (const record of records) {
      if (record.owner?.source !== OWNER.reservation) continue;
      const own = this.#records.get(record.owner.ref);
      if (own) own.push(record);
      else this.#records.set(record.owner.ref, [record]);
    }
    this.#keys = new Set(records.map(({ fqdn, type, value }) => `${fqdn} ${type} ${value}`));
    this.#hosts = new Map(hosts.map((host) => [host.id, host]));
  }

  recordsOf({ id, ip_address }: ReservationRow): RecordRow[] {
    return (this.#records.get(id) ?? []).filter(({ value }) => value === ip_address);
  }

  hostOf({ owner }: ReservationRow): BootHostRow | null {
    return owner?.source === OWNER.host ? (this.#hosts.get(owner.ref) ?? null) : null;
  }

  /** Why the rows owned for the reservation can't take this address; null when they can. */
  faultOf(reservation: ReservationRow, address: string): string | null {
    const record = this.recordsOf(reservation).find(({ fqdn, type }) => this.#keys.has(`${fqdn} ${type} ${address}`));
    if (record) return `Its DNS record ${record.fqdn} would become ${address}, and such a record exists already.`;
    if (reservation.owner?.source !== OWNER.host) return null;
    const host = this.hostOf(reservation);
    const agrees =
      host?.enabled && host.mac_address === reservation.mac_address && host.ip_address === reservation.ip_address;
    return agrees ? null : 'It says that it belongs to a host of network boot, which does not agree.';
  }
}

function follow(reservation: ReservationRow, to: string, kept: OwnedRows, followed: FollowedReservations): void {
  const { id, ip_address: from } = reservation;
  const { writes, moves } = followed;
  followed.moved.set(from, to);
  writes.reservations.push({ id, ip_address: to });
  moves.push({ ...wordsOf(reservation), unit: 'dns-dhcp', property: 'ip_address', from, to });
  for (const record of kept.recordsOf(reservation)) {
    writes.records.push({ id: record.id, value: to });
    const words = { subject: `DNS record ${record.fqdn}`, page: pagePath('dns-record', record.id) };
    moves.push({ ...words, unit: 'dns-dhcp', property: 'value', from, to });
  }
  const host = kept.hostOf(reservation);
  if (host) {
    writes.boot_hosts.push({ id: host.id, ip_address: to });
    const words = { subject: `Host ${host.hostname}`, page: pagePath('boot-host', host.id) };
    moves.push({ ...words, unit: 'network-boot', property: 'ip_address', from, to });
  }
}

const wordsOf = ({ id, hostname, ip_address }: ReservationRow) => ({
  subject: `Reservation ${hostname || ip_address}`,
  page: pagePath('dhcp-reservation', id),
});

/** A reservation that a host owns is edited on the page of the host. */
function refusal(reservation: ReservationRow, reason: string): Blocker {
  const { owner, ip_address } = reservation;
  const host = owner?.source === OWNER.host ? pagePath('boot-host', owner.ref) : null;
  return {
    ...wordsOf(reservation),
    ...(host !== null && { page: host }),
    reason: `${ip_address}: ${reason}`,
    unblock: `Disable or delete the ${host === null ? 'reservation' : 'host'}, or give it another address, and save again.`,
  };
}

const ownAddress = (reservation: ReservationRow): Blocker =>
  refusal(reservation, 'The interface would get this very address.');
