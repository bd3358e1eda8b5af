// What is saved that generated names are held against, each read by an index: one statement about the names and the
// surroundings, one about the addresses that come out of it.
import type { Database } from '../../ground/store/database.ts';
import { ownedComponent } from '../../services/dns-dhcp/owned-component.ts';
import type { NamedRecord } from './ownership.ts';

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

// ?1 the domain, ?2 the names. What is enabled comes as 0 or 1 out of a column, and as a boolean out of a document.
const READ = `SELECT 'zone' AS kind, json_object('enabled', enabled) AS fact FROM dns_zone WHERE name = ?1
  UNION ALL SELECT 'record', json_object('id', id, 'fqdn', fqdn, 'type', type, 'value', value, 'description', description,
      'enabled', enabled, 'owner_source', owner_source, 'owner_ref', owner_ref,
      'owner_component', owner_component)
    FROM dns_record WHERE fqdn IN (SELECT value FROM json_each(?2))
  UNION ALL SELECT 'interface', json_object('name', name, 'ipv4_cidr', ipv4_cidr, 'ipv4_gateway', ipv4_gateway,
      'ipv6_cidr', ipv6_cidr, 'ipv6_gateway', ipv6_gateway)
    FROM interface WHERE enabled = 1 AND (ipv4_cidr <> '' OR ipv6_cidr <> '')
  UNION ALL SELECT 'subnet', json_object('name', name, 'ranges', json(ranges), 'gateway', gateway)
    FROM dhcp_scope WHERE enabled = 1
  UNION ALL SELECT 'legacy', document FROM unit_settings WHERE unit = 'dhcp-legacy-binding'
    AND json_extract(document, '$.enabled') AND NOT EXISTS (SELECT 1 FROM dhcp_scope)
  UNION ALL SELECT 'serves', '1' FROM unit_settings WHERE unit = 'dns-dhcp' AND json_extract(document, '$.enabled')`;

/** One statement. */
export async function loadFacts(db: Database, domain: string, names: readonly string[]): Promise<Facts> {
  const rows = await db.all<{ kind: string; fact: string }>(READ, [domain, JSON.stringify(names)]);
  const of = <T>(kind: string) => rows.filter((row) => row.kind === kind).map(({ fact }) => JSON.parse(fact) as T);
  const [zone] = of<{ enabled: number }>('zone');
  const legacy = of<Omit<DhcpSubnet, 'name'>>('legacy').map((binding) => ({ ...binding, name: 'legacy binding' }));
  return {
    zone: zone ? { enabled: zone.enabled === 1 } : null,
    records: of<SavedRecord>('record').map(({ owner_ref, ...record }) => ({
      ...record,
      enabled: record.enabled === 1,
      owner_component: componentOf(record, owner_ref),
    })),
    interfaces: of('interface'),
    subnets: [...of<DhcpSubnet>('subnet'), ...legacy],
    serves: of('serves').length > 0,
  };
}

type SavedRecord = Omit<NamedRecord, 'enabled'> & { enabled: number; owner_ref: string | null };

const componentOf = (
  { owner_source: source, owner_component: component }: Omit<SavedRecord, 'owner_ref'>,
  ref: string | null,
) => (source === null ? null : ownedComponent({ source, ref, component }));

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

const AROUND = `SELECT iif(enabled, 'served', 'name') AS kind, dns_record.value AS at, min(fqdn) AS said FROM dns_record
    WHERE dns_record.value IN (SELECT value FROM json_each(?1)) AND type IN ('A', 'AAAA')
    GROUP BY dns_record.value, enabled
  UNION ALL SELECT 'reservation', ip_address, hostname FROM dhcp_reservation
    WHERE ip_address IN (SELECT value FROM json_each(?1))
  UNION ALL SELECT 'reverse', fqdn, dns_record.value FROM dns_record
    WHERE fqdn IN (SELECT value FROM json_each(?2)) AND type = 'PTR' AND enabled = 1`;

/** One statement; none when there is nothing to ask about. */
export async function loadAround(
  db: Database,
  addresses: readonly string[],
  reverse_names: readonly string[],
): Promise<Around> {
  const rows =
    addresses.length === 0
      ? []
      : await db.all<{ kind: string; at: string; said: string }>(AROUND, [
          JSON.stringify(addresses),
          JSON.stringify(reverse_names),
        ]);
  const of = (kind: string) => new Map(rows.filter((row) => row.kind === kind).map(({ at, said }) => [at, said]));
  const served = of('served');
  return {
    names: new Map([...of('name'), ...served]),
    served,
    reservations: of('reservation'),
    reverses: of('reverse'),
  };
}
