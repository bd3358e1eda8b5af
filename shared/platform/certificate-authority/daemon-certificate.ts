// The certificate of a daemon that serves TLS by itself: its unit renders the certificate as an ordinary file, and its
// private key as one that only the driver opens. It is made before a plan is, never by one.
import { X509Certificate } from 'node:crypto';
import type { Host, RenderedFile, SealedKey } from '../../ground/machine/host.ts';
import type { Database } from '../../ground/store/database.ts';
import { renderedKey } from '../host/key-files.ts';
import { authorityById, currentIssued, type IssuedRow, namesOf } from './certificate-store.ts';
import type { ServerCertificateWanted } from './issue.ts';
import { coversAll } from './names.ts';
import { placeOf } from './sealed-key.ts';

export interface DaemonCertificate {
  /** What the daemon sends: its certificate, and those that signed it but for the root. */
  chain_pem: string;
  /** `AA:BB:…` */
  sha256: string;
  not_after: string;
  /** Null in a remembered state: the key in force is in its file. */
  sealed: SealedKey | null;
}

/**
 * The certificate of the purpose that is not replaced or revoked; null where there is none for all of the names. Expects a
 * consistent view. Two statements.
 */
export async function daemonCertificate(
  db: Database,
  { purpose, names }: ServerCertificateWanted,
): Promise<DaemonCertificate | null> {
  const row = await currentIssued(db, purpose);
  if (!row || row.sealed_value === '' || !coversAll(namesOf(row), names)) return null;
  const authority = await authorityById(db, row.authority_id);
  if (!authority) return null;
  const { id, certificate_pem, sha256, not_after, kek_id, sealed_key, sealed_value } = row;
  const sealed = { place: placeOf('issued_certificate', id), kek_id, sealed_key, sealed_value };
  // Clients have the root already; one that signs below another needs what is between.
  const between = authority.chain_pem === '' ? '' : authority.certificate_pem + withoutLast(authority.chain_pem);
  return { chain_pem: certificate_pem + between, sha256, not_after, sealed };
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g;
const withoutLast = (chain_pem: string): string => (chain_pem.match(PEM) ?? []).slice(0, -1).join('');

/** For `remember` of a unit: nothing that is written down has the key, sealed or not. */
export const remembered = (certificate: DaemonCertificate | null): DaemonCertificate | null =>
  certificate && { ...certificate, sealed: null };

/** The two files of a daemon's certificate; `name` is that of its folder of keys. None for a remembered one. */
export function certificateFiles(name: string, path: string, { chain_pem, sealed }: DaemonCertificate): RenderedFile[] {
  if (sealed === null) return [];
  return [{ path, content: chain_pem, mode: 0o644 }, renderedKey(name, chain_pem, sealed)];
}

/** A certificate that is shown; `pem` is without what signed it. */
export interface InForce {
  pem: string;
  /** `AA:BB:…` */
  sha256: string;
  /** RFC 3339, as `not_after`. */
  not_before: string;
  not_after: string;
}

/** The one that a plan brought to the file; null where none did, or in a rehearsal, which shows nothing. @throws Error when it is damaged */
export async function inForce(host: Pick<Host, 'read' | 'enforces'>, path: string): Promise<InForce | null> {
  const applied = host.enforces ? await host.read(path) : null;
  if (applied === null) return null;
  const certificate = new X509Certificate(applied);
  const { validFromDate, validToDate, fingerprint256: sha256 } = certificate;
  const validity = { not_before: validFromDate.toISOString(), not_after: validToDate.toISOString() };
  return { pem: certificate.toString(), sha256, ...validity };
}

/** What is shown where no plan brought one: the one that counts. */
export const standIn = (row: IssuedRow | undefined): InForce | null =>
  row ? { pem: row.certificate_pem, sha256: row.sha256, not_before: row.not_before, not_after: row.not_after } : null;
