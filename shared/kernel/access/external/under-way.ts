// Sign-ins that are under way at the external provider: ten minutes, one browser, once. The browser has a 256-bit id in a cookie;
// the database has its HMAC and that of `state`. Nonce and PKCE verifier follow from the id, and are kept nowhere.
import { sourceNetwork } from '../../../ground/addresses/source.ts';
import { type Clock, type Entropy, instant, inTheLast } from '../../../ground/clock.ts';
import { Problem } from '../../../ground/problems.ts';
import type { Keys } from '../../../ground/sealing/keys.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';

export const EXTERNAL_SECONDS = 600;
/** That one network may have at a time, and all together: then the oldest go. */
export const MOST = { network: 16, all: 512 };

interface Shell {
  keys: Keys;
  clock: Clock;
  entropy: Entropy;
}

/** What the browser takes along. */
export interface Questions {
  state: string;
  nonce: string;
  verifier: string;
}

export interface UnderWay {
  provider_revision: number;
  redirect_uri: string;
  return_to: string;
}

/** A new id for the cookie, and what follows from it. */
export function newQuestions({ keys, entropy }: Pick<Shell, 'keys' | 'entropy'>): { id: string } & Questions {
  const id = entropy.bytes(32).toString('base64url');
  return { id, state: entropy.bytes(32).toString('base64url'), ...followingFrom(keys, id) };
}

/** 43 characters each, as RFC 7636, 4.1 wants the verifier. */
export const followingFrom = (keys: Keys, id: string): Omit<Questions, 'state'> => ({
  nonce: derived(keys, 'nonce', id),
  verifier: derived(keys, 'verifier', id),
});

const derived = (keys: Keys, what: string, value: string): string =>
  keys.hmac('session-pepper', `external sign-in ${what} ${value}`).toString('base64url');

/** @throws Problem 429 where the network has too many that nobody ended: each leaves a row in the audit log */
export async function refuseTooMany(
  db: Database,
  { clock }: Pick<Shell, 'clock'>,
  source_address: string,
): Promise<void> {
  const { after } = inTheLast(clock.now(), EXTERNAL_SECONDS);
  const open = await db.one<{ open: number }>(
    'SELECT count(*) AS open FROM external_sign_in WHERE network = ? AND created_at > ?',
    [sourceNetwork(source_address), after],
  );
  if (open!.open < MOST.network) return;
  const detail = `Too many sign-ins from ${source_address} wait for the provider. Try again in 60 s.`;
  throw new Problem('too_many_attempts', detail, { retry_after: 60 });
}

/** @throws Problem 429 as `refuseTooMany` */
export async function beginSignIn(
  tx: Transaction,
  { keys, clock }: Pick<Shell, 'keys' | 'clock'>,
  { id, state }: { id: string; state: string },
  about: UnderWay & { source_address: string },
): Promise<void> {
  const { provider_revision, redirect_uri, return_to, source_address } = about;
  const network = sourceNetwork(source_address);
  await refuseTooMany(tx, { clock }, source_address);
  await tx.run(
    `INSERT INTO external_sign_in (state_hash, browser_hash, network, provider_revision, redirect_uri, return_to, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[derived(keys, 'state', state), derived(keys, 'browser', id), network, provider_revision, redirect_uri],
      ...[return_to, instant(clock.now())],
    ],
  );
  await tx.run(
    'DELETE FROM external_sign_in WHERE rowid NOT IN (SELECT rowid FROM external_sign_in ORDER BY rowid DESC LIMIT ?)',
    [MOST.all],
  );
}

/** Uses it up, whatever comes after that. Null: this browser began none that goes on. */
export async function takeSignIn(
  tx: Transaction,
  { keys, clock }: Pick<Shell, 'keys' | 'clock'>,
  { id, state }: { id: string; state: string },
): Promise<UnderWay | null> {
  const { after, until } = inTheLast(clock.now(), EXTERNAL_SECONDS);
  const [row] = await tx.all<UnderWay & { created_at: string }>(
    `DELETE FROM external_sign_in WHERE state_hash = ? AND browser_hash = ?
     RETURNING provider_revision, redirect_uri, return_to, created_at`,
    [derived(keys, 'state', state), derived(keys, 'browser', id)],
  );
  if (!row || row.created_at <= after || row.created_at > until) return null;
  const { created_at: _, ...taken } = row;
  return taken;
}

export const notUnderWay = (): Problem =>
  new Problem(
    'external_sign_in_refused',
    'This browser began no such sign-in, it was answered before, or it took longer than ten minutes. Begin again.',
  );

/** Called on a schedule. */
export async function endOldSignIns(tx: Transaction, now: Date): Promise<void> {
  const { after, until } = inTheLast(now, EXTERNAL_SECONDS);
  await tx.run('DELETE FROM external_sign_in WHERE created_at <= ? OR created_at > ?', [after, until]);
}

/** As the cookie of a session: over TLS no other host can set it. */
const cookieName = (secure: boolean): string => (secure ? '__Host-groundcrew_external' : 'groundcrew_external');

export function externalCookie(cookies: Record<string, string>, secure: boolean): string | null {
  const value = cookies[cookieName(secure)];
  return value && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : null;
}

/**
 * Set-Cookie; an empty value ends it. Strict: the page that the provider leads back to does not need it, and what is posted
 * from there comes from our own site.
 */
export function externalCookieHeader(value: string, secure: boolean): string {
  const age = value === '' ? 0 : EXTERNAL_SECONDS;
  return `${cookieName(secure)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${secure ? '; Secure' : ''}`;
}
