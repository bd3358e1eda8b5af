// The names of one family that lead to the datastores, as far as the appliance keeps their records: where the zone is somebody
// else's, or an operator has a record there, nobody can count on them.
import type { Database } from '../../ground/store/database.ts';
import { familyNames, MOUNT_SERVER } from '../../platform/interfaces/refresh/mount-server.ts';
import { OWNER } from '../../platform/interfaces/refresh/snapshot.ts';
import { recordsAt } from '../../services/dns-dhcp/dns/record-lookups.ts';

/** One statement, and none without a name. */
export async function keptMountNames(db: Database, hostname: string): Promise<ReadonlySet<string>> {
  const names = Object.values(familyNames(hostname));
  const records = names.length === 0 ? [] : await recordsAt(db, names);
  return new Set(
    records.flatMap(({ fqdn, owner_source, owner_ref }) =>
      owner_source === OWNER.service && owner_ref === MOUNT_SERVER.key ? fqdn : [],
    ),
  );
}
