// The audit log: one row in the transaction of each mutation, chained by an HMAC under a key outside the database, so
// that a changed, removed or reordered row shows. Never the place for a secret: details are chosen, not copied.

import { Problem } from '../../ground/problems.ts';
import type { Keys } from '../../ground/sealing/keys.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { Actor } from '../access/actor.ts';
import { findLock, lockedBy, NOT_OWNED } from '../access/mutation-lock.ts';

export interface AuditEvent {
  /** `dns.record.create`: area, resource, verb. */
  action: string;
  resource_type: string;
  resource_id: string | null;
  /** Chosen facts: names, counts, changed properties. No secrets. */
  detail?: Record<string, unknown>;
  outcome?: 'success' | 'failure';
  /** Who acted, where the request has no actor yet: the user who has just signed in. */
  by?: { user_id: string; name: string };
}

/** Who and where, the same for all events of a request. */
export interface AuditContext {
  at: string;
  actor: Actor;
  request_id: string;
  source_address: string;
}

export interface AuditRow {
  seq: number;
  at: string;
  actor_kind: Actor['kind'];
  actor_id: string | null;
  actor_name: string;
  action: string;
  resource_type: string;
  resource_id: string | null;
  outcome: string;
  request_id: string;
  source_address: string;
  detail: string;
  previous_hash: string;
  hash: string;
}

const GENESIS = 'genesis';

/**
 * The statement that makes a mutation final is also its gate: the row is only inserted when the chain's head is the one
 * that the hash was made with, and when no guarded operation has taken the mutation lock since the request was let in.
 */
const APPEND = `INSERT INTO audit_event (seq, at, actor_kind, actor_id, actor_name, action, resource_type, resource_id,
    outcome, request_id, source_address, detail, previous_hash, hash)
  SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
  WHERE coalesce((SELECT hash FROM audit_event ORDER BY seq DESC LIMIT 1), '${GENESIS}') = ?
    AND (? = 1 OR ${NOT_OWNED})`;

/** The head of the chain as this process last saw it; another process may have moved it, and the gate notices. */
const heads = new WeakMap<Keys, { seq: number; hash: string }>();

/**
 * Appends one event in the caller's transaction.
 * @throws Problem 423 when a guarded operation owns all mutations and the caller is not part of it.
 */
export async function appendAudit(
  transaction: Transaction,
  keys: Keys,
  context: AuditContext,
  event: AuditEvent,
  options: { holdsLock?: boolean } = {},
): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt++) {
    const head = heads.get(keys) ?? (await readHead(transaction));
    const row = rowOf(head, keys, context, event);
    const inserted = await transaction.run(APPEND, [...values(row), head.hash, options.holdsLock ? 1 : 0]);
    if (inserted === 1) {
      heads.set(keys, { seq: row.seq, hash: row.hash });
      return;
    }
    heads.delete(keys);
    const lock = await findLock(transaction);
    if (lock && !options.holdsLock) throw lockedBy(lock);
  }
  throw new Problem('unexpected_failure', 'The audit log did not accept the event.');
}

async function readHead(database: Database): Promise<{ seq: number; hash: string }> {
  const row = await database.one<{ seq: number; hash: string }>(
    'SELECT seq, hash FROM audit_event ORDER BY seq DESC LIMIT 1',
  );
  return row ?? { seq: 0, hash: GENESIS };
}

function rowOf(head: { seq: number; hash: string }, keys: Keys, context: AuditContext, event: AuditEvent): AuditRow {
  const row = {
    seq: head.seq + 1,
    at: context.at,
    actor_kind: event.by ? 'session' : context.actor.kind,
    actor_id: event.by?.user_id ?? context.actor.user_id,
    actor_name: event.by?.name ?? context.actor.name,
    action: event.action,
    resource_type: event.resource_type,
    resource_id: event.resource_id,
    outcome: event.outcome ?? 'success',
    request_id: context.request_id,
    source_address: context.source_address,
    detail: JSON.stringify(event.detail ?? {}),
    previous_hash: head.hash,
  };
  return { ...row, hash: chainHash(keys, row) };
}

function values(row: AuditRow) {
  return [
    row.seq,
    row.at,
    row.actor_kind,
    row.actor_id,
    row.actor_name,
    row.action,
    row.resource_type,
    row.resource_id,
    row.outcome,
    row.request_id,
    row.source_address,
    row.detail,
    row.previous_hash,
    row.hash,
  ];
}

/** HMAC over the row's columns in one fixed order, the previous hash among them. */
export function chainHash(keys: Keys, row: Omit<AuditRow, 'hash'>): string {
  return keys.hmac('audit-chain', JSON.stringify(values({ ...row, hash: '' }).slice(0, -1))).toString('base64url');
}

const LISTED = `SELECT DISTINCT listed.value AS text FROM audit_event event, json_each(event.detail, '$.' || ?2) listed
  WHERE event.action = ?1 AND event.seq > coalesce((SELECT max(seq) FROM audit_event WHERE action = ?3), 0) ORDER BY 1`;

/** Texts that events of an action list in a member of their details, since the last event of another action. Sorted. */
export async function listedSince(
  database: Database,
  { action, member, since }: { action: string; member: string; since: string },
): Promise<string[]> {
  return (await database.all<{ text: string }>(LISTED, [action, member, since])).map(({ text }) => text);
}

export interface AuditVerdict {
  ok: boolean;
  events: number;
  /** Hash of the newest row: compare it with a copy elsewhere to notice removed last rows. */
  head: string;
  fault: string | null;
}

/** Walks the whole chain in steps of 1,000 rows. */
export async function verifyAudit(database: Database, keys: Keys): Promise<AuditVerdict> {
  let head = { seq: 0, hash: GENESIS };
  for (;;) {
    const rows = await database.all<AuditRow>('SELECT * FROM audit_event WHERE seq > ? ORDER BY seq LIMIT 1000', [
      head.seq,
    ]);
    if (rows.length === 0) return { ok: true, events: head.seq, head: head.hash, fault: null };
    for (const row of rows) {
      const fault =
        row.seq !== head.seq + 1
          ? `event ${head.seq + 1} is missing`
          : row.previous_hash !== head.hash
            ? `event ${row.seq} does not follow event ${head.seq}`
            : row.hash !== chainHash(keys, row)
              ? `event ${row.seq} was changed`
              : null;
      if (fault) return { ok: false, events: head.seq, head: head.hash, fault };
      head = { seq: row.seq, hash: row.hash };
    }
  }
}
