// A private key with its certificates as PKCS #12 (RFC 7292), under a passphrase: AES-256, PBKDF2 and a MAC, all with SHA-256.
import { createCipheriv, createHmac, createPrivateKey, X509Certificate } from 'node:crypto';
import type { Entropy } from '../clock.ts';
import { bmpString, integer, nothing, objectId, octets, sequence, set, tagged, taggedOctets } from './der.ts';
import { FOR_MAC, OID, pbkdf2Key, pkcs12Key } from './pkcs12-keys.ts';

/** As many for the MAC as for the encryption: a guess is as expensive at the one as at the other. */
const ITERATIONS = 100_000;

/** Characters of a passphrase that a private key leaves the appliance under. */
export const PASSPHRASE_LEAST = 12;
export const PASSPHRASE_MOST = 256;

/** Keys that were made from a passphrase beforehand: that takes as long as it is meant to. */
export interface Lock {
  key: Buffer;
  salt: Buffer;
  mac_key: Buffer;
  mac_salt: Buffer;
}

export async function lockOf(passphrase: string, entropy: Entropy): Promise<Lock> {
  const [salt, mac_salt] = [Buffer.from(entropy.bytes(16)), Buffer.from(entropy.bytes(16))];
  const wanted = { digest: 'sha256' as const, passphrase, iterations: ITERATIONS, length: 32 };
  const [key, mac_key] = await Promise.all([
    pbkdf2Key({ ...wanted, salt }),
    pkcs12Key({ ...wanted, salt: mac_salt }, FOR_MAC),
  ]);
  return { key, salt, mac_key, mac_salt };
}

export interface Packed {
  /** What programs show. */
  name: string;
  /** PKCS #8 as PEM. */
  key_pem: string;
  /** The key's own first. */
  certificates: readonly string[];
}

export function writePkcs12({ name, key_pem, certificates }: Packed, lock: Lock, entropy: Entropy): Buffer {
  const raw = certificates.map((pem) => new X509Certificate(pem));
  const id = Buffer.from(raw[0]!.fingerprint.replaceAll(':', ''), 'hex');
  const own = set(
    sequence(objectId(OID.friendlyName), set(bmpString(name))),
    sequence(objectId(OID.localKeyId), set(octets(id))),
  );
  const key = createPrivateKey(key_pem).export({ type: 'pkcs8', format: 'der' });
  const shrouded = encrypted(key, lock, entropy);
  key.fill(0);
  const keys = sequence(
    sequence(objectId(OID.shroudedKeyBag), tagged(sequence(shrouded.algorithm, octets(shrouded.content))), own),
  );
  const bags = raw.map((certificate, at) =>
    sequence(
      objectId(OID.certBag),
      tagged(sequence(objectId(OID.x509Certificate), tagged(octets(Buffer.from(certificate.raw))))),
      ...(at === 0 ? [own] : []),
    ),
  );
  const hidden = encrypted(sequence(...bags), lock, entropy);
  const inner = sequence(objectId(OID.data), hidden.algorithm, taggedOctets(hidden.content));
  const safe = sequence(
    sequence(objectId(OID.data), tagged(octets(keys))),
    sequence(objectId(OID.encryptedData), tagged(sequence(integer(0), inner))),
  );
  const mac = createHmac('sha256', lock.mac_key).update(safe).digest();
  const digest = sequence(sequence(objectId(OID.sha256), nothing()), octets(mac));
  return sequence(
    integer(3),
    sequence(objectId(OID.data), tagged(octets(safe))),
    sequence(digest, octets(lock.mac_salt), integer(ITERATIONS)),
  );
}

function encrypted(plain: Buffer, { key, salt }: Lock, entropy: Entropy): { algorithm: Buffer; content: Buffer } {
  const iv = Buffer.from(entropy.bytes(16));
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  const prf = sequence(objectId(OID.hmacSha256), nothing());
  const kdf = sequence(objectId(OID.pbkdf2), sequence(octets(salt), integer(ITERATIONS), prf));
  const algorithm = sequence(objectId(OID.pbes2), sequence(kdf, sequence(objectId(OID.aes256), octets(iv))));
  return { algorithm, content: Buffer.concat([cipher.update(plain), cipher.final()]) };
}
