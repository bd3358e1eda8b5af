// Whether one of our certificates was revoked: for services that know clients by their certificate.
import type { Database } from '../../ground/store/database.ts';

/** By its SHA-256 (`AB:CD:…`). One on hold counts, and one of another authority is never known. */
export const isRevoked = async (db: Database, sha256: string): Promise<boolean> =>
  (await db.one('SELECT 1 AS yes FROM issued_certificate WHERE sha256 = ? AND revoked_at IS NOT NULL', [sha256])) !==
  undefined;
