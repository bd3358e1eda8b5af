// Many rows in the tables that grow most, written by statements: what lists and reads take then is looked at, not the rules by
// which rows are saved.
import type { Store } from '../../shared/ground/store/store.ts';

const NOW = '2026-01-01T00:00:00.000Z';
/** A recursive statement that makes the numbers from `?1` below `?2`. */
const NUMBERS = 'WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)';
const IP = "printf('10.%d.%d.%d', 60 + (i >> 16), (i >> 8) & 255, i & 255)";
const ZONE = 'large.test';

/** What they are in: a zone and an organization. Once, before `growLarge`. */
export async function beginLarge(store: Store): Promise<void> {
  await store.write(async (tx) => {
    await tx.run("INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES ('zone_large', ?1, ?2, ?2)", [
      ZONE,
      NOW,
    ]);
    await tx.run(
      "INSERT INTO ldap_organization (id, slug, suffix, created_at, updated_at) VALUES ('org_large', 'large', 'o=large', ?1, ?1)",
      [NOW],
    );
  });
}

const FEWER = [
  `INSERT INTO dhcp_reservation (id, hostname, mac_address, address_family, ip_address, created_at, updated_at)
    SELECT 'resv_' || i, 'esx' || i, printf('02:00:00:00:%02x:%02x', i >> 8, i & 255), 'ipv4', ${IP}, ?3, ?3 FROM n`,
  `INSERT INTO ldap_group (id, organization_id, name, member_users, member_groups, entry_uuid, created_at, updated_at)
    SELECT 'ldapgroup_' || i, 'org_large', 'group' || i, '[]', '[]',
      printf('00000000-0000-4000-9000-%012d', i), ?3, ?3 FROM n`,
];
const MANY = [
  `INSERT INTO dns_record (id, fqdn, type, value, zone_id, created_at, updated_at)
    SELECT 'rec_' || i, 'host' || i || '.${ZONE}', 'A', ${IP}, 'zone_large', ?3, ?3 FROM n`,
  `INSERT INTO ldap_user (id, organization_id, uid, kind, given_name, surname, display_name, mail, telephone, entry_uuid,
      created_at, updated_at)
    SELECT 'ldapuser_' || i, 'org_large', 'user' || i, 'person', '', 'S', '', '', '',
      printf('00000000-0000-4000-8000-%012d', i), ?3, ?3 FROM n`,
  `INSERT INTO job (id, kind, state, input, created_by, created_at, finished_at)
    SELECT 'job_' || i, 'apply', 'succeeded', '{}', 'bench',
      strftime('%Y-%m-%dT%H:%M:%fZ', ?3, '+' || i || ' seconds'), ?3 FROM n`,
  `INSERT INTO audit_event (seq, at, actor_kind, actor_name, action, resource_type, outcome, request_id, source_address,
      detail, previous_hash, hash)
    SELECT 100000 + i, ?3, 'system', 'bench', 'dns.record.create', 'dns_record', 'success', '', '', '{}', '', '' FROM n`,
];

/** From the row `from` on, below `to`; reservations and groups up to ten thousand. */
export async function growLarge(store: Store, from: number, to: number): Promise<void> {
  const most = Math.min(to, 10_000);
  await store.write(async (tx) => {
    for (const sql of MANY) await tx.run(`${NUMBERS} ${sql}`, [from, to, NOW]);
    if (from < most) for (const sql of FEWER) await tx.run(`${NUMBERS} ${sql}`, [from, most, NOW]);
  });
}

export async function fillLarge(store: Store, rows: number): Promise<void> {
  await beginLarge(store);
  await growLarge(store, 0, rows);
}
