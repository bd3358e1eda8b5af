// Certificates of daemons that serve TLS by themselves: made and renewed before the plan that brings them to the host.
import { Problem } from '../../ground/problems.ts';
import { findLock } from '../../kernel/access/mutation-lock.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { ensureServerCertificate } from '../../platform/certificate-authority/issue.ts';
import type { AnyUnit } from '../../platform/units/unit.ts';

/**
 * Has every daemon that saved settings want a certificate for get one, or a new one in good time; with it its unit is
 * pending. Without an authority that can sign, the unit goes without, which its review says. Does nothing while an apply
 * runs: what was reviewed is what is applied. Answers the purposes of what was made.
 */
export async function ensureDaemonCertificates(services: Services, units: readonly AnyUnit[]): Promise<string[]> {
  const { store } = services;
  const made: string[] = [];
  for (const unit of units) {
    const wanted = await unit.certificate?.(store);
    if (!wanted) continue;
    if (await findLock(store)) break;
    const certificate = await ensureServerCertificate(services, wanted).catch(unlessNobodySigns);
    if (certificate?.issued) made.push(wanted.purpose);
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
