// A passkey that the browser is to make: its challenge waits here for five minutes, for one answer.
import { type Clock, type Entropy, instant, inTheLast, newId } from '../../../ground/clock.ts';
import { notFound } from '../../../ground/problems.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import { refuseMoreFactors } from './factor-store.ts';
import type { RelyingParty } from './relying-party.ts';

export const REGISTER_SECONDS = 300;

export interface Registration extends RelyingParty {
  id: string;
  name: string;
  /** base64url */
  challenge: string;
}

/** In the place of one that was begun before. @throws Problem 409 */
export async function beginRegistration(
  tx: Transaction,
  { clock, entropy }: { clock: Clock; entropy: Entropy },
  user_id: string,
  { name, rp_id, origin }: RelyingParty & { name: string },
): Promise<Registration> {
  await refuseMoreFactors(tx, user_id);
  await tx.run('DELETE FROM passkey_registration WHERE user_id = ?', [user_id]);
  const id = newId('passkeyreg', entropy);
  const challenge = entropy.bytes(32).toString('base64url');
  await tx.run(
    `INSERT INTO passkey_registration (id, user_id, name, challenge, rp_id, origin, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [id, user_id, name, challenge, rp_id, origin, instant(clock.now())],
  );
  return { id, name, challenge, rp_id, origin };
}

/** Uses it up, whatever comes of it. @throws Problem 404 when none of this id waits, or no longer */
export async function takeRegistration(tx: Transaction, user_id: string, id: string, now: Date): Promise<Registration> {
  const { after, until } = inTheLast(now, REGISTER_SECONDS);
  const [row] = await tx.all<Registration>(
    `DELETE FROM passkey_registration WHERE id = ? AND user_id = ? AND created_at > ? AND created_at <= ?
     RETURNING id, name, challenge, rp_id, origin`,
    [id, user_id, after, until],
  );
  if (!row) throw notFound('A passkey that waits for the browser');
  return row;
}

/** Called on a schedule. */
export async function forgetRegistrations(tx: Transaction, now: Date): Promise<void> {
  const { after, until } = inTheLast(now, REGISTER_SECONDS);
  await tx.run('DELETE FROM passkey_registration WHERE created_at <= ? OR created_at > ?', [after, until]);
}

interface PasskeyRow {
  id: string;
  credential_id: string;
  public_key: string;
  sign_count: number;
  transports: string;
}

export interface Passkey extends Omit<PasskeyRow, 'transports'> {
  transports: string[];
}

/** Passkeys of a user under one name of the appliance. */
export async function passkeys(db: Database, user_id: string, rp_id: string): Promise<Passkey[]> {
  const rows = await db.all<PasskeyRow>(
    `SELECT id, credential_id, public_key, sign_count, transports FROM second_factor
     WHERE user_id = ? AND kind = 'passkey' AND rp_id = ? AND confirmed_at IS NOT NULL ORDER BY created_at, id`,
    [user_id, rp_id],
  );
  return rows.map((row) => ({ ...row, transports: JSON.parse(row.transports) as string[] }));
}

/** What a browser is asked at a sign-in (PublicKeyCredentialRequestOptionsJSON); null when no passkey works there. */
export async function requestOptions(
  db: Database,
  { user_id, challenge, rp_id }: { user_id: string; challenge: string | null; rp_id: string | null },
  userVerification: string,
): Promise<Record<string, unknown> | null> {
  if (challenge === null || rp_id === null) return null;
  const known = await passkeys(db, user_id, rp_id);
  if (known.length === 0) return null;
  const allowCredentials = known.map(({ credential_id, transports }) => ({
    id: credential_id,
    type: 'public-key',
    transports,
  }));
  return { challenge, rpId: rp_id, allowCredentials, userVerification, timeout: REGISTER_SECONDS * 1000 };
}
