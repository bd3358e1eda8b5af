// Certificates for requests of others: signed, stored and recorded in one transaction, so that none exists without its row.
import { X509Certificate } from 'node:crypto';
import { instant, newId } from '../../ground/clock.ts';
import { invalid, Problem } from '../../ground/problems.ts';
import type { Transaction } from '../../ground/store/database.ts';
import type { AuditEvent } from '../../kernel/audit/audit.ts';
import {
  columnsOf,
  type IssuedRow,
  insertRow,
  markReplaced,
  namesOf,
  newestRoot,
  validityOf,
} from './certificate-store.ts';
import type { RequestWithKey } from './csr.ts';
import { type IssuingServices, openSigner } from './issue.ts';
import { DAY_EARLIER, validityFrom } from './lifetime.ts';
import type { KeyAlgorithm } from './make.ts';
import { canonicalNames, commonNameOf } from './names.ts';
import { portalAddresses } from './portal/addresses.ts';
import { findProfile } from './profile-store.ts';
import { foreignNames, type Profile, type ProfileName } from './profiles.ts';
import { NO_KEY } from './sealed-key.ts';

export interface CertificateWanted {
  spki: Buffer;
  key_algorithm: KeyAlgorithm;
  common_name: string;
  names: readonly string[];
  profile: ProfileName;
  validity_days?: number | undefined;
}

/** Of a request, with what was decided beside it. */
export const wantedOf = (
  { spki, key_algorithm, common_name, names }: RequestWithKey,
  {
    names: decided,
    ...more
  }: { profile: ProfileName; names?: readonly string[] | undefined; validity_days?: number | undefined },
): CertificateWanted => ({ spki, key_algorithm, common_name, names: decided ?? names, ...more });

/** Canonical; what the profile does not allow is refused at its place. @throws Problem 422 */
export function permittedNames(
  profile: Profile,
  { names, common_name }: Pick<CertificateWanted, 'names' | 'common_name'>,
) {
  if (profile.name === 'subordinate') {
    if (common_name === '') throw invalid({ pointer: '/csr', detail: 'A subordinate authority needs a common name.' });
    return [];
  }
  if (names.length === 0)
    throw invalid({ pointer: '/names', detail: 'The request names nothing: say what the certificate is for.' });
  const canonical = canonicalNames(names);
  const foreign = foreignNames(canonical, profile);
  if (foreign.length > 0) throw invalid(...foreign);
  return canonical;
}

/**
 * Signs and stores. The key of the root is opened in this transaction; its event is written in the same.
 * @throws Problem 409 `certificate_authority_missing`, `state_conflict` where the path length allows no authority; 422
 */
export async function signInto(
  tx: Transaction,
  services: Omit<IssuingServices, 'store'>,
  by: string,
  wanted: CertificateWanted,
  reason: 'request' | 'asked' | 'with_key' = 'request',
): Promise<{ id: string; pem: string; chain_pem: string; event: AuditEvent }> {
  const profile = await findProfile(tx, wanted.profile);
  const names = permittedNames(profile, wanted);
  const { signer, root, organization, certificate_validity_days } = await openSigner(
    tx,
    services,
    await newestRoot(tx),
  );
  if (wanted.profile === 'subordinate' && root.path_length === 0) {
    throw new Problem(
      'state_conflict',
      'The root certificate has path length 0: it signs no authority below it. A root with path length 1 does.',
    );
  }
  const now = services.clock.now();
  const days = wanted.validity_days ?? profile.validity_days ?? certificate_validity_days;
  const validity = validityFrom(now, days, validityOf(root), DAY_EARLIER);
  const { signCertificate } = await import('./sign.ts');
  const portal = await portalAddresses(services.host, root.id);
  const made = await signCertificate(
    signer,
    {
      ...validity,
      spki: wanted.spki,
      key_algorithm: wanted.key_algorithm,
      profile: wanted.profile,
      common_name: commonNameFor(wanted, names),
      organization,
      names,
      portal,
      path_length: root.path_length === null ? 0 : root.path_length - 1,
    },
    services.entropy,
  );
  const id = newId('cert', services.entropy);
  const own = { id, authority_id: root.id, purpose: '', profile: wanted.profile, names: JSON.stringify(names) };
  const portal_host = portal?.host ?? '';
  await insertRow(tx, 'issued_certificate', { ...own, portal_host, ...columnsOf(made, NO_KEY, by, instant(now)) });
  const { subject, sha256, serial_number } = made;
  const detail = {
    profile: wanted.profile,
    names,
    subject,
    sha256,
    serial_number,
    not_after: instant(made.not_after),
    reason,
  };
  const event = { action: 'certificate.issue', resource_type: 'certificate', resource_id: id, detail };
  return { id, pem: made.pem, chain_pem: root.certificate_pem + root.chain_pem, event };
}

/** Another certificate for the key of one that was signed before. Policy and profile are those of now. */
export async function renewInto(
  tx: Transaction,
  services: Omit<IssuingServices, 'store'>,
  { actor, at }: { actor: { name: string }; at: string },
  row: IssuedRow,
): Promise<{ id: string; event: AuditEvent }> {
  const names = namesOf(row);
  const spki = new X509Certificate(row.certificate_pem).publicKey.export({ type: 'spki', format: 'der' });
  const common_name = /(?:^|, )CN=([^,]+)/.exec(row.subject)?.[1] ?? '';
  const { key_algorithm, profile } = row;
  const signed = await signInto(
    tx,
    services,
    actor.name,
    { spki, key_algorithm, common_name, names, profile },
    'asked',
  );
  await markReplaced(tx, row.id, at);
  return signed;
}

/** The name that was asked for where it is one of the names; a subordinate authority's is its own. */
function commonNameFor({ profile, common_name }: CertificateWanted, names: readonly string[]): string | null {
  if (profile === 'subordinate') return common_name.slice(0, 64);
  return names.includes(common_name.toLowerCase()) && common_name.length <= 64
    ? common_name.toLowerCase()
    : commonNameOf(names);
}
