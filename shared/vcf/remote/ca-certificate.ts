// The certificate that another machine is to trust: that of this appliance's own authority, or a pasted one. It has to
// be exactly one certificate of an authority; anything else in a file is dropped.
import { X509Certificate } from 'node:crypto';
import { invalid, Problem } from '../../ground/problems.ts';
import type { Database } from '../../ground/store/database.ts';
import { observed } from '../../ground/x509/certificate.ts';
import { newestRoot } from '../../platform/certificate-authority/certificate-store.ts';

export interface CaCertificate {
  /** Re-encoded: exactly one block. */
  pem: string;
  subject: string;
  issuer: string;
  /** RFC 3339 in UTC. */
  valid_from: string;
  valid_until: string;
  /** `AA:BB:…` */
  sha256: string;
  /** It signed itself: a root. */
  self_signed: boolean;
  not_yet_valid: boolean;
}

/** Where the certificate comes from. */
export const OWN_OR_PASTED = ['own', 'paste'] as const;

export const PEM_MOST = 32 * 1024;
const BLOCK = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g;
/** PEM of any kind, and PuTTY's. */
const PRIVATE_KEY = /PRIVATE[ -]KEY|PuTTY-User-Key-File|Private-Lines:/i;

/** Pasted blocks: with any line ends, or with `\n` as two characters, as in JSON. */
const blocksIn = (text: string): string[] =>
  [...text.replaceAll(/\\r|\\n/g, '\n').matchAll(BLOCK)].map(([, body]) => body!);

/** Of a pasted text what may be shown again: the certificates that can be read, and nothing around or between them. */
export const shownAgain = (text: string): string =>
  text.length > PEM_MOST || PRIVATE_KEY.test(text)
    ? ''
    : blocksIn(text)
        .flatMap((body) => parsed(body)?.toString() ?? [])
        .join('');

/** @throws Problem 422 at `/certificate` with the fault; it repeats nothing of the text. */
export function readCaCertificate(text: string, now: Date): CaCertificate {
  if (text.trim() === '') throw refused('Paste the certificate.');
  if (PRIVATE_KEY.test(text)) {
    throw refused('This holds a private key. It was not kept; paste the certificate alone.');
  }
  const blocks = blocksIn(text);
  if (blocks.length === 0)
    throw refused(
      'This is no certificate: one begins with -----BEGIN CERTIFICATE----- and ends with -----END CERTIFICATE-----.',
    );
  if (blocks.length > 1) {
    throw refused(`There are ${blocks.length} certificates; paste one at a time, the root as a rule.`);
  }
  const certificate = parsed(blocks[0]!);
  if (!certificate) throw refused('This certificate cannot be read: it may be cut.');
  if (!certificate.ca) {
    throw refused(
      'This is the certificate of a machine, not of an authority. Paste that of the authority that signed it.',
    );
  }
  const { subject, issuer, valid_from, valid_until, sha256, self_signed, expired, not_yet_valid } = observed(
    certificate,
    {
      host: 'certificate.invalid',
      protocol: '',
      now,
    },
  );
  if (expired) throw refused(`This certificate expired at ${valid_until}.`);
  const pem = certificate.toString();
  return { pem, subject, issuer, valid_from, valid_until, sha256, self_signed, not_yet_valid };
}

/** The root of this appliance. @throws Problem 422 at `/from` when there is none, or it expired */
export async function ownCaCertificate(db: Database, now: Date): Promise<CaCertificate> {
  const root = await newestRoot(db);
  const refuse = (detail: string) => invalid({ pointer: '/from', detail });
  if (!root) throw refuse('This appliance has no root certificate yet: make it first, or paste another one.');
  try {
    return readCaCertificate(root.certificate_pem, now);
  } catch (error) {
    throw error instanceof Problem ? refuse(error.message) : error;
  }
}

const refused = (detail: string): Problem => invalid({ pointer: '/certificate', detail });

function parsed(body: string): X509Certificate | null {
  try {
    return new X509Certificate(Buffer.from(body, 'base64'));
  } catch {
    return null;
  }
}
