// The certificate of a client as it is trusted: that one and no other, whoever signed it.
import { X509Certificate } from 'node:crypto';
import { invalid } from '../../../ground/problems.ts';

export interface ClientCertificate {
  certificate_pem: string;
  sha256: string;
  subject: string;
  not_before: string;
  not_after: string;
}

const PEM = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/;
const refuse = (detail: string) => invalid({ pointer: '/certificate', detail });

/** The first of a PEM file. @throws Problem 422 at `/certificate` */
export function readClientCertificate(pem: string, now: string): ClientCertificate {
  if (/PRIVATE KEY/.test(pem))
    throw refuse('This has a private key, which stays with the client: paste the certificate alone.');
  const [found] = PEM.exec(pem) ?? [];
  if (found === undefined) throw refuse('Expected a certificate as PEM: -----BEGIN CERTIFICATE-----.');
  const seen = parsed(found);
  const [not_before, not_after] = [seen.validFrom, seen.validTo].map((at) => new Date(at).toISOString()) as [
    string,
    string,
  ];
  if (not_after < now) throw refuse(`This certificate ended at ${not_after}: it would open nothing.`);
  const subject = seen.subject?.replaceAll('\n', ', ') ?? '';
  return { certificate_pem: seen.toString(), sha256: seen.fingerprint256, subject, not_before, not_after };
}

function parsed(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw refuse('This certificate can’t be read.');
  }
}
