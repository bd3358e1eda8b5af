// Certificates of daemons that serve TLS by themselves: made and renewed before the plan that brings them to the host.
import { Problem } from '../../ground/problems.ts';
import type { Database } from '../../ground/store/database.ts';
import { findLock } from '../../kernel/access/mutation-lock.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { ensureServerCertificate, type ServerCertificateWanted } from '../../platform/certificate-authority/issue.ts';
import type { AnyUnit } from '../../platform/units/unit.ts';

/** What saved settings want certificates of; `db`: also one in which other settings are tried. */
export async function wantedCertificates(db: Database, units: readonly AnyUnit[]): Promise<ServerCertificateWanted[]> {
  const wanted: ServerCertificateWanted[] = [];
  for (const unit of units) {
    const own = await unit.certificate?.(db);
    if (own) wanted.push(own);
  }
  return wanted;
}

/**
 * Has every daemon that saved settings want a certificate for get one, or a new one in good time; with it its unit is
 * pending. Without an authority that can sign, the unit goes without, which its review says. Does nothing while an apply
 * runs: what was reviewed is what is applied. Answers the purposes of what was made.
 */
export const ensureDaemonCertificates = async (services: Services, units: readonly AnyUnit[]): Promise<string[]> =>
  ensureCertificates(services, await wantedCertificates(services.store, units));

/** The same of these alone. */
export async function ensureCertificates(
  services: Services,
  wanted: readonly ServerCertificateWanted[],
): Promise<string[]> {
  const { store } = services;
  const made: string[] = [];
  for (const each of wanted) {
    if (await findLock(store)) break;
    const certificate = await ensureServerCertificate(services, each).catch(unlessNobodySigns);
    if (certificate?.issued) made.push(each.purpose);
  }
  if (made.length > 0) services.notify('pending');
  return made;
}

function unlessNobodySigns(error: unknown): null {
  const known =
    error instanceof Problem && ['certificate_authority_missing', 'vault_keys_unusable'].includes(error.code);
  if (known) return null;
  throw error;
}
