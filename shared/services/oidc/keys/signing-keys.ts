// Signing keys: one is published before it signs, one signs, and former ones stay published until what they signed has run out.
// So clients that keep a copy of the published keys never meet a signature that they can't check.
import { createPrivateKey, generateKeyPair, type JsonWebKey } from 'node:crypto';
import { promisify } from 'node:util';
import { canonicalJson } from '../../../ground/canonical-json.ts';
import { type Clock, instant, later, newId } from '../../../ground/clock.ts';
import { openEntry, type RowPlace, type Sealed, sealEntry, VaultFault } from '../../../ground/sealing/envelope.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import type { Services } from '../../../kernel/operation/services.ts';

/** RS256 with 2048 bits: every client of the field checks it (OpenID Connect Core 1.0, 15.1). */
const BITS = 2048;
/**
 * Seconds that a former key stays published: ID tokens live an hour at most, and one may be shown as a hint when its person
 * signs out, up to the end of the session.
 */
export const PUBLISHED_SECONDS = 24 * 3600;
/** Days after which the key that signs is replaced by itself. */
export const SIGNS_DAYS = 90;

export const KEY_STATES = ['next', 'current', 'previous'] as const;

export interface SigningKey {
  id: string;
  state: (typeof KEY_STATES)[number];
  /** Since when it signs; null: not yet. */
  signs_from: string | null;
  /** Until when it is published; null: no end is known. */
  published_until: string | null;
  created_at: string;
}

const COLUMNS = 'id, state, signs_from, published_until, created_at';
const ORDER = "CASE state WHEN 'current' THEN 0 WHEN 'next' THEN 1 ELSE 2 END, created_at DESC, id";

/** The one that signs first. */
export const signingKeys = (db: Database): Promise<SigningKey[]> =>
  db.all<SigningKey>(`SELECT ${COLUMNS} FROM oidc_signing_key ORDER BY ${ORDER}`);

/** Private key as PKCS #8 in PEM. It takes a second at most, in the thread pool. */
export async function newKeyPem(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: BITS });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

type Shell = Pick<Services, 'keyring' | 'entropy' | 'clock'>;

export const keyPlace = (id: string): RowPlace => ({ table: 'oidc_signing_key', row: id, field: 'private_key' });

/** Null: it is no RSA key. */
export function publicPartOf(pem: string): { kty: string; n: string; e: string } | null {
  try {
    const { kty, n, e } = createPrivateKey(pem).export({ format: 'jwk' });
    return kty === 'RSA' ? { kty, n: n!, e: e! } : null;
  } catch {
    return null;
  }
}

/** Only inside a write transaction, as all sealing. @throws Problem 409 `vault_keys_unusable` */
async function addKey(tx: Transaction, shell: Shell, pem: string, state: SigningKey['state']): Promise<string> {
  const id = newId('oidckey', shell.entropy);
  // As an archive has it: a row that comes back is the same to the byte.
  const public_jwk = canonicalJson(publicPartOf(pem));
  const sealed = sealEntry(await shell.keyring.current(), keyPlace(id), pem, shell.entropy);
  const now = instant(shell.clock.now());
  await tx.run(
    `INSERT INTO oidc_signing_key (id, state, public_jwk, kek_id, sealed_key, sealed_value, signs_from, published_until,
       created_at) VALUES (?, ?, ?, ?, ?, ?, ?, NULL, ?)`,
    [
      id,
      state,
      public_jwk,
      sealed.kek_id,
      sealed.sealed_key,
      sealed.sealed_value,
      state === 'current' ? now : null,
      now,
    ],
  );
  return id;
}

/** Makes those that are missing: the one that signs, and the next one. `pems`: two new keys. */
export async function ensureKeys(tx: Transaction, shell: Shell, pems: readonly [string, string]): Promise<void> {
  const states = new Set((await signingKeys(tx)).map(({ state }) => state));
  if (!states.has('current')) await addKey(tx, shell, pems[0], 'current');
  if (!states.has('next')) await addKey(tx, shell, pems[1], 'next');
}

/** The next one signs, the former one stays published for a day, and another one is published. `pem`: a new key. */
export async function rotateKeys(
  tx: Transaction,
  shell: Shell,
  pem: string,
): Promise<{ signs: string; former: string }> {
  const keys = await signingKeys(tx);
  const [next, current] = ['next', 'current'].map((state) => keys.find((key) => key.state === state));
  const now = shell.clock.now();
  await tx.run("UPDATE oidc_signing_key SET state = 'previous', published_until = ? WHERE state = 'current'", [
    instant(later(now, PUBLISHED_SECONDS)),
  ]);
  await tx.run("UPDATE oidc_signing_key SET state = 'current', signs_from = ? WHERE state = 'next'", [instant(now)]);
  await addKey(tx, shell, pem, next ? 'next' : 'current');
  const signs = (await signingKeys(tx)).find(({ state }) => state === 'current')!.id;
  return { signs, former: current?.id ?? '' };
}

/** Former ones whose time is over; answers how many. */
export const forgetKeys = (tx: Transaction, { clock }: { clock: Clock }): Promise<number> =>
  tx.run("DELETE FROM oidc_signing_key WHERE state = 'previous' AND published_until <= ?", [instant(clock.now())]);

/** Whether the key that signs is to be replaced. */
export function isOld(keys: readonly SigningKey[], now: Date): boolean {
  const from = keys.find(({ state }) => state === 'current')?.signs_from ?? null;
  return from !== null && from <= instant(later(now, -SIGNS_DAYS * 86_400));
}

export interface PrivateJwk extends JsonWebKey {
  kid: string;
  alg: 'RS256';
  use: 'sig';
}

/**
 * All keys with their private part, the one that signs first. One that can't be opened is left out.
 * @throws Problem 409 `vault_keys_unusable`
 */
export async function openKeys(db: Database, { keyring }: Pick<Services, 'keyring'>): Promise<PrivateJwk[]> {
  const rows = await db.all<Sealed & { id: string }>(
    `SELECT id, kek_id, sealed_key, sealed_value FROM oidc_signing_key ORDER BY ${ORDER}`,
  );
  const opened: PrivateJwk[] = [];
  for (const row of rows) {
    const key = await keyring.find(row.kek_id);
    const pem = key && openedOrNull(() => openEntry({ id: row.kek_id, key }, keyPlace(row.id), row));
    if (!pem) continue;
    opened.push({ ...createPrivateKey(pem).export({ format: 'jwk' }), kid: row.id, alg: 'RS256', use: 'sig' });
  }
  return opened;
}

function openedOrNull(work: () => string): string | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof VaultFault) return null;
    throw error;
  }
}
