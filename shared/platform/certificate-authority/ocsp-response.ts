// Answers of OCSP as DER (RFC 6960, 4.2). Pure but for the signature.
import { createHash, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { bits, enumerated, explicit, objectId, octets, sequence, taggedNothing, time } from '../../ground/x509/der.ts';
import { DerFault, readAll, readOne, TAGS } from '../../ground/x509/der-read.ts';
import { REASON_CODES, type RevocationReason } from './certificate-store.ts';
import { type CertId, type IdHash, NONCE } from './ocsp-request.ts';

/** RFC 6960, 4.2.1. */
const ERRORS = { malformed: 1, internal: 2, try_later: 3, unauthorized: 6 } as const;
export type OcspError = keyof typeof ERRORS;

export type CertStatus =
  | { state: 'good' | 'unknown' }
  /** RFC 3339. */
  | { state: 'revoked'; at: string; reason: RevocationReason };

export interface OcspWanted {
  answers: readonly { id: CertId; status: CertStatus }[];
  nonce: Buffer | null;
  now: Date;
  next_update: Date;
}

/** A certificate that may sign answers, and its key. */
export interface OcspSigner {
  pem: string;
  key: KeyObject;
}

const BASIC = '1.3.6.1.5.5.7.48.1.1';
const ECDSA_SHA256 = '1.2.840.10045.4.3.2';

/** An answer without any status, and so without a signature. */
export const ocspError = (error: OcspError): Buffer => sequence(enumerated(ERRORS[error]));

/** Key of the signer: P-256, as ocsp-signer.ts makes it. */
export function signOcsp(signer: OcspSigner, { answers, nonce, now, next_update }: OcspWanted): Buffer {
  const certificate = new X509Certificate(signer.pem).raw;
  const extensions = nonce ? [explicit(1, sequence(sequence(objectId(NONCE), octets(nonce))))] : [];
  const data = sequence(
    // By its key (RFC 6960, 4.2.1): SHA-1 of it.
    explicit(2, octets(Buffer.from(identityOf(certificate).key.sha1, 'hex'))),
    time(now),
    sequence(
      ...answers.map(({ id, status }) => sequence(id.der, statusOf(status), time(now), explicit(0, time(next_update)))),
    ),
    ...extensions,
  );
  const signature = sign('sha256', data, signer.key);
  const basic = sequence(data, sequence(objectId(ECDSA_SHA256)), bits(signature), explicit(0, sequence(certificate)));
  return sequence(enumerated(0), explicit(0, sequence(objectId(BASIC), octets(basic))));
}

function statusOf(status: CertStatus): Buffer {
  if (status.state !== 'revoked') return taggedNothing(status.state === 'good' ? 0 : 2);
  const code = REASON_CODES[status.reason];
  const reason = code === 0 ? [] : [explicit(0, enumerated(code))];
  // `[1]` in the place of the sequence's tag: as one around the members.
  return explicit(1, Buffer.concat([time(new Date(status.at)), ...reason]));
}

type Hashes = Record<IdHash, string>;

const hashes = (bytes: Buffer): Hashes => ({
  sha1: createHash('sha1').update(bytes).digest('hex'),
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** How a request names an authority: digests of its subject and of its key, hexadecimal. `der`: its certificate. */
export function identityOf(der: Buffer): { name: Hashes; key: Hashes } {
  const [tbs] = readAll(readOne(der, TAGS.sequence).content, 3);
  const members = readAll(tbs!.content, 10);
  // Without a version it is one of version 1.
  const [, , , , subject, spki] = members[0]?.tag === 0xa0 ? members.slice(1) : members;
  const key = spki && readAll(spki.content, 2)[1];
  if (!subject || key?.tag !== TAGS.bits) throw new DerFault('No certificate.');
  return { name: hashes(subject.whole), key: hashes(key.content.subarray(1)) };
}
