// The pages of DHCP and their forms: what they show, where they lead, and what a refusal looks like.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Credentials, House } from '../../../setup/house.ts';
import { AT, furnishDhcp } from './scene.ts';

let house: House;
let admin: Credentials;
let viewer: Credentials;

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
  viewer = await house.actor('viewer');
});
afterAll(() => house.close());
beforeEach(() => furnishDhcp(house));

const UI = '/ui/management/dhcp';
const get = (target: string, session: Credentials = admin) => house.send('GET', target, { session });
const run = (...statements: string[]) =>
  house.services.store.write(async (tx) => {
    for (const statement of statements) await tx.run(statement);
  });

interface Shown {
  name: string;
  target: string;
  shows: string[];
  lacks?: string[];
}

const SHOWN: Shown[] = [
  {
    name: 'the overview draws what is known of each subnet',
    target: UI,
    shows: [
      '10.20.0.100–199',
      // esx01 and esx02 are reserved, vc01 and the appliance itself are there.
      'aria-label="10.20.0.0/24: 2 used, 2 reserved, pool .100 to .199, gateway .254, next free .2"',
      'aria-label="10.30.0.0/24: 0 used, 0 reserved, no pool, no gateway, next free .1"',
      'reservations only',
      '2 h',
      '/ui/management/dhcp/leases',
    ],
    lacks: ['legacy binding', 'not enforced'],
  },
  {
    name: 'a new scope begins with its interface',
    target: `${UI}/scopes/new?interface=ens224`,
    shows: [
      '<option value="ens224" selected',
      'ens224: 10.20.0.1/24, fd00:20::1/64',
      'value="10.20.0.0/24"',
      'value="7200"',
      'Read the strip as a list',
    ],
  },
  {
    name: 'a new scope without an interface has nothing drawn',
    target: `${UI}/scopes/new?interface=none`,
    shows: ['<option value selected', '/scopes/new?interface=ens192', 'none: clients get no gateway'],
    lacks: ['Read the strip as a list'],
  },
  {
    name: 'a scope has its fields, strip, options and reservations',
    target: `${UI}/scopes/scope_lab`,
    shows: [
      '>10.20.0.100-10.20.0.199</textarea>',
      'name="revision" value="3"',
      '2 reservations',
      '/reservations?search=10.20.0.',
      '/options/option_tftp',
      '/options/new?scope_id=scope_lab',
      '/reservations/new?ip_address=10.20.0.2',
      '10.20.0.20 vc01.lab.test',
      '10.20.0.1 this appliance on ens224',
      '10.20.0.12 esx02',
    ],
  },
  {
    name: 'the question before a scope is deleted says what goes with it',
    target: `${UI}/scopes/scope_lab/delete`,
    shows: ['Its option goes with it.', 'It has 2 reservations', 'Delete scope'],
  },
  {
    name: 'reservations by host name, each with who keeps it',
    target: `${UI}/reservations`,
    shows: [
      'esx01',
      '00:50:56:01:00:02',
      '/ui/management/network-boot/hosts/host_two',
      'ESXi host esx02',
      '2 reservations',
    ],
  },
  {
    name: 'reservations are found by a part of a MAC address',
    target: `${UI}/reservations?search=01-00-02`,
    shows: ['esx02', 'value="01-00-02"'],
    lacks: ['>esx01<'],
  },
  {
    name: 'reservations are found by a part of an address',
    target: `${UI}/reservations?search=10.20.0.11`,
    shows: ['>esx01<'],
    lacks: ['>esx02<'],
  },
  { name: 'a search without a match', target: `${UI}/reservations?search=nothing`, shows: ['No reservation matches'] },
  {
    name: 'a new reservation begins with its address',
    target: `${UI}/reservations/new?ip_address=10.20.0.2`,
    shows: ['value="10.20.0.2"', 'class="c-focus"'],
  },
  {
    name: 'a reservation',
    target: `${UI}/reservations/resv_esx`,
    shows: ['value="esx01"', 'value="00:50:56:01:00:01"', '/scopes/scope_lab', 'Delete reservation'],
  },
  {
    name: 'a reservation that a host keeps has its description only, and no way to delete it',
    target: `${UI}/reservations/resv_host`,
    shows: ['ESXi host esx02', 'name="description"', 'only the description can be changed'],
    lacks: ['name="hostname"', 'Delete reservation'],
  },
  {
    name: 'a new option begins with its scope',
    target: `${UI}/options/new?scope_id=scope_lab`,
    shows: ['Add an option', '<option value="scope_lab" selected', 'lab: 10.20.0.0/24'],
  },
  {
    name: 'an option',
    target: `${UI}/options/option_tftp`,
    shows: ['value="66"', 'value="tftp.lab.test"', '66 (IPv4)'],
  },
  { name: 'the settings', target: `${UI}/settings`, shows: ['value="7200"', 'take effect when you apply them'] },
  {
    name: 'the legacy binding says that it does not count beside scopes',
    target: `${UI}/legacy-binding`,
    shows: ['Not used: there are 2 scopes.', 'Save binding'],
  },
];

describe('the pages of DHCP', () => {
  test.each(SHOWN)('$name', async ({ target, shows, lacks = [] }) => {
    const { status, text } = await get(target);
    expect(status).toBe(200);
    for (const shown of shows) expect(text).toContain(shown);
    for (const lacking of lacks) expect(text).not.toContain(lacking);
    expect(text).not.toMatch(/ style=/);
  });

  test('a viewer reads every page and finds no way to change anything', async () => {
    const items = ['scopes/scope_lab', 'reservations/resv_esx', 'options/option_tftp'];
    for (const path of ['', 'settings', 'legacy-binding', 'reservations', ...items]) {
      const { status, text } = await get(`${UI}${path && `/${path}`}`, viewer);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toMatch(/class="btn btn-primary"(?! aria-disabled)/);
      expect(text).not.toMatch(/>Delete |>Add /);
    }
    expect((await get(`${UI}/scopes/new`, viewer)).status).toBe(403);
  });

  test('without scopes the overview asks for one and speaks of the legacy binding', async () => {
    await run('DELETE FROM dhcp_option', 'DELETE FROM dhcp_scope');
    const { text } = await get(UI);
    expect(text).toContain('There is no scope yet.');
    expect(text).toContain(`${UI}/legacy-binding`);
    expect((await get(`${UI}/legacy-binding`)).text).toContain('Used, because there is no scope.');
    expect((await get(`${UI}/reservations/new`)).text).toContain('No scope is enabled');
  });

  test('a scope whose interface was switched off is told apart', async () => {
    await run("UPDATE interface SET enabled = 0 WHERE name = 'ens224'");
    expect((await get(UI)).text).toContain('Not served: ens224 is off');
    expect((await get(`${UI}/scopes/scope_lab`)).text).toContain('Not served: ens224 is off');
  });

  test('a record that is kept for a reservation is linked', async () => {
    await run(
      "UPDATE dhcp_reservation SET register_dns = 1 WHERE id = 'resv_esx'",
      `INSERT INTO dns_record (id, fqdn, type, value, zone_id, owner_source, owner_ref, created_at, updated_at) VALUES
        ('rec_kept', 'esx01.lab.test', 'A', '10.20.0.11', 'zone_lab', 'dhcp_reservation', 'resv_esx', '${AT}', '${AT}')`,
    );
    for (const target of [`${UI}/reservations`, `${UI}/reservations/resv_esx`]) {
      expect((await get(target)).text).toContain('<a href="/ui/management/dns/records/rec_kept">esx01.lab.test</a>');
    }
    expect((await get(`${UI}/reservations/resv_esx/delete`)).text).toContain('Its record esx01.lab.test goes with it.');
  });

  test('reservations come page by page', async () => {
    const rows = Array.from({ length: 120 }, (_, n) => {
      const id = String(n).padStart(3, '0');
      return `('r${id}', 'vm${id}', '02:00:00:00:00:${n.toString(16).padStart(2, '0')}', 'ipv4', '10.20.0.${n + 100}', '${AT}', '${AT}')`;
    });
    await run(
      `INSERT INTO dhcp_reservation (id, hostname, mac_address, address_family, ip_address, created_at, updated_at)
       VALUES ${rows.join(', ')}`,
    );
    const { text } = await get(`${UI}/reservations?search=vm`);
    const next = /href="([^"]*cursor=[^"]*)"/.exec(text)![1]!.replaceAll('&amp;', '&');
    expect(next).toContain('search=vm');
    const second = (await get(next)).text;
    expect(text).toContain('>vm099<');
    expect(second).toContain('>vm100<');
    expect(second).toContain('First page');
  });
});

const SCOPE = {
  name: 'lab',
  enabled: 'true',
  interface: 'ens224',
  subnet_cidr: '10.20.0.0/24',
  ranges: '10.20.0.100-10.20.0.199',
  gateway: '10.20.0.254',
  dns_servers: '',
  ntp_servers: '',
  lease_time: '600',
  domain: 'lab.test',
  description: '',
  revision: '3',
};
const { revision: _revision, ...NEW } = SCOPE;
const { enabled: _enabled, ...OFF } = SCOPE;

interface Posted {
  name: string;
  target: string;
  form: Record<string, string>;
  status: number;
  location?: string;
  shows?: string[];
  audited?: string[];
}

const POSTED: Posted[] = [
  {
    name: 'a scope is added',
    target: `${UI}/scopes/new`,
    form: { ...NEW, name: 'v6', subnet_cidr: 'fd00:20::/64', ranges: 'fd00:20::100-fd00:20::1ff\n', gateway: 'none' },
    status: 303,
    location: UI,
    audited: ['dhcp.scope.create'],
  },
  {
    name: 'a refused scope names each range, keeps what was typed and draws it',
    target: `${UI}/scopes/new`,
    form: {
      ...NEW,
      name: 'x/y',
      subnet_cidr: '10.40.0.0/24',
      ranges: '10.40.0.10-10.40.0.20\n10.41.0.1-10.40.0.9',
      gateway: '1',
    },
    status: 422,
    shows: [
      'id="name-error"',
      'value="x/y"',
      'href="#name"',
      '>10.40.0.10-10.40.0.20\n10.41.0.1-10.40.0.9</textarea>',
      'Addresses of 10.40.0.0/24',
    ],
  },
  {
    name: 'a fault in a list says at which item',
    target: `${UI}/scopes/scope_lab`,
    form: { ...SCOPE, ranges: '10.20.0.100-10.20.0.199\n10.20.1.5-10.20.1.9', dns_servers: '10.0.0.53\nfd00::53' },
    status: 422,
    shows: [
      'Range 2, start: Must be inside',
      'Server 2: Must be an IPv4 address',
      'href="#ranges"',
      'id="dns_servers-error"',
    ],
  },
  {
    name: 'host bits are refused beside the subnet',
    target: `${UI}/scopes/scope_lab`,
    form: { ...SCOPE, subnet_cidr: '10.20.0.7/24' },
    status: 422,
    shows: ['id="subnet_cidr-error"', 'the network is 10.20.0.0/24', 'value="10.20.0.7/24"'],
  },
  {
    name: 'a scope that is still needed is not switched off, and its page says why',
    target: `${UI}/scopes/scope_lab`,
    form: OFF,
    status: 409,
    shows: [
      'Reservation esx01',
      '/ui/management/network-boot/hosts/host_two',
      '2 enabled reservations would be in no enabled scope',
    ],
  },
  {
    name: 'a scope that is still needed is not deleted',
    target: `${UI}/scopes/scope_lab/delete`,
    form: { revision: '3' },
    status: 409,
    shows: ['Reservation esx02', `${UI}/reservations/resv_esx`, 'Keep it'],
  },
  {
    name: 'a stale scope comes back filled in, with what is saved now',
    target: `${UI}/scopes/scope_lab`,
    form: { ...SCOPE, domain: 'mine.test', revision: '2' },
    status: 412,
    shows: ['value="mine.test"', 'name="revision" value="3"', 'Nothing was saved: lab changed', 'You typed'],
  },
  {
    name: 'a scope is changed',
    target: `${UI}/scopes/scope_lab`,
    form: { ...SCOPE, description: 'The lab' },
    status: 303,
    location: UI,
    audited: ['dhcp.scope.update'],
  },
  {
    name: 'a scope is deleted',
    target: `${UI}/scopes/scope_spare/delete`,
    form: { revision: '3' },
    status: 303,
    location: UI,
    audited: ['dhcp.scope.delete'],
  },
  {
    name: 'a reservation is added',
    target: `${UI}/reservations/new`,
    form: { hostname: 'esx03', mac_address: '00-50-56-01-00-03', ip_address: '10.20.0.13', enabled: 'true' },
    status: 303,
    location: `${UI}/reservations`,
    audited: ['dhcp.reservation.create'],
  },
  {
    name: 'a reservation of an address that is taken is refused beside it, and drawn',
    target: `${UI}/reservations/new`,
    form: { hostname: 'esx03', mac_address: '00:50:56:01:00:03', ip_address: '10.20.0.254', enabled: 'true' },
    status: 409,
    shows: ['id="ip_address-error"', 'value="10.20.0.254"', 'Addresses of 10.20.0.0/24'],
  },
  {
    name: 'a name that lies in no zone is refused at the switch',
    target: `${UI}/reservations/resv_esx`,
    form: {
      hostname: 'esx01.else.where',
      mac_address: '00:50:56:01:00:01',
      ip_address: '10.20.0.11',
      register_dns: 'true',
      enabled: 'true',
      revision: '3',
    },
    status: 422,
    shows: ['id="register_dns-error"', 'value="esx01.else.where"'],
  },
  {
    name: 'the description of a reservation that a host keeps is changed',
    target: `${UI}/reservations/resv_host`,
    form: { description: 'Rack 2', revision: '3' },
    status: 303,
    location: `${UI}/reservations`,
    audited: ['dhcp.reservation.update'],
  },
  {
    name: 'a reservation that a host keeps is not deleted here',
    target: `${UI}/reservations/resv_host/delete`,
    form: { revision: '3' },
    status: 409,
    shows: ['ESXi host esx02', '/ui/management/network-boot/hosts/host_two'],
  },
  {
    name: 'a reservation is deleted',
    target: `${UI}/reservations/resv_esx/delete`,
    form: { revision: '3' },
    status: 303,
    location: `${UI}/reservations`,
    audited: ['dhcp.reservation.delete'],
  },
  {
    name: 'an option is added to a scope',
    target: `${UI}/options/new`,
    form: { scope_id: 'scope_lab', address_family: '', code: '67', value: 'boot.efi', enabled: 'true' },
    status: 303,
    location: `${UI}/scopes/scope_lab`,
    audited: ['dhcp.option.create'],
  },
  {
    name: 'an option that is a field of the scope is refused with its name',
    target: `${UI}/options/new`,
    form: { scope_id: '', address_family: '', code: '3', value: '10.20.0.254', enabled: 'true' },
    status: 422,
    shows: ['id="code-error"', 'gateway', 'value="10.20.0.254"'],
  },
  {
    name: 'an option is deleted',
    target: `${UI}/options/option_tftp/delete`,
    form: { revision: '1' },
    status: 303,
    location: UI,
    audited: ['dhcp.option.delete'],
  },
  {
    name: 'settings are saved',
    target: `${UI}/settings`,
    form: { enabled: 'true', lease_time: '3600', revision: '1' },
    status: 303,
    location: `${UI}/settings`,
    audited: ['dhcp.settings.update'],
  },
  {
    name: 'settings out of bounds are refused beside their field',
    target: `${UI}/settings`,
    form: { enabled: 'true', lease_time: '5', revision: '1' },
    status: 422,
    shows: ['id="lease_time-error"', 'value="5"'],
  },
  {
    name: 'the legacy binding is saved',
    target: `${UI}/legacy-binding`,
    form: { interface: 'ens192', subnet_cidr: '10.10.0.0/24', ranges: '10.10.0.50', lease_time: '600', revision: '0' },
    status: 303,
    location: UI,
    audited: ['dhcp.legacy-binding.update'],
  },
  {
    name: 'a refused legacy binding keeps what was typed',
    target: `${UI}/legacy-binding`,
    form: {
      enabled: 'true',
      interface: '',
      subnet_cidr: '10.10.0.0/24',
      ranges: '10.9.0.1',
      lease_time: '600',
      revision: '0',
    },
    status: 422,
    shows: ['id="ranges-error"', '>10.9.0.1</textarea>', 'Range 1, start:'],
  },
];

describe('the forms of DHCP', () => {
  test.each(POSTED)('$name', async ({ target, form, status, location, shows = [], audited = [] }) => {
    const before = await house.lastAudit();
    const answer = await house.send('POST', target, { session: admin, form });
    expect([answer.status, answer.text.slice(0, answer.status === 303 ? 500 : 0)]).toEqual([status, '']);
    if (location) expect(answer.headers.location).toBe(location);
    for (const shown of shows) expect(answer.text).toContain(shown);
    expect(await house.audited(before)).toEqual(audited);
    const forged = await house.send('POST', target, { session: { ...admin, csrf: 'forged' }, form });
    expect(forged.status).toBe(403);
  });
});
