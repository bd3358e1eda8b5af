// Reading the audit log: newest first, filtered.
import * as v from 'valibot';
import { instant } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import { component, described, instantSchema, integerSchema, listOf, text } from '../../ground/schemas/component.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database } from '../../ground/store/database.ts';
import { decodeCursor, type Page, pageOf } from '../../ground/store/pagination.ts';
import { ACTOR_KINDS } from '../access/actor.ts';
import type { AuditRow } from './audit.ts';

export const auditEventSchema = component(
  'AuditEvent',
  v.object({
    seq: v.pipe(integerSchema, v.description('Position in the chain, from 1 without gaps.')),
    at: instantSchema,
    actor: described(
      v.object({
        kind: described(v.picklist(ACTOR_KINDS), 'How it came in; `system`: the appliance itself or its command line.'),
        user_id: described(v.nullable(v.string()), 'Id of the user; null for the system and for nobody.'),
        name: text('Name of the user, and of the token in parentheses; or of the part of the system.'),
      }),
      'Who did it.',
    ),
    action: text('What was done, as `dns.record.create`. More may be added.'),
    resource: described(
      v.object({
        type: text('Type of the resource, as `dns_record`. More may be added.'),
        id: described(v.nullable(v.string()), 'Id of the resource; null where there is no single one.'),
      }),
      'What it was done to.',
    ),
    outcome: described(v.picklist(['success', 'failure']), 'Whether it was done.'),
    request_id: text('X-Request-ID of the request; empty for work of the clock and the command line.'),
    source_address: text('Address that the request came from; empty where there was none.'),
    detail: v.pipe(v.record(v.string(), v.unknown()), v.description('Chosen facts; never a secret.')),
    hash: v.pipe(v.string(), v.description('HMAC over the event and the hash before it.')),
  }),
);
export type AuditView = v.InferOutput<typeof auditEventSchema>;
export const auditListSchema = listOf('AuditEventList', auditEventSchema);

export interface AuditQuery {
  actor?: string | undefined;
  action?: string | undefined;
  /** Codes that count as well as those that begin with `action`. */
  actions?: readonly string[] | undefined;
  resource_type?: string | undefined;
  resource_id?: string | undefined;
  outcome?: string | undefined;
  /** RFC 3339, inclusive. */
  since?: string | undefined;
  /** RFC 3339, exclusive. */
  until?: string | undefined;
  request_id?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

export async function listAudit(database: Database, query: AuditQuery): Promise<Page<AuditView>> {
  const list = build<AuditRow>('audit_event').orderBy('seq', 'desc');
  if (query.action) {
    const begin = `${query.action.replaceAll(/[\\%_]/g, '\\$&')}%`;
    const also = JSON.stringify(query.actions ?? []);
    list.whereRaw("(action LIKE ? ESCAPE '\\' OR action IN (SELECT value FROM json_each(?)))", [begin, also]);
  }
  if (query.actor) list.where('actor_name', query.actor);
  // The index has the events of one resource in their order; those of a type it has by resource, and all would be sorted.
  if (query.resource_type) list.whereRaw(`${query.resource_id ? '' : '+'}resource_type = ?`, [query.resource_type]);
  if (query.resource_id) list.where('resource_id', query.resource_id);
  if (query.outcome) list.where('outcome', query.outcome);
  if (query.request_id) list.where('request_id', query.request_id);
  if (query.since) list.where('at', '>=', instant(new Date(query.since)));
  if (query.until) list.where('at', '<', instant(new Date(query.until)));
  if (query.cursor) list.where('seq', '<', numberOf(query.cursor));
  const rows = await database.all<AuditRow>(list.limit(query.limit + 1));
  return pageOf(rows, query.limit, (row) => [row.seq], view);
}

function numberOf(cursor: string): number {
  const [seq] = decodeCursor(cursor, 1);
  if (Number.isSafeInteger(seq)) return seq as number;
  throw new Problem('invalid_cursor', 'The cursor was not issued by this list; start again without it.');
}

function view(row: AuditRow): AuditView {
  return {
    seq: row.seq,
    at: row.at,
    actor: { kind: row.actor_kind, user_id: row.actor_id, name: row.actor_name },
    action: row.action,
    resource: { type: row.resource_type, id: row.resource_id },
    outcome: row.outcome === 'failure' ? 'failure' : 'success',
    request_id: row.request_id,
    source_address: row.source_address,
    detail: JSON.parse(row.detail) as Record<string, unknown>,
    hash: row.hash,
  };
}

/** One change by a person or a token. */
export interface ChangeEvent {
  at: string;
  actor_name: string;
  action: string;
  resource_id: string | null;
  /** JSON lists of the units that it names: as changed, and as such that followed. Null: none. */
  units: string | null;
  followed: string | null;
}

const CHANGES = `SELECT at, actor_name, action, resource_id, json_extract(detail, '$.units') AS units,
    coalesce(json_extract(detail, '$.refreshed_units'), json_extract(detail, '$.followed_units')) AS followed
  FROM (SELECT * FROM audit_event ORDER BY seq DESC LIMIT ?) WHERE outcome = 'success' AND actor_kind <> 'system'
  ORDER BY seq DESC`;

/** What people and tokens did among the newest events, the newest first. */
export const newestChanges = (database: Database, among: number): Promise<ChangeEvent[]> =>
  database.all<ChangeEvent>(CHANGES, [among]);

/** Something that succeeded, with what its event says of it. */
export interface Success {
  at: string;
  action: string;
  detail: Record<string, unknown>;
}

const SUCCESSES = `SELECT at, action, detail FROM audit_event WHERE action IN (SELECT value FROM json_each(?))
  AND outcome = 'success' ORDER BY seq DESC LIMIT ?`;

/** The newest `most` successes of these actions, the newest first. One statement. */
export async function newestSuccesses(db: Database, actions: readonly string[], most: number): Promise<Success[]> {
  const rows = await db.all<Omit<Success, 'detail'> & { detail: string }>(SUCCESSES, [JSON.stringify(actions), most]);
  return rows.map(({ detail, ...row }) => ({ ...row, detail: JSON.parse(detail) as Success['detail'] }));
}
