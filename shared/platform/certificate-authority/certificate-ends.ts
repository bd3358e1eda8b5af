// When the certificates that are in use end.
import type { Database } from '../../ground/store/database.ts';

/** When the certificates that are in use end: of each purpose the first, and of the authorities that sign. */
export const endsOfCertificates = (db: Database): Promise<{ purpose: string; not_after: string }[]> =>
  db.all(`SELECT purpose, min(not_after) AS not_after FROM issued_certificate
    WHERE purpose <> '' AND replaced_at IS NULL AND revoked_at IS NULL GROUP BY purpose
    UNION ALL SELECT 'authority', not_after FROM certificate_authority WHERE standing = 'signing'`);
