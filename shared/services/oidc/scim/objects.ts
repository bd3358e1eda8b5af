// What was sent to a target, object by object: how the last push left it, and why it was refused. It also tells later pushes
// which objects at the target are ours.
import type { Database, SqlValue, Transaction } from '../../../ground/store/database.ts';
import { decodeCursor, type Page, pageOf } from '../../../ground/store/pagination.ts';
import type { OBJECT_KINDS, OBJECT_OUTCOMES } from './schemas.ts';

export type ObjectKind = (typeof OBJECT_KINDS)[number];
export type ObjectOutcome = (typeof OBJECT_OUTCOMES)[number];

export interface SentObject {
  kind: ObjectKind;
  external_id: string;
  name: string;
  /** Digest of what was sent last, empty: nothing was taken yet. */
  sent_sha256: string;
  outcome: ObjectOutcome;
  reason: string;
  /** RFC 3339 in UTC. */
  at: string;
}

const COLUMNS = 'kind, external_id, name, sent_sha256, outcome, reason, at';

export const sentObjects = (db: Database, target_id: string): Promise<SentObject[]> =>
  db.all<SentObject>(`SELECT ${COLUMNS} FROM scim_object WHERE target_id = ?`, [target_id]);

/** One statement, however many. */
export async function noteObjects(tx: Transaction, target_id: string, objects: readonly SentObject[]): Promise<void> {
  if (objects.length === 0) return;
  await tx.run(
    `INSERT INTO scim_object (target_id, ${COLUMNS})
     SELECT ?, value->>'kind', value->>'external_id', value->>'name', value->>'sent_sha256', value->>'outcome',
       value->>'reason', value->>'at' FROM json_each(?) WHERE true
     ON CONFLICT DO UPDATE SET name = excluded.name, sent_sha256 = excluded.sent_sha256, outcome = excluded.outcome,
       reason = excluded.reason, at = excluded.at`,
    [target_id, JSON.stringify(objects)],
  );
}

/** Those that were removed before: they were told of once. */
export const forgetRemoved = (tx: Transaction, target_id: string): Promise<number> =>
  tx.run("DELETE FROM scim_object WHERE target_id = ? AND outcome = 'removed'", [target_id]);

/** All of a target: it is another place now. */
export const forgetObjects = (tx: Transaction, target_id: string): Promise<number> =>
  tx.run('DELETE FROM scim_object WHERE target_id = ?', [target_id]);

/** For a factory reset; they go with their targets as well. */
export async function forgetEveryObject(tx: Transaction): Promise<void> {
  await tx.run('DELETE FROM scim_object');
}

export interface ObjectQuery {
  kind?: ObjectKind | undefined;
  outcome?: ObjectOutcome | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Users after groups, each by name. @throws Problem 400 for a cursor of another list */
export async function listObjects(
  db: Database,
  target_id: string,
  { kind, outcome, limit, cursor }: ObjectQuery,
): Promise<Page<SentObject>> {
  const asked: [string, SqlValue[]][] = [
    ['target_id = ?', [target_id]],
    ...(kind ? [['kind = ?', [kind]] as [string, SqlValue[]]] : []),
    ...(outcome ? [['outcome = ?', [outcome]] as [string, SqlValue[]]] : []),
    ...(cursor ? [['(kind, name, external_id) > (?, ?, ?)', decodeCursor(cursor, 3)] as [string, SqlValue[]]] : []),
  ];
  const rows = await db.all<SentObject>(
    `SELECT ${COLUMNS} FROM scim_object WHERE ${asked.map(([sql]) => sql).join(' AND ')} ORDER BY kind, name, external_id LIMIT ?`,
    [...asked.flatMap(([, values]) => values), limit + 1],
  );
  return pageOf(
    rows,
    limit,
    (row) => [row.kind, row.name, row.external_id],
    (row) => row,
  );
}

/** How many of each outcome. */
export async function countObjects(db: Database, target_id: string): Promise<Partial<Record<ObjectOutcome, number>>> {
  const rows = await db.all<{ outcome: ObjectOutcome; count: number }>(
    'SELECT outcome, count(*) AS count FROM scim_object WHERE target_id = ? GROUP BY outcome',
    [target_id],
  );
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]));
}
