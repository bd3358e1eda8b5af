// A user of the appliance as others know it for good: a UUID made from the id of the row, whatever the user is called. What it is
// made from can't be found from it.
import { createHash } from 'node:crypto';
import type { Database } from '../../ground/store/database.ts';
import { pointReads } from '../../ground/store/point-reads.ts';
import { enabledUsers, type User } from './user.ts';

/** RFC 9562, 5.8: version 8, by a digest of our own. */
export function subjectOf(id: string): string {
  const bytes = createHash('sha256').update(`groundcrew subject\0${id}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Subject → id: the one is made from the other, so what was found once stays true. */
const known = new Map<string, string>();
const KNOWN_MOST = 10_000;

/** Null: gone, or disabled. An appliance has few users: for a subject that is new here, all ids are looked at. */
export async function enabledUserOf(db: Database, subject: string): Promise<User | null> {
  const id = known.get(subject) ?? (await idOf(db, subject));
  return id === undefined ? null : pointReads(db).find(enabledUsers, id);
}

async function idOf(db: Database, subject: string): Promise<string | undefined> {
  if (known.size > KNOWN_MOST) known.clear();
  const rows = await db.all<{ id: string }>('SELECT id FROM user WHERE enabled = 1');
  for (const { id } of rows) known.set(subjectOf(id), id);
  return known.get(subject);
}
