// What the refresh reads and answers, as plain rows: the saved state of every unit that uses an address or an
// interface. Addresses are canonical texts; an empty text means none.

import type { Blocker } from '../../../ground/problems.ts';
import type { UnitId } from '../../unit-names.ts';
import type { MountSettings } from './mount-server.ts';

export type AddressFamily = 'ipv4' | 'ipv6';

/** What a unit's manifest declares of a settings document that binds to interfaces. */
export interface ServiceDependents {
  /** Row of `unit_settings`. */
  key: string;
  unit: UnitId;
  /** Its name for people: `Key management`. */
  label: string;
  /** Page where the binding is edited. */
  page: string;
  /** What the loss of the last usable interface does: refuses the edit, or clears the binding and goes on. */
  lastBinding: 'refuse' | 'clear';
  /** Member that holds the host name for which the appliance keeps address records. */
  hostname?: string;
  /** Members that hold a URL whose host follows when it is one of the service's own addresses. */
  urls?: readonly string[];
  /** Members that hold networks of clients: a note is made when one of them is the network that an interface leaves. */
  clients?: readonly string[];
}

/** A settings document with its binding. `listen_addresses` are always derived, IPv4 before IPv6 on each interface. */
export interface ServiceDocument {
  enabled: boolean;
  listen_interfaces: string[];
  listen_addresses: string[];
  [member: string]: unknown;
}

export interface ServiceRow {
  key: string;
  document: ServiceDocument;
}

export interface AddressRange {
  start: string;
  end: string;
}

/** A DHCP scope; also the legacy global binding, as LEGACY_SCOPE, while there is no scope. */
export interface ScopeRow {
  id: string;
  name: string;
  address_family: AddressFamily;
  interface: string;
  subnet_cidr: string;
  ranges: AddressRange[];
  /** Empty: follows the appliance; NO_GATEWAY: clients get none. handed-out.ts resolves it. */
  gateway: string;
  /** Empty: follows the appliance; NO_SERVER alone: clients get none. */
  dns_servers: string[];
  ntp_servers: string[];
  enabled: boolean;
}

/** A DHCP option, of a scope or of all. */
export interface OptionRow {
  id: string;
  code: number;
  /** As dnsmasq takes it: values separated by commas. */
  value: string;
  enabled: boolean;
}

/** Among the clients of a datastore: everybody of the family. */
export const ANY_CLIENT = 'any';
/** The same in a row, whose list has clients of both families. */
export const ANY_NETWORK = { ipv4: '0.0.0.0/0', ipv6: '::/0' } as const satisfies Record<AddressFamily, string>;

export const LEGACY_SCOPE = 'legacy-binding';
/** The operator chose that clients get no gateway. */
export const NO_GATEWAY = 'none';
/** The only item of a list of servers: the operator chose that clients get none. */
export const NO_SERVER = 'none';

export interface Owner {
  source: string;
  ref: string;
}

/** The owner of a row, as stored with it. */
export const OWNER = {
  service: 'service',
  reservation: 'dhcp_reservation',
  host: 'network_boot_host',
  helper: 'vcf_helper',
} as const;

export interface ReservationRow {
  id: string;
  hostname: string;
  mac_address: string;
  ip_address: string;
  enabled: boolean;
  owner: Owner | null;
}

export interface DatastoreRow {
  id: string;
  name: string;
  interface: string;
  address_families: AddressFamily[];
  /** Derived: where clients mount it. */
  addresses: string[];
  nfs_version: string;
  /** Networks of clients, both families; ANY_NETWORK: everybody of that one. Empty: nobody. */
  clients: string[];
  enabled: boolean;
}

export interface BootHostRow {
  id: string;
  hostname: string;
  mac_address: string;
  ip_address: string;
  enabled: boolean;
}

/** An address record that the appliance owns, or any record of the same name. */
export interface RecordRow {
  id: string;
  fqdn: string;
  type: string;
  value: string;
  owner: Owner | null;
}

/** Addresses in the appliance's own settings. */
export interface ApplianceRow {
  /** The appliance's own DNS servers. */
  dns_servers: string[];
  /** Networks that may reach the management UI, while packets are filtered. */
  management_networks: string[];
}

/** Saved state of everything that depends on addresses. */
export interface Snapshot {
  appliance: ApplianceRow;
  services: ServiceRow[];
  scopes: ScopeRow[];
  /** Null when it was never saved. Looked at only while `scopes` is empty. */
  legacy: ScopeRow | null;
  options: OptionRow[];
  /** All of them when a scope moves; else those at an address that an interface gets. */
  reservations: ReservationRow[];
  datastores: DatastoreRow[];
  /** What is saved of storage; left out: nothing. */
  storage?: MountSettings;
  boot_hosts: BootHostRow[];
  records: RecordRow[];
  /** Address records of operators at addresses that are replaced; the first twenty. */
  operators: { fqdn: string; value: string }[];
  /** Enabled rules of the firewall on interfaces that would be deleted; absent: none. */
  rules?: { id: string; name: string; interface: string }[];
  /** Names of the managed zones with their ids. */
  zones: ReadonlyMap<string, string>;
}

/** One value that follows. */
export interface Move {
  unit: UnitId;
  /** What it belongs to: `DHCP scope management`. */
  subject: string;
  page: string;
  property: string;
  from: string;
  to: string;
}

/** A selection that goes because its interface can't serve it any more; others remain. */
export interface Deselection {
  unit: UnitId;
  subject: string;
  page: string;
  interface: string;
}

/** Rows to write, whole; rows that stay as they are are not among them. */
export interface Writes {
  /** The appliance's own servers for names, when they change. */
  dns_servers: string[] | null;
  services: ServiceRow[];
  scopes: ScopeRow[];
  legacy: ScopeRow | null;
  options: { id: string; value: string }[];
  reservations: { id: string; ip_address: string }[];
  datastores: Pick<DatastoreRow, 'id' | 'interface' | 'addresses'>[];
  boot_hosts: { id: string; ip_address: string }[];
  records: {
    updated: { id: string; value: string }[];
    added: { fqdn: string; type: 'A' | 'AAAA'; value: string; zone_id: string; owner: Owner }[];
    removed: string[];
  };
}

export interface Refresh {
  writes: Writes;
  moves: Move[];
  deselected: Deselection[];
  /** What an operator should look at, though it does not block. */
  notes: string[];
  /** Each of them blocks the whole edit. */
  blockers: Blocker[];
  /** Units whose desired state is rewritten, in the order of an apply. */
  units: UnitId[];
}
