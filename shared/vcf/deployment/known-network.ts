// Saved values of this appliance that fit properties of a new machine: names and addresses by the machine's name, the
// appliance's own networks, and its services there.
import { type Cidr, parseCidr } from '../../ground/addresses/address.ts';
import { canonicalName } from '../../ground/addresses/domain-name.ts';
import type { Database } from '../../ground/store/database.ts';
import { loadInterfaces, type NetworkInterface } from '../../platform/interfaces/interface.ts';
import { handedOut, ownAddress } from '../../platform/interfaces/refresh/handed-out.ts';
import { standings } from '../../platform/interfaces/refresh/standing.ts';
import { savedDocuments } from '../../platform/units/documents.ts';
import { reservationsOfHost } from '../../services/dns-dhcp/dhcp/reservation-lookups.ts';
import { type ServedSubnet, savedScopes } from '../../services/dns-dhcp/dhcp/surroundings.ts';
import { recordsOfComponent, recordsOfHost } from '../../services/dns-dhcp/dns/record-lookups.ts';
import { zoneStates } from '../../services/dns-dhcp/dns/zone-lookups.ts';
import { MANAGER, SOURCE } from '../../services/dns-dhcp/owned-component.ts';

/** Of one service: whether it is on, and where it listens. */
export interface Serving {
  enabled: boolean;
  listen_interfaces: string[];
}

export interface OwnNetwork {
  name: string;
  vlan_id: number | null;
  role: string;
  cidrs: { cidr: Cidr; gateway: string }[];
}

export interface ServedScope {
  name: string;
  interface: string;
  subnet: Cidr;
  /** Values that DHCP clients get; an empty list: none. */
  gateway: string;
  dns_servers: string[];
  ntp_servers: string[];
  domain: string;
}

export interface Known {
  /** A and AAAA records that are served: of the machine's name in any zone, and of the component that it is. */
  records: { fqdn: string; value: string; named: boolean }[];
  reservations: { hostname: string; ip_address: string }[];
  /** Those in use with a static address. */
  networks: OwnNetwork[];
  scopes: ServedScope[];
  /** Managed ones. */
  zones: string[];
  dns: Serving & { domain: string };
  ntp: Serving;
}

const inUse = ({ enabled, mode, role }: NetworkInterface): boolean => enabled && mode === 'access' && role !== 'unused';

function networkOf(row: NetworkInterface): OwnNetwork {
  const { name, vlan_id, role, ipv4_gateway, ipv6_gateway } = row;
  const texts: [string, string][] = [
    [row.ipv4_method === 'static' ? row.ipv4_cidr : '', ipv4_gateway],
    [row.ipv6_enabled ? row.ipv6_cidr : '', ipv6_gateway],
  ];
  const cidrs = texts.flatMap(([text, gateway]) => {
    const cidr = parseCidr(text);
    return cidr ? [{ cidr, gateway }] : [];
  });
  return { name, vlan_id, role, cidrs };
}

/** `machine`: name of the virtual machine, as typed. */
export async function loadKnown(db: Database, machine: string): Promise<Known> {
  const name = canonicalName(machine);
  const named = await recordsOfHost(db, name);
  const own = await recordsOfComponent(db, SOURCE, MANAGER.component);
  const reservations = await reservationsOfHost(db, name);
  const interfaces = await loadInterfaces(db);
  const scopes = await savedScopes(db);
  const zones = await zoneStates(db);
  const documents = await savedDocuments<Partial<Known['dns']>>(db, ['dns-dhcp', 'ntp']);
  const serving = (unit: string) => ({ enabled: false, listen_interfaces: [], domain: '', ...documents.get(unit) });
  const standing = standings(interfaces);
  const [dns, ntp] = [serving('dns-dhcp'), serving('ntp')];
  const on = ({ enabled, listen_interfaces }: Serving) => (enabled ? listen_interfaces : []);
  const told = (scope: ServedSubnet) => handedOut(scope, ownAddress(scope, standing), { dns: on(dns), ntp: on(ntp) });
  return {
    records: [...named.map((row) => ({ ...row, named: true })), ...own.map((row) => ({ ...row, named: false }))],
    reservations,
    networks: interfaces.filter(inUse).map(networkOf),
    scopes: scopes.flatMap((scope) => {
      const subnet = scope.enabled ? parseCidr(scope.subnet_cidr) : null;
      return subnet ? [{ ...scope, ...told(scope), subnet }] : [];
    }),
    zones: zones.filter(({ enabled }) => enabled).map((zone) => zone.name),
    dns,
    ntp,
  };
}
