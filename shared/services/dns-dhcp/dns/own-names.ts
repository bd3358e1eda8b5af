// Names that the operator gave the appliance: host names of its services, those of the management UI, and records of its own name service with one
// of its addresses. But a service that may share the port of the management UI over TLS answers by its name alone.

import type { Database } from '../../../ground/store/database.ts';
import { loadInterfaces, type NetworkInterface } from '../../../platform/interfaces/interface.ts';
import { documentOf, SERVICE_NAMES } from '../../../platform/units/documents.ts';
import { isSharingName } from '../../../platform/units/sharing-name.ts';

const SAVED = `WITH asked (name) AS (SELECT ?1 UNION
    SELECT value FROM dns_record WHERE fqdn = ?1 AND type = 'CNAME' AND enabled = 1)
  SELECT 1 AS yes FROM asked WHERE NOT ${isSharingName('?1', '?3')} AND (name IN (
      SELECT lower(service.name) FROM (${SERVICE_NAMES}) service
      UNION SELECT lower(value) FROM json_each(${documentOf('management-tls')}, '$.names'))
    OR name IN (SELECT fqdn FROM dns_record WHERE fqdn IN (SELECT name FROM asked)
      AND type IN ('A', 'AAAA') AND enabled = 1 AND value IN (SELECT atom FROM json_each(?2))))
  LIMIT 1`;

/**
 * Whether the desired state has this name (lower case, no dot at its end) for the appliance.
 * @param arrived the address that the request reached, which is the appliance's own whatever is saved
 * @param shared the port of the management UI, where services may share it
 */
export async function isSavedName(
  db: Database,
  name: string,
  arrived: string,
  shared: number | null = null,
): Promise<boolean> {
  const own = new Set([arrived, ...(await loadInterfaces(db)).flatMap(addressesOf)]);
  return (await db.one(SAVED, [name, JSON.stringify([...own]), shared])) !== undefined;
}

function addressesOf({ ipv4_cidr, ipv6_cidr, observed }: NetworkInterface): string[] {
  const all = [ipv4_cidr, ipv6_cidr, ...(observed?.ipv4_cidrs ?? []), ...(observed?.ipv6_cidrs ?? [])];
  return all.filter(Boolean).map((cidr) => cidr.split('/', 1)[0]!);
}
