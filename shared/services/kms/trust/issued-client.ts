// A client whose certificate our own authority issues, in the transaction that trusts it.
import type { Transaction } from '../../../ground/store/database.ts';
import type { AuditEvent } from '../../../kernel/audit/audit.ts';
import type { IssuingServices } from '../../../platform/certificate-authority/issue.ts';
import { type CertificateWanted, signInto } from '../../../platform/certificate-authority/issue-request.ts';
import { readClientCertificate } from './client-certificate.ts';
import { addClient, type Client, type NewClient, requireProvider } from './clients.ts';

/** As long as products accept: CA/Browser Forum's former limit. Renewing means signing anew. */
const VALIDITY_DAYS = 825;

/** @throws Problem 404, 409, 422, as signing and trusting */
export async function issueClient(
  tx: Transaction,
  services: Omit<IssuingServices, 'store'>,
  client: Omit<NewClient, 'certificate'> & { now: string },
  wanted: Omit<CertificateWanted, 'profile' | 'validity_days'>,
): Promise<{ client: Client; events: AuditEvent[] }> {
  await requireProvider(tx, client.provider_id);
  const asked = { ...wanted, profile: 'client', validity_days: VALIDITY_DAYS } as const;
  const { pem, event } = await signInto(
    tx,
    services,
    client.by,
    asked,
    client.origin === 'made' ? 'with_key' : 'request',
  );
  const { now, ...trusted } = client;
  const added = await addClient(tx, services, { ...trusted, certificate: readClientCertificate(pem, now) });
  return { client: added.client, events: [event, added.event] };
}
