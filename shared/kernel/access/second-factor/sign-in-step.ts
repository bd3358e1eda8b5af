// Between password and second factor: a 256-bit id in a cookie, its HMAC in the database, five minutes, one network. It is no
// session: no operation but those of the second step knows it.
import { sourceNetwork } from '../../../ground/addresses/source.ts';
import { type Clock, type Entropy, instant, inTheLast } from '../../../ground/clock.ts';
import { Problem } from '../../../ground/problems.ts';
import type { Keys } from '../../../ground/sealing/keys.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import type { Role } from '../scopes.ts';
import type { RelyingParty } from './relying-party.ts';

export const STEP_SECONDS = 300;
/** Steps of one user that may wait at a time; of more, the oldest go. */
const STEPS_MOST = 8;

interface Shell {
  keys: Keys;
  clock: Clock;
  entropy: Entropy;
}

/** Who gave the right password. */
export interface SignInStep {
  id_hash: string;
  user_id: string;
  name: string;
  role: Role;
  return_to: string;
  /** For passkeys: made with the step, and used up by its first answer. Null: none can be used, or no longer. */
  challenge: string | null;
  rp_id: string | null;
  origin: string | null;
}

interface Beginning {
  user_id: string;
  source_address: string;
  return_to: string;
  /** Where passkeys can be used. */
  party: RelyingParty | null;
}

/** Answers the id for the cookie. */
export async function beginStep(
  tx: Transaction,
  { keys, clock, entropy }: Shell,
  { user_id, source_address, return_to, party }: Beginning,
): Promise<string> {
  const id = entropy.bytes(32).toString('base64url');
  await tx.run(
    `INSERT INTO sign_in_step (id_hash, user_id, network, return_to, challenge, rp_id, origin, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      hash(keys, id),
      user_id,
      sourceNetwork(source_address),
      return_to,
      party ? entropy.bytes(32).toString('base64url') : null,
      party?.rp_id ?? null,
      party?.origin ?? null,
      instant(clock.now()),
    ],
  );
  await tx.run(
    `DELETE FROM sign_in_step WHERE user_id = ? AND rowid NOT IN
       (SELECT rowid FROM sign_in_step WHERE user_id = ? ORDER BY rowid DESC LIMIT ?)`,
    [user_id, user_id, STEPS_MOST],
  );
  return id;
}

/** @throws Problem 401 when there is none, its time is over, or another client has it */
export async function findStep(
  db: Database,
  { keys }: Pick<Shell, 'keys'>,
  id: string | null,
  { source_address, now }: { source_address: string; now: Date },
): Promise<SignInStep> {
  const { after, until } = inTheLast(now, STEP_SECONDS);
  const row =
    id === null
      ? undefined
      : await db.one<SignInStep>(
          `SELECT s.id_hash, s.user_id, s.return_to, s.challenge, s.rp_id, s.origin, u.name, u.role
           FROM sign_in_step s JOIN user u ON u.id = s.user_id
           WHERE s.id_hash = ? AND s.network = ? AND s.created_at > ? AND s.created_at <= ? AND u.enabled = 1`,
          [hash(keys, id), sourceNetwork(source_address), after, until],
        );
  if (row) return row;
  throw new Problem('session_required', 'The sign-in took longer than five minutes, or another client began it.');
}

/** Uses the challenge of a step up; of two answers to it at once one has it. False: it was used before. */
export async function takeChallenge(tx: Transaction, { id_hash }: Pick<SignInStep, 'id_hash'>): Promise<boolean> {
  const taken = await tx.run('UPDATE sign_in_step SET challenge = NULL WHERE id_hash = ? AND challenge IS NOT NULL', [
    id_hash,
  ]);
  return taken === 1;
}

export async function endStep(tx: Transaction, { id_hash }: Pick<SignInStep, 'id_hash'>): Promise<void> {
  await tx.run('DELETE FROM sign_in_step WHERE id_hash = ?', [id_hash]);
}

/** Ends all that wait for a user. */
export async function endSteps(tx: Transaction, user_id: string): Promise<void> {
  await tx.run('DELETE FROM sign_in_step WHERE user_id = ?', [user_id]);
}

/** Called on a schedule. */
export async function endOldSteps(tx: Transaction, now: Date): Promise<void> {
  const { after, until } = inTheLast(now, STEP_SECONDS);
  await tx.run('DELETE FROM sign_in_step WHERE created_at <= ? OR created_at > ?', [after, until]);
}

const hash = (keys: Keys, id: string): string =>
  keys.hmac('session-pepper', `sign-in step ${id}`).toString('base64url');

/** As the cookie of a session: over TLS no other host can set it. */
const cookieName = (secure: boolean): string => (secure ? '__Host-groundcrew_step' : 'groundcrew_step');

export function stepCookie(cookies: Record<string, string>, secure: boolean): string | null {
  const value = cookies[cookieName(secure)];
  return value && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : null;
}

/** Set-Cookie; an empty value ends it. */
export function stepCookieHeader(value: string, secure: boolean): string {
  const age = value === '' ? 0 : STEP_SECONDS;
  return `${cookieName(secure)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${secure ? '; Secure' : ''}`;
}
