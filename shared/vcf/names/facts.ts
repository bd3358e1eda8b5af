// Saved state that generated names are checked against: records of these names, their surroundings, and the chosen
// addresses.
import type { Database } from '../../ground/store/database.ts';
import { loadInterfaces } from '../../platform/interfaces/interface.ts';
import { gatewayFor, ownAddress } from '../../platform/interfaces/refresh/handed-out.ts';
import { standings } from '../../platform/interfaces/refresh/standing.ts';
import { savedDocuments } from '../../platform/units/documents.ts';
import { hostNamesAt } from '../../services/dns-dhcp/dhcp/reservation-lookups.ts';
import { LEGACY_KEY, type ServedSubnet, savedScopes } from '../../services/dns-dhcp/dhcp/surroundings.ts';
import {
  type NamedRecord,
  namesOfAddresses,
  recordsAt,
  reverseTargets,
} from '../../services/dns-dhcp/dns/record-lookups.ts';
import { zoneState } from '../../services/dns-dhcp/dns/zone-lookups.ts';

export interface OwnInterface {
  name: string;
  ipv4_cidr: string;
  ipv4_gateway: string;
  ipv6_cidr: string;
  ipv6_gateway: string;
}

export interface DhcpSubnet {
  name: string;
  ranges: { start: string; end: string }[];
  /** Values that DHCP clients get. */
  gateway: string;
}

export interface Facts {
  /** Null: no such managed zone. */
  zone: { enabled: boolean } | null;
  records: readonly NamedRecord[];
  interfaces: readonly OwnInterface[];
  /** Enabled ones; the legacy binding only while there is no scope at all. */
  subnets: readonly DhcpSubnet[];
  /** Whether the name service is switched on. */
  serves: boolean;
}

/** Five statements, however many names there are. */
export async function loadFacts(db: Database, domain: string, names: readonly string[]): Promise<Facts> {
  const zone = await zoneState(db, domain);
  const records = await recordsAt(db, names);
  const interfaces = await loadInterfaces(db);
  const scopes = await savedScopes(db);
  const documents = await savedDocuments<ServedSubnet>(db, ['dns-dhcp', LEGACY_KEY]);
  const legacy = documents.get(LEGACY_KEY);
  const served =
    scopes.length === 0 && legacy ? [{ ...legacy, name: 'legacy binding', address_family: 'ipv4' as const }] : scopes;
  const standing = standings(interfaces);
  return {
    zone,
    records,
    interfaces: interfaces.filter(({ enabled, ipv4_cidr, ipv6_cidr }) => enabled && (ipv4_cidr || ipv6_cidr)),
    subnets: served
      .filter(({ enabled }) => enabled)
      .map((scope) => ({ ...scope, gateway: gatewayFor(scope, ownAddress(scope, standing)) })),
    serves: documents.get('dns-dhcp')?.enabled === true,
  };
}

/** What is known of single addresses, by address. */
export interface Around {
  /** The alphabetically first name of its records. */
  names: ReadonlyMap<string, string>;
  /** The same of enabled records: what its reverse record names. */
  served: ReadonlyMap<string, string>;
  /** Host names of reservations. */
  reservations: ReadonlyMap<string, string>;
  /** Targets of PTR records that somebody wrote, by reverse name. */
  reverses: ReadonlyMap<string, string>;
}

/** Three statements; none when there is nothing to ask about. */
export async function loadAround(
  db: Database,
  addresses: readonly string[],
  reverse_names: readonly string[],
): Promise<Around> {
  if (addresses.length === 0)
    return { names: new Map(), served: new Map(), reservations: new Map(), reverses: new Map() };
  const { all, served } = await namesOfAddresses(db, addresses);
  const reservations = await hostNamesAt(db, addresses);
  return { names: all, served, reservations, reverses: await reverseTargets(db, reverse_names) };
}
