// What a review says of an apply that brings a daemon another certificate: which machines have to be told to trust it, as far as the
// appliance told them about the one before.
import type { Database } from '../../ground/store/database.ts';
import type { DaemonCertificate } from '../../platform/certificate-authority/daemon-certificate.ts';
import { haveToTrustAgain } from '../../platform/certificate-authority/relying-parties.ts';

/** Machines that a sentence names. */
const NAMED_MOST = 10;

/** The digest of the certificate in a state of a unit, desired or remembered. */
const digestIn = (state: unknown): string | null =>
  (state as { certificate?: Pick<DaemonCertificate, 'sha256'> | null } | null | undefined)?.certificate?.sha256 ?? null;

/** A sentence, or none where nothing is replaced or nobody is known to rely on it. Reads only what a replacement needs. */
export async function trustAgain(db: Database, remembered: unknown, desired: unknown): Promise<string[]> {
  const [before, after] = [digestIn(remembered), digestIn(desired)];
  if (before === null || after === null || before === after) return [];
  const servers = await haveToTrustAgain(db, before, after);
  if (servers.length === 0) return [];
  const named = servers.slice(0, NAMED_MOST).join(', ');
  const more = servers.length > NAMED_MOST ? ` and ${servers.length - NAMED_MOST} more` : '';
  const [who, have] = servers.length === 1 ? ['One machine', 'has'] : [`${servers.length} machines`, 'have'];
  return [
    `${who} that this appliance told about the former certificate ${have} to trust the new one: ${named}${more}.`,
  ];
}
