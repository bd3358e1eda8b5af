// Rows of a unit that take over what its service has: each is an ordinary edit, with the audit event of one.
import { Problem } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { AuditEvent } from '../../kernel/audit/audit.ts';
import type { Services } from '../../kernel/operation/services.ts';
import type { AnyCollection, Draft } from '../../platform/units/collection.ts';
import { findItem } from '../../platform/units/collection-store.ts';
import type { RowAdoption } from '../../platform/units/row-adoption.ts';
import { verbsOf } from '../../platform/units/table-verbs.ts';
import { inTheWay } from '../edits/interface-edit.ts';

/** A member that becomes another; lists of names as they are. */
export interface AdoptedMember {
  member: string;
  before: unknown;
  after: unknown;
}

export interface ForeseenRow {
  subject: string;
  change: 'created' | 'changed';
  members: AdoptedMember[];
}

export interface AdoptedRow {
  name: string;
  id: string;
  change: 'created' | 'changed';
  /** Members that took over a value. */
  members: string[];
}

interface Wanted {
  row: RowAdoption;
  id: string | null;
  draft: Draft;
}

/** @throws Problem 409 `state_conflict` naming every row that can't take it over any more */
async function settled(db: Database, rows: readonly RowAdoption[]): Promise<Wanted[]> {
  const wanted: Wanted[] = [];
  const refused = [];
  for (const row of rows) {
    const found = await row.settle(db);
    if ('refused' in found) refused.push(found.refused);
    else wanted.push({ row, ...found });
  }
  if (refused.length > 0) throw inTheWay('state_conflict', refused);
  return wanted;
}

/** What the rows would take over; those that have it already are left out. Reads only. @throws Problem as adopting them does */
export async function foreseeRows(db: Database, rows: readonly RowAdoption[]): Promise<ForeseenRow[]> {
  const foreseen: ForeseenRow[] = [];
  for (const { row, id, draft } of await settled(db, rows)) {
    const saved = id === null ? null : await findItem(db, row.collection, id);
    const members = Object.entries(draft).flatMap(([member, after]): AdoptedMember[] => {
      const before = saved?.[member] ?? null;
      return HIDDEN.has(member) || same(before, after) ? [] : [{ member, before, after }];
    });
    if (saved === null || members.length > 0)
      foreseen.push({ subject: row.subject, change: saved === null ? 'created' : 'changed', members });
  }
  return foreseen;
}

/** Ids say nothing to people. */
const HIDDEN = new Set(['organization_id']);
/** Lists of members have no order of their own. */
const plain = (value: unknown): string => JSON.stringify(Array.isArray(value) ? value.toSorted() : value);
export const same = (one: unknown, other: unknown): boolean => plain(one) === plain(other);

export interface Adopting {
  tx: Transaction;
  services: Services;
  actor: Actor;
  audit(event: AuditEvent): void;
}

/** @throws Problem 409 or 422, as an edit of such a row; then nothing is saved */
export async function saveRows(adopting: Adopting, rows: readonly RowAdoption[]): Promise<AdoptedRow[]> {
  const saved: AdoptedRow[] = [];
  for (const row of rows) {
    // One after the other: a group may name a user that was adopted just before.
    const [{ id, draft }] = (await settled(adopting.tx, [row])) as [Wanted];
    const one = await saveRow(adopting, row, id, draft);
    if (one) saved.push(one);
  }
  return saved;
}

async function saveRow(
  { tx, services, actor, audit }: Adopting,
  { subject, collection }: RowAdoption,
  id: string | null,
  draft: Draft,
): Promise<AdoptedRow | null> {
  const { param, table, action } = collection;
  const params = id === null ? {} : { [param]: id };
  const request = { if_match: null, dry_run: false };
  const context = { tx, services, actor, params, query: {}, body: draft, request } as never;
  const verbs = verbsOf(collection as AnyCollection);
  const { item, detail } = await (id === null ? verbs.create(context) : verbs.update(context)).catch(named(subject));
  const members = id === null ? Object.keys(draft) : (detail.changed as string[]);
  if (members.length === 0) return null;
  audit({
    action: `${action}.${id === null ? 'create' : 'update'}`,
    resource_type: table,
    resource_id: item.id,
    detail: { ...detail, adopted: true },
  });
  return {
    name: subject,
    id: item.id,
    change: id === null ? 'created' : 'changed',
    members: members.filter((member) => !HIDDEN.has(member)),
  };
}

/** A refusal names the row: it is one of many. */
const named =
  (subject: string) =>
  (error: unknown): never => {
    if (!(error instanceof Problem)) throw error;
    const details = (error.members.errors ?? []).map(({ detail }) => detail);
    throw new Problem('state_conflict', `${subject} can’t take it over: ${details.join(' ') || error.message}`);
  };
