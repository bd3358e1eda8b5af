// A key pair for somebody else, and what it will leave under: the slow parts, made before anything is signed.
import { createPublicKey } from 'node:crypto';
import type { Entropy } from '../../ground/clock.ts';
import { type Lock, lockOf } from '../../ground/x509/pkcs12-write.ts';
import { type KeyAlgorithm, keyPair, privateKeyPem } from './make.ts';

export interface KeyWithLock {
  key_algorithm: KeyAlgorithm;
  /** PKCS #8 as PEM. */
  key_pem: string;
  spki: Buffer;
  lock: Lock;
}

export async function newKey(key_algorithm: KeyAlgorithm, passphrase: string, entropy: Entropy): Promise<KeyWithLock> {
  const [pair, lock] = await Promise.all([keyPair(key_algorithm), lockOf(passphrase, entropy)]);
  const key_pem = await privateKeyPem(pair.privateKey);
  return { key_algorithm, key_pem, spki: createPublicKey(key_pem).export({ type: 'spki', format: 'der' }), lock };
}
