// Whether the keys of the KMIP server are in a copy elsewhere: a key that is lost is a virtual machine that is lost. Copies that
// the schedule made are encrypted and were read back; what somebody made by hand is not known to lie anywhere.
import type { Database } from '../../ground/store/database.ts';
import { savedDocument } from '../../platform/units/documents.ts';
import { type Destroyed, destroyedKeys, keySinceSql, keysSince } from '../../services/kms/keys/administration.ts';
import { kmsSettings } from '../../services/kms/settings.ts';
import { type Expiring, expiringClients } from '../../services/kms/trust/clients.ts';
import { anyProvider } from '../../services/kms/trust/providers.ts';
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

export interface KeyWarnings {
  /** By provider. */
  destroyed: Destroyed[];
  expiring: Expiring[];
}

/** What the overview tells; null while there is no provider: one statement then. */
export const keyWarnings = async (db: Database, now: Date): Promise<KeyWarnings | null> =>
  (await anyProvider(db)) ? { destroyed: await destroyedKeys(db), expiring: await expiringClients(db, now) } : null;

/** `2026-03-14 09:41 UTC` of an RFC 3339 instant in UTC. */
export const minuteOf = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;

/** A sentence for each provider that lost keys. */
export const destroyedFaults = (destroyed: readonly Destroyed[]): string[] =>
  destroyed.map(
    ({ provider, keys, until }) =>
      `Clients of ${provider} destroyed ${keys === 1 ? 'a key' : `${keys} keys`}: what is encrypted with ${keys === 1 ? 'it' : 'them'} does not start again. ${keys === 1 ? 'It' : 'They'} can be brought back until ${minuteOf(until)}${keys === 1 ? '' : ', when the first of them is erased'}.`,
  );

/** A sentence for each client whose certificate ends soon, or has just ended. */
export const expiringFaults = (expiring: readonly Expiring[], now: string): string[] =>
  expiring.map(({ name, provider, not_after }) =>
    not_after < now
      ? `The certificate of ${name} (${provider}) ended at ${minuteOf(not_after)}: it gets no key any more.`
      : `The certificate of ${name} (${provider}) ends at ${minuteOf(not_after)}: after that it gets no key.`,
  );

/** Whether a key is in no verified copy, for every page: one statement, which looks at the newest keys alone. */
export const hasUnprotectedKey = async (db: Database): Promise<boolean> =>
  (await db.one(keySinceSql(NEWEST_VERIFIED_SQL))) !== undefined;
