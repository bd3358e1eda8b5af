// Which saved rows belong to which unit: what an applied plan keeps of it, and what comes back when the plan does.
import type { Scope } from '../../kernel/access/scopes.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import type { AnySettings } from '../../platform/units/settings.ts';
import { LEGACY_DEFAULTS } from '../../services/dns-dhcp/dhcp/legacy-binding.ts';
import { LEGACY_KEY } from '../../services/dns-dhcp/dhcp/surroundings.ts';
import { SETTINGS } from '../settings.ts';

/** A table whose rows have `id`, `revision`, `created_at` and `updated_at` besides `columns`. */
export interface KeptTable {
  name: string;
  /** Name in answers and audit events. */
  collection: string;
  label: string;
  columns: readonly string[];
  /** Texts of a unique key: while many rows are written, those that go or change give theirs up first. */
  unique: readonly string[];
}

export interface KeptDocument {
  /** Row of `unit_settings`. */
  key: string;
  label: string;
  /** What stands for a document that was not saved yet when the plan was applied. */
  defaults: object;
}

export interface KeptUnit {
  /** Those that others refer to come first. */
  tables: readonly KeptTable[];
  documents: readonly KeptDocument[];
  /** Whether the interfaces themselves are of this unit. */
  interfaces: boolean;
  /** What whoever brings it back has to be allowed to write. */
  scopes: readonly Scope[];
}

const table = (name: string, label: string, columns: string, unique: string): KeptTable => ({
  name,
  collection: `${name}s`,
  label,
  columns: `${columns} description enabled`.split(' '),
  unique: unique.split(' '),
});

function document(key: string): KeptDocument {
  const definition: AnySettings = SETTINGS.find((known) => known.key === key)!;
  const listening = definition.listens === 'no' ? {} : { listen_addresses: [] };
  return { key, label: `Settings of ${definition.name}`, defaults: { ...definition.defaults, ...listening } };
}

const OWNER = 'owner_source owner_ref owner_component';

/**
 * By unit; null: nothing is kept of it, so that a plan leaves it as it is when it is brought back. That is for units that
 * no apply enforces yet, and for one whose rows hold secrets: a copy in a file would outlive their change.
 */
export const KEPT: Readonly<Record<UnitId, KeptUnit | null>> = {
  network: { tables: [], documents: [], interfaces: true, scopes: ['write:interfaces', 'write:vlans'] },
  firewall: {
    tables: [
      table(
        'firewall_rule',
        'Firewall rules',
        'name position action direction interface source_cidr destination_cidr protocol ports log',
        'name',
      ),
    ],
    documents: [document('firewall')],
    interfaces: false,
    scopes: ['write:firewall'],
  },
  'dns-dhcp': {
    tables: [
      table('dns_zone', 'Zones', 'name', 'name'),
      table('dns_record', 'DNS records', `fqdn type value ${OWNER} zone_id`, 'value'),
      table(
        'dhcp_scope',
        'DHCP scopes',
        'name address_family interface subnet_cidr ranges gateway dns_servers ntp_servers lease_time domain boot_listener',
        'name',
      ),
      table('dhcp_option', 'DHCP options', 'scope_id code address_family value', 'address_family'),
      table(
        'dhcp_reservation',
        'DHCP reservations',
        `hostname mac_address address_family ip_address register_dns ${OWNER}`,
        'mac_address ip_address',
      ),
    ],
    documents: [
      document('dns-dhcp'),
      document('dhcp'),
      { key: LEGACY_KEY, label: 'Legacy global DHCP binding', defaults: LEGACY_DEFAULTS },
    ],
    interfaces: false,
    scopes: ['write:dns', 'write:dhcp'],
  },
  ntp: {
    tables: [table('ntp_source', 'Time sources', 'address kind nts prefer', 'address')],
    documents: [document('ntp')],
    interfaces: false,
    scopes: ['write:ntp'],
  },
  'certificate-authority': null,
  kms: null,
  ldap: null,
  oidc: null,
  'private-cloud-services': {
    tables: [],
    documents: [document('private-cloud-services')],
    interfaces: false,
    scopes: ['write:depot'],
  },
  storage: null,
  'network-boot': null,
  'web-terminal': null,
};

/**
 * Desired state that no plan brings back: of units that no apply enforces, of network boot, whose rows hold secrets, and
 * the appliance's own name and resolvers, which the network unit does not enforce yet.
 */
export const LEFT_OUT: readonly string[] = [
  'storage_volume',
  'storage_datastore',
  'network_boot_host',
  'network_boot_kickstart',
  'network_boot_medium',
  // No desired state at all: a password counts at once.
  'depot_user',
  // No desired state at all; and a copy of a sealed value would outlive its deletion.
  'vault',
  'vault_entry',
];

export const keptUnits = (units: readonly UnitId[]): UnitId[] => units.filter((id) => KEPT[id] !== null);
