// The second factors of users: authenticators, whose secret is sealed, and passkeys, whose public key is stored.
import { type Clock, type Entropy, instant, later, newId } from '../../../ground/clock.ts';
import { notFound, Problem } from '../../../ground/problems.ts';
import { openEntry, type Sealed, sealEntry } from '../../../ground/sealing/envelope.ts';
import type { Keyring } from '../../../ground/sealing/keyring.ts';
import type { Database, SqlValue, Transaction } from '../../../ground/store/database.ts';
import { TOTP_SECRET_BYTES } from './totp.ts';

export const FACTOR_KINDS = ['totp', 'passkey'] as const;
export type FactorKind = (typeof FACTOR_KINDS)[number];

export interface SecondFactor {
  id: string;
  kind: FactorKind;
  name: string;
  /** Name of the appliance that a passkey is bound to; null for an authenticator. */
  rp_id: string | null;
  created_at: string;
  last_used_at: string | null;
}

/** Factors of one user, at most. */
export const FACTORS_MOST = 10;
/** Seconds in which an authenticator that was begun has to be confirmed. */
export const CONFIRM_WITHIN = 600;

interface Shell {
  clock: Clock;
  entropy: Entropy;
  keyring: Keyring;
}

const COLUMNS = 'id, kind, name, rp_id, created_at, last_used_at';

/** Confirmed ones, oldest first. */
export const listFactors = (db: Database, user_id: string): Promise<SecondFactor[]> =>
  db.all<SecondFactor>(
    `SELECT ${COLUMNS} FROM second_factor WHERE user_id = ? AND confirmed_at IS NOT NULL ORDER BY created_at, id`,
    [user_id],
  );

export const hasFactor = async (db: Database, user_id: string): Promise<boolean> =>
  (await db.one('SELECT 1 AS yes FROM second_factor WHERE user_id = ? AND confirmed_at IS NOT NULL LIMIT 1', [
    user_id,
  ])) !== undefined;

/** Kinds that users have, by user. */
export async function factorKinds(db: Database, user_ids: readonly string[]): Promise<Map<string, FactorKind[]>> {
  const rows = await db.all<{ user_id: string; kind: FactorKind }>(
    `SELECT DISTINCT user_id, kind FROM second_factor
      WHERE confirmed_at IS NOT NULL AND user_id IN (SELECT value FROM json_each(?)) ORDER BY kind DESC`,
    [JSON.stringify(user_ids)],
  );
  const of = Map.groupBy(rows, ({ user_id }) => user_id);
  return new Map([...of].map(([user_id, all]) => [user_id, all.map(({ kind }) => kind)]));
}

/** @throws Problem 404 */
export async function findFactor(db: Database, user_id: string, id: string): Promise<SecondFactor> {
  const row = await db.one<SecondFactor>(
    `SELECT ${COLUMNS} FROM second_factor WHERE id = ? AND user_id = ? AND confirmed_at IS NOT NULL`,
    [id, user_id],
  );
  if (!row) throw notFound('This second factor');
  return row;
}

/** @throws Problem 409 */
export async function refuseMoreFactors(db: Database, user_id: string): Promise<void> {
  if ((await listFactors(db, user_id)).length < FACTORS_MOST) return;
  throw new Problem('state_conflict', `A user has at most ${FACTORS_MOST} second factors. Remove one first.`);
}

/** What the secret of an authenticator is sealed to. */
export const factorPlace = (id: string) => ({ table: 'second_factor', row: id, field: 'secret' });

/** A new authenticator, which counts once it is confirmed, in the place of one that was never confirmed. */
export async function beginTotp(
  tx: Transaction,
  shell: Shell,
  user_id: string,
  name: string,
): Promise<{ id: string; secret: Buffer; expires_at: string }> {
  await refuseMoreFactors(tx, user_id);
  await tx.run('DELETE FROM second_factor WHERE user_id = ? AND confirmed_at IS NULL', [user_id]);
  const id = newId('factor', shell.entropy);
  const secret = shell.entropy.bytes(TOTP_SECRET_BYTES);
  const sealed = sealEntry(await shell.keyring.current(), factorPlace(id), secret.toString('base64'), shell.entropy);
  const now = shell.clock.now();
  await tx.run(
    `INSERT INTO second_factor (id, user_id, kind, name, kek_id, sealed_key, sealed_value, created_at)
     VALUES (?, ?, 'totp', ?, ?, ?, ?, ?)`,
    [id, user_id, name, sealed.kek_id, sealed.sealed_key, sealed.sealed_value, instant(now)],
  );
  return { id, secret, expires_at: instant(later(now, CONFIRM_WITHIN)) };
}

export interface TotpFactor extends SecondFactor {
  secret: Buffer;
}

interface SealedRow extends SecondFactor, Sealed {}

/** Authenticators of a user with their secrets: the confirmed ones, or the one that is to be confirmed. */
async function opened(db: Database, keyring: Keyring, where: string, parameters: SqlValue[]): Promise<TotpFactor[]> {
  const rows = await db.all<SealedRow>(
    `SELECT ${COLUMNS}, kek_id, sealed_key, sealed_value FROM second_factor WHERE kind = 'totp' AND ${where}`,
    parameters,
  );
  const found: TotpFactor[] = [];
  for (const { kek_id, sealed_key, sealed_value, ...factor } of rows) {
    const key = await keyring.find(kek_id);
    // Without its key it lets nobody in; another factor still does.
    if (!key) continue;
    const text = openEntry({ id: kek_id, key }, factorPlace(factor.id), { kek_id, sealed_key, sealed_value });
    found.push({ ...factor, secret: Buffer.from(text, 'base64') });
  }
  return found;
}

export const totpFactors = (db: Database, keyring: Keyring, user_id: string): Promise<TotpFactor[]> =>
  opened(db, keyring, 'user_id = ? AND confirmed_at IS NOT NULL', [user_id]);

/** @throws Problem 404 when none of this id waits, or no longer */
export async function unconfirmedTotp(
  db: Database,
  { keyring, clock }: Pick<Shell, 'keyring' | 'clock'>,
  user_id: string,
  id: string,
): Promise<TotpFactor> {
  const since = instant(later(clock.now(), -CONFIRM_WITHIN));
  const where = 'user_id = ? AND id = ? AND confirmed_at IS NULL AND created_at > ?';
  const [factor] = await opened(db, keyring, where, [user_id, id, since]);
  if (!factor) throw notFound('An authenticator that waits for its first code');
  return factor;
}

/**
 * Steps that the last used one may lie ahead and still bar the ones before it: one hour. One that lies further ahead was
 * used while the clock was wrong, and would lock the user out until then.
 */
const AHEAD_STEPS = 120;

/** Uses a step of an authenticator, for its first time alone: one statement, so that of two at once one wins. */
export async function useStep(tx: Transaction, id: string, step: number, now: Date): Promise<boolean> {
  const at = instant(now);
  const used = await tx.run(
    `UPDATE second_factor SET last_step = ?, last_used_at = ?, confirmed_at = coalesce(confirmed_at, ?)
     WHERE id = ? AND (last_step IS NULL OR last_step < ? OR last_step > ?)`,
    [step, at, at, id, step, step + AHEAD_STEPS],
  );
  return used === 1;
}

/** Removes one of a user; with the last one the recovery codes go. @throws Problem 404 */
export async function removeFactor(tx: Transaction, user_id: string, id: string): Promise<SecondFactor> {
  const factor = await findFactor(tx, user_id, id);
  await tx.run('DELETE FROM second_factor WHERE id = ?', [id]);
  return factor;
}

/** Removes all of a user; answers how many were confirmed. */
export async function removeFactors(tx: Transaction, user_id: string): Promise<number> {
  const rows = await tx.all<{ confirmed: number }>(
    'DELETE FROM second_factor WHERE user_id = ? RETURNING confirmed_at IS NOT NULL AS confirmed',
    [user_id],
  );
  return rows.filter(({ confirmed }) => confirmed === 1).length;
}

/** Called on a schedule: authenticators that nobody confirmed. */
export async function forgetUnconfirmed(tx: Transaction, now: Date): Promise<void> {
  await tx.run('DELETE FROM second_factor WHERE confirmed_at IS NULL AND (created_at <= ? OR created_at > ?)', [
    instant(later(now, -CONFIRM_WITHIN)),
    instant(later(now, CONFIRM_WITHIN)),
  ]);
}
