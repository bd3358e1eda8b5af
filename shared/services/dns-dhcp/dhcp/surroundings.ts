// What a scope, a reservation or the legacy binding is held against before it is saved: interfaces, scopes, and which
// services listen where. One statement.

import type { Database, Row } from '../../../ground/store/database.ts';
import { INTERFACE_COLUMNS, interfaceFromRow } from '../../../platform/interfaces/interface.ts';
import type { ServiceInterfaces } from '../../../platform/interfaces/refresh/fill.ts';
import { scopesInForce } from '../../../platform/interfaces/refresh/refresh.ts';
import { LEGACY_SCOPE, type ScopeRow } from '../../../platform/interfaces/refresh/snapshot.ts';
import { type Standing, standings } from '../../../platform/interfaces/refresh/standing.ts';
import { LEASE_SECONDS } from '../dhcp-settings.ts';

export const LEGACY_KEY = 'dhcp-legacy-binding';

export interface ServedSubnet extends ScopeRow {
  domain: string;
}

export interface Surroundings {
  /** By name; a name that is not there is no interface. */
  standing: ReadonlyMap<string, Standing>;
  scopes: readonly ServedSubnet[];
  legacy: ServedSubnet | null;
  /** Interfaces on which the enabled services listen. */
  listening: ServiceInterfaces;
  /** Interfaces that network boot is to listen on, whether or not it is on. */
  boot_listeners: readonly string[];
  /** Seconds, for a scope that names none. */
  lease_time: number;
  /** Search domain of the name service; empty for none. */
  domain: string;
}

const READ = `SELECT
  (SELECT json_group_array(json_object(${INTERFACE_COLUMNS.map((column) => `'${column}', ${column}`).join(', ')}))
    FROM interface) AS interfaces,
  (SELECT json_group_array(json_object('id', id, 'name', name, 'address_family', address_family,
      'interface', interface, 'subnet_cidr', subnet_cidr, 'ranges', json(ranges), 'gateway', gateway,
      'dns_servers', json(dns_servers), 'ntp_servers', json(ntp_servers), 'domain', domain, 'enabled', enabled))
    FROM (SELECT * FROM dhcp_scope ORDER BY name)) AS scopes,
  (SELECT json_group_object(unit, json(document)) FROM unit_settings
    WHERE unit IN ('dns-dhcp', 'ntp', 'dhcp', 'network-boot', '${LEGACY_KEY}')) AS documents`;

interface Document {
  enabled?: boolean;
  listen_interfaces?: string[];
  lease_time?: number;
  domain?: string;
}

export async function readSurroundings(db: Database): Promise<Surroundings> {
  const row = (await db.one<{ interfaces: string; scopes: string; documents: string }>(READ))!;
  const documents = JSON.parse(row.documents) as Record<string, Document>;
  const scopes = JSON.parse(row.scopes) as (Omit<ServedSubnet, 'enabled'> & { enabled: number })[];
  const on = (key: string) => (documents[key]?.enabled ? (documents[key].listen_interfaces ?? []) : []);
  const legacy = documents[LEGACY_KEY] as ServedSubnet | undefined;
  return {
    standing: standings((JSON.parse(row.interfaces) as Row[]).map(interfaceFromRow)),
    scopes: scopes.map((scope) => ({ ...scope, enabled: scope.enabled === 1 })),
    legacy: legacy ? { ...legacy, id: LEGACY_SCOPE, name: 'legacy', address_family: 'ipv4' } : null,
    listening: { dns: on('dns-dhcp'), ntp: on('ntp') },
    boot_listeners: documents['network-boot']?.listen_interfaces ?? [],
    lease_time: documents.dhcp?.lease_time ?? LEASE_SECONDS.usual,
    domain: documents['dns-dhcp']?.domain ?? '',
  };
}

/** Enabled subnets that count: the scopes, or the legacy binding while there is none. */
export function servedSubnets({ scopes, legacy }: Pick<Surroundings, 'scopes' | 'legacy'>): ServedSubnet[] {
  const inForce = scopesInForce({ scopes: [...scopes], legacy }) as ServedSubnet[];
  return inForce.filter(({ enabled, subnet_cidr }) => enabled && subnet_cidr !== '');
}
