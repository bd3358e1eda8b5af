// An archive of schema 2 in plain JSON: what comes of each section, what has no place and is named, what is refused; and that no
// secret in it is shown or lies on the disk.
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bringForward, type Forward } from '../../../../shared/appliance/archive/bring-forward.ts';
import { rangesIn, secondsOf } from '../../../../shared/appliance/archive/plain/dhcp.ts';
import { PLAIN_LIMITS } from '../../../../shared/appliance/archive/plain/document.ts';
import { restoreState } from '../../../../shared/appliance/archive/restore.ts';
import { rowsOf } from '../../../../shared/appliance/archive/rows.ts';
import { systemActor } from '../../../../shared/kernel/access/actor.ts';
import { type Credentials, House } from '../../../setup/house.ts';
import { ALL } from './scene.ts';

const FILE = readFileSync(join(import.meta.dirname, '../../../fixtures/plain-archives/schema-2.json'));
// biome-ignore lint/suspicious/noExplicitAny: it is edited in every way.
type Any = any;
const edited = (edit: (document: Any) => void): Buffer => {
  const document = JSON.parse(FILE.toString('utf8'));
  edit(document);
  return Buffer.from(JSON.stringify(document));
};

let house: House;
let admin: Credentials;
const lines: string[] = [];
beforeAll(async () => {
  house = await House.open({ log: (line) => void lines.push(line) });
  admin = await house.actor('admin', undefined, 'ada');
});
afterAll(() => house.close());

const folder = () => join(house.data, 'archives');
async function opened<T>(bytes: Buffer, work: (forward: Forward) => Promise<T> | T): Promise<T> {
  const forward = await bringForward(folder(), [bytes], null);
  try {
    return await work(forward);
  } finally {
    await forward.close();
  }
}
const rows = (forward: Forward, table: string): readonly Any[] => forward.state.get(table) ?? [];

describe('read', () => {
  test('adapters and VLANs; retired roles and modes as what they became', () =>
    opened(FILE, (forward) => {
      const found = rows(forward, 'interface').map(({ name, role, mode, mac_address, ipv4_cidr, mtu }) => [
        name,
        role,
        mode,
        mac_address,
        ipv4_cidr,
        mtu,
      ]);
      expect(found).toEqual(
        expect.arrayContaining([
          ['ens192', 'management', 'access', '00:50:56:9c:0a:01', '10.10.0.5/24', 1500],
          ['ens224', 'access', 'access', '00:50:56:9c:0a:02', '192.168.10.2/24', 9000],
          ['ens256', 'unused', 'trunk', '00:50:56:9c:0a:03', '', 1500],
          ['ens256.20', 'access', 'access', '00:50:56:9c:0a:03', '172.16.20.2/24', 1500],
        ]),
      );
      expect(found).toHaveLength(4);
    }));

  test('zones out of the settings, and records under them', () =>
    opened(FILE, async (forward) => {
      expect(
        rows(forward, 'dns_zone')
          .map(({ name, enabled, description }) => [name, enabled, description])
          .sort(),
      ).toEqual([
        ['lab.example', true, 'The management domain'],
        ['old.example', false, ''],
      ]);
      const [{ db, table }] = forward.many as [Any];
      const records = await rowsOf(db, { ...table, name: 'dns_record_raw' });
      expect(records.map(({ fqdn, type, value, enabled }) => [fqdn, type, value, enabled]).sort()).toEqual([
        ['esx01.lab.example', 'A', '172.16.20.21', false],
        ['vc01.lab.example', 'A', '172.16.20.10', true],
        ['vcenter.lab.example', 'CNAME', 'vc01.lab.example', true],
      ]);
    }));

  test('scopes, options and reservations; volumes and datastores; time sources', () =>
    opened(FILE, (forward) => {
      const [scope] = rows(forward, 'dhcp_scope');
      expect(scope).toMatchObject({
        subnet_cidr: '172.16.20.0/24',
        gateway: '172.16.20.2',
        lease_time: 43_200,
        ranges: [
          { start: '172.16.20.100', end: '172.16.20.199' },
          { start: '172.16.20.210', end: '172.16.20.210' },
        ],
      });
      expect(rows(forward, 'dhcp_option')).toMatchObject([{ scope_id: scope.id, code: 66, address_family: 'ipv4' }]);
      expect(rows(forward, 'dhcp_reservation')).toMatchObject([{ hostname: 'esx01', owner_source: null }]);
      const [volume] = rows(forward, 'storage_volume');
      // There an empty list lets everybody in.
      expect(rows(forward, 'storage_datastore')).toMatchObject([
        { name: 'nfs-ds1', volume_id: volume.id, ipv4_clients: ['any'] },
      ]);
      expect(rows(forward, 'ntp_source')).toMatchObject([{ address: 'ntp.lab.example', kind: 'server', nts: false }]);
    }));

  test('what has no place is named and counted', () =>
    opened(FILE, ({ unplaced }) => {
      expect(unplaced.map(({ name, count }) => [name, count])).toEqual([
        ['ca_certificates', 1],
        ['dhcp_options', 1],
        ['dns_records', 1],
        ['dns_records', 1],
        ['esx_nfs_shares', 1],
        ['esx_storage_volumes', 1],
        ['esxi_kickstarts', 1],
        ['esxi_pxe_hosts: Kickstarts', 1],
        ['esxi_pxe_hosts: addresses', 1],
        ['esxi_pxe_hosts: installer images', 1],
        ['esxi_pxe_hosts: variables', 1],
        ['firewall_rules', 2],
        ['routes', 1],
        ['schedules', 3],
      ]);
      for (const { why } of unplaced) expect(why).toMatch(/^[A-Z].*\.$/);
    }));

  test('a table whose section is missing is not in it, so that its rows stay', () =>
    opened(
      edited(({ data }) => {
        delete data.dhcp_scopes;
        delete data.physical_interfaces;
      }),
      ({ state, unplaced }) => {
        expect([...state.keys()].filter((name) => /^dhcp_|^interface/.test(name))).toEqual([]);
        expect(unplaced.map(({ name }) => name)).toEqual(expect.arrayContaining(['vlans', 'dhcp_reservations']));
      },
    ));

  test.each([
    ['192.0.2.1', [{ start: '192.0.2.1', end: '192.0.2.1' }]],
    ['192.0.2.1-192.0.2.9', [{ start: '192.0.2.1', end: '192.0.2.9' }]],
    ['2001:db8::10-2001:db8::20', [{ start: '2001:db8::10', end: '2001:db8::20' }]],
    ['', []],
    ['192.0.2.1-many', null],
  ])('the range %j', (text, ranges) => expect(rangesIn(text)).toEqual(ranges));

  test.each([
    ['12h', 43_200],
    ['90', 90],
    ['1w', 604_800],
    ['infinite', null],
  ])('the lease time %j', (text, seconds) => expect(secondsOf(text)).toBe(seconds));
});

describe('refused, naming the place and no value', () => {
  const refusal = (bytes: Buffer): Promise<string> =>
    bringForward(folder(), [bytes], null).then(
      (forward) => forward.close().then(() => 'read'),
      (error: Error) => error.message,
    );

  /** Changed at a path; undefined takes the member away. */
  test.each<[string, (string | number)[], unknown, RegExp]>([
    ['another schema', ['schema_version'], 1, /It is of schema 1; of archives in plain JSON .* schema 2/],
    ['no schema', ['schema_version'], undefined, /Its member schema_version is missing/],
    ['no data', ['data'], [], /Its member data/],
    ['a row that is none', ['data', 'vlans'], ['C4nary'], /vlans, row 1 is no object/],
    ['no role', ['data', 'physical_interfaces', 1, 'role'], undefined, /physical_interfaces, row 2: role is missing/],
    ['an unknown role', ['data', 'vlans', 0, 'role'], 'C4nary', /vlans, row 1: role is a role that no release knew/],
    ['an unknown mode', ['data', 'physical_interfaces', 0, 'mode'], 'C4nary', /row 1: mode is a mode/],
    ['no address', ['data', 'vlans', 0, 'ip_cidr'], 'C4nary', /ip_cidr is missing, or is not an IPv4/],
    ['a text for a number', ['data', 'vlans', 0, 'vlan_id'], 'C4nary', /vlan_id is missing, or is not a whole/],
    ['no MAC address', ['data', 'dhcp_reservations', 0, 'mac_address'], 'C4nary', /is not a MAC address/],
    ['too many rows', ['data', 'routes'], Array(PLAIN_LIMITS.rows + 1).fill(0), /more than 20000 rows/],
    ['too many levels', ['data', 'routes'], JSON.parse('['.repeat(20) + ']'.repeat(20)), /more than 16 levels/],
  ])('%s', async (_what, path, value, detail) => {
    const said = await refusal(
      edited((document) => {
        const at = path.slice(0, -1).reduce((inside, member) => inside[member], document);
        at[path.at(-1)!] = value;
      }),
    );
    expect(said).toMatch(detail);
    expect(said).not.toContain('C4nary');
  });

  test('two VLANs with a number', async () => {
    const twice = edited(({ data }) => data.vlans.push(data.vlans[0]));
    expect(await refusal(twice)).toMatch(/Its rows do not fit together/);
  });

  test('what is cut off, and what is no UTF-8; nothing is left of it', async () => {
    for (let at = 1; at < FILE.length; at += 400)
      expect(await refusal(FILE.subarray(0, at))).toMatch(/is not valid JSON/);
    const other = Buffer.from(FILE);
    other[FILE.indexOf('vCenter')] = 0xff;
    expect(await refusal(other)).toMatch(/is not UTF-8 text/);
    expect((await readdir(folder())).filter((name) => name.startsWith('scratch'))).toEqual([]);
  });
});

test('no secret of it is shown, logged, or in the database that it is read into', async () => {
  await opened(FILE, async (forward) => {
    const [scratch = ''] = await readdir(folder());
    for (const name of await readdir(join(folder(), scratch)))
      expect((await readFile(join(folder(), scratch, name))).includes('C4nary')).toBe(false);
    expect(JSON.stringify(forward.unplaced)).not.toContain('C4nary');
  });
  const { body } = await house.send('POST', '/api/v1/archives/uploads', {
    token: admin.token,
    body: { name: 'lab.json', size_bytes: FILE.length },
  });
  const event = house.event('PUT', `/api/v1/archives/${body.id}/content?offset=0`, {
    token: admin.token,
    raw: FILE.toString('base64'),
    headers: { 'content-type': 'application/octet-stream' },
  });
  expect((await house.appliance.answer({ ...event, isBase64Encoded: true })).statusCode).toBe(200);
  const inspected = await house.send('POST', `/api/v1/archives/${body.id}/inspect`, { token: admin.token, body: {} });
  expect(inspected.status).toBe(200);
  expect(inspected.body).toMatchObject({ made_by: 'admin', program: '1.2.3', host_name: '' });
  expect(inspected.body.unplaced).toContainEqual({
    name: 'schedules',
    count: 3,
    why: 'This appliance has no place for it.',
  });
  const page = await house.send('POST', `/ui/management/archives/${body.id}/inspect`, { session: admin, form: {} });
  expect(page.status).toBe(200);
  expect(page.text).toContain('Not taken over');
  expect(page.text).toContain('firewall_rules');
  for (const { answer } of house.heard) expect(answer.body).not.toContain('C4nary');
  expect(lines.join('\n')).not.toContain('C4nary');
});

test('it is restored as any other, and again it differs in nothing; settings that it says nothing of stay', async () => {
  const { services } = house;
  const { store } = services;
  await store.write((tx) => opened(FILE, (forward) => restoreState(tx, services, systemActor('test'), forward, ALL)));
  const [host] = await store.all<Any>('SELECT * FROM network_boot_host');
  expect(host).toMatchObject({ hostname: 'esx01.lab.example', variable_names: '["root_password"]', enabled: 0 });
  expect(JSON.stringify(await store.all('SELECT * FROM audit_event'))).not.toContain('C4nary');
  const saved = await store.one<{ document: string }>("SELECT document FROM unit_settings WHERE unit = 'dns-dhcp'");
  expect(JSON.parse(saved!.document)).toMatchObject({ enabled: true, cache_size: 2000, ttl_seconds: 300 });
  await store.write((tx) =>
    tx.run(`UPDATE unit_settings SET document = json_set(document, '$.ttl_seconds', 77) WHERE unit = 'dns-dhcp'`),
  );
  const again = await store.write((tx) =>
    opened(FILE, (forward) => restoreState(tx, services, systemActor('test'), forward, ALL)),
  );
  expect(again.differences.flatMap(({ rows: differing }) => differing)).toEqual([]);
});
