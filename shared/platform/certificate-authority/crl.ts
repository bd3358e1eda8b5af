// The revocation list of an authority as X.509 has it (RFC 5280, 5).
import 'reflect-metadata';
import { Extension, X509Certificate, X509CrlGenerator } from '@peculiar/x509';
import { REASON_CODES, type RevocationReason } from './certificate-store.ts';
import { ALGORITHMS, authorityKeyId, privateKey, type Signer } from './make.ts';

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

/** As DER. */
export async function signCrl(root: Signer, { number, now, revoked }: CrlWanted): Promise<Buffer> {
  const issuer = new X509Certificate(root.pem);
  const thisUpdate = wholeSecond(now);
  const crl = await X509CrlGenerator.create({
    issuer: issuer.subjectName,
    thisUpdate,
    nextUpdate: new Date(thisUpdate.getTime() + CRL_DAYS * 86_400_000),
    signingAlgorithm: ALGORITHMS[root.key_algorithm],
    signingKey: await privateKey(root),
    entries: revoked.map(({ serial_number, revoked_at, reason }) => ({
      serialNumber: serial_number.toLowerCase(),
      revocationDate: wholeSecond(new Date(revoked_at)),
      // Without a reason where there is none to say (RFC 5280, 5.3.1).
      ...(reason !== 'unspecified' && { reason: REASON_CODES[reason] as never }),
    })),
    extensions: [new Extension(CRL_NUMBER, false, integer(number)), await authorityKeyId(issuer)],
  });
  return Buffer.from(crl.rawData);
}

const wholeSecond = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000);

/** DER of a number that is not negative. */
function integer(value: number): ArrayBuffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const padded = bytes[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
  return new Uint8Array([2, padded.length, ...padded]).buffer;
}
