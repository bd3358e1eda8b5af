// DNS records: reading one, saving one or a thousand, changing and deleting. record-standing.ts checks the rules.

import { type Clock, type Entropy, instant, newId } from '../../../ground/clock.ts';
import { type FieldError, notFound, Problem } from '../../../ground/problems.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import { type Precondition, requireRevision } from '../../../ground/store/revision.ts';
import { OWNER } from '../../../platform/interfaces/refresh/snapshot.ts';
import { unitName } from '../../../platform/unit-names.ts';
import { ownedComponent } from '../owned-component.ts';
import type { DnsRecord } from '../schemas.ts';
import { canonicalRecord, type RecordData, recordType } from './record-data.ts';
import { judge, type RecordFault, readStanding, refusalOf } from './record-standing.ts';

interface Shell {
  clock: Clock;
  entropy: Entropy;
}

export interface RecordRow {
  id: string;
  fqdn: string;
  type: DnsRecord['type'];
  value: string;
  description: string;
  enabled: number;
  owner_source: string | null;
  owner_ref: string | null;
  owner_component: string | null;
  zone_id: string;
  zone: string;
  created_at: string;
  updated_at: string;
  revision: number;
}

/** The zone's name is looked up for each row: with a join the planner could begin with the zones and lose the order. */
export const RECORD_COLUMNS = `id, fqdn, type, value, description, enabled, owner_source, owner_ref, owner_component,
  zone_id, (SELECT name FROM dns_zone WHERE dns_zone.id = zone_id) AS zone, created_at, updated_at, revision`;

export function recordView(row: RecordRow): DnsRecord {
  const { owner_source: source, owner_ref: ref, owner_component: component } = row;
  return {
    id: row.id,
    fqdn: row.fqdn,
    type: row.type,
    value: row.value,
    description: row.description,
    enabled: row.enabled === 1,
    owner: source === null ? null : { source, ref, component: ownedComponent({ source, ref, component }) },
    zone: row.zone,
    zone_id: row.zone_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
    revision: row.revision,
  };
}

/** @throws Problem 404 */
export async function findRecord(db: Database, id: string): Promise<DnsRecord> {
  const row = await db.one<RecordRow>(`SELECT ${RECORD_COLUMNS} FROM dns_record WHERE id = ?`, [id]);
  if (!row) throw notFound('This record');
  return recordView(row);
}

export interface RecordDraft {
  fqdn: string;
  type: string;
  value: string;
  description?: string | undefined;
  enabled?: boolean | undefined;
  /** The part of the appliance that owns it. */
  owner?: DnsRecord['owner'];
}

const INSERT = `INSERT INTO dns_record (id, fqdn, type, value, description, enabled, owner_source, owner_ref,
    owner_component, zone_id, created_at, updated_at)
  SELECT value ->> 'id', value ->> 'fqdn', value ->> 'type', value ->> 'value', value ->> 'description',
    value ->> 'enabled', value ->> 'owner_source', value ->> 'owner_ref', value ->> 'owner_component',
    value ->> 'zone_id', value ->> 'created_at', value ->> 'updated_at' FROM json_each(?)`;

/**
 * Saves records, all or none, in two statements. Answers them in the order given.
 * @throws Problem 422 or 409 naming every fault; `place` makes the pointer of a fault, by default `/fqdn`, `/value`.
 */
export async function createRecords(
  tx: Transaction,
  { clock, entropy }: Shell,
  drafts: readonly RecordDraft[],
  place: (fault: RecordFault) => string = ({ member }) => `/${member}`,
): Promise<DnsRecord[]> {
  const faults: RecordFault[] = [];
  const records = drafts.map((draft, at) => canonicalOr(draft, (fault) => faults.push({ at, ...fault })));
  const standing = await readStanding(
    tx,
    records.filter((record) => record !== null),
  );
  const names = new Map([...standing.zones].map(([name, id]) => [id, name]));
  const now = instant(clock.now());
  const rows: RecordRow[] = [];
  for (const [at, verdict] of judge(records, standing).entries()) {
    if ('faults' in verdict) faults.push(...verdict.faults);
    else rows.push(newRow(drafts[at]!, records[at]!, { ...verdict, zone: names.get(verdict.zone_id)! }, entropy, now));
  }
  if (faults.length > 0)
    throw refusalOf(
      faults.sort((one, other) => one.at - other.at),
      place,
    );
  await tx.run(INSERT, [JSON.stringify(rows)]);
  return rows.map(recordView);
}

function newRow(
  draft: RecordDraft,
  record: RecordData,
  zone: { zone_id: string; zone: string },
  entropy: Entropy,
  now: string,
): RecordRow {
  return {
    id: newId('rec', entropy),
    ...record,
    description: draft.description ?? '',
    enabled: (draft.enabled ?? true) ? 1 : 0,
    owner_source: draft.owner?.source ?? null,
    owner_ref: draft.owner?.ref ?? null,
    owner_component: draft.owner?.component ?? null,
    ...zone,
    created_at: now,
    updated_at: now,
    revision: 1,
  };
}

/** The canonical record; or null, with its faults passed to `fault`. */
export function canonicalOr(draft: RecordDraft, fault: (fault: Omit<RecordFault, 'at'>) => void): RecordData | null {
  try {
    return canonicalRecord(draft);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    for (const { pointer, detail } of problem.members.errors as FieldError[]) {
      fault({ member: pointer.slice(1) as RecordFault['member'], code: 'request_validation_failed', detail });
    }
    return null;
  }
}

export interface RecordUpdate {
  fqdn?: string | undefined;
  type?: string | undefined;
  value?: string | undefined;
  description?: string | undefined;
  enabled?: boolean | undefined;
}

const UPDATE = `UPDATE dns_record SET fqdn = ?, value = ?, description = ?, enabled = ?, zone_id = ?, updated_at = ?,
  revision = revision + 1 WHERE id = ?`;
const MEMBERS = ['fqdn', 'value', 'description', 'enabled'] as const;

/**
 * Changes the members that were sent; without a difference nothing is written. Two statements.
 * @throws Problem 404, 412; 409 for another type, for the name or value of a record that another part owns, or when
 * another record is in the way; 422.
 */
export async function updateRecord(
  tx: Transaction,
  { clock }: Shell,
  id: string,
  update: RecordUpdate,
  if_match: Precondition,
): Promise<{ record: DnsRecord; before: DnsRecord; changed: string[] }> {
  const standing = await readStanding(tx, [{ fqdn: update.fqdn, value: update.value }], id);
  if (standing.self === null) throw notFound('This record');
  const before = recordView(JSON.parse(standing.self) as RecordRow);
  requireRevision(if_match, before.revision);
  refuseOtherType(before, update);
  const named = { fqdn: update.fqdn ?? before.fqdn, type: before.type, value: update.value ?? before.value };
  const data = canonicalRecord(named, named.value === before.value ? 'saved' : 'new');
  const next = {
    ...before,
    ...data,
    description: update.description ?? before.description,
    enabled: update.enabled ?? before.enabled,
  };
  const changed = MEMBERS.filter((member) => next[member] !== before[member]);
  if (changed.length === 0) return { record: before, before, changed };
  if (data.fqdn !== before.fqdn || data.value !== before.value) {
    refuseOwned(before);
    const [verdict] = judge([data], standing, id);
    if (!verdict || 'faults' in verdict) throw refusalOf(verdict?.faults ?? [], ({ member }) => `/${member}`);
    next.zone_id = verdict.zone_id;
    next.zone = [...standing.zones].find(([, zone]) => zone === verdict.zone_id)![0];
  }
  const now = instant(clock.now());
  await tx.run(UPDATE, [next.fqdn, next.value, next.description, next.enabled ? 1 : 0, next.zone_id, now, id]);
  return { record: { ...next, updated_at: now, revision: before.revision + 1 }, before, changed };
}

function refuseOtherType(before: DnsRecord, { type }: RecordUpdate): void {
  if (type === undefined || recordType(type) === before.type) return;
  const detail = 'The type of a record cannot change: delete the record and add another.';
  throw new Problem('state_conflict', detail, { errors: [{ pointer: '/type', detail }] });
}

function refuseOwned({ owner }: DnsRecord): void {
  if (owner === null) return;
  throw new Problem(
    'state_conflict',
    `The record belongs to ${ownerWords(owner)}: only its description and whether it is served can be changed here.`,
  );
}

const OWNER_NAMES: Readonly<Record<string, string>> = {
  [OWNER.helper]: 'deployment helper',
  [OWNER.host]: 'network boot host',
  [OWNER.reservation]: 'DHCP reservation',
};

/** `deployment helper (vc01)`, `DHCP reservation (esx01)`, `Offline depot`; the code of an unknown owner. */
export function ownerWords({ source, component, ref }: NonNullable<DnsRecord['owner']>): string {
  const which = component ?? ref;
  if (source === OWNER.service) return which === null ? 'a service' : unitName(which);
  const name = OWNER_NAMES[source] ?? source;
  return which === null ? name : `${name} (${which})`;
}

/** Owners that would add a deleted record again, but only at their next change. What to do instead of deleting it. */
const KEEPERS: Readonly<Record<string, string>> = {
  [OWNER.service]: 'Change the host name of the service, or switch it off.',
  [OWNER.reservation]: 'Switch off register_dns on the reservation, or delete it.',
};

/** @throws Problem 404, 412; 409 for a record that a service or a reservation owns. */
export async function deleteRecord(tx: Transaction, id: string, if_match: Precondition): Promise<DnsRecord> {
  const record = await findRecord(tx, id);
  requireRevision(if_match, record.revision);
  const instead = KEEPERS[record.owner?.source ?? ''];
  if (record.owner && instead) {
    throw new Problem('state_conflict', `The record belongs to ${ownerWords(record.owner)}. ${instead}`);
  }
  await tx.run('DELETE FROM dns_record WHERE id = ?', [id]);
  return record;
}
