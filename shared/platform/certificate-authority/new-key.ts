// A key pair for somebody else, and what it will leave under: the slow parts, made before anything is signed.
import { createPublicKey } from 'node:crypto';
import type { Entropy } from '../../ground/clock.ts';
import { type Lock, lockOf } from '../../ground/x509/pkcs12-write.ts';
import { type KeyAlgorithm, keyPair, privateKeyPem } from './make.ts';

export interface NewPair {
  key_algorithm: KeyAlgorithm;
  /** PKCS #8 as PEM. */
  key_pem: string;
  spki: Buffer;
}

export interface KeyWithLock extends NewPair {
  lock: Lock;
}

export async function newPair(key_algorithm: KeyAlgorithm): Promise<NewPair> {
  const { privateKey } = await keyPair(key_algorithm);
  const key_pem = await privateKeyPem(privateKey);
  return { key_algorithm, key_pem, spki: createPublicKey(key_pem).export({ type: 'spki', format: 'der' }) };
}

export async function newKey(key_algorithm: KeyAlgorithm, passphrase: string, entropy: Entropy): Promise<KeyWithLock> {
  const [pair, lock] = await Promise.all([newPair(key_algorithm), lockOf(passphrase, entropy)]);
  return { ...pair, lock };
}
