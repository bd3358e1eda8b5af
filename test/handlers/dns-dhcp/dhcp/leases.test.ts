// Leases from outside: the API and the page read what the running service has written down. And what an apply reads of
// the saved state, with what makes it pending.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { surroundingsOf } from '../../../../shared/appliance/surroundings.ts';
import { LEASES_FILE } from '../../../../shared/services/dns-dhcp/files.ts';
import { dnsDhcpUnit } from '../../../../shared/services/dns-dhcp/unit.ts';
import { type Credentials, House } from '../../../setup/house.ts';
import { furnishDhcp } from './scene.ts';

let house: House;
let admin: Credentials;
let viewer: Credentials;

const API = '/api/v1/dhcp/leases';
const PAGE = '/ui/management/dhcp/leases';
const SURROUNDINGS = surroundingsOf({ management_port: 0, public_listen: null });
const FILE = `4102444800 00:50:56:01:00:01 10.20.0.11 esx01 01:00:50:56:01:00:01
4102444800 00:50:56:01:00:77 10.20.0.120 laptop *
0 00:50:56:01:00:78 10.20.0.9 * *
1000000000 00:50:56:01:00:79 10.20.0.130 gone *
duid 00:01:00:01:32:94:12:1c:22:a8:a7:37:44:e5
4102444800 1234 fd00:20::1000 nested 00:03:00:01:00:50:56:01:00:80
a line of a later release
`;

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
  viewer = await house.actor('viewer');
});
afterAll(() => house.close());
beforeEach(async () => {
  await furnishDhcp(house);
  await house.services.host.write({ path: LEASES_FILE, content: FILE, mode: 0o644 });
});

const list = (query = '', actor = viewer) => house.send('GET', `${API}${query}`, { token: actor.token });
const addresses = async (query: string) =>
  ((await list(query)).body.items as { ip_address: string }[]).map(({ ip_address }) => ip_address);

describe('the API', () => {
  test('leases by address, IPv4 first, without those that have expired', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toEqual({
      items: [
        {
          ip_address: '10.20.0.9',
          address_family: 'ipv4',
          mac_address: '00:50:56:01:00:78',
          client_id: null,
          hostname: '',
          expires_at: null,
          reserved: false,
        },
        {
          ip_address: '10.20.0.11',
          address_family: 'ipv4',
          mac_address: '00:50:56:01:00:01',
          client_id: '01:00:50:56:01:00:01',
          hostname: 'esx01',
          expires_at: '2100-01-01T00:00:00.000Z',
          reserved: true,
        },
        expect.objectContaining({ ip_address: '10.20.0.120', hostname: 'laptop', reserved: false }),
        {
          ip_address: 'fd00:20::1000',
          address_family: 'ipv6',
          mac_address: null,
          client_id: '00:03:00:01:00:50:56:01:00:80',
          hostname: 'nested',
          expires_at: '2100-01-01T00:00:00.000Z',
          reserved: false,
        },
      ],
      next_cursor: null,
    });
  });

  test.each([
    ['?address_family=IPv6', ['fd00:20::1000']],
    ['?ip_address=FD00:20:0::1000', ['fd00:20::1000']],
    ['?mac_address=00-50-56-01-00-77', ['10.20.0.120']],
    ['?hostname=ESX01', ['10.20.0.11']],
    ['?reserved=true', ['10.20.0.11']],
    ['?reserved=false', ['10.20.0.9', '10.20.0.120', 'fd00:20::1000']],
    ['?hostname=nobody', []],
  ])('%s', async (query, found) => expect(await addresses(query)).toEqual(found));

  test('page by page', async () => {
    const first = (await list('?limit=3')).body;
    expect(first.items).toHaveLength(3);
    expect(await addresses(`?limit=3&cursor=${first.next_cursor}`)).toEqual(['fd00:20::1000']);
    expect((await list('?cursor=nonsense')).body).toMatchObject({ status: 400, error_code: 'invalid_cursor' });
    expect((await list('?reserved=perhaps')).status).toBe(422);
  });

  test('nothing is written, and nothing is there before the first apply', async () => {
    const before = await house.lastAudit();
    await house.services.host.remove(LEASES_FILE);
    expect((await list()).body).toEqual({ items: [], next_cursor: null });
    expect(await house.audited(before)).toEqual([]);
  });
});

describe('the page', () => {
  const get = async (query = '', session = admin) => {
    const { status, text } = await house.send('GET', `${PAGE}${query}`, { session });
    expect(status).toBe(200);
    expect(text).not.toMatch(/ style=/);
    return text;
  };

  test('shows who has which address, and how to keep it for him', async () => {
    const text = await get();
    for (const fact of ['4 leases', 'laptop', '00:50:56:01:00:77', '00:03:00:01:00:50:56:01:00:80', 'never'])
      expect(text).toContain(fact);
    expect(text).toContain('/reservations?search=10.20.0.11');
    const reserve = `/ui/management/dhcp/reservations/new?ip_address=10.20.0.120&amp;hostname=laptop&amp;mac_address=00%3A50%3A56%3A01%3A00%3A77`;
    expect(text).toContain(reserve);
    const form = await house.send('GET', reserve.replaceAll('&amp;', '&'), { session: admin });
    for (const value of ['10.20.0.120', 'laptop', '00:50:56:01:00:77']) expect(form.text).toContain(`value="${value}"`);
    expect(await get('', viewer)).not.toContain('/reservations/new');
  });

  test('leads to the file of what it shows', async () => {
    expect(await get('?search=00-77')).toContain(`href="${PAGE}.csv?search=00-77"`);
    const file = async (query: string) => {
      const { status, headers, text } = await house.send('GET', `${PAGE}.csv${query}`, { session: viewer });
      expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/csv')]);
      return text.trim().split('\r\n').slice(1);
    };
    expect(await file('')).toHaveLength(4);
    expect(await file('?search=laptop')).toEqual([
      '10.20.0.120,ipv4,00:50:56:01:00:77,,laptop,2100-01-01T00:00:00.000Z,false',
    ]);
  });

  test('finds a part of a MAC address, and says when there is nothing', async () => {
    const found = await get('?search=00-77');
    expect(found).toContain('laptop');
    expect(found).not.toContain('esx01');
    expect(await get('?search=nothing')).toContain('No lease matches');
    await house.services.host.remove(LEASES_FILE);
    expect(await get()).toContain('This is a rehearsal');
  });
});

describe('what an apply reads', () => {
  const run = (statement: string) => house.services.store.write((tx) => tx.run(statement));
  const load = () => dnsDhcpUnit.load(house.services.store, SURROUNDINGS);
  const version = async () =>
    (await house.services.store.one<{ v: number }>(
      "SELECT desired_version AS v FROM unit_state WHERE unit = 'dns-dhcp'",
    ))!.v;

  test('scopes that are on, with their carrier, their options and the reservations in them', async () => {
    const { dhcp } = await load();
    expect(dhcp?.scopes).toEqual([
      expect.objectContaining({ id: 'scope_lab', server: '10.20.0.1/24', domain: 'lab.test' }),
    ]);
    expect(dhcp?.options).toEqual([
      { scope_id: 'scope_lab', address_family: 'ipv4', code: 66, value: 'tftp.lab.test' },
    ]);
    expect(dhcp?.reservations.map(({ ip_address }) => ip_address)).toEqual(['10.20.0.11', '10.20.0.12']);
    await run("UPDATE interface SET enabled = 0 WHERE name = 'ens224'");
    expect((await load()).dhcp?.scopes[0]?.server).toBeNull();
    await run("UPDATE interface SET enabled = 1 WHERE name = 'ens224'");
  });

  test('the legacy binding while there is no scope, and nothing while DHCP is off', async () => {
    await run('DELETE FROM dhcp_scope');
    expect((await load()).dhcp?.scopes).toEqual([]);
    const binding = {
      enabled: true,
      interface: 'ens192',
      subnet_cidr: '10.10.0.0/24',
      ranges: [{ start: '10.10.0.50', end: '10.10.0.60' }],
    };
    const saved = await house.send('PATCH', '/api/v1/dhcp/legacy-binding', { token: admin.token, body: binding });
    expect(saved.status).toBe(200);
    expect((await load()).dhcp?.scopes).toEqual([
      expect.objectContaining({ id: 'legacy-binding', server: '10.10.0.5/24', domain: 'other.test' }),
    ]);
    await run("UPDATE unit_settings SET document = json_set(document, '$.enabled', json('false')) WHERE unit = 'dhcp'");
    expect((await load()).dhcp).toBeNull();
  });

  test.each<[string, string, boolean]>([
    ['a scope that is on', "UPDATE dhcp_scope SET gateway = '10.20.0.9' WHERE id = 'scope_lab'", true],
    ['the description of a scope', "UPDATE dhcp_scope SET description = 'x' WHERE id = 'scope_lab'", false],
    ['a scope that is off', "UPDATE dhcp_scope SET gateway = '10.30.0.9' WHERE id = 'scope_spare'", false],
    ['a reservation', "UPDATE dhcp_reservation SET mac_address = '00:50:56:01:00:55' WHERE id = 'resv_esx'", true],
    ['an option', "UPDATE dhcp_option SET value = 'x' WHERE id = 'option_tftp'", true],
    ['an option that goes', 'DELETE FROM dhcp_option', true],
    ['the interface of a scope', "UPDATE interface SET ipv4_cidr = '10.20.0.3/24' WHERE name = 'ens224'", true],
    ['another interface', "UPDATE interface SET ipv4_cidr = '10.10.0.7/24' WHERE name = 'ens192'", false],
    [
      'the authority',
      "UPDATE unit_settings SET document = json_set(document, '$.authoritative', json('false')) WHERE unit = 'dhcp'",
      true,
    ],
    [
      'the lease time of new scopes',
      "UPDATE unit_settings SET document = json_set(document, '$.lease_time', 900) WHERE unit = 'dhcp'",
      false,
    ],
  ])('%s: pending or not', async (_name, statement, pending) => {
    const before = await version();
    await run(statement);
    expect((await version()) > before).toBe(pending);
    await run("UPDATE interface SET ipv4_cidr = '10.10.0.5/24' WHERE name = 'ens192'");
  });
});
