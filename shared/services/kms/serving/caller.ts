// Who asks by KMIP: the exact certificate decides, and nothing else of it. No chain, no name, no extended usage: a certificate
// that our authority issued for something else opens nothing.
import { instant, newId } from '../../../ground/clock.ts';
import type { Database } from '../../../ground/store/database.ts';
import { systemActor } from '../../../kernel/access/actor.ts';
import type { AuditContext } from '../../../kernel/audit/audit.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { revokedSql } from '../../../platform/certificate-authority/revoked.ts';
import { buriedSql } from '../trust/tombstones.ts';

export interface Caller {
  /** Null: our own probe, which may ask what the server is and nothing else. */
  provider: { id: string; name: string; activates_on_create: boolean } | null;
  client: { id: string; name: string };
  /** Of its certificate; empty for the probe. */
  sha256: string;
  source_address: string;
}

interface Found {
  id: string;
  name: string;
  provider_id: string;
  provider: string;
  activates_on_create: number;
}

/**
 * The client of a certificate, by its SHA-256 (`AB:CD:…`); null for a stranger, one that is not valid now, one
 * that our authority revoked, and one that is remembered as removed.
 */
export async function callerOf(
  db: Database,
  { clock }: Pick<Services, 'clock'>,
  sha256: string,
  source_address: string,
): Promise<Caller | null> {
  const now = instant(clock.now());
  const found = await db.one<Found>(
    `SELECT c.id, c.name, c.provider_id, p.name AS provider, p.activates_on_create
      FROM kms_client AS c JOIN kms_provider AS p ON p.id = c.provider_id
      WHERE c.sha256 = ? AND c.not_before <= ? AND c.not_after >= ? AND NOT ${revokedSql('c.sha256')}
        AND NOT ${buriedSql('c')}`,
    [sha256, now, now],
  );
  if (!found) return null;
  const { provider_id: id, provider: name, activates_on_create } = found;
  return {
    provider: { id, name, activates_on_create: activates_on_create === 1 },
    client: { id: found.id, name: found.name },
    sha256,
    source_address,
  };
}

/** How the audit log names it. */
export const auditContext = (
  { clock, entropy }: Pick<Services, 'clock' | 'entropy'>,
  { client, source_address }: Caller,
): AuditContext => ({
  at: instant(clock.now()),
  actor: systemActor(`KMIP client ${client.name}`),
  request_id: newId('req', entropy),
  source_address,
});
