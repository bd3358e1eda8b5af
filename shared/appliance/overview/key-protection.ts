// Whether the keys of the KMIP server are in a copy elsewhere: a key that is lost is a virtual machine that is lost. Copies that
// the schedule made are encrypted and were read back; what somebody made by hand is not known to lie anywhere.
import type { Database } from '../../ground/store/database.ts';
import { savedDocument } from '../../platform/units/documents.ts';
import { keySinceSql, keysSince } from '../../services/kms/keys/administration.ts';
import { kmsSettings } from '../../services/kms/settings.ts';
import { NEWEST_VERIFIED_SQL, newestVerified } from '../archive/schedule/copies.ts';

export interface KeyProtection {
  /** The KMIP server is on, as saved. */
  enabled: boolean;
  /** Keys that are not destroyed. */
  keys: number;
  /** Of these, keys that are in no verified copy. */
  unprotected: number;
  /** When the newest verified copy was made. */
  newest_copy_at: string | null;
}

/** Three statements. A key counts as protected from the first verified copy that was begun after it was made. */
export async function keyProtection(db: Database): Promise<KeyProtection> {
  const saved = (await savedDocument(db, kmsSettings.key))?.document as { enabled?: boolean } | undefined;
  const newest_copy_at = await newestVerified(db);
  const { keys, since } = await keysSince(db, newest_copy_at ?? '');
  return { enabled: saved?.enabled === true, keys, unprotected: since, newest_copy_at };
}

/** Whether a key is in no verified copy, for every page: one statement, which looks at the newest keys alone. */
export const hasUnprotectedKey = async (db: Database): Promise<boolean> =>
  (await db.one(keySinceSql(NEWEST_VERIFIED_SQL))) !== undefined;
