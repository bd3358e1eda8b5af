// An appliance that starts on the database of an older release: what that release wrote is read as this one means it, and
// edits work on it from the first request.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { systemEntropy } from '../../../../shared/ground/clock.ts';
import { openKeys } from '../../../../shared/ground/sealing/keys.ts';
import { MIGRATIONS } from '../../../../shared/ground/store/migrations/index.ts';
import { DATABASE_FILE, migrate } from '../../../../shared/ground/store/open-store.ts';
import { type Credentials, House } from '../../../setup/house.ts';

const ROWS = readFileSync(join(import.meta.dirname, '../../../fixtures/migrations/0001-first-flight.rows.sql'), 'utf8');

/** Somebody who was disabled and somebody who was not, with a token each. */
const USERS = ['gone', 'here']
  .map(
    (name, enabled) => `INSERT INTO user (id, name, role, password_hash, enabled, created_at, updated_at)
      VALUES ('user_${name}', '${name}', 'viewer', '', ${enabled}, '2026-01-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z');
    INSERT INTO api_token (id, name, secret_hmac, scopes, user_id, created_by, created_at, expires_at)
      VALUES ('tok_${name}', 'ci', '', 'read:dns', 'user_${name}', '${name}', '2026-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z');`,
  )
  .join('\n');

let data: string;
let house: House;
let admin: Credentials;

beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'groundcrew-upgrade-'));
  await openKeys(data, systemEntropy, false);
  const file = join(data, DATABASE_FILE);
  await migrate(file, 1);
  const older = new DatabaseSync(file);
  older.exec(ROWS);
  older.exec(USERS);
  older.close();
  house = await House.open({ data });
  admin = await house.actor('admin');
});
afterEach(async () => {
  await house.close();
  rmSync(data, { recursive: true, force: true });
});

const get = async (path: string) => (await house.send('GET', `/api/v1/${path}`, { token: admin.token })).body;
const patch = (path: string, body: object) => house.send('PATCH', `/api/v1/${path}`, { token: admin.token, body });

test('the retired roles services and storage are read as access, and routed as access mode', async () => {
  expect(await get('interfaces/physical/ens224')).toMatchObject({ role: 'access', mode: 'access' });
  expect(await get('vlans/vlan_forty')).toMatchObject({ role: 'access' });
});

test.each(['services', 'storage', ' Storage '])('a request that names %s is refused', async (role) => {
  for (const path of ['interfaces/physical/ens224', 'vlans/vlan_forty']) {
    const heard = await patch(path, { role });
    expect([heard.status, heard.body.errors[0].pointer]).toEqual([422, '/role']);
  }
});

test('settings get the addresses of their interfaces, in the order of the choice, IPv4 first', async () => {
  expect(await get('dns-dhcp/settings')).toMatchObject({
    listen_addresses: ['172.16.40.2', 'fd00:40::2', '192.168.10.2'],
    revision: 4,
  });
});

test('an interface of a retired role is edited, and its service follows', async () => {
  const heard = await patch('interfaces/physical/ens224', { ipv4_cidr: '192.168.77.2/24' });
  expect([heard.status, heard.body.impact.refreshed_units]).toEqual([200, ['dns-dhcp']]);
  expect(await get('dns-dhcp/settings')).toMatchObject({
    listen_addresses: ['172.16.40.2', 'fd00:40::2', '192.168.77.2'],
    revision: 5,
  });
});

test('tokens of users who were disabled stay stopped; others go on, with a maker that nobody knows', async () => {
  expect(await get('tokens/tok_gone')).toMatchObject({ state: 'revoked', revoked_at: '2026-02-02T00:00:00.000Z' });
  expect(await get('tokens/tok_here')).toMatchObject({ state: 'active', created_by_token: null });
});

test.each([
  ['clients are not named: the firewall has a change to review', '[]', 1],
  ['clients are named: nothing changes', '["10.1.0.0/16"]', 0],
])('a name service whose %s', async (_what, clients, waits) => {
  const own = mkdtempSync(join(tmpdir(), 'groundcrew-upgrade-'));
  const file = join(own, DATABASE_FILE);
  await migrate(
    file,
    MIGRATIONS.findIndex(({ name }) => name === '0012-own-networks'),
  );
  const older = new DatabaseSync(file);
  older.exec(ROWS);
  older.exec(`UPDATE unit_settings SET document = json_set(document, '$.allowed_clients', json('${clients}'));
    UPDATE unit_state SET applied_version = desired_version`);
  older.close();
  await migrate(file);
  const newer = new DatabaseSync(file);
  const pending = newer.prepare('SELECT unit FROM unit_state WHERE desired_version <> applied_version').all();
  newer.close();
  rmSync(own, { recursive: true, force: true });
  expect(pending.map(({ unit }) => unit)).toEqual(waits ? ['firewall'] : []);
});

test('an empty list beside a service that listens gave no servers, and still gives none; others follow from now on', async () => {
  const own = mkdtempSync(join(tmpdir(), 'groundcrew-upgrade-'));
  const file = join(own, DATABASE_FILE);
  await migrate(
    file,
    MIGRATIONS.findIndex(({ name }) => name === '0015-following-servers'),
  );
  const older = new DatabaseSync(file);
  const service = (unit: string, listens: string[]) =>
    `('${unit}', '${JSON.stringify({ enabled: true, listen_interfaces: listens })}', '')`;
  const row = (id: string, link: string, dns: string, enabled: number) =>
    `('${id}', '${id}', 'ipv4', '${link}', '10.9.0.0/24', '[]', '10.9.0.1', '${dns}', '[]', 60, '', ${enabled}, '', '')`;
  older.exec(`INSERT INTO unit_settings (unit, document, updated_at) VALUES ${service('dns-dhcp', ['a'])},
      ${service('ntp', ['a'])}, ${service('dhcp', [])},
      ('dhcp-legacy-binding', '{"enabled":true,"interface":"a","dns_servers":["8.8.8.8"],"ntp_servers":[]}', '');
    INSERT INTO dhcp_scope (id, name, address_family, interface, subnet_cidr, ranges, gateway, dns_servers, ntp_servers,
      lease_time, domain, enabled, created_at, updated_at) VALUES ${row('named', 'a', '["8.8.8.8"]', 1)},
      ${row('empty', 'a', '[]', 1)}, ${row('unheard', 'b', '[]', 1)}, ${row('off', 'a', '[]', 0)};
    INSERT INTO storage_volume (id, name, device, mount_path, created_at, updated_at) VALUES ('v', 'v', '', '', '', '');
    INSERT INTO storage_datastore (id, name, volume_id, path, nfs_version, interface, address_families, addresses,
      ipv4_clients, ipv6_clients, created_at, updated_at) VALUES
      ('all', 'all', 'v', '', '3', 'a', '["ipv4"]', '[]', '[]', '[]', '', ''),
      ('some', 'some', 'v', '', '3', 'a', '["ipv4","ipv6"]', '[]', '["10.9.0.0/24"]', '[]', '', '');
    UPDATE unit_state SET applied_version = desired_version`);
  older.close();
  await migrate(file);
  const newer = new DatabaseSync(file);
  const lists = (sql: string) =>
    newer
      .prepare(sql)
      .all()
      .map((each) => Object.values(each).join(' '));
  expect(lists('SELECT name, dns_servers, ntp_servers, revision FROM dhcp_scope ORDER BY name')).toEqual([
    'empty ["none"] ["none"] 3',
    'named ["8.8.8.8"] ["none"] 2',
    'off [] [] 1',
    'unheard [] [] 1',
  ]);
  expect(
    lists(
      "SELECT document ->> 'dns_servers', document ->> 'ntp_servers' FROM unit_settings WHERE unit = 'dhcp-legacy-binding'",
    ),
  ).toEqual(['["8.8.8.8"] ["none"]']);
  expect(lists('SELECT name, ipv4_clients, ipv6_clients FROM storage_datastore ORDER BY name')).toEqual([
    'all ["any"] []',
    'some ["10.9.0.0/24"] ["any"]',
  ]);
  const waiting = () => lists('SELECT unit FROM unit_state WHERE desired_version <> applied_version');
  expect(waiting()).toEqual([]);
  // Clients of the scope `unheard` follow the time service from now on.
  newer.exec(
    "UPDATE unit_settings SET document = json_set(document, '$.listen_interfaces[0]', 'b') WHERE unit = 'ntp'",
  );
  expect(waiting()).toContain('dns-dhcp');
  newer.close();
  rmSync(own, { recursive: true, force: true });
});
