// Files of lists that have more rows than are read at once: each row once, in the order of the list, and only those that its
// filter, search and state show. And a file of a thousand rows that is read in: one transaction, and no more statements for a row
// than where the file is short.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Transaction } from '../../shared/ground/store/database.ts';
import { saveInterfaces } from '../../shared/platform/interfaces/interface-store.ts';
import { IMPORT_ROWS_MOST } from '../../shared/platform/units/import-rows.ts';
import { type Credentials, House } from '../setup/house.ts';
import { beginLarge, growLarge } from '../setup/large-store.ts';
import { trunk, vlan } from '../shared/platform/interfaces/rows.ts';
import { counted, observe } from './budget.ts';

jest.setTimeout(300_000);

/** More than two of the pages that files are read by. */
const ROWS = 1_200;
const UI = '/ui/management';

let house: House;
let admin: Credentials;

beforeAll(async () => {
  house = await House.open({ observe, ticker: false });
  admin = await house.actor('admin', undefined, 'ada');
  const { store } = house.services;
  await beginLarge(store);
  await growLarge(store, 0, ROWS);
  await store.write(async (tx) => {
    await tx.run(
      "INSERT INTO ldap_organization (id, slug, suffix, created_at, updated_at) SELECT 'org_other', 'other', 'o=other', created_at, updated_at FROM ldap_organization",
    );
    await tx.run("UPDATE ldap_user SET organization_id = 'org_other' WHERE CAST(substr(id, 10) AS INTEGER) % 4 = 0");
    await tx.run('UPDATE ldap_user SET enabled = 0 WHERE rowid % 3 = 0');
    await tx.run('UPDATE dhcp_reservation SET enabled = 0 WHERE rowid % 3 = 0');
    await tx.run("UPDATE job SET state = 'failed' WHERE rowid % 3 = 0");
    const vlans = Array.from({ length: ROWS }, (_, at) =>
      vlan(at + 1, { present: at % 3 > 0, ipv4_cidr: `10.${at >> 8}.${at & 255}.1/24` }),
    );
    await saveInterfaces(tx, [trunk(), ...vlans]);
    await tx.run("UPDATE audit_event SET outcome = 'failure' WHERE seq > 100000 AND seq % 3 = 0");
    await fillOthers(tx);
  });
}, 300_000);
afterAll(() => house?.close());

const AT = '2026-01-01T00:00:00.000Z';
const [BEFORE, AFTER] = ['2000-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'];
const NUMBERS = 'WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)';
/** Of each sixth another state: waits, will be active and is, active, deactivated, destroyed, erased. */
const KEY = {
  state:
    "CASE i % 6 WHEN 2 THEN 'active' WHEN 3 THEN 'deactivated' WHEN 4 THEN 'active' WHEN 5 THEN 'active' ELSE 'pre-active' END",
  activated_at: `CASE WHEN i % 12 = 0 THEN '${AFTER}' WHEN i % 6 = 1 THEN '${BEFORE}' END`,
  destroyed_at: `CASE WHEN i % 6 > 3 THEN '${AT}' END`,
  kek_id: "iif(i % 6 = 5, '', 'kek_a')",
};
const OTHERS: readonly string[] = [
  `vault (id, name, description, created_by, created_at, updated_at) SELECT 'vault_' || i, 'v' || i, '', 'bench', '${AT}', '${AT}'`,
  `vault_entry (id, vault_id, key, kek_id, sealed_key, sealed_value, last_used_at, created_at, updated_at)
     SELECT 'entry_' || i, 'vault_' || (i % 700), 'k' || i, iif(i % 3 = 0, NULL, 'kek_a'), iif(i % 3 = 0, NULL, ''),
       iif(i % 3 = 0, NULL, ''), iif(i % 5 = 1, '2026-01-01T00:00:00.' || (100 + i % 800) || 'Z', NULL), '${AT}', '${AT}'`,
  `kms_key (id, provider_id, origin, state, length_bits, usage_mask, activated_at, destroyed_at, kek_id, sealed_key, sealed_value,
     created_by, created_at, changed_at)
     SELECT 'key_' || i, 'provider_a', 'created', ${KEY.state}, 256, 12, ${KEY.activated_at}, ${KEY.destroyed_at}, ${KEY.kek_id}, '', '',
       'vcenter' || (i % 7), '${AT}', '${AT}'`,
  `certificate_request (id, state, profile, csr_pem, subject, names, key_algorithm, note, created_by, created_at)
     SELECT 'csr_' || i, iif(i % 3 = 0, 'pending', 'refused'), 'server', '', 'CN=host' || i, json_array('host' || i || '.test'),
       'ecdsa-p256', '', 'person' || (i % 7), '${AT}'`,
  `alert (id, condition, subject, severity, says, state, since, opened_at, closed_at, acknowledged_at, acknowledged_by)
     SELECT 'alert_' || i, 'disk', 's' || i, 'warning', 'Says ' || i, iif(i % 3 = 0, 'open', 'closed'), '${AT}', '${AT}',
       iif(i % 3 = 0, NULL, '${AT}'), iif(i % 2 = 0, NULL, '${AT}'), iif(i % 2 = 0, NULL, 'ada')`,
  `plan (id, state, digest, document, created_by, created_at, note)
     SELECT 'plan_' || i, iif(i % 3 = 0, 'cancelled', 'superseded'), '', '{"units":[]}', 'person' || (i % 7), '${AT}', 'Change ' || i`,
  `oidc_session (id, uid_hash, subject, user_name, source, organization, source_address, clients, created_at, last_used_at, expires_at)
     SELECT 'oidcsession_' || i, 'h' || i, 's' || i, 'user' || i, 'directory', 'lab', '10.0.0.' || (i % 7), '[]', '${AT}', '${AT}',
       iif(i % 9 = 0, 0, 4102444800)`,
];

async function fillOthers(tx: Transaction): Promise<void> {
  await tx.run(
    `INSERT INTO kms_provider (id, name, created_at, updated_at) VALUES ('provider_a', 'a', '${AT}', '${AT}')`,
  );
  for (const rows of OTHERS) await tx.run(`${NUMBERS} INSERT INTO ${rows} FROM n`, [ROWS]);
}

/** Cells by column, of rows without quotes. */
async function rowsOf(path: string): Promise<Record<string, string>[]> {
  const heard = await house.send('GET', `${UI}${path}`, { session: admin });
  expect([path, heard.status]).toEqual([path, 200]);
  expect(heard.text.endsWith('\r\n')).toBe(true);
  const [head, ...rows] = heard.text.slice(0, -2).split('\r\n');
  const names = head!.split(',');
  return rows.map((row) => Object.fromEntries(row.split(',').map((cell, at) => [names[at], cell])));
}

const column = async (path: string, name: string): Promise<string[]> =>
  (await rowsOf(path)).map((row) => row[name] ?? '');

/** What the statement gives, in its order. */
async function told(sql: string): Promise<string[]> {
  return (await house.services.store.all<{ of: string | number }>(sql)).map(({ of }) => String(of));
}

/** Path of the file, its column that names a row, and the statement that says which rows it has to have. */
const FILES: readonly (readonly [path: string, column: string, sql: string])[] = [
  ['/ldap/users.csv', 'uid', 'SELECT uid AS of FROM ldap_user ORDER BY uid'],
  ['/ldap/users.csv?sort=-uid', 'uid', 'SELECT uid AS of FROM ldap_user ORDER BY uid DESC'],
  ['/ldap/users.csv?sort=surname', 'uid', 'SELECT uid AS of FROM ldap_user ORDER BY surname, uid, id'],
  [
    '/ldap/users.csv?organization_id=org_large&search=user1&sort=-uid',
    'uid',
    "SELECT uid AS of FROM ldap_user WHERE organization_id = 'org_large' AND instr(uid, 'user1') ORDER BY uid DESC",
  ],
  ['/ldap/users.csv?state=off', 'uid', 'SELECT uid AS of FROM ldap_user WHERE NOT enabled ORDER BY uid'],
  [
    '/ldap/users.csv?state=off&organization_id=org_large&sort=-uid',
    'uid',
    "SELECT uid AS of FROM ldap_user WHERE NOT enabled AND organization_id = 'org_large' ORDER BY uid DESC",
  ],
  ['/ldap/groups.csv?sort=-name', 'name', 'SELECT name AS of FROM ldap_group ORDER BY name DESC'],
  ['/dhcp/reservations.csv', 'hostname', 'SELECT hostname AS of FROM dhcp_reservation ORDER BY hostname'],
  [
    '/dhcp/reservations.csv?sort=-ip_address',
    'hostname',
    'SELECT hostname AS of FROM dhcp_reservation ORDER BY ip_address DESC',
  ],
  [
    '/dhcp/reservations.csv?state=off&search=esx1&sort=-hostname',
    'hostname',
    "SELECT hostname AS of FROM dhcp_reservation WHERE NOT enabled AND instr(hostname, 'esx1') ORDER BY hostname DESC",
  ],
  ['/dns/zones/zone_large/records.csv?sort=-fqdn', 'fqdn', 'SELECT fqdn AS of FROM dns_record ORDER BY fqdn DESC'],
  ['/vlans.csv', 'name', "SELECT name AS of FROM interface WHERE kind = 'vlan' ORDER BY vlan_id"],
  [
    '/vlans.csv?search=ens30.1&sort=-number&parent=ens30',
    'name',
    "SELECT name AS of FROM interface WHERE instr(name, 'ens30.1') ORDER BY vlan_id DESC",
  ],
  [
    '/vlans.csv?show=problems&sort=-name',
    'name',
    "SELECT name AS of FROM interface WHERE kind = 'vlan' AND NOT present ORDER BY vlan_id DESC",
  ],
  [
    '/vlans.csv?state=pending&show=problems',
    'name',
    "SELECT name AS of FROM interface WHERE kind = 'vlan' AND NOT present ORDER BY vlan_id",
  ],
  [
    '/interfaces.csv?sort=-name',
    'name',
    'SELECT name AS of FROM interface ORDER BY CAST(substr(name, 4) AS INTEGER) DESC, kind, vlan_id',
  ],
  [
    '/interfaces.csv?q=ens30.1&role=access&show=problems',
    'name',
    "SELECT name AS of FROM interface WHERE NOT present AND instr(name, 'ens30.1') ORDER BY vlan_id",
  ],
  ['/jobs.csv', 'id', 'SELECT id AS of FROM job ORDER BY created_at DESC, id DESC'],
  ['/jobs.csv?sort=created_at', 'id', 'SELECT id AS of FROM job ORDER BY created_at, id'],
  [
    '/jobs.csv?state=failed&sort=-kind',
    'id',
    "SELECT id AS of FROM job WHERE state = 'failed' ORDER BY kind DESC, created_at DESC, id DESC",
  ],
  ['/jobs.csv?search=JOB_11', 'id', "SELECT id AS of FROM job WHERE instr(id, 'job_11') ORDER BY created_at DESC"],
  [
    '/audit-log.csv?actor=bench',
    'seq',
    "SELECT seq AS of FROM audit_event WHERE actor_name = 'bench' ORDER BY seq DESC",
  ],
  [
    '/audit-log.csv?actor=bench&outcome=failure',
    'seq',
    "SELECT seq AS of FROM audit_event WHERE actor_name = 'bench' AND outcome = 'failure' ORDER BY seq DESC",
  ],
  ['/vaults.csv', 'name', 'SELECT name AS of FROM vault ORDER BY name'],
  [
    '/vaults.csv',
    'entry_count',
    'SELECT (SELECT count(*) FROM vault_entry WHERE vault_id = vault.id) AS of FROM vault ORDER BY name',
  ],
  [
    '/vaults.csv?sort=-entry_count',
    'without_value',
    `SELECT (SELECT count(*) FROM vault_entry WHERE vault_id = vault.id AND sealed_value IS NULL) AS of FROM vault
       ORDER BY (SELECT count(*) FROM vault_entry WHERE vault_id = vault.id) DESC, name DESC`,
  ],
  [
    '/vaults.csv?sort=last_used_at',
    'last_used_at',
    `SELECT coalesce((SELECT max(last_used_at) FROM vault_entry WHERE vault_id = vault.id), '') AS of FROM vault ORDER BY 1, name`,
  ],
  [
    '/vaults.csv?state=without-value&sort=-name',
    'name',
    'SELECT name AS of FROM vault WHERE id IN (SELECT vault_id FROM vault_entry WHERE sealed_value IS NULL) ORDER BY name DESC',
  ],
  [
    '/vaults.csv?state=unused&search=V1',
    'name',
    `SELECT name AS of FROM vault WHERE instr(name, 'v1')
       AND id NOT IN (SELECT vault_id FROM vault_entry WHERE last_used_at IS NOT NULL) ORDER BY name`,
  ],
  ['/kms/keys.csv', 'id', 'SELECT id AS of FROM kms_key ORDER BY created_at DESC, id DESC'],
  [
    '/kms/keys.csv?search=KEY_1&sort=created_by',
    'id',
    "SELECT id AS of FROM kms_key WHERE instr(id, 'key_1') ORDER BY created_by, created_at, id",
  ],
  ...(
    [
      ['pre-active', '0'],
      ['active', '1, 2'],
      ['deactivated', '3'],
      ['destroyed', '4'],
      ['erased', '5'],
    ] as const
  ).map(
    ([state, sixths]) =>
      [
        `/kms/keys.csv?state=${state}&sort=id`,
        'id',
        `SELECT id AS of FROM kms_key WHERE CAST(substr(id, 5) AS INTEGER) % 6 IN (${sixths}) ORDER BY id`,
      ] as const,
  ),
  [
    '/certificate-authority/requests.csv',
    'id',
    'SELECT id AS of FROM certificate_request ORDER BY created_at DESC, id DESC',
  ],
  [
    '/certificate-authority/requests.csv?state=pending&search=HOST1&sort=-subject',
    'id',
    `SELECT id AS of FROM certificate_request WHERE state = 'pending' AND instr(subject, 'host1')
       ORDER BY lower(subject) DESC, created_at DESC, id DESC`,
  ],
  ['/alerts.csv', 'id', 'SELECT id AS of FROM alert ORDER BY opened_at DESC, id DESC'],
  [
    '/alerts.csv?state=closed&sort=closed_at',
    'id',
    "SELECT id AS of FROM alert WHERE state = 'closed' ORDER BY closed_at, id",
  ],
  [
    '/alerts.csv?search=says 1',
    'id',
    "SELECT id AS of FROM alert WHERE instr(says, 'Says 1') ORDER BY opened_at DESC, id DESC",
  ],
  ['/appliance-apply.csv', 'id', 'SELECT id AS of FROM plan ORDER BY created_at DESC, id DESC'],
  [
    '/appliance-apply.csv?state=cancelled&search=change 1',
    'id',
    "SELECT id AS of FROM plan WHERE state = 'cancelled' AND instr(note, 'Change 1') ORDER BY created_at DESC, id DESC",
  ],
  [
    '/oidc/sessions.csv?search=USER1&sort=-user_name',
    'id',
    "SELECT id AS of FROM oidc_session WHERE expires_at > 0 AND instr(user_name, 'user1') ORDER BY user_name DESC, created_at DESC, id DESC",
  ],
];

describe('a file', () => {
  test.each(FILES)('%s is whole and in order', async (path, name, sql) => {
    const wanted = await told(sql);
    expect(wanted.length).toBeGreaterThan(100);
    expect(await column(path, name)).toEqual(wanted);
  });

  test('has every row, and is read page by page', async () => {
    const { heard, statements } = await counted(() => house.send('GET', `${UI}/ldap/users.csv`, { session: admin }));
    expect(heard.text.split('\r\n')).toHaveLength(ROWS + 2);
    const read = statements.filter((sql) => /from `ldap_user`/i.test(sql));
    expect(read).toHaveLength(3);
    expect(read.every((sql) => / limit \?$/i.test(sql))).toBe(true);
  });

  test('of a search, a state or an organization that nothing matches has its head alone', async () => {
    for (const query of ['search=nobody', 'state=failing', 'organization_id=org_none'])
      expect(await rowsOf(`/ldap/users.csv?${query}`)).toEqual([]);
    for (const query of ['search=nobody', 'state=failing', 'parent=ens192', 'show=problems&search=ens30.2&state=off'])
      expect(await rowsOf(`/vlans.csv?${query}`)).toEqual([]);
    for (const query of ['q=nobody', 'role=route', 'show=problems&q=ens192'])
      expect(await rowsOf(`/interfaces.csv?${query}`)).toEqual([]);
  });
});

test('a thousand rows are read in by one transaction, with as many statements for each as of few', async () => {
  const IMPORT = '/api/v1/ldap/users/import';
  const read = async (count: number) => {
    const rows = Array.from({ length: count }, (_, at) => `other,in${count}-${at},Surname ${at}`);
    const body = { csv: `organization,uid,surname\n${rows.join('\n')}\n` };
    const { heard, statements } = await counted(() => house.send('POST', IMPORT, { token: admin.token, body }));
    expect([heard.status, heard.body.errors, heard.body.new]).toEqual([200, undefined, count]);
    expect(statements.filter((sql) => sql.startsWith('BEGIN')).length).toBeLessThanOrEqual(1);
    return statements.length;
  };
  const [few, some] = [await read(10), await read(100)];
  // Whoever writes at the same moment shares the transaction, which takes a few statements more or less.
  const each = Math.round((some - few) / 90);
  // The row that may be there, what it names, itself and its event, within a savepoint.
  expect(each).toBe(6);
  const many = await read(IMPORT_ROWS_MOST);
  expect(Math.abs(many - few - (IMPORT_ROWS_MOST - 10) * each)).toBeLessThan(10);
  const saved = await told("SELECT count(*) AS of FROM audit_event WHERE action = 'ldap.user.create'");
  expect(saved).toEqual([String(IMPORT_ROWS_MOST + 110)]);
});

test('a file of VLANs reads the interfaces once, however many rows it has', async () => {
  const read = async (count: number, mtu: number) => {
    const rows = Array.from({ length: count }, (_, at) => `ens30,${at + 1},${mtu}`);
    const body = { csv: `parent_interface,vlan_id,mtu\n${rows.join('\n')}\n` };
    const { heard, statements } = await counted(() =>
      house.send('POST', '/api/v1/vlans/import', { token: admin.token, body }),
    );
    expect([heard.status, heard.body.errors, heard.body.changed]).toEqual([200, undefined, count]);
    expect(statements.filter((sql) => /^SELECT[^(]* FROM interface/.test(sql)).length).toBeLessThanOrEqual(1);
    return statements.length;
  };
  const [few, some] = [await read(10, 1400), await read(100, 1401)];
  const each = Math.round((some - few) / 90);
  const many = await read(IMPORT_ROWS_MOST, 1402);
  expect(Math.abs(many - few - (IMPORT_ROWS_MOST - 10) * each)).toBeLessThan(10);
});
