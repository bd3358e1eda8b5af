// Which users of the directory may still be somebody elsewhere: they are enabled, and so is their organization.
import type { Database } from '../../ground/store/database.ts';

/** Those of these (`entryUUID`), as saved. */
export async function enabledAmong(db: Database, entry_uuids: readonly string[]): Promise<Set<string>> {
  if (entry_uuids.length === 0) return new Set();
  const rows = await db.all<{ entry_uuid: string }>(
    `SELECT entry_uuid FROM ldap_user JOIN ldap_organization AS o ON o.id = organization_id
      WHERE ldap_user.enabled = 1 AND o.enabled = 1 AND entry_uuid IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(entry_uuids)],
  );
  return new Set(rows.map(({ entry_uuid }) => entry_uuid));
}
