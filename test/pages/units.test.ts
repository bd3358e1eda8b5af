// The pages of the units: each settings page from its definition, and the pages of time sources, storage and hosts.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { isEnforced } from '../../shared/appliance/edits/settings-operations.ts';
import { SETTINGS } from '../../shared/appliance/settings.ts';
import type { AnySettings } from '../../shared/platform/units/settings.ts';
import { type Credentials, House } from '../setup/house.ts';

let house: House;
let admin: Credentials;
let viewer: Credentials;

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
  viewer = await house.actor('viewer');
});
afterAll(() => house.close());

const UI = '/ui/management';
// The DHCP settings page belongs to the pages of DHCP.
const PAGES = SETTINGS.filter(({ key }) => key !== 'dhcp').map((each) => [each.page, each] as const);
const TABLES = [
  'storage_datastore',
  'storage_volume',
  'ntp_source',
  'network_boot_host',
  'unit_settings',
  'dns_record',
  'dns_zone',
];

beforeEach(async () => {
  await house.services.store.write(async (tx) => {
    for (const table of TABLES) await tx.run(`DELETE FROM ${table}`);
  });
});

const get = (target: string, as: Credentials = admin) => house.send('GET', target, { session: as });
const post = (target: string, form: Record<string, string | string[]>) =>
  house.send('POST', target, { session: admin, form });

async function api(method: string, path: string, body: unknown) {
  const answer = await house.send(method, path, { token: admin.token, body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** A form as a browser would send it back unchanged. */
function filled(document: Record<string, unknown>, changes: Record<string, string | string[]> = {}) {
  const { updated_at: _at, listen_addresses: _derived, ...members } = document;
  const shown = Object.entries(members).filter(([, value]) => value !== false);
  const text = (value: unknown) => (Array.isArray(value) ? value.join('\n') : String(value ?? ''));
  return { ...Object.fromEntries(shown.map(([name, value]) => [name, text(value)])), ...changes };
}

describe.each(PAGES)('%s', (page, definition: AnySettings) => {
  const { path, resource, defaults, listens } = definition;
  const members = Object.keys(defaults as object);
  const document = async () => (await house.send('GET', `${path}/settings`, { token: admin.token })).body;

  test('shows every member, what saving means, and the defaults while nothing was saved', async () => {
    const { status, text } = await get(page);
    expect(status).toBe(200);
    for (const member of members) expect(text).toContain(`name="${member}"`);
    expect(text).toContain('name="revision" value="0"');
    expect(text).toContain('never: the form shows the defaults');
    expect(text.includes('Saved, not enforced:')).toBe(!isEnforced(definition));
    expect(text).not.toMatch(/ style=/);
  });

  test('saves what it shows, and leads back to the service', async () => {
    const answer = await post(page, filled(await document()));
    expect(answer.status).toBe(303);
    expect([page, page.replace(/\/settings$/, '')]).toContain(answer.headers.location);
    // Fields and members agree: sending them back changes nothing.
    expect((await document()).revision).toBe(0);
  });

  test('comes back filled in when it is stale', async () => {
    const { status, text } = await post(page, filled(await document(), { revision: '7' }));
    expect(status).toBe(412);
    expect(text).toContain('Nothing was saved: the settings changed after you opened it');
    expect(text).toContain('name="revision" value="0"');
  });

  test('tells a reader why it cannot be saved', async () => {
    const { status, text } = await get(page, viewer);
    expect(status).toBe(200);
    expect(text).toContain('Your role may only read');
    expect(text).not.toMatch(/class="btn btn-primary"(?! aria-disabled)/);
    const { status: refused } = await house.send('POST', page, { session: viewer, form: { revision: '0' } });
    expect([resource, refused]).toEqual([resource, 403]);
  });

  if (listens === 'required') {
    test('points at the interfaces when it is on and listens nowhere', async () => {
      const { status, text } = await post(page, filled(await document(), { enabled: 'true', listen_interfaces: [] }));
      expect(status).toBe(422);
      expect(text).toContain('href="#listen_interfaces"');
      expect(text).toContain('id="listen_interfaces-error"');
      expect(text).toMatch(/name="enabled"[^>]*checked|checked[^>]*name="enabled"/);
    });
  }

  if (listens !== 'no') {
    test('shows the derived addresses and what stands in the way of an interface', async () => {
      await api('PATCH', `${path}/settings`, { enabled: true, listen_interfaces: ['ens192'] });
      const { text } = await get(page);
      expect(text).toContain('<code id="at-10-10-0-5">10.10.0.5</code>');
      expect(text).toContain('They follow when an interface is edited.');
      expect(text).toContain('has the role unused');
    });
  }
});

describe('the host name of a service', () => {
  const KMS = `${UI}/kms/settings`;
  const kms = (body: object) => api('PATCH', '/api/v1/kms/settings', { hostname: 'kms.lab.test', ...body });
  const on = { enabled: true, listen_interfaces: ['ens192'] };

  test.each<[string, () => Promise<unknown>, string]>([
    ['without a managed zone, says what to do', () => kms(on), 'No managed zone holds this name.'],
    [
      'in a managed zone, links to it',
      async () => {
        await api('POST', '/api/v1/dns/zones', { name: 'lab.test' });
        await kms(on);
      },
      'The appliance keeps its address records in <a href="/ui/management/dns/zones/',
    ],
    [
      'of a service that is off, says when records are kept',
      async () => {
        await api('POST', '/api/v1/dns/zones', { name: 'lab.test' });
        await kms({});
      },
      'while the service is on and has an address',
    ],
    [
      'that an operator has a record of, names the record',
      async () => {
        await api('POST', '/api/v1/dns/zones', { name: 'lab.test' });
        await api('POST', '/api/v1/dns/records', { fqdn: 'kms.lab.test', type: 'A', value: '10.10.0.99' });
        await kms(on);
      },
      'so the appliance keeps none: A 10.10.0.99',
    ],
  ])('%s', async (_name, given, says) => {
    await given();
    expect((await get(KMS)).text).toContain(says);
  });
});

test('a fault of a line names the line, and what was typed stays', async () => {
  const form = { enabled: 'true', management_networks: '10.10.0.0/24\n10.0.0.300', revision: '0' };
  const { status, text } = await post(`${UI}/firewall/settings`, form);
  expect(status).toBe(422);
  expect(text).toContain('10.0.0.300: Must be a network');
  expect(text).toContain('10.10.0.0/24\n10.0.0.300</textarea>');
});

const SOURCES = `${UI}/ntp/sources`;
const VOLUMES = `${UI}/storage/volumes`;
const DATASTORES = `${UI}/storage/datastores`;
const HOSTS = `${UI}/network-boot/hosts`;

const DISK = '/dev/disk/by-id/nvme-eui.36000c29e5f1b8a7c';
const addSource = () => api('POST', '/api/v1/ntp/sources', { address: 'time1.lab.test', description: 'Rack clock' });
const addVolume = () => api('POST', '/api/v1/storage/volumes', { name: 'nvme1', device: DISK });
const addHost = () => api('POST', '/api/v1/network-boot/esxi-hosts', { hostname: 'esx01', mac_address: MAC });
const MAC = '00:50:56:01:02:03';

async function addDatastore() {
  const { id: volume_id } = await addVolume();
  const made = { name: 'lab-nfs-01', volume_id, interface: 'ens192', address_families: ['ipv4'] };
  return api('POST', '/api/v1/storage/datastores', made);
}

interface Collection {
  home: string;
  base: string;
  add: () => Promise<{ id: string; revision: number }>;
  /** A new one by form, and the same with a fault at a field. */
  form: () => Promise<Record<string, string | string[]>>;
  fault: [field: string, typed: string];
  /** What the list and the item's own page say of the one that `add` makes. */
  listed: string[];
  shows: string[];
  empty: string;
  /** An apply makes it true on the host. */
  enforced?: boolean;
}

const COLLECTIONS: Record<string, Collection> = {
  'a time source': {
    home: `${UI}/ntp`,
    base: SOURCES,
    add: addSource,
    form: async () => ({ address: 'time2.lab.test', kind: 'server', nts: 'true', enabled: 'true', description: '' }),
    fault: ['address', 'no such name'],
    listed: ['time1.lab.test', 'Rack clock', 'Pending'],
    shows: ['value="time1.lab.test"', 'Enabled'],
    enforced: true,
    empty: 'There is no time source yet.',
  },
  'a storage volume': {
    home: `${UI}/storage`,
    base: VOLUMES,
    add: addVolume,
    form: async () => ({ name: 'nvme2', device: `${DISK}2`, mount_path: '', enabled: 'true', description: '' }),
    fault: ['name', 'No Such'],
    listed: ['nvme1', DISK, '/srv/datastores/nvme1'],
    shows: ['value="nvme1"', DISK, 'value="/srv/datastores/nvme1"'],
    enforced: true,
    empty: 'There is no volume yet.',
  },
  'a datastore': {
    home: `${UI}/storage`,
    base: DATASTORES,
    add: addDatastore,
    form: async () => ({
      name: 'lab-nfs-02',
      volume_id: (await addVolume()).id,
      path: '',
      nfs_version: '3',
      interface: 'ens192',
      address_families: ['ipv4'],
      ipv4_clients: '10.10.0.0/24',
      ipv6_clients: '',
      enabled: 'true',
      description: '',
    }),
    fault: ['ipv4_clients', '10.10.0.5/24'],
    listed: ['lab-nfs-01', 'ens192', '10.10.0.5'],
    shows: ['value="lab-nfs-01"', '/srv/datastores/nvme1/lab-nfs-01', 'ens192: 10.10.0.5'],
    enforced: true,
    empty: 'There is no datastore yet.',
  },
  'a host that boots': {
    home: `${UI}/network-boot`,
    base: HOSTS,
    add: addHost,
    form: async () => ({ hostname: 'esx02', mac_address: '00-50-56-01-02-04', ip_address: '', enabled: 'true' }),
    fault: ['mac_address', 'no card'],
    listed: ['esx01', MAC, 'by DHCP'],
    shows: ['value="esx01"', `value="${MAC}"`],
    enforced: true,
    empty: 'There is no host yet.',
  },
};

describe.each(Object.entries(COLLECTIONS))('%s', (_name, collection) => {
  const { home, base, add, form, fault, listed, shows, empty, enforced = false } = collection;
  const [field, wrong] = fault;

  test('is listed, or the list says what to do first', async () => {
    expect((await get(home)).text).toContain(empty);
    await add();
    const { status, text } = await get(home);
    expect(status).toBe(200);
    for (const fact of listed) expect(text).toContain(fact);
    expect(text.includes('Saved, not enforced:')).toBe(!enforced);
    expect(text).not.toMatch(/ style=/);
    expect((await get(home, viewer)).text).not.toContain('btn-primary');
  });

  test('is added by its form', async () => {
    const fields = await form();
    expect((await get(`${base}/new`)).status).toBe(200);
    const answer = await post(`${base}/new`, fields);
    expect([answer.status, answer.headers.location]).toEqual([303, home]);
  });

  test('comes back with what was typed and the fault at its field', async () => {
    const { status, text } = await post(`${base}/new`, { ...(await form()), [field]: wrong });
    expect(status).toBe(422);
    expect(text).toContain(`href="#${field}"`);
    expect(text).toContain(`id="${field}-error"`);
    expect(text).toContain(wrong);
  });

  test('has a page of its own, whose form saves and refuses', async () => {
    const { id, revision } = await add();
    const at = `${base}/${id}`;
    const { status, text } = await get(at);
    expect(status).toBe(200);
    for (const fact of [...shows, `${at}/delete`]) expect(text).toContain(fact);
    expect(text.includes('not enforced')).toBe(!enforced);
    expect(text).not.toMatch(/ style=/);

    const item = (await house.send('GET', apiOf(at), { token: admin.token })).body;
    const { id: _id, created_at: _at, addresses: _addresses, ...members } = item;
    const fields = filled(members, item.address_families ? { address_families: item.address_families } : {});
    const stale = await post(at, { ...fields, description: 'Mine', revision: '7' });
    expect([stale.status, stale.text.includes('value="Mine"')]).toEqual([412, true]);
    expect(stale.text).toContain('changed after you opened it');
    const wrongly = await post(at, { ...fields, [field]: wrong });
    expect([wrongly.status, wrongly.text.includes(`id="${field}-error"`)]).toEqual([422, true]);
    const saved = await post(at, { ...fields, description: 'Changed', revision: String(revision) });
    expect([saved.status, saved.headers.location]).toEqual([303, home]);
  });

  test('tells a reader why it cannot be saved', async () => {
    const { id } = await add();
    const { status, text } = await get(`${base}/${id}`, viewer);
    expect([status, text.includes('Your role may only read'), text.includes(`${id}/delete`)]).toEqual([
      200,
      true,
      false,
    ]);
    expect((await get(`${base}/new`, viewer)).status).toBe(403);
    expect((await get(`${base}/${id}/delete`, viewer)).status).toBe(403);
  });

  test('is deleted after a question', async () => {
    const { id, revision } = await add();
    const { status, text } = await get(`${base}/${id}/delete`);
    expect([status, text.includes('Keep it')]).toEqual([200, true]);
    expect((await post(`${base}/${id}/delete`, { revision: '7' })).status).toBe(412);
    const answer = await post(`${base}/${id}/delete`, { revision: String(revision) });
    expect([answer.status, answer.headers.location]).toEqual([303, home]);
    expect((await get(`${base}/${id}`)).status).toBe(404);
  });

  test('is found by its name', async () => {
    const { id } = await add();
    const { text } = await get(`${UI}/search?q=${encodeURIComponent(listed[0]!.toUpperCase())}`);
    expect(text).toContain(`${base}/${id}`);
  });
});

/** Address of an item in the API, by that of its page. */
const apiOf = (page: string): string => page.replace(UI, '/api/v1').replace('/hosts/', '/esxi-hosts/');

test('a volume with datastores is not deleted, and the page links to them', async () => {
  const { id, volume_id } = await addDatastore();
  const asked = (await get(`${VOLUMES}/${volume_id}/delete`)).text;
  expect(asked).toContain('It can’t be deleted while datastores are kept on it.');
  expect(asked).toContain('aria-disabled="true"');
  const { status, text } = await post(`${VOLUMES}/${volume_id}/delete`, { revision: '1' });
  expect(status).toBe(409);
  for (const fact of ['Datastore lab-nfs-01', 'Delete the datastore', `${DATASTORES}/${id}`]) {
    expect(text).toContain(fact);
  }
});

test('a datastore needs a volume first', async () => {
  const { text } = await get(`${DATASTORES}/new`);
  expect(text).toContain('There is no volume yet');
  expect(text).toContain(`${VOLUMES}/new`);
});

test('a datastore begins on the volume whose page leads to it', async () => {
  const { volume_id } = await addDatastore();
  const way = `${DATASTORES}/new?volume_id=${volume_id}`;
  expect((await get(`${VOLUMES}/${volume_id}`)).text).toContain(way);
  expect((await get(way)).text).toContain(`<option value="${volume_id}" selected`);
});

test('a datastore with a family that its interface lacks is refused at the families', async () => {
  await api('PATCH', '/api/v1/interfaces/physical/ens224', {
    role: 'access',
    ipv4_cidr: '10.20.0.5/24',
    enabled: true,
  });
  const form = await COLLECTIONS['a datastore']!.form();
  const { status, text } = await post(`${DATASTORES}/new`, {
    ...form,
    interface: 'ens224',
    address_families: ['ipv4', 'ipv6'],
  });
  expect(status).toBe(422);
  expect(text).toContain('id="address_families-error"');
  expect(text).toContain('has no IPv6 address');
});
