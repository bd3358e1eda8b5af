// Making and using passkeys (WebAuthn, level 3): the checks of sections 7.1 and 7.2 by a library, loaded when one is used. No
// attestation is asked for: which make a key is of decides nothing here.
import {
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { type Clock, type Entropy, instant, newId } from '../../../ground/clock.ts';
import { Problem } from '../../../ground/problems.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import { type Passkey, passkeys, REGISTER_SECONDS, type Registration } from './passkey-registration.ts';
import type { CreatedCredential, UsedCredential } from './passkey-schemas.ts';
import type { UserVerification } from './policy.ts';

/** What the browser is asked (PublicKeyCredentialCreationOptionsJSON). */
export async function creationOptions(
  db: Database,
  { challenge, rp_id }: Registration,
  user: { id: string; name: string },
  userVerification: UserVerification,
): Promise<Record<string, unknown>> {
  const known = await passkeys(db, user.id, rp_id);
  const options = await generateRegistrationOptions({
    rpName: 'Groundcrew',
    rpID: rp_id,
    userName: user.name,
    userID: new Uint8Array(Buffer.from(user.id)),
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    timeout: REGISTER_SECONDS * 1000,
    attestationType: 'none',
    excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'discouraged', userVerification },
  });
  return { ...options };
}

interface NewPasskey {
  credential_id: string;
  /** COSE key, base64url. */
  public_key: string;
  sign_count: number;
  transports: string[];
}

/** Null when anything of it is wrong: challenge, origin, name, signature, or a verification that the policy asks for. */
export async function createdPasskey(
  { challenge, rp_id, origin }: Registration,
  response: CreatedCredential,
  user_verification: UserVerification,
): Promise<NewPasskey | null> {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rp_id,
      requireUserVerification: user_verification === 'required',
    });
    if (!verified) return null;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    const public_key = Buffer.from(publicKey).toString('base64url');
    return { credential_id: id, public_key, sign_count: counter, transports: [...transports] };
  } catch {
    // The library throws what was wrong, which nobody but an attacker needs in detail.
    return null;
  }
}

/** Answers the id of the factor. @throws Problem 409 for a passkey that somebody has already */
export async function addPasskey(
  tx: Transaction,
  { clock, entropy }: { clock: Clock; entropy: Entropy },
  user_id: string,
  { name, rp_id }: Registration,
  { credential_id, public_key, sign_count, transports }: NewPasskey,
): Promise<string> {
  const taken = await tx.one('SELECT 1 AS yes FROM second_factor WHERE credential_id = ?', [credential_id]);
  if (taken) throw new Problem('already_exists', 'This passkey is registered already.');
  const id = newId('factor', entropy);
  const now = instant(clock.now());
  await tx.run(
    `INSERT INTO second_factor (id, user_id, kind, name, credential_id, public_key, sign_count, rp_id, transports,
       created_at, confirmed_at) VALUES (?, ?, 'passkey', ?, ?, ?, ?, ?, ?, ?, ?)`,
    [id, user_id, name, credential_id, public_key, sign_count, rp_id, JSON.stringify(transports), now, now],
  );
  return id;
}

interface Challenged {
  user_id: string;
  challenge: string;
  rp_id: string;
  origin: string;
}

/**
 * Whether a passkey of this user signed this challenge, here; it is noted as used. A counter that did not grow is a copy of
 * the key (WebAuthn, 6.1.1): one statement decides it. Keys that don't count stay at 0.
 */
export async function usePasskey(
  tx: Transaction,
  { user_id, ...challenged }: Challenged,
  response: UsedCredential,
  user_verification: UserVerification,
  now: Date,
): Promise<boolean> {
  const known = (await passkeys(tx, user_id, challenged.rp_id)).find(
    ({ credential_id }) => credential_id === response.id,
  );
  const count = known && (await signedCount(known, challenged, response, user_verification));
  if (count === undefined || count === null) return false;
  const used = await tx.run(
    `UPDATE second_factor SET sign_count = ?, last_used_at = ?
     WHERE id = ? AND (sign_count < ? OR (sign_count = 0 AND ? = 0))`,
    [count, instant(now), known!.id, count, count],
  );
  return used === 1;
}

async function signedCount(
  { credential_id, public_key, sign_count }: Passkey,
  { challenge, rp_id, origin }: Omit<Challenged, 'user_id'>,
  response: UsedCredential,
  user_verification: UserVerification,
): Promise<number | null> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rp_id,
      credential: {
        id: credential_id,
        publicKey: new Uint8Array(Buffer.from(public_key, 'base64url')),
        counter: sign_count,
      },
      requireUserVerification: user_verification === 'required',
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}
