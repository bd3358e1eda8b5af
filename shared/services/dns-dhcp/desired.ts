// Reads the desired state of the unit: four statements, whatever the number of records, and four more while DHCP is on.
import { parseCidr } from '../../ground/addresses/address.ts';
import type { Database } from '../../ground/store/database.ts';
import { loadInterfaces, type NetworkInterface } from '../../platform/interfaces/interface.ts';
import { savedDocuments } from '../../platform/units/documents.ts';
import { type CarryingInterface, type DhcpDesired, loadDhcp } from './dhcp/desired.ts';
import type { LegacyBinding } from './dhcp/legacy-binding.ts';
import { LEGACY_KEY } from './dhcp/surroundings.ts';
import type { RecordData, RecordType } from './dns/record-data.ts';
import { type DnsDhcpSettings, settingsOf } from './settings.ts';

/** An interface that the service listens on. */
export interface ListenInterface {
  name: string;
  /** False when the interface does not exist or is disabled. */
  usable: boolean;
  /** Desired addresses, IPv4 first. Empty when the interface gets its address by DHCP. */
  addresses: string[];
  /** Whether the interface gets its address by DHCP, which is not known here. */
  dynamic: boolean;
}

export interface DnsDhcpDesired {
  settings: DnsDhcpSettings;
  /** In the order of the settings. */
  listen: ListenInterface[];
  /** Names of the enabled zones, sorted. */
  zones: string[];
  /** Enabled records of enabled zones in canonical form, sorted by name, type and value. */
  records: RecordData[];
  /** Null while DHCP is off; absent in the remembered state of an earlier release. */
  dhcp: DhcpDesired | null;
}

/** The DHCP half when there is something to serve; else null. */
export const servedDhcp = ({ dhcp }: DnsDhcpDesired): DhcpDesired | null =>
  dhcp && dhcp.scopes.length > 0 ? dhcp : null;

/** Whether the daemon runs. */
export const runs = (desired: DnsDhcpDesired): boolean => desired.settings.enabled || servedDhcp(desired) !== null;

const ZONES = 'SELECT name FROM dns_zone WHERE enabled = 1';
// One text instead of rows: the driver blocks the process while it makes rows, a quarter of a second for 100,000 of
// them. Neither a name nor a type contains a blank.
const RECORDS = `SELECT json_group_array(line) AS lines FROM (
  SELECT fqdn || ' ' || type || ' ' || value AS line FROM dns_record
  WHERE enabled = 1 AND zone_id IN (SELECT id FROM dns_zone WHERE enabled = 1) ORDER BY fqdn, type, value)`;

function listenOn(name: string, row: NetworkInterface | undefined): ListenInterface {
  if (!row) return { name, usable: false, addresses: [], dynamic: false };
  const addresses = [row.ipv4_cidr, row.ipv6_cidr].flatMap((cidr) => parseCidr(cidr)?.address.text ?? []);
  const dynamic = row.ipv4_method === 'dhcp';
  return { name, usable: row.enabled && row.present, addresses, dynamic };
}

/** Only static addresses: DHCP is not served from an address that may change. */
function carrierOf(row: NetworkInterface): CarryingInterface {
  const { name, role, mode } = row;
  const usable = row.enabled && row.present && mode === 'access' && role !== 'unused';
  return {
    name,
    usable,
    ipv4_cidr: row.ipv4_method === 'dhcp' ? '' : row.ipv4_cidr,
    ipv6_cidr: row.ipv6_enabled ? row.ipv6_cidr : '',
  };
}

function recordOf(line: string): RecordData {
  const type = line.indexOf(' ');
  const value = line.indexOf(' ', type + 1);
  return { fqdn: line.slice(0, type), type: line.slice(type + 1, value) as RecordType, value: line.slice(value + 1) };
}

/** Sorts by code unit, so that a collation of the database cannot change what is rendered. */
function sorted(lines: string[]): string[] {
  const inOrder = lines.every((line, index) => index === 0 || (lines[index - 1] ?? '') <= line);
  return inOrder ? lines : lines.sort();
}

/** Desired state of the unit. Expects a consistent view, that is a snapshot or a transaction. */
export async function load(db: Database): Promise<DnsDhcpDesired> {
  const saved = await savedDocuments<object>(db, ['dns-dhcp', 'dhcp', 'ntp', LEGACY_KEY]);
  const settings = settingsOf(saved.get('dns-dhcp'));
  const zones = await db.all<{ name: string }>(ZONES);
  const interfaces = await loadInterfaces(db);
  const records = await db.one<{ lines: string }>(RECORDS);
  const byName = new Map(interfaces.map((row) => [row.name, row]));
  const carriers = new Map(interfaces.map((row) => [row.name, carrierOf(row)]));
  const { enabled = false, listen_interfaces = [] } = (saved.get('ntp') ?? {}) as Partial<DnsDhcpSettings>;
  const documents = {
    dhcp: saved.get('dhcp') ?? null,
    legacy: (saved.get(LEGACY_KEY) as LegacyBinding | undefined) ?? null,
    domain: settings.domain,
    listening: {
      dns: settings.enabled ? settings.listen_interfaces : [],
      ntp: enabled ? listen_interfaces : [],
    },
  };
  return {
    settings,
    listen: settings.listen_interfaces.map((name) => listenOn(name, byName.get(name))),
    zones: zones.map((zone) => zone.name).sort(),
    records: sorted(JSON.parse(records!.lines) as string[]).map(recordOf),
    dhcp: await loadDhcp(db, documents, carriers),
  };
}
