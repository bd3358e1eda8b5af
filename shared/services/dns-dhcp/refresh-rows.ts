// What the dependent refresh reads of scopes, options, reservations, zones and records, and how it writes them.
import { type Clock, type Entropy, instant, newId } from '../../ground/clock.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { flag, movesOf, writerOf } from '../../platform/interfaces/refresh/row-texts.ts';
import {
  OWNER,
  type RecordRow,
  type ReservationRow,
  type ScopeRow,
  type Writes,
} from '../../platform/interfaces/refresh/snapshot.ts';
import { SERVICE_NAMES } from '../../platform/units/documents.ts';
import type { BootScope } from '../../platform/units/unit.ts';
import { savedScopes } from './dhcp/surroundings.ts';
import { deleteRecords } from './dns/owned-records.ts';

const OWNER_JSON =
  "CASE WHEN owner_source IS NULL THEN NULL ELSE json_object('source', owner_source, 'ref', owner_ref) END";

// One column for each row: the driver's cost grows with cells. Only the owner, which comes last, may contain a blank.
const RESERVATIONS = `SELECT id || ' ' || ip_address || ' ' || mac_address || ' ' || enabled || ' ' || hostname || ' ' ||
    coalesce(owner_source || ' ' || owner_ref, '') AS line FROM dhcp_reservation`;

/**
 * Columns of a statement, each a JSON array or object. `records`: those that services own, and every address record and
 * alias of the services' names. `reservations`: those at the addresses of `gained`, for reservationOf. `operators`:
 * twenty address records of operators at the addresses of `replaced`. Both arguments are parameters with a JSON array.
 */
export const dnsDhcpColumns = (gained: string, replaced: string): string => `
  (SELECT json_group_array(json_object('id', id, 'name', name, 'address_family', address_family,
      'interface', interface, 'subnet_cidr', subnet_cidr, 'ranges', json(ranges), 'gateway', gateway,
      'dns_servers', json(dns_servers), 'ntp_servers', json(ntp_servers), 'enabled', ${flag('enabled')}))
    FROM (SELECT * FROM dhcp_scope ORDER BY name)) AS scopes,
  (SELECT json_group_array(json_object('id', id, 'code', code, 'value', value, 'enabled', ${flag('enabled')}))
    FROM dhcp_option) AS options,
  (SELECT json_group_object(name, id) FROM dns_zone) AS zones,
  (SELECT json_group_array(json_object('id', id, 'fqdn', fqdn, 'type', type, 'value', value, 'owner', json(${OWNER_JSON})))
    FROM dns_record WHERE (owner_source = '${OWNER.service}') OR (type IN ('A', 'AAAA', 'CNAME')
      AND fqdn IN (SELECT service.name FROM (${SERVICE_NAMES}) service))) AS records,
  (SELECT json_group_array(line) FROM
    (${RESERVATIONS} WHERE ip_address IN (SELECT value FROM json_each(${gained})))) AS reservations,
  (SELECT json_group_array(json_object('fqdn', fqdn, 'value', value)) FROM (SELECT fqdn, value FROM dns_record
    WHERE owner_source IS NULL AND type IN ('A', 'AAAA') AND value IN (SELECT value FROM json_each(${replaced}))
    ORDER BY fqdn LIMIT 20)) AS operators`;

export function reservationOf(line: string): ReservationRow {
  const [id, ip_address, mac_address, enabled, hostname, source, ref] = line.split(' ') as string[];
  return {
    id: id!,
    ip_address: ip_address!,
    mac_address: mac_address!,
    enabled: enabled === '1',
    hostname: hostname!,
    owner: source ? { source, ref: ref! } : null,
  };
}

export async function allReservations(db: Database): Promise<ReservationRow[]> {
  return (await db.all<{ line: string }>(RESERVATIONS)).map(({ line }) => reservationOf(line));
}

const KEPT_RECORDS = `SELECT id || ' ' || fqdn || ' ' || type || ' ' || value || ' ' ||
    coalesce(owner_source || ' ' || owner_ref, '') AS line FROM dns_record
  WHERE type IN ('A', 'AAAA') AND fqdn IN (SELECT fqdn FROM dns_record WHERE owner_source = '${OWNER.reservation}')`;

/** Address records of the names that reservations register. */
export async function registeredRecords(db: Database): Promise<RecordRow[]> {
  return (await db.all<{ line: string }>(KEPT_RECORDS)).map(({ line }) => {
    const [id, fqdn, type, value, source, ref] = line.split(' ') as string[];
    return { id: id!, fqdn: fqdn!, type: type!, value: value!, owner: source ? { source, ref: ref ?? '' } : null };
  });
}

/** By name. */
export async function bootScopes(db: Database): Promise<BootScope[]> {
  return (await savedScopes(db))
    .filter(({ enabled, address_family }) => enabled && address_family === 'ipv4')
    .map(({ id, name, interface: on, gateway, boot_listener }) => ({
      id,
      name,
      interface: on,
      gateway,
      boot_listener,
    }));
}

export const followScopes = writerOf<ScopeRow>(`UPDATE dhcp_scope SET interface = change.value ->> 'interface',
    subnet_cidr = change.value ->> 'subnet_cidr', ranges = change.value -> 'ranges',
    gateway = change.value ->> 'gateway', dns_servers = change.value -> 'dns_servers',
    ntp_servers = change.value -> 'ntp_servers', revision = revision + 1, updated_at = ?
  FROM json_each(?) AS change WHERE dhcp_scope.id = change.value ->> 'id'`);
export const moveOptions = movesOf('dhcp_option', 'value');
export const moveReservations = movesOf('dhcp_reservation', 'ip_address');
const moveRecords = movesOf('dns_record', 'value');

const addRecords =
  writerOf(`INSERT INTO dns_record (id, fqdn, type, value, owner_source, owner_ref, zone_id, created_at, updated_at)
  SELECT value ->> 'id', value ->> 'fqdn', value ->> 'type', value ->> 'value', value ->> '$.owner.source',
    value ->> '$.owner.ref', value ->> 'zone_id', ?1, ?1 FROM json_each(?2)`);

/** Removals come first: added records may take their names. */
export async function followRecords(
  tx: Transaction,
  { clock, entropy }: { clock: Clock; entropy: Entropy },
  { removed, updated, added }: Writes['records'],
): Promise<void> {
  const now = instant(clock.now());
  if (removed.length > 0) await deleteRecords(tx, removed);
  await moveRecords(tx, updated, now);
  const rows = added.map((record) => ({ id: newId('rec', entropy), ...record }));
  await addRecords(tx, rows, now);
}

/** SQL: the reservations of an owner, with `owner_ref` and what is reserved. */
export const reservationsFor = (source: string): string =>
  `SELECT owner_ref, hostname, mac_address, ip_address, enabled FROM dhcp_reservation WHERE owner_source = '${source}'`;
