// What this appliance has saved that the properties of a new machine could be filled in with: names and addresses by the
// machine's name, its own networks, and what it serves there.
import { type Cidr, parseCidr } from '../../ground/addresses/address.ts';
import { canonicalName } from '../../ground/addresses/domain-name.ts';
import type { Database } from '../../ground/store/database.ts';
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

// ?1 the machine's name; a name below it begins with `name.`, and `/` is the character after the dot.
const READ = `SELECT 'record' AS kind, json_object('fqdn', fqdn, 'value', dns_record.value, 'named', json('true')) AS fact
    FROM dns_record WHERE fqdn >= ?1 || '.' AND fqdn < ?1 || '/' AND type IN ('A', 'AAAA') AND enabled = 1
  UNION ALL SELECT 'record', json_object('fqdn', fqdn, 'value', dns_record.value, 'named', json('false')) FROM dns_record
    WHERE owner_source = '${SOURCE}' AND owner_component = '${MANAGER.component}' AND type IN ('A', 'AAAA') AND enabled = 1
  UNION ALL SELECT 'reservation', json_object('hostname', hostname, 'ip_address', ip_address) FROM dhcp_reservation
    WHERE (hostname = ?1 OR (hostname >= ?1 || '.' AND hostname < ?1 || '/')) AND enabled = 1
  UNION ALL SELECT 'interface', json_object('name', name, 'vlan_id', vlan_id, 'role', role,
      'ipv4_cidr', iif(ipv4_method = 'static', ipv4_cidr, ''), 'ipv4_gateway', ipv4_gateway,
      'ipv6_cidr', iif(ipv6_enabled, ipv6_cidr, ''), 'ipv6_gateway', ipv6_gateway)
    FROM interface WHERE enabled = 1 AND mode = 'access' AND role <> 'unused'
  UNION ALL SELECT 'scope', json_object('name', name, 'interface', interface, 'subnet_cidr', subnet_cidr,
      'gateway', gateway, 'dns_servers', json(dns_servers), 'ntp_servers', json(ntp_servers), 'domain', domain)
    FROM dhcp_scope WHERE enabled = 1
  UNION ALL SELECT 'zone', json_quote(name) FROM dns_zone WHERE enabled = 1
  UNION ALL SELECT unit, document FROM unit_settings WHERE unit IN ('dns-dhcp', 'ntp')`;

interface InterfaceFact extends Record<`ipv${4 | 6}_${'cidr' | 'gateway'}`, string> {
  name: string;
  vlan_id: number | null;
  role: string;
}

/** One statement. `machine`: name of the virtual machine, as typed. */
export async function loadKnown(db: Database, machine: string): Promise<Known> {
  const rows = await db.all<{ kind: string; fact: string }>(READ, [canonicalName(machine)]);
  const of = <T>(kind: string) => rows.filter((row) => row.kind === kind).map(({ fact }) => JSON.parse(fact) as T);
  const serving = <T extends object>(unit: string, defaults: T) => ({
    ...{ enabled: false, listen_interfaces: [] as string[] },
    ...defaults,
    ...of<object>(unit)[0],
  });
  return {
    records: of('record'),
    reservations: of('reservation'),
    networks: of<InterfaceFact>('interface').map(({ name, vlan_id, role, ...texts }) => ({
      ...{ name, vlan_id, role },
      cidrs: ([4, 6] as const).flatMap((family) => {
        const cidr = parseCidr(texts[`ipv${family}_cidr`]);
        return cidr ? [{ cidr, gateway: texts[`ipv${family}_gateway`] }] : [];
      }),
    })),
    scopes: of<Omit<ServedScope, 'subnet'> & { subnet_cidr: string }>('scope').flatMap(({ subnet_cidr, ...scope }) => {
      const subnet = parseCidr(subnet_cidr);
      return subnet ? [{ ...scope, subnet }] : [];
    }),
    zones: of<string>('zone'),
    dns: serving('dns-dhcp', { domain: '' }),
    ntp: serving('ntp', {}),
  };
}
