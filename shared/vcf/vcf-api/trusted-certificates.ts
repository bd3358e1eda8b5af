// Certificates that an appliance trusts for its own outgoing connections: its depot, for example. Both roles have them.
import { X509Certificate } from 'node:crypto';
import * as v from 'valibot';
import { faultOf } from './answers.ts';
import { ApplianceFault } from './fault.ts';
import { allElements } from './pages.ts';
import type { ApplianceSession } from './session.ts';
import type { Question } from './transport.ts';

const PATH = '/v1/sddc-manager/trusted-certificates';
const LIST_LIMIT = 4 * 1024 * 1024;
const ANSWER_LIMIT = 1024 * 1024;
const MOST_CERTIFICATES = 2000;
const MOST_PEM = 64 * 1024;

export interface TrustedCertificate {
  alias: string;
  /** Of the DER, upper-case hexadecimal with colons; null when the certificate can't be read. */
  sha256: string | null;
  subject: string | null;
}

const elementSchema = v.looseObject({ alias: v.string(), certificate: v.nullish(v.string(), '') });

export async function listTrustedCertificates(
  session: ApplianceSession,
  signal?: AbortSignal,
): Promise<TrustedCertificate[]> {
  const elements = await allElements(session, {
    path: PATH,
    what: 'the trusted certificates',
    limit: LIST_LIMIT,
    most: MOST_CERTIFICATES,
    idOf: (element) => (v.is(elementSchema, element) ? element.alias : null),
    signal,
  });
  return elements.flatMap((element) => {
    if (!v.is(elementSchema, element)) return [];
    const read = certificateIn(element.certificate ?? '');
    return [{ alias: element.alias, sha256: read?.fingerprint256 ?? null, subject: read?.subject ?? null }];
  });
}

/**
 * Adds one certificate, a root as a rule. That it is listed afterwards does not prove that every service of the
 * appliance uses it already: the use that it is for (the depot's own connection test) does.
 * @param pem exactly one certificate.
 * @throws ApplianceFault `refused` when it isn't one, or when the appliance refuses it.
 */
export async function trustCertificate(
  session: ApplianceSession,
  pem: string,
  signal?: AbortSignal,
): Promise<'added' | 'already-trusted'> {
  const certificate = certificateIn(pem);
  if (!certificate) throw new ApplianceFault('refused', 'What should be trusted is not one PEM certificate.');
  const question: Question = {
    method: 'POST',
    path: PATH,
    // Re-encoded: other content of a file, such as a key, is never sent.
    json: { certificate: certificate.toString() },
    limit: ANSWER_LIMIT,
    what: 'a certificate to trust',
    signal,
  };
  const answer = await session.ask(question);
  if (answer.status === 409) return 'already-trusted';
  if (answer.status < 200 || answer.status >= 300) throw faultOf(answer, question);
  return 'added';
}

/** True when the appliance listed a certificate under this fingerprint. One more question, no proof of use. */
export async function isTrusted(session: ApplianceSession, sha256: string, signal?: AbortSignal): Promise<boolean> {
  const listed = await listTrustedCertificates(session, signal);
  return listed.some((one) => one.sha256 === sha256.toUpperCase());
}

function certificateIn(pem: string): X509Certificate | null {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length !== 1 || pem.length > MOST_PEM) return null;
  try {
    return new X509Certificate(blocks[0]!);
  } catch {
    return null;
  }
}
