// The revocation list of an authority as X.509 has it (RFC 5280, 5), written by hand: the library that makes certificates takes
// more than a millisecond for each entry, and a list of thousands is signed within a transaction.
import 'reflect-metadata';
import { createPrivateKey, sign } from 'node:crypto';
import { X509Certificate } from '@peculiar/x509';
import {
  bits,
  enumerated,
  explicit,
  integer,
  integerOf,
  listTime,
  nothing,
  objectId,
  octets,
  sequence,
  sequenceOf,
} from '../../ground/x509/der.ts';
import { REASON_CODES, type RevocationReason } from './certificate-store.ts';
import { ALGORITHMS, authorityKeyId, type Signer } from './make.ts';

export interface Revoked {
  serial_number: string;
  /** RFC 3339. */
  revoked_at: string;
  reason: RevocationReason;
}

export interface CrlWanted {
  number: number;
  /** Whole seconds are made of it: a list knows no smaller part. */
  now: Date;
  revoked: readonly Revoked[];
}

/** Days for which a list holds. It is signed anew every day. */
export const CRL_DAYS = 7;

const CRL_NUMBER = '2.5.29.20';
const CRL_REASON = '2.5.29.21';
/** By the name of the key's kind and its hash: the algorithm as it stands in a signature. */
const SIGNATURES: Record<string, () => Buffer> = {
  // RFC 4055, 5: with parameters that are nothing. RFC 5758, 3.2: without any.
  'RSASSA-PKCS1-v1_5 SHA-256': () => sequence(objectId('1.2.840.113549.1.1.11'), nothing()),
  'ECDSA SHA-256': () => sequence(objectId('1.2.840.10045.4.3.2')),
  'ECDSA SHA-384': () => sequence(objectId('1.2.840.10045.4.3.3')),
};

/** As DER. */
export async function signCrl(root: Signer, { number, now, revoked }: CrlWanted): Promise<Buffer> {
  const issuer = new X509Certificate(root.pem);
  const { name, hash } = ALGORITHMS[root.key_algorithm];
  const algorithm = SIGNATURES[`${name} ${hash}`]!();
  const extensions = [
    sequence(objectId(CRL_NUMBER), octets(integer(number))),
    Buffer.from((await authorityKeyId(issuer)).rawData),
  ];
  const list = sequence(
    // Version 2.
    integer(1),
    algorithm,
    Buffer.from(issuer.subjectName.toArrayBuffer()),
    listTime(now),
    listTime(new Date(now.getTime() + CRL_DAYS * 86_400_000)),
    // An empty one is left out (RFC 5280, 5.1.2.6).
    ...(revoked.length === 0 ? [] : [sequenceOf(revoked.map(entryOf))]),
    explicit(0, sequence(...extensions)),
  );
  const signature = sign(hash.replace('-', '').toLowerCase(), list, createPrivateKey(root.key_pem));
  return sequence(list, algorithm, bits(signature));
}

function entryOf({ serial_number, revoked_at, reason }: Revoked): Buffer {
  const code = REASON_CODES[reason];
  // Without a reason where there is none to say (RFC 5280, 5.3.1).
  const said = code === 0 ? [] : [sequence(sequence(objectId(CRL_REASON), octets(enumerated(code))))];
  return sequence(integerOf(serial_number), listTime(new Date(revoked_at)), ...said);
}
