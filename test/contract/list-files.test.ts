// Files of lists that have more rows than are read at once: each row once, in the order of the list, and only those that its
// filter, search and state show. And a file of a thousand rows that is read in: one transaction, and no more statements for a row
// than where the file is short.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
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
  });
}, 300_000);
afterAll(() => house?.close());

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
