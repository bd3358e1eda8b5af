// An authority that was made elsewhere: its certificate, its key and what signed it, looked at before any of it is kept.
import 'reflect-metadata';
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509Certificate as Parsed,
} from '@peculiar/x509';
import { invalid, type Problem } from '../../ground/problems.ts';
import { Pkcs12Fault, readPkcs12 } from '../../ground/x509/pkcs12-read.ts';
import { keyAlgorithmOf } from './csr.ts';
import { split } from './file-formats.ts';
import { validityState } from './lifetime.ts';
import type { Made } from './make.ts';

export interface ImportWanted {
  /** Certificates and the key, PEM. */
  pem?: string | undefined;
  /** Base64. */
  pkcs12?: string | undefined;
  passphrase?: string | undefined;
}

export interface ImportedRoot {
  made: Made;
  path_length: number | null;
  chain_pem: string;
}

const CHAIN_MOST = 10;

const refuse = (pointer: string, detail: string): Problem => invalid({ pointer, detail });

/** @throws Problem 422 at `/pem` or `/pkcs12`, whatever is wrong with it; it never says anything of the key */
export async function readAuthorityFile(wanted: ImportWanted, now: Date): Promise<ImportedRoot> {
  const pointer = wanted.pkcs12 ? '/pkcs12' : '/pem';
  const { key, certificates } = wanted.pkcs12
    ? await fromPkcs12(wanted.pkcs12, wanted.passphrase ?? '')
    : fromPem(wanted.pem ?? '');
  try {
    return checked(key, certificates, now, pointer);
  } catch (error) {
    if ((error as Problem).code === 'request_validation_failed') throw error;
    throw refuse(pointer, 'The certificate can’t be read: it is damaged.');
  }
}

interface Read {
  key: KeyObject;
  certificates: X509Certificate[];
}

async function fromPkcs12(base64: string, passphrase: string): Promise<Read> {
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(base64)) throw refuse('/pkcs12', 'Expected a PKCS #12 file in base64.');
  try {
    const { key, certificates } = await readPkcs12(Buffer.from(base64, 'base64'), passphrase);
    return {
      key: createPrivateKey({ key, format: 'der', type: 'pkcs8' }),
      certificates: certificates.map((der) => new X509Certificate(der)),
    };
  } catch (error) {
    throw refuse('/pkcs12', error instanceof Pkcs12Fault ? error.message : 'A part of the PKCS #12 file is damaged.');
  }
}

const KEY = /-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----[^-]+-----END \1-----/;

function fromPem(pem: string): Read {
  if (/BEGIN ENCRYPTED PRIVATE KEY|Proc-Type: *4,ENCRYPTED/.test(pem)) {
    throw refuse('/pem', 'Its private key is encrypted. Send it as PKCS #12 with its passphrase instead.');
  }
  const key = KEY.exec(pem)?.[0];
  const certificates = split(pem);
  if (!key) throw refuse('/pem', 'There is no private key in it: -----BEGIN PRIVATE KEY-----.');
  if (certificates.length === 0) throw refuse('/pem', 'There is no certificate in it: -----BEGIN CERTIFICATE-----.');
  if (certificates.length > CHAIN_MOST) throw refuse('/pem', `It has more than ${CHAIN_MOST} certificates.`);
  try {
    return { key: createPrivateKey(key), certificates: certificates.map((one) => new X509Certificate(one)) };
  } catch {
    throw refuse('/pem', 'The private key or a certificate in it can’t be read: it is damaged.');
  }
}

function checked(key: KeyObject, certificates: X509Certificate[], now: Date, pointer: string): ImportedRoot {
  const own = certificates.find((certificate) => certificate.checkPrivateKey(key));
  if (!own) throw refuse(pointer, 'The private key belongs to none of the certificates.');
  const key_algorithm = keyAlgorithmOf(own.publicKey);
  if (key_algorithm === null) {
    throw refuse(
      pointer,
      'The key of an authority must be RSA with 2048, 3072 or 4096 bits, or ECDSA with P-256 or P-384.',
    );
  }
  const usage = new Parsed(new Uint8Array(own.raw)).getExtension(KeyUsagesExtension)?.usages;
  const needed = KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign;
  if (!own.ca) throw refuse(pointer, 'The certificate of this key is of no authority: it may not sign others.');
  if (usage !== undefined && (usage & needed) !== needed) {
    throw refuse(pointer, 'The certificate may not be used to sign both certificates and revocation lists.');
  }
  const chain = chainOf(own, certificates, pointer);
  for (const one of [own, ...chain]) {
    const state = validityState({ not_before: one.validFromDate, not_after: one.validToDate }, now);
    if (state !== 'valid')
      throw refuse(pointer, `A certificate in it is ${state === 'expired' ? 'expired' : 'not valid yet'}.`);
  }
  const path_length = lengthOf([own, ...chain]);
  if (path_length !== null && path_length < 0) throw refuse(pointer, 'An authority above allows none below it.');
  const made = {
    pem: own.toString(),
    key_pem: key.export({ type: 'pkcs8', format: 'pem' }) as string,
    key_algorithm,
    subject: own.subject.split('\n').join(', '),
    sha256: own.fingerprint256,
    serial_number: own.serialNumber,
    not_before: own.validFromDate,
    not_after: own.validToDate,
  };
  return { made, path_length, chain_pem: chain.map((one) => one.toString()).join('') };
}

/** What signed it, up to a root; none for a root. */
function chainOf(own: X509Certificate, others: readonly X509Certificate[], pointer: string): X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (let last = own; !signedBy(last, last); ) {
    const above = others.find((one) => one !== last && !chain.includes(one) && one.ca && signedBy(last, one));
    if (!above || chain.length === CHAIN_MOST) {
      throw refuse(
        pointer,
        'It is a subordinate authority: the certificates above it, up to the root, are needed too.',
      );
    }
    chain.push(above);
    last = above;
  }
  return chain;
}

const signedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && keyAlgorithmOf(issuer.publicKey) !== null && certificate.verify(issuer.publicKey);

/** Authorities that may be below the first, as all of them allow; null: any number. */
function lengthOf(chain: readonly X509Certificate[]): number | null {
  const allowed = chain.flatMap((one, above) => {
    const length = new Parsed(new Uint8Array(one.raw)).getExtension(BasicConstraintsExtension)?.pathLength;
    return length === undefined ? [] : [length - above];
  });
  return allowed.length === 0 ? null : Math.min(...allowed);
}
