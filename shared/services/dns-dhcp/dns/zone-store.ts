// Managed zones: the declaration of the collection, and their own verbs. Every record belongs to the zone with the
// longest matching name, so a new zone takes over records of the zone above it.

import * as v from 'valibot';
import { canonicalName, canonicalZone, zoneOf } from '../../../ground/addresses/zone-name.ts';
import { pagePath } from '../../../ground/page-paths.ts';
import { type Blocker, Problem } from '../../../ground/problems.ts';
import { PAGE_QUERY } from '../../../ground/schemas/component.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import { type Precondition, requireRevision } from '../../../ground/store/revision.ts';
import { OWNER } from '../../../platform/interfaces/refresh/snapshot.ts';
import { type Collection, type Shell, told } from '../../../platform/units/collection.ts';
import { createItem, findItem, updateItem } from '../../../platform/units/collection-store.ts';
import { type Zone, zoneCreateSchema, zoneListSchema, zoneSchema, zoneUpdateSchema } from '../schemas.ts';
import { selfAndAbove } from './zone-lookups.ts';

export const dnsZones: Collection<Zone> = {
  table: 'dns_zone',
  prefix: 'zone',
  noun: 'zone',
  plural: 'zones',
  saves: null,
  tag: 'DNS',
  resource: 'dns',
  path: '/api/v1/dns/zones',
  param: 'zone_id',
  pages: { all: 'dns-zones', one: 'dns-zone', home: 'dns' },
  listed: { component: 'DnsZones', noun: 'zone', nouns: 'zones' },
  imports: { key: ['name'] },
  action: 'dns.zone',
  columns: {
    name: 'text',
    enabled: 'boolean',
    description: 'text',
    created_at: 'text',
    updated_at: 'text',
    revision: 'integer',
  },
  order: ['name'],
  lookups: ['name'],
  query: {
    name: v.optional(v.pipe(v.string(), v.maxLength(255), v.description('Only the zone of exactly this name.'))),
    ...PAGE_QUERY,
  },
  spelling: { name: canonicalName },
  immutable: [],
  defaults: {},
  schemas: { item: zoneSchema, list: zoneListSchema, create: zoneCreateSchema, update: zoneUpdateSchema },
  title: ({ name }) => name,
  facts: told('name', 'enabled'),
  async settle(_tx, next, before) {
    if (before && canonicalName(next.name) !== before.name) {
      throw pointed('state_conflict', 'The name of a zone cannot change: add another zone and delete this one.');
    }
    return { ...next, name: before?.name ?? next.name };
  },
  verbs: {
    async create({ tx, services, body }) {
      const { zone: item, moved } = await createZone(tx, services, body);
      return { item, detail: { ...dnsZones.facts(item), records_taken_over: moved } };
    },
    async update({ tx, services, params, body, request }) {
      const { item, changed } = await updateItem(tx, services, dnsZones, params.zone_id!, body, request.if_match);
      return { item, detail: { ...dnsZones.facts(item), changed } };
    },
    async remove({ tx, params, query, request }) {
      const options = { with_records: query.with_records === 'true', if_match: request.if_match };
      const { zone: item, records } = await deleteZone(tx, params.zone_id!, options);
      return { item, detail: { name: item.name, records_deleted: records } };
    },
  },
};

/** Number of records of each of the zones; one that has none is not in the map. */
export async function countRecords(db: Database, zone_ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.all<{ zone_id: string; records: number }>(
    `SELECT zone_id, count(*) AS records FROM dns_record
     WHERE zone_id IN (SELECT value FROM json_each(?)) GROUP BY zone_id`,
    [JSON.stringify(zone_ids)],
  );
  return new Map(rows.map(({ zone_id, records }) => [zone_id, records]));
}

/** A page says “more than” beyond it: counting on would take longer the more there are. */
export const RECORDS_COUNTED = 1_000;

/** How many records a zone has, counted up to one more than `RECORDS_COUNTED`. */
export async function countSomeRecords(db: Database, zone_id: string): Promise<number> {
  const row = await db.one<{ records: number }>(
    'SELECT count(*) AS records FROM (SELECT 1 FROM dns_record WHERE zone_id = ? LIMIT ?)',
    [zone_id, RECORDS_COUNTED + 1],
  );
  return row!.records;
}

// The zone itself and those above it, and an alias of its name.
const AROUND = `SELECT 'zone' AS kind, id, name FROM dns_zone WHERE name IN (SELECT value FROM json_each(?1))
  UNION ALL SELECT 'alias', id, fqdn FROM dns_record WHERE fqdn = ?2 AND type = 'CNAME'`;

// Records of the new zone leave the zone above it, and so do reverse records that were there for lack of a reverse
// zone. LIKE is not used: it reads an underscore, which names may have, as any character.
const within = (column: string) => `(${column} = ?2 OR substr(${column}, -length(?2) - 1) = '.' || ?2)`;
const TAKE = 'UPDATE dns_record SET zone_id = ?1, revision = revision + 1';
const TAKE_OVER = `${TAKE} WHERE zone_id = ?3 AND (${within('fqdn')} OR (type = 'PTR' AND ${within('value')}))`;
const TAKE_OVER_REVERSE = `${TAKE} WHERE type = 'PTR' AND ${within('fqdn')}
  AND zone_id IN (SELECT id FROM dns_zone WHERE id = ?3 OR name NOT LIKE '%.arpa')`;

/**
 * Adds a zone, which takes over its records. Answers the zone and the number of records that moved.
 * @throws Problem 422 at `/name`; 409 when it exists, or when its name is an alias.
 */
async function createZone(
  tx: Transaction,
  shell: Shell,
  draft: { name: string },
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
  const zone = await createItem(tx, shell, dnsZones, { ...draft, name });
  const above = zones.get(zoneOf(name, zones.keys()) ?? '') ?? '';
  const reverse = name.endsWith('.arpa');
  if (above === '' && !reverse) return { zone, moved: 0 };
  const moved = await tx.run(reverse ? TAKE_OVER_REVERSE : TAKE_OVER, [zone.id, name, above]);
  return { zone, moved };
}

const pointed = (code: 'already_exists' | 'state_conflict', detail: string) =>
  new Problem(code, detail, { errors: [{ pointer: '/name', detail }] });

/** Aliases named in a refusal. */
const NAMED = 5;

// Aliases of other zones whose targets are in the zone ?2 (of the id ?1) and in no zone above it.
const ALIASES_INTO = `SELECT id, fqdn FROM dns_record WHERE type = 'CNAME' AND zone_id <> ?1 AND ${within('value')}
    AND NOT EXISTS (SELECT 1 FROM dns_zone other WHERE other.id <> ?1
      AND (dns_record.value = other.name OR substr(dns_record.value, -length(other.name) - 1) = '.' || other.name))
  ORDER BY fqdn LIMIT ${NAMED}`;

/**
 * Deletes a zone, with its records when `with_records` is set. Answers the zone and the number of deleted records.
 * @throws Problem 404, 412; 409 while it has records, while reservations register names in it, or while aliases of
 * other
 *   zones point into it.
 */
async function deleteZone(
  tx: Transaction,
  id: string,
  options: { with_records: boolean; if_match: Precondition },
): Promise<{ zone: Zone; records: number }> {
  const zone = await findItem(tx, dnsZones, id);
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

// A reservation would not notice that its record was deleted with the zone; a service adds its records again.
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
    reason: `Its target is in ${zone.name}, and aliases are only followed to names of managed zones.`,
    page: pagePath('dns-record', alias.id),
    unblock: 'Point the alias elsewhere, or delete it',
  }));
  return new Problem('still_referenced', `Aliases of other zones point into ${zone.name}.`, { blockers });
}
