// Rules of a served subnet against the rest of the saved state: its interface, other scopes, and the reservations in
// it.

import { overlaps, parseAddress, parseCidr } from '../../../ground/addresses/address.ts';
import { lookupBySubnet } from '../../../ground/addresses/subnet-lookup.ts';
import { pagePath } from '../../../ground/page-paths.ts';
import { type Blocker, type FieldError, invalid, Problem } from '../../../ground/problems.ts';
import type { Database } from '../../../ground/store/database.ts';
import { gatewayFor, ownAddress } from '../../../platform/interfaces/refresh/handed-out.ts';
import { scopeSubject } from '../../../platform/interfaces/refresh/scopes.ts';
import { OWNER, type ScopeRow } from '../../../platform/interfaces/refresh/snapshot.ts';
import { standingIn } from '../../../platform/interfaces/refresh/standing.ts';
import { canonicalSubnet, FAMILY_NAME, outgrows } from './subnet-values.ts';
import { type ServedSubnet, type Surroundings, servedSubnets } from './surroundings.ts';

/** Blockers of one answer, at most. */
const NAMED_MOST = 100;

/**
 * Makes a subnet canonical and checks it against its interface. An edit is only refused for what it changes: an older
 * fault, such as an interface that was disabled meanwhile, does not block a change of another member. `others`: faults
 * of further members.
 * @throws Problem 422 with pointers to members.
 */
export function settleSubnet<S extends ScopeRow>(
  next: S,
  before: ScopeRow | null,
  surroundings: Surroundings,
  { others = [], ...options }: { mayLackSubnet?: boolean; others?: readonly FieldError[] } = {},
): S {
  const read = canonicalSubnet(next, options);
  const edited = (member: keyof ScopeRow): boolean =>
    before === null || JSON.stringify(read.values[member]) !== JSON.stringify(before[member]);
  const moved = (['enabled', 'interface', 'subnet_cidr', 'address_family'] as const).some(edited);
  const faults = read.faults.filter(({ pointer }) => moved || edited(pointer.split('/')[1] as keyof ScopeRow));
  const told = new Set(faults.map(({ pointer }) => pointer));
  if (moved) faults.push(...placeFaults(read.values, surroundings).filter(({ pointer }) => !told.has(pointer)));
  faults.push(...others);
  if (faults.length > 0) throw invalid(...faults);
  const { enabled } = read.values;
  const gateway = gatewayFor(read.values, ownAddress(read.values, surroundings.standing));
  if (gateway === '' && enabled && (moved || edited('gateway'))) {
    const detail = 'The address of the interface is outside of the subnet: name a gateway inside of it, or none.';
    throw invalid({ pointer: '/gateway', detail });
  }
  return read.values;
}

function placeFaults(scope: ScopeRow, { standing }: Surroundings): FieldError[] {
  const { interface: name, enabled, address_family } = scope;
  const at = (pointer: string, detail: string): FieldError[] => [{ pointer, detail }];
  if (name === '') return enabled ? at('/interface', 'Choose the interface that it is served on.') : [];
  if (!standing.has(name)) return at('/interface', 'There is no interface of this name.');
  if (!enabled) return [];
  const { on, networks } = standingIn(standing, name);
  if (!on) return at('/interface', `${name} is off: it must be enabled, in access mode and in use.`);
  // Without a readable subnet the family is not known either.
  const subnet = parseCidr(scope.subnet_cidr);
  if (!subnet) return at('/subnet_cidr', 'Name the network that is served.');
  const network = networks[address_family];
  if (!network) return at('/interface', `${name} has no static ${FAMILY_NAME[address_family]} address.`);
  if (!overlaps(subnet, network)) {
    return at('/subnet_cidr', `Does not overlap the network of ${name}, ${network.text}.`);
  }
  if (!outgrows(subnet, network)) return [];
  return at(
    '/subnet_cidr',
    `Must not be larger than the network of ${name}, ${network.text}: over IPv6 nobody would be answered.`,
  );
}

/** @throws Problem 409 at `/subnet_cidr`: two enabled scopes must not serve the same addresses. */
export function refuseOverlap(scope: ScopeRow, scopes: readonly ScopeRow[]): void {
  const subnet = scope.enabled ? parseCidr(scope.subnet_cidr) : null;
  if (!subnet) return;
  const other = scopes.find((each) => {
    const its = each.id !== scope.id && each.enabled ? parseCidr(each.subnet_cidr) : null;
    return its !== null && overlaps(its, subnet);
  });
  if (!other) return;
  const detail = `Overlaps ${scopeSubject(other)} (${other.subnet_cidr}), which is enabled.`;
  throw new Problem('state_conflict', detail, { errors: [{ pointer: '/subnet_cidr', detail }] });
}

interface Reserved {
  id: string;
  hostname: string;
  ip_address: string;
  owner_source: string | null;
  owner_ref: string | null;
}

const RESERVED = 'SELECT id, hostname, ip_address, owner_source, owner_ref FROM dhcp_reservation WHERE enabled = 1';

type Scopes = Pick<Surroundings, 'scopes' | 'legacy'>;

const written = (subnets: readonly ServedSubnet[]): string =>
  JSON.stringify(subnets.map(({ subnet_cidr, gateway }) => [subnet_cidr, gateway]));

/**
 * Requires that every enabled reservation that was served is served after the change. Reads reservations only when
 * served subnets or gateways change. @throws Problem 409 `still_referenced` with blockers; `state_conflict` at
 * `/gateway`.
 */
export async function requireServed(db: Database, before: Scopes, after: Scopes): Promise<void> {
  const [was, is] = [servedSubnets(before), servedSubnets(after)];
  if (written(was) === written(is)) return;
  const reserved = await db.all<Reserved>(RESERVED);
  if (reserved.length === 0) return;
  refuseGateway(was, is, reserved);
  const [old, now] = [was, is].map((subnets) => lookupBySubnet(subnets, ({ subnet_cidr }) => parseCidr(subnet_cidr)));
  const left = reserved.filter((each) => {
    const address = parseAddress(each.ip_address)!;
    return old!.find(address, 'usable') !== null && now!.find(address, 'usable') === null;
  });
  if (left.length === 0) return;
  const count = left.length === 1 ? 'An enabled reservation' : `${left.length} enabled reservations`;
  throw new Problem('still_referenced', `${count} would be in no enabled scope.`, {
    blockers: left.slice(0, NAMED_MOST).map(notServed),
  });
}

/** A reservation that a host owns is edited on the page of the host. */
function notServed({ id, hostname, ip_address, owner_source, owner_ref }: Reserved): Blocker {
  const kept = owner_source === OWNER.host;
  return {
    subject: `Reservation ${hostname}`,
    reason: `Its address ${ip_address} would be in no enabled scope.`,
    page: kept ? pagePath('boot-host', owner_ref!) : pagePath('dhcp-reservation', id),
    unblock: `Disable or delete the ${kept ? 'host' : 'reservation'}, or give it an address of another enabled scope.`,
  };
}

function refuseGateway(was: readonly ServedSubnet[], is: readonly ServedSubnet[], reserved: readonly Reserved[]): void {
  const known = new Set(was.map(({ gateway }) => gateway));
  const fresh = new Set(is.map(({ gateway }) => gateway).filter((gateway) => !known.has(gateway)));
  const other = reserved.find(({ ip_address }) => fresh.has(ip_address));
  if (!other) return;
  const detail = `The reservation of ${other.hostname} has the address ${other.ip_address} of the gateway.`;
  throw new Problem('state_conflict', detail, { errors: [{ pointer: '/gateway', detail }] });
}
