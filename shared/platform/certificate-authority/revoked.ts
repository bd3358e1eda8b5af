// Whether one of our certificates was revoked: for services that know clients by their certificate.
import type { Database } from '../../ground/store/database.ts';

/** By the column with its SHA-256 (`AB:CD:…`), in SQL. One on hold counts; one of another authority is never known. */
export const revokedSql = (sha256: string): string =>
  `EXISTS (SELECT 1 FROM issued_certificate WHERE sha256 = ${sha256} AND revoked_at IS NOT NULL)`;

/** By its SHA-256. */
export const isRevoked = async (db: Database, sha256: string): Promise<boolean> =>
  (await db.one<{ revoked: number }>(`SELECT ${revokedSql('?')} AS revoked`, [sha256]))!.revoked === 1;
