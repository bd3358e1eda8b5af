// Rows out as CSV and in again, for each collection that has it: nothing changes on the appliance that wrote the file, and another
// one gets equal rows, whatever ids it has.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { operations } from '../../runtime/generated/operations.ts';
import { furnish } from '../setup/furnish.ts';
import { type Credentials, House } from '../setup/house.ts';

jest.setTimeout(300_000);

const UI = '/ui/management';
const API = '/api/v1';
const ROWS = 12;

type Draft = Record<string, unknown>;
type Make = (n: number, chance: Chance, known: Known) => Draft;
interface Known {
  organization_id: string;
  scope_id: string;
  volume_id: string;
  users: string[];
}

/** What people write, and what spreadsheets and readers of CSV stumble over. */
const TEXTS = ['', '=1+1', '+49 30', '-x', '@a', "'=quoted", "''", "'", 'a;b,c "d"', 'Grüße 🚀', 'true', '1,5', '[x]'];
const chances = fc.record({
  text: fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'grapheme-ascii', maxLength: 30 })),
  yes: fc.boolean(),
  no: fc.boolean(),
  number: fc.integer({ min: 1, max: 60_000 }),
});
type Chance = typeof chances extends fc.Arbitrary<infer T> ? T : never;

/** In an order in which each finds what it names. */
const COLLECTIONS: readonly (readonly [page: string, api: string, make: Make])[] = [
  [
    '/vlans',
    '/vlans',
    (n, { yes }) => ({
      ...{ parent_interface: 'ens256', vlan_id: 300 + n, role: n % 2 === 0 ? 'access' : 'route', enabled: yes },
      ...{ ipv4_cidr: `10.97.${n}.2/24`, ipv6_cidr: n % 3 === 0 ? `fd00:97:${n}::2/64` : '', mtu: 1400 + n },
    }),
  ],
  [
    '/ldap/organizations',
    '/ldap/organizations',
    (n, { text }) => ({ slug: `o${n}`, suffix: `dc=o${n},dc=test`, description: text }),
  ],
  [
    '/ldap/users',
    '/ldap/users',
    (n, { text, yes }, { organization_id }) => ({
      organization_id,
      uid: `u${n}`,
      surname: `S${n}`,
      description: text,
      enabled: yes,
    }),
  ],
  [
    '/ldap/groups',
    '/ldap/groups',
    (n, { text }, { organization_id, users }) => ({
      organization_id,
      name: `Group ${n}`,
      member_users: users.slice(0, n % 3),
      // Of names with spaces, and of groups that the file has after this one.
      member_groups: n > 1 && n % 2 === 0 ? [`Group ${n - 1}`] : [],
      description: text,
    }),
  ],
  [
    '/ldap/bind-accounts',
    '/ldap/bind-accounts',
    (n, { text }, { organization_id }) => ({ organization_id, name: `b${n}`, description: text }),
  ],
  ['/dns/zones', '/dns/zones', (n, { text, yes }) => ({ name: `z${n}.example`, description: text, enabled: yes })],
  [
    '/dhcp/scopes',
    '/dhcp/scopes',
    (n, { text, number }) => ({
      name: `Scope ${n}`,
      subnet_cidr: `10.99.${n}.0/24`,
      ranges: n % 2 === 0 ? [] : [{ start: `10.99.${n}.10`, end: `10.99.${n}.20` }],
      dns_servers: n % 3 === 0 ? ['none'] : [`10.99.${n}.1`, `10.99.${n}.2`],
      lease_time: 600 + number,
      enabled: false,
      description: text,
    }),
  ],
  [
    '/dhcp/options',
    '/dhcp/options',
    (n, { text, yes }, { scope_id }) => ({
      scope_id: n % 2 === 0 ? null : scope_id,
      code: 200 + n,
      value: `"v${n}, x"`,
      enabled: yes,
      description: text,
    }),
  ],
  [
    '/dhcp/reservations',
    '/dhcp/reservations',
    (n, { text }) => ({
      hostname: `r${n}`,
      mac_address: `00:50:56:99:00:${(16 + n).toString(16)}`,
      ip_address: `10.98.0.${n + 1}`,
      enabled: false,
      description: text,
    }),
  ],
  [
    '/storage/datastores',
    '/storage/datastores',
    (n, { text, number }, { volume_id }) => ({
      ...{
        name: `ds-${n}`,
        volume_id,
        interface: 'ens224',
        address_families: ['ipv4'],
        enabled: false,
        description: text,
      },
      ...{ size_limit_gib: number % 100, ipv4_clients: n % 2 === 0 ? ['any'] : ['10.0.0.0/8', '172.16.0.7'] },
    }),
  ],
  [
    '/network-boot/hosts',
    '/network-boot/esxi-hosts',
    (n, { text }) => ({
      hostname: `boot${n}.lab.example`,
      mac_address: `00:50:56:98:00:${(16 + n).toString(16)}`,
      enabled: n % 2 === 0,
      description: text,
    }),
  ],
  [
    '/ntp/sources',
    '/ntp/sources',
    (n, { text, yes, no }) => ({
      address: `t${n}.time.example`,
      kind: yes ? 'pool' : 'server',
      nts: no,
      prefer: yes,
      description: text,
      enabled: no,
    }),
  ],
  [
    '/firewall/rules',
    '/firewall/rules',
    (n, { text, yes, number }) => ({
      ...{
        name: `=Rule ${n}; "x"`,
        position: number,
        action: yes ? 'accept' : 'drop',
        protocol: 'tcp',
        ports: '22,8000-8100',
      },
      ...{ source_cidr: n % 2 === 0 ? '' : '10.0.0.0/8', log: yes, description: text },
    }),
  ],
];

interface Place {
  house: House;
  admin: Credentials;
  known: Known;
}
let one: Place;
let other: Place;

const list = async ({ house, admin }: Place, api: string): Promise<Draft[]> =>
  (await house.send('GET', `${API}${api}?limit=500`, { token: admin.token })).body.items;

async function opened(): Promise<Place> {
  const house = await House.open({ ticker: false });
  const admin = await house.actor('admin', undefined, 'admin');
  await furnish(house, admin);
  const place = { house, admin, known: {} as Known };
  const first = async (api: string) => String((await list(place, api))[0]!.id);
  place.known = {
    organization_id: await first('/ldap/organizations'),
    scope_id: await first('/dhcp/scopes'),
    volume_id: await first('/storage/volumes'),
    users: [],
  };
  return place;
}

beforeAll(async () => {
  one = await opened();
  other = await opened();
  // Another order of rows: other ids, and names that lead to them.
  const all = fc.sample(chances, { numRuns: ROWS, seed: 24 });
  for (const [, api, make] of COLLECTIONS) {
    for (const [n, chance] of all.entries()) {
      const body = make(n, chance, one.known);
      const heard = await one.house.send('POST', `${API}${api}`, { token: one.admin.token, body });
      if (heard.status !== 201) throw new Error(`${api} ${JSON.stringify(body)}: ${heard.text}`);
      if (api === '/ldap/users') one.known.users.push(heard.body.uid);
    }
  }
}, 300_000);
afterAll(async () => {
  await one?.house.close();
  await other?.house.close();
});

const out = async ({ house, admin }: Place, page: string): Promise<string> => {
  const heard = await house.send('GET', `${UI}${page}.csv`, { session: admin });
  expect(heard.status).toBe(200);
  return heard.text;
};
const into = ({ house, admin }: Place, api: string, csv: string, more: object = {}, query = '') =>
  house.send('POST', `${API}${api}/import${query}`, { token: admin.token, body: { csv, ...more } });

const OWN = /^(?:id|owner|.*_id|revision|created_at|updated_at|entry_uuid|password_set_at|variable_names)$/;
const plain = (items: readonly Draft[]): string[] =>
  items.map((item) => JSON.stringify(Object.entries(item).filter(([member]) => !OWN.test(member)))).sort();

test('each collection that is read from files is here', () => {
  const imports = operations.filter(
    ({ spec }) =>
      spec.effect === 'desired-state' &&
      spec.plane === 'api' &&
      /^[^{]+\/import$/.test(spec.path) &&
      spec.id.endsWith('s'),
  );
  expect(imports.map(({ spec }) => spec.path.replace(/^.api.v1|.import$/g, '')).sort()).toEqual(
    // Interfaces are found on the host: there are no new rows of them. Clients of OpenID Connect are left out, since they have
    // secrets, and Kickstarts, since their text is a secret that no file has.
    [...COLLECTIONS.map(([, api]) => api), '/interfaces'].sort(),
  );
});

describe('interfaces', () => {
  const API_PATH = '/interfaces';
  const faultsOf = (heard: Awaited<ReturnType<typeof into>>) =>
    heard.body.faults.map(({ line, name, detail }: Record<string, unknown>) => [line, name, detail]);

  test('out and in changes nothing, VLANs included', async () => {
    const csv = await out(one, '/interfaces');
    const { body } = await into(one, API_PATH, csv);
    expect(body).toMatchObject({ new: 0, changed: 0, refused: 0, fault_count: 0, same: body.rows.length });
    expect(csv).toContain('ens256.20');
    expect(await out(one, '/interfaces')).toBe(csv);
  });

  test('rows change members by the rules of one interface, with its audit event', async () => {
    const csv = 'name,mtu\nens224,1450\nens192,9000\n';
    const preview = await into(one, API_PATH, csv, {}, '?dry_run=true');
    expect(preview.body).toMatchObject({ new: 0, changed: 2, refused: 0 });
    expect(preview.body.rows[0].changes).toEqual([{ member: 'mtu', before: '1500', after: '1450' }]);
    const mtus = async () => (await list(one, '/interfaces/physical')).map(({ name, mtu }) => [name, mtu]);
    expect(await mtus()).toContainEqual(['ens224', 1500]);
    expect((await into(one, API_PATH, csv, { previewed: preview.body.previewed })).status).toBe(200);
    expect(await mtus()).toEqual(
      expect.arrayContaining([
        ['ens224', 1450],
        ['ens192', 9000],
      ]),
    );
    const { body } = await one.house.send('GET', '/api/v1/audit?limit=2', { token: one.admin.token });
    const said = body.items.map(({ action, resource }: Draft) => [action, resource]);
    expect(said).toEqual([
      ['network.interface.update', expect.objectContaining({ type: 'interface', id: 'ens192' })],
      ['network.interface.update', expect.objectContaining({ type: 'interface', id: 'ens224' })],
    ]);
  });

  test('new names, changes of VLANs and what the rules refuse have a reason each', async () => {
    const csv = 'name,mtu,role\nens999,1500,access\nens256.20,1300,access\nens256.999,1500,access\nens224,12,access\n';
    expect(faultsOf(await into(one, API_PATH, csv, {}, '?dry_run=true'))).toEqual(
      [
        [2, 'name', 'No interface has this name. Interfaces are found on the host: refresh them there.'],
        [3, 'mtu', 'Is of a VLAN: change it by a file of VLANs.'],
        [4, 'name', 'No VLAN has this name. VLANs are made by a file of VLANs.'],
        [5, 'mtu', 'Must be at least 576.'],
      ].sort((one, other) => Number(one[0]) - Number(other[0])),
    );
    expect((await into(one, API_PATH, csv)).status).toBe(422);
  });

  test('a VLAN without a trunk, or whose network another one has, is refused with its line', async () => {
    const csv =
      'parent_interface,vlan_id,ipv4_cidr\nens224,7,10.96.0.2/24\nens256,8,10.97.1.9/24\nens256,9,10.96.9.2/24\n';
    const heard = await into(one, '/vlans', csv, {}, '?dry_run=true');
    expect(heard.body).toMatchObject({ new: 1, refused: 2 });
    expect(faultsOf(heard).map(([line]: unknown[]) => line)).toEqual([2, 3]);
  });
});

describe.each(COLLECTIONS)('%s', (page, api) => {
  test('out and in changes nothing', async () => {
    const csv = await out(one, page);
    const heard = await into(one, api, csv);
    expect([heard.status, heard.body.errors]).toEqual([200, undefined]);
    const { rows, same, ...counts } = heard.body;
    expect(counts).toMatchObject({ new: 0, changed: 0, kept: 0, refused: 0, fault_count: 0 });
    expect(same).toBe(rows.length);
    expect(same).toBeGreaterThanOrEqual(ROWS);
    expect(await out(one, page)).toBe(csv);
  });

  test('the preview of another appliance saves nothing; then it has equal rows', async () => {
    const csv = await out(one, page);
    const before = await list(other, api);
    const preview = await into(other, api, csv, {}, '?dry_run=true');
    expect([preview.status, preview.body.faults]).toEqual([200, []]);
    expect(preview.body.new).toBe(ROWS);
    expect(await list(other, api)).toEqual(before);
    const { previewed } = preview.body;
    const heard = await into(other, api, csv, { previewed });
    expect([heard.status, heard.body.errors]).toEqual([200, undefined]);
    expect(heard.body.new).toBe(ROWS);
    expect(plain(await list(other, api))).toEqual(plain(await list(one, api)));
    const again = await into(other, api, await out(one, page), { previewed });
    expect(again.status).toBe(409);
  });
});
