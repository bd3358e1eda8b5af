// The pages and forms of interfaces and VLANs: what they show, where a form leads, and how a refused one comes back.
import { describe, expect, test } from '@jest/globals';
import { PHYSICAL, setScene } from './interfaces-scene.ts';

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
    ['VLANs', `${UI}/vlans`, ['ens256.20', '172.16.20.2/24', 'Delete ens256.20']],
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

  test('the map shows the name service on the interfaces that it listens on', async () => {
    const document = JSON.stringify({ enabled: true, listen_interfaces: ['ens256.20'] });
    await scene.house.services.store.write((tx) =>
      tx.run("INSERT INTO unit_settings (unit, document, updated_at) VALUES ('dns-dhcp', ?, '')", [document]),
    );
    const { text } = await scene.house.send('GET', `${UI}/interfaces`, { session: scene.admin });
    expect(text).toMatch(/ens256\.20<\/code>, <code>172\.16\.20\.2\/24<\/code>, not applied: DNS listener/);
    expect(text).toMatch(/ens192<\/code>, <code>10\.10\.0\.5\/24<\/code>, not applied: Management UI/);
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
    name: 'a VLAN is added',
    to: '/vlans/new',
    form: VLAN_FORM,
    status: 303,
    says: ['/ui/management/interfaces'],
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
    says: ['/ui/management/interfaces'],
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
