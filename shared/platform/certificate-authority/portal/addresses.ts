// The portal's paths, and the addresses that certificates name: while the portal is in force and has a host name, and then of
// authorities that it knows.
import type { Host } from '../../../ground/machine/host.ts';
import { readManifest } from './manifest.ts';

export const PORTAL = '/ca/';
export const OCSP_PATH = '/ca/ocsp';
/** Digest of the applied manifest, which the probe compares. */
export const APPLIED_PATH = '/ca/applied.txt';

export type PortalFile = 'crt' | 'pem' | 'p7b' | 'crl';
/** `root` is the one that signs; any other name is the id of an authority. */
export const filePath = (name: string, kind: PortalFile): string => `${PORTAL}${name}.${kind}`;

/** What a certificate names. */
export interface PortalAddresses {
  host: string;
  /** The certificate of its authority. */
  issuer: string;
  /** Null while the portal does not tell what was revoked. */
  revocation: { crl: string; ocsp: string } | null;
}

export type AppliedHost = Pick<Host, 'read' | 'enforces'>;

/** Null: nothing answers, so no certificate is to send anybody there. By its id: after a change of roots the former one answers too. */
export async function portalAddresses(
  host: AppliedHost | undefined,
  authority_id: string,
): Promise<PortalAddresses | null> {
  if (!host?.enforces) return null;
  // One that is damaged serves nobody.
  const applied = await readManifest(host).catch(() => null);
  if (!applied) return null;
  const { hostname, revocation, authorities } = applied.manifest;
  if (hostname === '' || !authorities.some(({ id }) => id === authority_id)) return null;
  const at = (path: string): string => `http://${hostname}${path}`;
  return {
    host: hostname,
    issuer: at(filePath(authority_id, 'crt')),
    revocation: revocation ? { crl: at(filePath(authority_id, 'crl')), ocsp: at(OCSP_PATH) } : null,
  };
}
