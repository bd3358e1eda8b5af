// Certificates in use: those of services that are on, of the root, and of the management UI.
import type { Database } from '../../ground/store/database.ts';
import type { Settings } from '../../kernel/operation/services.ts';
import { type CertificateEnd, endsOfCertificates } from '../../platform/certificate-authority/certificate-ends.ts';
import { managementEnd } from '../../services/management-tls/ending.ts';
import type { Standing } from '../states/standing.ts';

/** The first to end first. One statement. */
export async function certificatesInUse(
  db: Database,
  settings: Settings,
  units: readonly Standing[],
): Promise<CertificateEnd[]> {
  const applied = units.flatMap(({ unit, applied_at }) => (applied_at === null ? [] : [[unit, applied_at] as const]));
  const off = new Set<string>(units.filter(({ state }) => state === 'off').map(({ unit }) => unit));
  const found = (await endsOfCertificates(db, Object.fromEntries(applied))).filter(({ purpose }) => !off.has(purpose));
  const end = managementEnd(settings);
  const shown = end === null ? [] : [{ purpose: 'management-ui', not_after: end }];
  return [...found, ...shown].sort((one, other) => (one.not_after < other.not_after ? -1 : 1));
}
