// When the certificates that are in use end.
import type { Database } from '../../ground/store/database.ts';

export interface CertificateEnd {
  /** `authority`: the root that signs. */
  purpose: string;
  /** RFC 3339 */
  not_after: string;
}

/**
 * What a service shows is what it was last applied with: a certificate that was renewed since is not in use yet, and the one
 * before it is. Of another purpose it is the newest one.
 */
const ENDS = `SELECT purpose, min(not_after) AS not_after FROM issued_certificate
    LEFT JOIN json_each(?) AS applied ON applied.key = purpose
  WHERE purpose <> '' AND revoked_at IS NULL
    AND iif(applied.value IS NULL, replaced_at IS NULL,
      created_at <= applied.value AND (replaced_at IS NULL OR replaced_at > applied.value))
  GROUP BY purpose
  UNION ALL SELECT 'authority', not_after FROM certificate_authority WHERE standing = 'signing'`;

/** `applied`: purpose that an apply puts in force → when it did. Of each purpose the first to end. One statement. */
export const endsOfCertificates = (
  db: Database,
  applied: Readonly<Record<string, string>>,
): Promise<CertificateEnd[]> => db.all<CertificateEnd>(ENDS, [JSON.stringify(applied)]);
