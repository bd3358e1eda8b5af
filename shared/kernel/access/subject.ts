// A user of the appliance as others know it for good: a UUID made from the id of the row, whatever the user is called. What it is
// made from can't be found from it.
import { createHash } from 'node:crypto';
import type { Database } from '../../ground/store/database.ts';
import { findUser, type User } from './user.ts';

/** RFC 9562, 5.8: version 8, by a digest of our own. */
export function subjectOf(id: string): string {
  const bytes = createHash('sha256').update(`groundcrew subject\0${id}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Null: gone, or disabled. An appliance has few users: all ids are looked at. */
export async function enabledUserOf(db: Database, subject: string): Promise<User | null> {
  const rows = await db.all<{ id: string }>('SELECT id FROM user WHERE enabled = 1');
  const found = rows.find(({ id }) => subjectOf(id) === subject);
  return found ? findUser(db, found.id) : null;
}
