// Desired state of the DHCP half: the scopes, options and reservations that its files are made of.
import { type Address, parseAddress, parseCidr } from '../../../ground/addresses/address.ts';
import { lookupBySubnet } from '../../../ground/addresses/subnet-lookup.ts';
import type { Database } from '../../../ground/store/database.ts';
import { handedOut, type ServiceInterfaces } from '../../../platform/interfaces/refresh/handed-out.ts';
import { type AddressFamily, LEGACY_SCOPE } from '../../../platform/interfaces/refresh/snapshot.ts';
import { SERVICE_NAMES } from '../../../platform/units/documents.ts';
import type { ListenInterface } from '../desired.ts';
import { LEASE_SECONDS } from '../dhcp-settings.ts';
import type { LegacyBinding } from './legacy-binding.ts';
import { savedScopes } from './surroundings.ts';

/** An enabled scope, or the legacy binding while there is no scope. */
export interface ServedScope {
  id: string;
  name: string;
  address_family: AddressFamily;
  interface: string;
  subnet_cidr: string;
  ranges: { start: string; end: string }[];
  /** Resolved, where it follows the appliance: an address, `none`, or empty where the appliance has none. */
  gateway: string;
  dns_servers: string[];
  ntp_servers: string[];
  lease_time: number;
  /** Its own, or the search domain of the name service; empty for none. */
  domain: string;
  /** Address with prefix of the interface in the family; null when it has no static one. */
  server: string | null;
}

export interface ServedOption {
  /** Id of the scope; null: every scope of the family. */
  scope_id: string | null;
  address_family: AddressFamily;
  code: number;
  value: string;
}

export interface ServedReservation {
  hostname: string;
  mac_address: string;
  ip_address: string;
}

export interface DhcpDesired {
  authoritative: boolean;
  /** By name. */
  scopes: ServedScope[];
  options: ServedOption[];
  /** Those inside one of the scopes, by address. */
  reservations: ServedReservation[];
  /** Host names of the appliance's services, in managed zones or not. Sorted. */
  own_names?: string[];
}

/** An interface on which a scope is served. */
export interface CarryingInterface extends Pick<ListenInterface, 'name' | 'usable'> {
  /** Static addresses with prefix; empty for none. */
  ipv4_cidr: string;
  ipv6_cidr: string;
}

const OPTIONS = `SELECT scope_id, address_family, code, value FROM dhcp_option WHERE enabled = 1
  ORDER BY address_family, code, coalesce(scope_id, '')`;
const RESERVATIONS = `SELECT hostname, mac_address, ip_address FROM dhcp_reservation WHERE enabled = 1
  ORDER BY address_family, ip_address`;

const OWN_NAMES = `SELECT DISTINCT name FROM (${SERVICE_NAMES}) ORDER BY name`;

interface Documents {
  dhcp: { enabled?: boolean; authoritative?: boolean } | null;
  legacy: LegacyBinding | null;
  /** Search domain of the name service. */
  domain: string;
  listening: ServiceInterfaces;
}

/** Null while DHCP is off; otherwise four statements, however many rows there are. */
export async function loadDhcp(
  db: Database,
  { dhcp, legacy, domain, listening }: Documents,
  interfaces: ReadonlyMap<string, CarryingInterface>,
): Promise<DhcpDesired | null> {
  if (dhcp?.enabled !== true) return null;
  const rows = await savedScopes(db);
  const options = await db.all<ServedOption>(OPTIONS);
  const reservations = await db.all<ServedReservation>(RESERVATIONS);
  const names = await db.all<{ name: string }>(OWN_NAMES);
  const own =
    rows.length === 0 && legacy ? [legacyScope(legacy)] : rows.map(({ boot_listener: _boots, ...scope }) => scope);
  const scopes = own
    .filter(({ enabled, subnet_cidr }) => enabled && subnet_cidr !== '')
    .map(({ enabled: _enabled, ...scope }) => {
      const server = serverOf(scope, interfaces);
      const own = parseCidr(server ?? '')?.address.text ?? null;
      return { ...scope, ...handedOut(scope, own, listening), domain: scope.domain || domain, server };
    });
  const served = new Set(scopes.map(({ id }) => id));
  const placeOf = scopeFinder(scopes);
  return {
    authoritative: dhcp.authoritative ?? true,
    scopes,
    options: options.filter(({ scope_id }) => scope_id === null || served.has(scope_id)),
    reservations: reservations.filter(({ ip_address }) => placeOf(ip_address) !== null),
    own_names: names.map(({ name }) => name),
  };
}

type Unplaced = Omit<ServedScope, 'server'> & { enabled: boolean };

function legacyScope(binding: LegacyBinding): Unplaced {
  const { interface: on, subnet_cidr, ranges, gateway, dns_servers, ntp_servers, enabled } = binding;
  const { lease_time = LEASE_SECONDS.usual, domain = '' } = binding;
  const served = { interface: on, subnet_cidr, ranges, gateway, dns_servers, ntp_servers, lease_time, domain };
  return { id: LEGACY_SCOPE, name: 'legacy', address_family: 'ipv4', ...served, enabled };
}

function serverOf(
  scope: Pick<ServedScope, 'interface' | 'address_family'>,
  interfaces: ReadonlyMap<string, CarryingInterface>,
): string | null {
  const carrier = interfaces.get(scope.interface);
  if (!carrier?.usable) return null;
  return (scope.address_family === 'ipv4' ? carrier.ipv4_cidr : carrier.ipv6_cidr) || null;
}

type Placed = Pick<ServedScope, 'subnet_cidr'>;

/** Finds the scope in which an address is a usable host address; null when there is none. */
export function scopeFinder<S extends Placed>(scopes: readonly S[]): (text: string) => S | null {
  const lookup = lookupBySubnet(scopes, ({ subnet_cidr }) => parseCidr(subnet_cidr));
  return (text) => {
    const address = parseAddress(text);
    return address && lookup.find(address, 'usable');
  };
}

/** Tells whether an address is in a range of a scope. */
export function rangeFinder(scopes: readonly ServedScope[]): (text: string) => boolean {
  const placeOf = scopeFinder(scopes);
  return (text) => {
    const address = parseAddress(text);
    return placeOf(text)?.ranges.some((range) => address !== null && holds(range, address)) === true;
  };
}

function holds({ start, end }: ServedScope['ranges'][number], address: Address): boolean {
  const [first, last] = [parseAddress(start), parseAddress(end)];
  if (!first || !last || first.family !== address.family) return false;
  return address.value >= first.value && address.value <= last.value;
}
