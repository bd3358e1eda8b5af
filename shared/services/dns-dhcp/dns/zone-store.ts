// Managed zones: reading and saving them. Every record belongs to the longest zone that its name lies in, so a zone that
// comes takes over the records of the one above it.

import { canonicalName, canonicalZone, zoneOf } from '../../../ground/addresses/zone-name.ts';
import { type Clock, type Entropy, instant, newId } from '../../../ground/clock.ts';
import { pagePath } from '../../../ground/page-paths.ts';
import { type Blocker, notFound, Problem } from '../../../ground/problems.ts';
import { build } from '../../../ground/store/builder.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import { decodeCursor, type Page, pageOf } from '../../../ground/store/pagination.ts';
import { type Precondition, requireRevision } from '../../../ground/store/revision.ts';
import { OWNER } from '../../../platform/interfaces/refresh/snapshot.ts';
import type { Zone } from '../schemas.ts';

interface Shell {
  clock: Clock;
  entropy: Entropy;
}

interface ZoneRow extends Omit<Zone, 'enabled'> {
  enabled: number;
}

const COLUMNS = 'id, name, enabled, description, created_at, updated_at, revision';

function view(row: ZoneRow): Zone {
  return {
    id: row.id,
    name: row.name,
    enabled: row.enabled === 1,
    description: row.description,
    created_at: row.created_at,
    updated_at: row.updated_at,
    revision: row.revision,
  };
}

export interface ZoneQuery {
  /** Exactly this name, in any spelling. */
  name?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** By name. */
export async function listZones(db: Database, query: ZoneQuery): Promise<Page<Zone>> {
  const list = build<ZoneRow>('dns_zone').select(build.raw(COLUMNS)).orderBy('name');
  if (query.name !== undefined) list.where('name', canonicalName(query.name));
  if (query.cursor) list.where('name', '>', decodeCursor(query.cursor, 1)[0]!);
  const rows = await db.all<ZoneRow>(list.limit(query.limit + 1));
  return pageOf(rows, query.limit, (row) => [row.name], view);
}

/** Number of records of each of the zones; one that has none is not in the map. */
export async function countRecords(db: Database, zone_ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.all<{ zone_id: string; records: number }>(
    `SELECT zone_id, count(*) AS records FROM dns_record
     WHERE zone_id IN (SELECT value FROM json_each(?)) GROUP BY zone_id`,
    [JSON.stringify(zone_ids)],
  );
  return new Map(rows.map(({ zone_id, records }) => [zone_id, records]));
}

/** Names of all zones, sorted. */
export async function zoneNames(db: Database): Promise<string[]> {
  return (await db.all<{ name: string }>('SELECT name FROM dns_zone ORDER BY name')).map(({ name }) => name);
}

/** Every zone, by name. */
export async function zoneStates(db: Database): Promise<{ name: string; enabled: boolean }[]> {
  const rows = await db.all<{ name: string; enabled: number }>('SELECT name, enabled FROM dns_zone ORDER BY name');
  return rows.map(({ name, enabled }) => ({ name, enabled: enabled === 1 }));
}

/** The zone of this name; null for no managed one. */
export async function zoneState(db: Database, name: string): Promise<{ enabled: boolean } | null> {
  const row = await db.one<{ enabled: number }>('SELECT enabled FROM dns_zone WHERE name = ?', [name]);
  return row ? { enabled: row.enabled === 1 } : null;
}

/** @throws Problem 404 */
export async function findZone(db: Database, id: string): Promise<Zone> {
  const row = await db.one<ZoneRow>(`SELECT ${COLUMNS} FROM dns_zone WHERE id = ?`, [id]);
  if (!row) throw notFound('This zone');
  return view(row);
}

/** A name and all names above it: the zones that it can lie in. */
export function selfAndAbove(name: string): string[] {
  const labels = name.split('.');
  return labels.map((_, at) => labels.slice(at).join('.'));
}

export interface ZoneDraft {
  name: string;
  enabled?: boolean | undefined;
  description?: string | undefined;
}

// The zone itself and those above it, and an alias of its name.
const AROUND = `SELECT 'zone' AS kind, id, name FROM dns_zone WHERE name IN (SELECT value FROM json_each(?1))
  UNION ALL SELECT 'alias', id, fqdn FROM dns_record WHERE fqdn = ?2 AND type = 'CNAME'`;

// What lies in the new zone leaves the one above it, reverse records that stood there for want of a reverse zone too.
// Names may hold underscores, which LIKE would take for any character.
const within = (column: string) => `(${column} = ?2 OR substr(${column}, -length(?2) - 1) = '.' || ?2)`;
const TAKE = 'UPDATE dns_record SET zone_id = ?1, revision = revision + 1';
const TAKE_OVER = `${TAKE} WHERE zone_id = ?3 AND (${within('fqdn')} OR (type = 'PTR' AND ${within('value')}))`;
const TAKE_OVER_REVERSE = `${TAKE} WHERE type = 'PTR' AND ${within('fqdn')}
  AND zone_id IN (SELECT id FROM dns_zone WHERE id = ?3 OR name NOT LIKE '%.arpa')`;

/**
 * Adds a zone; it takes over what lies in it. Answers the zone and the number of records that moved.
 * @throws Problem 422 at `/name`; 409 when it exists, or when its name is an alias.
 */
export async function createZone(
  tx: Transaction,
  { clock, entropy }: Shell,
  draft: ZoneDraft,
): Promise<{ zone: Zone; moved: number }> {
  const name = canonicalZone(draft.name);
  const around = await tx.all<{ kind: 'zone' | 'alias'; id: string; name: string }>(AROUND, [
    JSON.stringify(selfAndAbove(name)),
    name,
  ]);
  const zones = new Map(around.filter(({ kind }) => kind === 'zone').map((zone) => [zone.name, zone.id]));
  if (zones.has(name)) throw pointed('already_exists', `The zone ${name} exists already.`);
  if (around.some(({ kind }) => kind === 'alias')) {
    throw pointed(
      'state_conflict',
      `${name} is an alias now, and the name of a zone cannot be one. Delete the record.`,
    );
  }
  const now = instant(clock.now());
  const zone: Zone = {
    id: newId('zone', entropy),
    name,
    enabled: draft.enabled ?? true,
    description: draft.description ?? '',
    created_at: now,
    updated_at: now,
    revision: 1,
  };
  await tx.run(
    'INSERT INTO dns_zone (id, name, enabled, description, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
    [zone.id, name, zone.enabled ? 1 : 0, zone.description, now, now],
  );
  const above = zones.get(zoneOf(name, zones.keys()) ?? '') ?? '';
  const reverse = name.endsWith('.arpa');
  if (above === '' && !reverse) return { zone, moved: 0 };
  const moved = await tx.run(reverse ? TAKE_OVER_REVERSE : TAKE_OVER, [zone.id, name, above]);
  return { zone, moved };
}

const pointed = (code: 'already_exists' | 'state_conflict', detail: string) =>
  new Problem(code, detail, { errors: [{ pointer: '/name', detail }] });

export type ZoneUpdate = { [Name in keyof ZoneDraft]?: ZoneDraft[Name] | undefined };

/** @throws Problem 404, 412; 409 for another name. */
export async function updateZone(
  tx: Transaction,
  { clock }: Shell,
  id: string,
  update: ZoneUpdate,
  if_match: Precondition,
): Promise<{ zone: Zone; changed: string[] }> {
  const zone = await findZone(tx, id);
  requireRevision(if_match, zone.revision);
  if (update.name !== undefined && canonicalName(update.name) !== zone.name) {
    throw pointed('state_conflict', 'The name of a zone cannot change: add another zone and delete this one.');
  }
  const next = {
    ...zone,
    enabled: update.enabled ?? zone.enabled,
    description: update.description ?? zone.description,
  };
  const changed = (['enabled', 'description'] as const).filter((member) => next[member] !== zone[member]);
  if (changed.length === 0) return { zone, changed };
  const now = instant(clock.now());
  await tx.run(
    'UPDATE dns_zone SET enabled = ?, description = ?, updated_at = ?, revision = revision + 1 WHERE id = ?',
    [next.enabled ? 1 : 0, next.description, now, id],
  );
  return { zone: { ...next, updated_at: now, revision: zone.revision + 1 }, changed };
}

/** Aliases named in a refusal. */
const NAMED = 5;

// Aliases elsewhere whose targets lie in the zone ?2 (of the id ?1) and in no zone above it.
const ALIASES_INTO = `SELECT id, fqdn FROM dns_record WHERE type = 'CNAME' AND zone_id <> ?1 AND ${within('value')}
    AND NOT EXISTS (SELECT 1 FROM dns_zone other WHERE other.id <> ?1
      AND (dns_record.value = other.name OR substr(dns_record.value, -length(other.name) - 1) = '.' || other.name))
  ORDER BY fqdn LIMIT ${NAMED}`;

/**
 * Deletes a zone, with its records when told so. Answers it and the number of records that went.
 * @throws Problem 404, 412; 409 while it has records, while reservations register names in it, or while aliases of other zones point into it.
 */
export async function deleteZone(
  tx: Transaction,
  id: string,
  options: { with_records: boolean; if_match: Precondition },
): Promise<{ zone: Zone; records: number }> {
  const zone = await findZone(tx, id);
  requireRevision(options.if_match, zone.revision);
  const aliases = await tx.all<{ id: string; fqdn: string }>(ALIASES_INTO, [id, zone.name]);
  if (aliases.length > 0) throw stillAimedAt(zone, aliases);
  const kept = options.with_records ? await tx.all<Kept>(KEPT_FOR_RESERVATIONS, [id]) : [];
  if (kept.length > 0) throw stillKept(zone, kept);
  const records = options.with_records
    ? await tx.run('DELETE FROM dns_record WHERE zone_id = ?', [id])
    : ((await countRecords(tx, [id])).get(id) ?? 0);
  if (records > 0 && !options.with_records) throw stillHolding(zone, records);
  await tx.run('DELETE FROM dns_zone WHERE id = ?', [id]);
  return { zone, records };
}

interface Kept {
  id: string;
  fqdn: string;
  owner_ref: string;
}

// Whoever registers a name with a reservation would not hear that the zone took it away; a service's come back by themselves.
const KEPT_FOR_RESERVATIONS = `SELECT id, fqdn, owner_ref FROM dns_record
  WHERE zone_id = ? AND owner_source = '${OWNER.reservation}' ORDER BY fqdn LIMIT 100`;

function stillKept(zone: Zone, kept: readonly Kept[]): Problem {
  const blockers: Blocker[] = kept.map(({ fqdn, owner_ref }) => ({
    subject: `DNS record ${fqdn}`,
    reason: 'A DHCP reservation registers this name.',
    page: pagePath('dhcp-reservation', owner_ref),
    unblock: 'Switch off register_dns on the reservation, or delete it',
  }));
  return new Problem('still_referenced', `DHCP reservations register names in ${zone.name}.`, { blockers });
}

function stillHolding(zone: Zone, records: number): Problem {
  const count = records === 1 ? '1 record' : `${records} records`;
  return new Problem('still_referenced', `The zone ${zone.name} still has ${count}.`, {
    blockers: [
      {
        subject: `${count} of ${zone.name}`,
        reason: 'A zone is deleted without its records only when it has none.',
        page: pagePath('dns-zone', zone.id),
        unblock: 'Delete the records, or delete the zone with them',
      },
    ],
  });
}

function stillAimedAt(zone: Zone, aliases: readonly { id: string; fqdn: string }[]): Problem {
  const blockers: Blocker[] = aliases.map((alias) => ({
    subject: `Alias ${alias.fqdn}`,
    reason: `Its target lies in ${zone.name}, and aliases are only followed to names of managed zones.`,
    page: pagePath('dns-record', alias.id),
    unblock: 'Point the alias elsewhere, or delete it',
  }));
  return new Problem('still_referenced', `Aliases of other zones point into ${zone.name}.`, { blockers });
}
