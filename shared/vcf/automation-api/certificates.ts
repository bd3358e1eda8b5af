// Certificates that an organization of VCF Automation trusts for its own connections, its directory among them.
import { X509Certificate } from 'node:crypto';
import * as v from 'valibot';
import { allValues } from './pages.ts';
import type { AutomationSession } from './session.ts';

const PATH = '/cloudapi/1.0.0/ssl/trustedCertificates';
const WHAT = 'the trusted certificates';
const schema = v.looseObject({ id: v.string(), certificate: v.string() });

function fingerprintsOf(pem: string): string[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.flatMap((block) => {
    try {
      return [new X509Certificate(block).fingerprint256];
    } catch {
      return [];
    }
  });
}

/** Id of an entry with this certificate; null: it is not trusted. */
export async function trustedId(
  session: AutomationSession,
  sha256: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const all = await allValues(session, { path: PATH, what: WHAT, signal }, schema);
  return all.find(({ certificate }) => fingerprintsOf(certificate).includes(sha256))?.id ?? null;
}

export async function trust(
  session: AutomationSession,
  alias: string,
  certificate: string,
  signal?: AbortSignal,
): Promise<void> {
  const json = { alias, certificate };
  await session.ask({ method: 'POST', path: PATH, json, what: WHAT, signal }, v.unknown(), [200, 201]);
}

export async function distrust(session: AutomationSession, id: string, signal?: AbortSignal): Promise<void> {
  const path = `${PATH}/${encodeURIComponent(id)}`;
  await session.ask({ method: 'DELETE', path, what: WHAT, signal }, v.unknown(), [200, 204, 404]);
}
