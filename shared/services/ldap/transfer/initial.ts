// Initial passwords of new users: made here, shown once in one answer, and kept as hashes alone.
import { invalid } from '../../../ground/problems.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import type { Shell } from '../../../platform/units/collection.ts';
import { readSettings } from '../../../platform/units/settings-store.ts';
import { argon2idHash } from '../password-hash.ts';
import { saveHash } from '../password-store.ts';
import { generatedPassword } from '../passwords.ts';
import { ldapSettings } from '../settings.ts';

/** Each costs some hundredths of a second of one processor, and 19 MiB. */
export const INITIAL_MOST = 200;
/** Not all of them, so that others who wait for a hash get their turn between (password-hash.ts). */
const AT_ONCE = 2;

export interface Initial {
  password: string;
  hash: string;
}

/** The slow part, before the transaction. Name → its password. @throws Problem 422 at `/passwords` for too many */
export async function initialPasswords(db: Database, names: readonly string[]): Promise<Map<string, Initial>> {
  if (names.length > INITIAL_MOST) {
    const detail = `At most ${INITIAL_MOST} new users get a password at once, not ${names.length}: split the file.`;
    throw invalid({ pointer: '/passwords', detail });
  }
  const least = (await readSettings(db, ldapSettings)).saved.password_min_length;
  const made = new Map<string, Initial>();
  for (let from = 0; from < names.length; from += AT_ONCE) {
    const some = names.slice(from, from + AT_ONCE).map(async (name) => {
      const password = generatedPassword(least);
      made.set(name, { password, hash: await argon2idHash(password) });
    });
    await Promise.all(some);
  }
  return made;
}

export const saveInitial = (tx: Transaction, shell: Shell, user_id: string, { hash }: Initial): Promise<void> =>
  saveHash(tx, shell, { user_id }, { hash, former: [] });
