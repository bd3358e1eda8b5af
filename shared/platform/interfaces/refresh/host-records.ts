// Address records that the appliance owns for the host names of its services: one for each address that the service
// answers on, while the service is on and the name has no other owner.

import { zoneOf } from '../../../ground/addresses/zone-name.ts';
import { pagePath } from '../../../ground/page-paths.ts';
import { familyOf } from './change.ts';
import {
  type Move,
  OWNER,
  type RecordRow,
  type ServiceDependents,
  type ServiceRow,
  type Snapshot,
  type Writes,
} from './snapshot.ts';

export interface FollowedRecords {
  writes: Writes['records'];
  moves: Move[];
}

interface Wanted {
  fqdn: string;
  type: 'A' | 'AAAA';
  value: string;
  zone_id: string;
  declared: ServiceDependents;
}

const keyOf = ({ fqdn, type, value }: { fqdn: string; type: string; value: string }): string =>
  `${fqdn} ${type} ${value}`;
const isOwn = (record: RecordRow): boolean => record.owner?.source === OWNER.service;

/** What has to be written so that these records agree with the services. */
export function followHostRecords(
  services: readonly ServiceRow[],
  { records, zones }: Pick<Snapshot, 'records' | 'zones'>,
  declared: readonly ServiceDependents[],
): FollowedRecords {
  const wanted = wantedRecords(services, records, zones, declared);
  const standing = new Set(records.filter(isOwn).map(keyOf));
  const superfluous = records.filter((record) => isOwn(record) && !wanted.has(keyOf(record)));
  const missing = [...wanted.values()].filter((record) => !standing.has(keyOf(record)));
  const followed: FollowedRecords = { writes: { updated: [], added: [], removed: [] }, moves: [] };
  for (const record of missing) {
    // A record that follows keeps its id: name, type and service are the same, the address is another.
    const at = superfluous.findIndex(
      ({ fqdn, type, owner }) => fqdn === record.fqdn && type === record.type && owner?.ref === record.declared.key,
    );
    const [old] = at < 0 ? [] : superfluous.splice(at, 1);
    if (old) followed.writes.updated.push({ id: old.id, value: record.value });
    else followed.writes.added.push(newRecord(record));
    followed.moves.push(move(record.fqdn, record.type, old?.value ?? '', record.value, old?.id ?? null));
  }
  for (const { id, fqdn, type, value } of superfluous) {
    followed.writes.removed.push(id);
    followed.moves.push(move(fqdn, type, value, '', null));
  }
  return followed;
}

function newRecord({ fqdn, type, value, zone_id, declared }: Wanted): Writes['records']['added'][number] {
  return { fqdn, type, value, zone_id, owner: { source: OWNER.service, ref: declared.key } };
}

function move(fqdn: string, type: string, from: string, to: string, id: string | null): Move {
  const page = id === null ? pagePath('dns') : pagePath('dns-record', id);
  return { unit: 'dns-dhcp', subject: `DNS record ${fqdn}`, page, property: type, from, to };
}

/** Records by key; of services that share a name, the first owns its records. */
function wantedRecords(
  services: readonly ServiceRow[],
  records: readonly RecordRow[],
  zones: ReadonlyMap<string, string>,
  declared: readonly ServiceDependents[],
): Map<string, Wanted> {
  const taken = new Set(
    records.filter((record) => !isOwn(record) && /^(?:A|AAAA|CNAME)$/.test(record.type)).map(({ fqdn }) => fqdn),
  );
  const wanted = new Map<string, Wanted>();
  // A service may have more than one name, each a row.
  const rows = declared.flatMap((service) =>
    services.flatMap(({ key, document }) => (key === service.key ? [{ service, document }] : [])),
  );
  for (const { service, document } of rows) {
    const fqdn = service.hostname === undefined ? '' : String(document[service.hostname] ?? '');
    const zone = fqdn === '' || taken.has(fqdn) ? null : zoneOf(fqdn, zones.keys());
    if (!document.enabled || zone === null) continue;
    for (const value of document.listen_addresses) {
      const type = familyOf(value) === 'ipv4' ? 'A' : 'AAAA';
      const record: Wanted = { fqdn, type, value, zone_id: zones.get(zone)!, declared: service };
      if (!wanted.has(keyOf(record))) wanted.set(keyOf(record), record);
    }
  }
  return wanted;
}
