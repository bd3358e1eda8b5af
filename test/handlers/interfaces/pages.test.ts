// The pages and forms of interfaces and VLANs: what they show, where a form leads, and how a refused one comes back.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { PHYSICAL, setScene } from './scene.ts';

const scene = setScene();
const UPDATED = ['network.interface.update'];

const UI = '/ui/management';

describe('the pages', () => {
  test.each([
    [
      'interfaces',
      `${UI}/interfaces`,
      ['ens192', '10.10.0.5/24', 'ens256.20', 'VLAN 20', 'Refresh from host', 'Add VLAN'],
    ],
    ['filtered interfaces', `${UI}/interfaces?q=172.16.20&sort=-name`, ['ens256.20']],
    ['problems of interfaces', `${UI}/interfaces?show=problems`, ['No interface matches']],
    [
      'an interface',
      `${UI}/interfaces/ens192`,
      ['00:50:56:9c:0a:01', 'value="10.10.0.5/24"', 'name="revision" value="3"'],
    ],
    ['VLANs', `${UI}/vlans`, ['ens256.20', '172.16.20.2/24', 'Edit ens256.20']],
    ['a new VLAN', `${UI}/vlans/new?parent=ens256`, ['<option value="ens256" selected']],
    ['a VLAN', `${UI}/vlans/vlan_a`, ['value="172.16.20.2/24"', 'Delete VLAN']],
    ['the question before a VLAN is deleted', `${UI}/vlans/vlan_a/delete`, ['Keep it', 'name="revision" value="3"']],
  ])('%s', async (_name, target, facts) => {
    const { status, text } = await scene.house.send('GET', target, { session: scene.admin });
    expect(status).toBe(200);
    for (const fact of facts) expect(text).toContain(fact);
    expect(text).not.toContain(' style=');
  });

  test.each([`${UI}/interfaces/ens999`, `${UI}/vlans/vlan_zzz`, `${UI}/interfaces/ens256.20`])(
    '%s is not found',
    async (target) => {
      expect((await scene.house.send('GET', target, { session: scene.admin })).status).toBe(404);
    },
  );

  test('a viewer may look, and is told why there is nothing to save', async () => {
    const list = await scene.house.send('GET', `${UI}/interfaces`, { session: scene.viewer });
    expect(list.text).not.toContain('Refresh from host');
    const one = await scene.house.send('GET', `${UI}/interfaces/ens224`, { session: scene.viewer });
    expect(one.text).toContain('your role may look, not save');
    expect((await scene.house.send('GET', `${UI}/vlans/new`, { session: scene.viewer })).status).toBe(403);
  });

  test('the CSV has every interface and VLAN', async () => {
    const { status, headers, text } = await scene.house.send('GET', `${UI}/interfaces.csv`, { session: scene.admin });
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/csv')]);
    const lines = text.trimEnd().split('\r\n');
    expect(lines.map((line) => line.split(',')[0])).toEqual(['name', 'ens192', 'ens224', 'ens256', 'ens256.20']);
  });
});

const WHOLE = {
  role: 'access',
  mode: 'access',
  mtu: '1500',
  ipv4_method: 'static',
  ipv4_cidr: '192.168.10.2/24',
  ipv4_gateway: '',
  ipv6_cidr: '',
  ipv6_gateway: '',
};
const SHOWN = {
  enabled: 'true',
  enabled_was: 'true',
  access_management_ui_enabled_was: 'false',
  ipv6_enabled_was: 'false',
};
const FORM = { ...WHOLE, ...SHOWN, revision: '3' };
const VLAN_FORM = {
  parent_interface: 'ens256',
  vlan_id: '30',
  role: 'access',
  mtu: '',
  enabled: 'true',
  ipv4_cidr: '172.16.30.2/24',
  ipv6_cidr: '',
};

interface Posted {
  name: string;
  to: string;
  form: Record<string, string>;
  status: number;
  /** What the page says, or where the browser is sent. */
  says: string[];
  audited?: string[];
}

const POSTS: Posted[] = [
  {
    name: 'an edit is saved',
    to: '/interfaces/ens224',
    form: FORM,
    status: 303,
    says: ['/ui/management/interfaces'],
    audited: UPDATED,
  },
  {
    name: 'an IPv6 CIDR turns IPv6 on though its switch was left alone',
    to: '/interfaces/ens224',
    form: { ...FORM, ipv6_cidr: 'fd10::2/64' },
    status: 303,
    says: ['/ui/management/interfaces'],
    audited: UPDATED,
  },
  {
    name: 'management to access keeps the management UI though its switch was left alone',
    to: '/interfaces/ens192',
    form: { ...FORM, ipv4_cidr: '10.10.0.5/24' },
    status: 303,
    says: ['/ui/management/interfaces'],
    audited: UPDATED,
  },
  {
    name: 'a fault stands at its field beside what was typed',
    to: '/interfaces/ens224',
    form: { ...FORM, ipv4_gateway: '10.9.9.9' },
    status: 422,
    says: ['id="ipv4_gateway-error"', 'href="#ipv4_gateway"', 'value="10.9.9.9"', 'value="192.168.10.2/24"'],
  },
  {
    name: 'a conflict says what stands in the way',
    to: '/interfaces/ens256',
    form: { ...FORM, ipv4_cidr: '' },
    status: 409,
    says: ['VLANs still use ens256', 'VLAN ens256.20'],
  },
  {
    name: 'a stale form comes back filled in with what is saved now',
    to: '/interfaces/ens224',
    form: { ...FORM, revision: '2' },
    status: 412,
    says: ['changed after you opened it', 'value="192.168.10.2/24"', 'name="revision" value="3"', 'Saved now'],
  },
  {
    name: 'Check shows what saving would change and saves nothing',
    to: '/interfaces/ens224',
    form: { ...FORM, dry_run: 'true' },
    status: 200,
    says: [
      'Saving this changes 2 settings',
      'Checked, not saved',
      'value="192.168.10.2/24"',
      'name="revision" value="3"',
    ],
  },
  {
    name: 'Check of a fault says beside the form why nothing can be foreseen',
    to: '/interfaces/ens224',
    form: { ...FORM, ipv4_gateway: '10.9.9.9', dry_run: 'true' },
    status: 422,
    says: ['id="ipv4_gateway-error"', 'Not checked yet. IPv4 gateway: '],
  },
  {
    name: 'Check of a stale form shows what changed',
    to: '/interfaces/ens224',
    form: { ...FORM, revision: '2', dry_run: 'true' },
    status: 412,
    says: ['changed after you opened it', 'Save shows what is saved now beside what you typed'],
  },
  {
    name: 'Check of a new VLAN says that nothing else moves, and adds none',
    to: '/vlans/new',
    form: { ...VLAN_FORM, dry_run: 'true' },
    status: 200,
    says: ['Adding this VLAN moves nothing else', 'value="30"'],
  },
  {
    name: 'a VLAN is added',
    to: '/vlans/new',
    form: VLAN_FORM,
    status: 303,
    says: ['/ui/management/vlans'],
    audited: ['network.vlan.create'],
  },
  {
    name: 'a VLAN without a number comes back',
    to: '/vlans/new',
    form: { ...VLAN_FORM, vlan_id: 'thirty' },
    status: 422,
    says: ['id="vlan_id-error"', 'value="thirty"'],
  },
  {
    name: 'a VLAN twice comes back with the fault at its number',
    to: '/vlans/new',
    form: { ...VLAN_FORM, vlan_id: '20' },
    status: 409,
    says: ['id="vlan_id-error"', 'value="20"'],
  },
  {
    name: 'a VLAN is edited',
    to: '/vlans/vlan_a',
    form: { role: 'access', mtu: '1400', ipv4_cidr: '172.16.20.2/24', ipv6_cidr: '', ...SHOWN, revision: '3' },
    status: 303,
    says: ['/ui/management/vlans'],
    audited: ['network.vlan.update'],
  },
  {
    name: 'a stale VLAN comes back',
    to: '/vlans/vlan_a',
    form: { role: 'route', mtu: '1400', ipv4_cidr: '172.16.20.2/24', ipv6_cidr: '', ...SHOWN, revision: '2' },
    status: 412,
    says: ['changed after you opened it', 'value="1400"'],
  },
  {
    name: 'a VLAN is deleted after the question',
    to: '/vlans/vlan_a/delete',
    form: { revision: '3' },
    status: 303,
    says: ['/ui/management/vlans'],
    audited: ['network.vlan.delete'],
  },
  {
    name: 'a VLAN that changed meanwhile is asked about again',
    to: '/vlans/vlan_a/delete',
    form: { revision: '2' },
    status: 412,
    says: ['Nothing was saved', 'Keep it', 'name="revision" value="3"'],
  },
  {
    name: 'the host is read anew',
    to: '/interfaces',
    form: {},
    status: 303,
    says: ['/ui/management/interfaces'],
    audited: ['network.interface.refresh'],
  },
];

describe('the forms', () => {
  test.each(POSTS)('$name', async ({ to, form, status, says, audited }) => {
    const before = await scene.house.lastAudit();
    const answer = await scene.house.send('POST', `${UI}${to}`, { session: scene.admin, form });
    const said = answer.headers.location ?? answer.text;
    expect([answer.status, says.filter((fact) => !said.includes(fact))]).toEqual([status, []]);
    expect(await scene.house.audited(before)).toEqual(audited ?? []);
  });

  test.each(POSTS.filter(({ status }) => status === 303))('$name: not without the CSRF token', async ({ to, form }) => {
    const before = await scene.house.lastAudit();
    const answer = await scene.house.send('POST', `${UI}${to}`, { session: { ...scene.admin, csrf: 'no' }, form });
    expect(answer.status).toBe(403);
    expect(await scene.house.audited(before)).toEqual([]);
  });

  test('switches that were left alone leave room for what follows', async () => {
    await scene.house.send('POST', `${UI}/interfaces/ens192`, {
      session: scene.admin,
      form: { ...FORM, ipv4_cidr: '10.10.0.5/24' },
    });
    await scene.house.send('POST', `${UI}/interfaces/ens224`, {
      session: scene.admin,
      form: { ...FORM, ipv6_cidr: 'fd11::2/64' },
    });
    const { body } = await scene.house.send('GET', PHYSICAL, { token: scene.admin.token });
    expect(body.items).toMatchObject([
      { name: 'ens192', access_management_ui_enabled: true },
      { name: 'ens224', ipv6_enabled: true, ipv6_cidr: 'fd11::2/64' },
      {},
    ]);
  });
});

/** A lab on ens224: name service, time, a scope with a reservation and its record, a datastore; boot on VLAN 20. */
async function furnish(): Promise<void> {
  const call = async (method: string, path: string, body: object) => {
    const answer = await scene.house.send(method, `/api/v1${path}`, { token: scene.admin.token, body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return answer.body;
  };
  await call('PATCH', '/interfaces/physical/ens224', { role: 'access', ipv4_cidr: '192.168.10.2/24' });
  await call('POST', '/dns/zones', { name: 'lab.example' });
  await call('PATCH', '/dns-dhcp/settings', { enabled: true, listen_interfaces: ['ens224', 'ens256.20'] });
  const clients = { allowed_clients: ['192.168.10.0/24'] };
  await call('PATCH', '/ntp/settings', { enabled: true, listen_interfaces: ['ens192', 'ens224'], ...clients });
  await call('PATCH', '/network-boot/settings', { enabled: true, listen_interfaces: ['ens256.20'] });
  const scope = { name: 'lab', address_family: 'ipv4', interface: 'ens224', subnet_cidr: '192.168.10.0/24' };
  const ranges = [{ start: '192.168.10.100', end: '192.168.10.199' }];
  await call('POST', '/dhcp/scopes', { ...scope, ranges, domain: 'lab.example' });
  const host = { hostname: 'esx01', mac_address: '00:50:56:00:00:01', ip_address: '192.168.10.11' };
  await call('POST', '/dhcp/reservations', { ...host, register_dns: true });
  const { id } = await call('POST', '/storage/volumes', { name: 'nvme0', device: '/dev/disk/by-id/nvme-0' });
  const datastore = { name: 'iso', volume_id: id, interface: 'ens224', address_families: ['ipv4'] };
  await call('POST', '/storage/datastores', datastore);
}

const post = (to: string, form: Record<string, string>) =>
  scene.house.send('POST', `${UI}${to}`, { session: scene.admin, form });
const show = async (to: string) => (await scene.house.send('GET', `${UI}${to}`, { session: scene.admin })).text;
/** The words of a part of a page, without its marks. */
const wordsOf = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
const panelOf = (html: string): string =>
  html.slice(html.indexOf('id="preview"'), html.indexOf('aria-labelledby="standing"'));

describe('impact before saving', () => {
  beforeEach(furnish);
  const MOVED = { ...FORM, ipv4_cidr: '192.168.20.2/24', revision: '4' };
  const NO_FAMILY = { ...MOVED, ipv4_cidr: '', ipv6_cidr: 'fd10::2/64' };

  test('Check lists every value that would move by unit, from what to what, with its page', async () => {
    const { status, text } = await post('/interfaces/ens224', { ...MOVED, dry_run: 'true' });
    expect(status).toBe(200);
    const words = wordsOf(panelOf(text));
    expect(words).toContain('Saving this moves 10 values in 3 units');
    expect(words).toContain('ens224 1 IPv4 CIDR 192.168.10.2/24 192.168.20.2/24');
    expect(words).toContain('DNS and DHCP 8 DNS listens on 192.168.10.2 192.168.20.2 DHCP scope lab subnet');
    expect(words).toContain('ranges 192.168.10.100–192.168.10.199 192.168.20.100–192.168.20.199');
    expect(words).toContain('Reservation esx01 address 192.168.10.11 192.168.20.11');
    expect(words).toContain('DNS record esx01.lab.example value 192.168.10.11 192.168.20.11');
    expect(words).toContain('Storage 1 Datastore iso mounted at 192.168.10.2 192.168.20.2');
    expect(words).toContain('NTP names 192.168.10.0/24 among its clients');
    expect(panelOf(text)).toMatch(/href="\/ui\/management\/dhcp\/scopes\/scope_\w+"/);
    expect(wordsOf(text)).toContain('Checked, not saved. Saving this moves 10 values in 3 units');
  });

  test('saving then moves the same, and says which units followed', async () => {
    const { status, cookies } = await post('/interfaces/ens224', MOVED);
    expect(status).toBe(303);
    expect(decodeURIComponent(cookies.join())).toContain(
      'ens224 is saved, and 3 units followed: DNS and DHCP, NTP, Storage. The host follows at the next apply.',
    );
  });

  test('Check lists everything that blocks, each with its reason and the smallest edit', async () => {
    const { status, text } = await post('/interfaces/ens224', { ...NO_FAMILY, dry_run: 'true' });
    expect(status).toBe(409);
    const words = wordsOf(panelOf(text));
    expect(words).toMatch(/Saving this would be refused: \d things in the way/);
    expect(words).toContain(
      'DHCP scope lab. It serves ens224 and needs a static IPv4 address there. Disable the scope',
    );
    expect(words).toContain('Datastore iso. It is shared over IPv4 on ens224. Move the datastore');
    expect(text).not.toContain('Nothing was saved');
  });

  test('a save that is refused says the same on top, with the fields as typed', async () => {
    const { status, text } = await post('/interfaces/ens224', NO_FAMILY);
    expect(status).toBe(409);
    expect(wordsOf(text)).toMatch(/Nothing was saved: \d things in the way DHCP scope lab\./);
    expect(text).toContain('value="fd10::2/64"');
    expect(panelOf(text)).not.toContain('href');
  });

  test('a selection that goes is named with its interface', async () => {
    const form = { ...SHOWN, role: 'access', mtu: '1500', revision: '3', ipv4_cidr: '172.16.20.2/24', ipv6_cidr: '' };
    await scene.house.send('PATCH', '/api/v1/network-boot/settings', {
      token: scene.admin.token,
      body: { enabled: false },
    });
    const { enabled: _on, ...off } = form;
    const { text } = await post('/vlans/vlan_a', { ...off, dry_run: 'true' });
    const words = wordsOf(panelOf(text));
    expect(words).toContain('ends 1 selection');
    expect(words).toContain('DNS is no longer bound to ens256.20');
  });

  test('before a VLAN is deleted its page says what would be refused, and offers no button', async () => {
    const text = await show('/vlans/vlan_a/delete');
    expect(wordsOf(text)).toContain(
      'Deleting it would be refused: 1 thing in the way Network boot. It listens on ens256.20',
    );
    expect(text).toMatch(/aria-disabled="true"[^>]*>Delete VLAN/);
    expect((await post('/vlans/vlan_a/delete', { revision: '3' })).status).toBe(409);
  });

  test('before a VLAN is deleted its page says what would move, and so it does', async () => {
    await scene.house.send('PATCH', '/api/v1/network-boot/settings', {
      token: scene.admin.token,
      body: { enabled: false },
    });
    const text = await show('/vlans/vlan_a/delete');
    expect(wordsOf(text)).toContain('ends 2 selections in 2 units');
    expect(wordsOf(text)).toContain('DNS is no longer bound to ens256.20');
    expect((await post('/vlans/vlan_a/delete', { revision: '3' })).status).toBe(303);
    const { body } = await scene.house.send('GET', '/api/v1/dns-dhcp/settings', { token: scene.admin.token });
    expect(body.listen_interfaces).toEqual(['ens224']);
  });

  test('long lists are cut, and say how many more there are', async () => {
    const values = Array.from({ length: 20 }, (_, at) => [
      `esx${at}`,
      `00:50:56:01:00:${10 + at}`,
      `192.168.10.${20 + at}`,
    ]);
    for (const [hostname, mac_address, ip_address] of values) {
      const body = { hostname, mac_address, ip_address };
      await scene.house.send('POST', '/api/v1/dhcp/reservations', { token: scene.admin.token, body });
    }
    const { text } = await post('/interfaces/ens224', { ...MOVED, dry_run: 'true' });
    expect(wordsOf(panelOf(text))).toContain('DNS and DHCP 28');
    expect(wordsOf(panelOf(text))).toContain('and 20 more');
  });
});

describe('the map', () => {
  beforeEach(furnish);
  const listOf = (text: string) => wordsOf(text.slice(text.indexOf('class="says"'))).replaceAll(' ,', ',');

  test('shows services, scopes with their reservations, and datastores on the addresses that they use', async () => {
    const words = listOf(await show('/interfaces'));
    expect(words).toMatch(/ens192, 10\.10\.0\.5\/24, not applied: Management UI \(follows on apply\), NTP/);
    const all = ['DNS', 'NTP', 'DHCP scope lab (follows on apply, 1 reservation)', 'Datastore iso'];
    const line = /ens224, 192\.168\.10\.2\/24, not applied: ([^:]*?) ens256\.20,/.exec(words)?.[1];
    expect(all.filter((one) => !line?.includes(one))).toEqual([]);
    expect(words).toMatch(/ens256\.20, 172\.16\.20\.2\/24, not applied: DNS .*, Network boot/);
  });

  test('marks what its interface cannot carry now, with the reason', async () => {
    await scene.house.services.store.write((tx) => tx.run("UPDATE interface SET present = 0 WHERE name = 'ens224'"));
    const text = await show('/interfaces');
    expect(listOf(text)).toContain('DHCP scope lab (ens224 is no longer in this machine, 1 reservation)');
    expect(text).toContain('node-bad');
    expect(wordsOf(await show('/interfaces/ens224'))).toContain('ens224 is no longer in this machine');
  });

  test('joins what stands on an interface without any address, and names what stands on none', async () => {
    await scene.house.services.store.write(async (tx) => {
      await tx.run("UPDATE interface SET enabled = 0, ipv4_cidr = '' WHERE name = 'ens224'");
      await tx.run("UPDATE dhcp_scope SET interface = 'ens999'");
    });
    const words = listOf(await show('/interfaces'));
    expect(words).toContain('ens224, no address, nothing answers');
    expect(words).toContain('Datastore iso (ens224 is disabled)');
    expect(words).toContain('DHCP scope lab (ens999 is gone, 1 reservation)');
  });

  test('leaves out what is switched off', async () => {
    const body = { enabled: false };
    await scene.house.send('PATCH', '/api/v1/ntp/settings', { token: scene.admin.token, body });
    await scene.house.services.store.write((tx) => tx.run('UPDATE dhcp_scope SET enabled = 0'));
    const text = await show('/interfaces');
    expect(listOf(text)).not.toMatch(/NTP|DHCP scope/);
    expect(text).toContain('Datastore iso');
  });

  test('a list of interfaces is found by the name of a service', async () => {
    const text = await show('/interfaces?q=datastore');
    expect(text).toContain('Edit ens224');
    expect(text).not.toContain('Edit ens192');
  });
});
