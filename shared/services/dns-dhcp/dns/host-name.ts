// The host name of a service in the managed zones: the zone that it belongs to, and its address records.

import { zoneOf } from '../../../ground/addresses/zone-name.ts';
import type { Database } from '../../../ground/store/database.ts';

export interface NameRecord {
  id: string;
  type: string;
  value: string;
  owner: string | null;
}

export interface NameStanding {
  /** The zone that the name belongs to; null for none. */
  zone: { id: string; name: string } | null;
  /** Address records and aliases of exactly this name. */
  records: NameRecord[];
}

interface Row {
  kind: 'zone' | 'record';
  id: string;
  type: string;
  value: string;
  owner: string | null;
}

const STANDING = `SELECT 'zone' AS kind, id, '' AS type, name AS value, NULL AS owner FROM dns_zone
    WHERE name IN (SELECT value FROM json_each(?1))
  UNION ALL SELECT 'record', id, type, value, owner_source FROM dns_record
    WHERE fqdn = ?2 AND type IN ('A', 'AAAA', 'CNAME')
  ORDER BY kind, type, value`;

/** One statement. `name` is canonical and not empty. */
export async function standingOfName(db: Database, name: string): Promise<NameStanding> {
  const labels = name.split('.');
  const around = labels.map((_label, at) => labels.slice(at).join('.'));
  const rows = await db.all<Row>(STANDING, [JSON.stringify(around), name]);
  const zones = new Map(rows.filter(({ kind }) => kind === 'zone').map(({ id, value }) => [value, id]));
  const zone = zoneOf(name, zones.keys());
  const records = rows.filter(({ kind }) => kind === 'record').map(({ kind: _kind, ...record }) => record);
  return { zone: zone === null ? null : { id: zones.get(zone)!, name: zone }, records };
}
