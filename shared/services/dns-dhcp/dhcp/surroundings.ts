// What a scope, a reservation or the legacy binding is checked against before it is saved: interfaces, scopes, and
// where services listen. One statement for each.
import type { Database } from '../../../ground/store/database.ts';
import { loadInterfaces } from '../../../platform/interfaces/interface.ts';
import type { ServiceInterfaces } from '../../../platform/interfaces/refresh/handed-out.ts';
import { scopesInForce } from '../../../platform/interfaces/refresh/refresh.ts';
import { LEGACY_SCOPE, type ScopeRow } from '../../../platform/interfaces/refresh/snapshot.ts';
import { type Standing, standings } from '../../../platform/interfaces/refresh/standing.ts';
import { savedDocuments } from '../../../platform/units/documents.ts';
import { LEASE_SECONDS } from '../dhcp-settings.ts';

export const LEGACY_KEY = 'dhcp-legacy-binding';

export interface ServedSubnet extends ScopeRow {
  domain: string;
}

export interface SavedScope extends ServedSubnet {
  lease_time: number;
  boot_listener: string;
}

export interface Surroundings {
  /** Interfaces by name. */
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

const SCOPES = `SELECT id, name, address_family, interface, subnet_cidr, ranges, gateway, dns_servers, ntp_servers,
  lease_time, domain, boot_listener, enabled FROM dhcp_scope ORDER BY name`;

type Lists = 'ranges' | 'dns_servers' | 'ntp_servers';
type StoredScope = Omit<SavedScope, Lists | 'enabled'> & Record<Lists, string> & { enabled: number };

/** All scopes, by name. */
export async function savedScopes(db: Database): Promise<SavedScope[]> {
  return (await db.all<StoredScope>(SCOPES)).map((scope) => ({
    ...scope,
    ranges: JSON.parse(scope.ranges) as SavedScope['ranges'],
    dns_servers: JSON.parse(scope.dns_servers) as string[],
    ntp_servers: JSON.parse(scope.ntp_servers) as string[],
    enabled: scope.enabled === 1,
  }));
}

const KEYS = ['dns-dhcp', 'ntp', 'dhcp', 'network-boot', LEGACY_KEY];

interface Document {
  enabled?: boolean;
  listen_interfaces?: string[];
  lease_time?: number;
  domain?: string;
}

export async function readSurroundings(db: Database): Promise<Surroundings> {
  const interfaces = await loadInterfaces(db);
  const scopes = await savedScopes(db);
  const documents = await savedDocuments<Document>(db, KEYS);
  const on = (key: string) => (documents.get(key)?.enabled ? (documents.get(key)!.listen_interfaces ?? []) : []);
  const legacy = documents.get(LEGACY_KEY) as ServedSubnet | undefined;
  return {
    standing: standings(interfaces),
    scopes,
    legacy: legacy ? { ...legacy, id: LEGACY_SCOPE, name: 'legacy', address_family: 'ipv4' } : null,
    listening: { dns: on('dns-dhcp'), ntp: on('ntp') },
    boot_listeners: documents.get('network-boot')?.listen_interfaces ?? [],
    lease_time: documents.get('dhcp')?.lease_time ?? LEASE_SECONDS.usual,
    domain: documents.get('dns-dhcp')?.domain ?? '',
  };
}

/** Enabled subnets: of the scopes, or of the legacy binding while there is no scope. */
export function servedSubnets({ scopes, legacy }: Pick<Surroundings, 'scopes' | 'legacy'>): ServedSubnet[] {
  const inForce = scopesInForce({ scopes: [...scopes], legacy }) as ServedSubnet[];
  return inForce.filter(({ enabled, subnet_cidr }) => enabled && subnet_cidr !== '');
}
