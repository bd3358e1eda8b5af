// The signature of the manifest: `SHA256(box.mf)= hex` and behind it the certificate of the signer with its chain, as
// PEM. (DSP0243, "Integrity and authenticity".) It proves that the manifest is the signer's, but not who the signer is:
// no root is trusted here, so people have to compare the fingerprint with the vendor's.
import { type KeyObject, verify, X509Certificate } from 'node:crypto';
import { OvaFault } from './fault.ts';
import { OVA_LIMITS } from './limits.ts';
import { type Algorithm, isAlgorithm } from './manifest.ts';
import { plainName } from './member-name.ts';

/**
 * How far the certificates of the file lead. `complete`: to a root that comes along; `self-signed`: the signer's own is
 * one; `unknown`: not so far.
 */
export const SIGNATURE_CHAINS = ['complete', 'self-signed', 'unknown'] as const;

export interface OvaSignature {
  /** One line each, at most 200 characters: `C=US, O=Broadcom Inc, CN=…`. */
  subject: string;
  issuer: string;
  /** SHA-256 of the signer's certificate, as `AB:CD:…`. */
  sha256: string;
  /** Of the manifest, by which it was signed. */
  algorithm: Algorithm;
  /** RFC 3339 in UTC. One that expired refuses nothing: certificates of vendors do, and their appliances stay. */
  not_before: string;
  not_after: string;
  chain: (typeof SIGNATURE_CHAINS)[number];
}

export const SIGNATURE_VALIDITIES = ['valid', 'expired', 'not-yet-valid'] as const;
export type SignatureValidity = (typeof SIGNATURE_VALIDITIES)[number];

export function validityOf({ not_before, not_after }: OvaSignature, now: Date): SignatureValidity {
  if (now.getTime() > Date.parse(not_after)) return 'expired';
  return now.getTime() < Date.parse(not_before) ? 'not-yet-valid' : 'valid';
}

const ROOTS: Readonly<Record<OvaSignature['chain'], string>> = {
  complete: 'with its chain',
  'self-signed': 'by a certificate of its own',
  unknown: 'without a whole chain',
};

/** Words for checks and logs, within a sentence; with the last valid day in place of the present validity. */
export function signatureWords(signature: OvaSignature | null): string {
  if (!signature) return 'not signed';
  const { subject, sha256, chain, not_after } = signature;
  return `signed by ${subject}, ${ROOTS[chain]}, SHA-256 ${sha256}, valid until ${not_after.slice(0, 10)}`;
}

const PEM = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/y;
const BEGIN = '-----BEGIN CERTIFICATE-----';

/**
 * @param signed the manifest: its member's name and its bytes
 * @throws OvaFault certificate_…, signature_mismatch
 */
export function readSignature(bytes: Buffer, signed: { name: string; bytes: Buffer }): OvaSignature {
  const text = bytes.toString('latin1').replace(/^\xef\xbb\xbf/, '');
  const first = text.indexOf(BEGIN);
  const { algorithm, value } = readLine(text.slice(0, Math.max(first, 0)), signed.name);
  const [signer, ...others] = certificatesIn(text);
  if (!signer) throw new OvaFault('certificate_malformed');
  if (!isSignedBy(signer.publicKey, algorithm, signed.bytes, value))
    throw new OvaFault('signature_mismatch', signed.name);
  return {
    subject: oneLine(signer.subject),
    issuer: oneLine(signer.issuer),
    sha256: signer.fingerprint256,
    algorithm,
    not_before: dateOf(signer.validFromDate),
    not_after: dateOf(signer.validToDate),
    chain: chainOf(signer, others),
  };
}

/** The first line that is not blank; text between this line and the certificates is for people. */
function readLine(text: string, manifest: string): { algorithm: Algorithm; value: Buffer } {
  const line = text.split(/\r?\n/).find((each) => each.trim() !== '') ?? '';
  const found = /^\s*([A-Za-z0-9-]{2,12})\s*\((.{1,1024})\)\s*=\s*((?:[0-9a-fA-F]{2}){8,4096})\s*$/.exec(line);
  if (!found) throw new OvaFault('certificate_malformed');
  const [, written = '', name = '', hex = ''] = found;
  if (plainName(Buffer.from(name, 'latin1').toString('utf8')) !== manifest) throw new OvaFault('certificate_of_other');
  const algorithm = written.toLowerCase().replace('-', '');
  if (!isAlgorithm(algorithm)) throw new OvaFault('certificate_algorithm', written);
  return { algorithm, value: Buffer.from(hex, 'hex') };
}

/** In their order. Each begins where the one before ended, so that a text is gone through once. */
function certificatesIn(text: string): X509Certificate[] {
  const found: X509Certificate[] = [];
  for (let at = text.indexOf(BEGIN); at >= 0; at = text.indexOf(BEGIN, at)) {
    if (found.length === OVA_LIMITS.certificates) throw new OvaFault('certificates_too_many', OVA_LIMITS.certificates);
    PEM.lastIndex = at;
    const pem = PEM.exec(text)?.[0];
    if (pem === undefined) throw new OvaFault('certificate_malformed');
    found.push(parsed(pem));
    at += pem.length;
  }
  return found;
}

function parsed(pem: string): X509Certificate {
  try {
    const certificate = new X509Certificate(pem);
    // Read now: a key of a kind that is not known fails here, and not where it is used.
    void certificate.publicKey;
    return certificate;
  } catch {
    throw new OvaFault('certificate_malformed');
  }
}

function isSignedBy(key: KeyObject, algorithm: Algorithm, bytes: Buffer, value: Buffer): boolean {
  if (key.asymmetricKeyType !== 'rsa' && key.asymmetricKeyType !== 'ec') {
    throw new OvaFault('certificate_algorithm', key.asymmetricKeyType ?? '');
  }
  try {
    return verify(algorithm, bytes, key, value);
  } catch {
    return false;
  }
}

/** Each step takes a certificate that was not used before: a circle of issuers ends too. */
function chainOf(signer: X509Certificate, others: readonly X509Certificate[]): OvaSignature['chain'] {
  if (isIssuedBy(signer, signer)) return 'self-signed';
  const left = new Set(others.filter(({ ca }) => ca));
  for (let at = signer; ; ) {
    const issuer = [...left].find((other) => isIssuedBy(at, other));
    if (!issuer) return 'unknown';
    if (isIssuedBy(issuer, issuer)) return 'complete';
    left.delete(issuer);
    at = issuer;
  }
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}

const SHOWN_MOST = 200;

function oneLine(name: string | undefined): string {
  const line = (name ?? '')
    .split('\n')
    .map((part) => part.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}'))
    .join(', ')
    .toWellFormed();
  return line.length > SHOWN_MOST ? `${line.slice(0, SHOWN_MOST - 1)}…` : line || 'nobody';
}

/** @throws OvaFault for a date that is none */
function dateOf(date: Date): string {
  if (Number.isNaN(date.getTime())) throw new OvaFault('certificate_malformed');
  return date.toISOString();
}
