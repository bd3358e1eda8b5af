// Interfaces and VLANs from outside: requests, answers, audit events and pages. The rules themselves are tested in
// test/shared/network/edit.test.ts; here they have to arrive as answers.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ObservedLink } from '../../shared/host/host.ts';
import { type Credentials, type Heard, House, LINKS, type Send } from '../setup/house.ts';

let links: ObservedLink[] = LINKS;
const statements: string[] = [];
let house: House;
let admin: Credentials;
let viewer: Credentials;
let service: Credentials;

beforeAll(async () => {
  house = await House.open({
    observe: (sql) => void statements.push(sql),
    host: (rehearsal) => ({ ...rehearsal, links: async () => links }),
  });
  admin = await house.actor('admin');
  viewer = await house.actor('viewer');
  service = await house.actor('service-admin');
});
afterAll(() => house.close());

/** Every test begins with the three links as discovered, ens256 a trunk with VLAN 20. */
beforeEach(async () => {
  links = LINKS;
  await house.services.store.write(async (tx) => {
    await tx.run("DELETE FROM interface WHERE kind = 'vlan'");
    await tx.run('DELETE FROM unit_settings');
    await tx.run(
      `UPDATE interface SET role = 'unused', mode = 'access', ipv4_method = 'static', ipv4_cidr = '', ipv4_gateway = '',
         ipv6_enabled = 0, ipv6_cidr = '', ipv6_gateway = '', mtu = 1500, enabled = 1, access_management_ui_enabled = 0,
         revision = 3`,
    );
    await tx.run("UPDATE interface SET role = 'management', ipv4_cidr = '10.10.0.5/24' WHERE name = 'ens192'");
    await tx.run("UPDATE interface SET mode = 'trunk' WHERE name = 'ens256'");
    await tx.run(
      `INSERT INTO interface (name, id, kind, parent_interface, vlan_id, role, ipv4_cidr, enabled, revision, updated_at)
       VALUES ('ens256.20', 'vlan_a', 'vlan', 'ens256', 20, 'access', '172.16.20.2/24', 1, 3, '2026-01-01T00:00:00.000Z')`,
    );
  });
});

const PHYSICAL = '/api/v1/interfaces/physical';
const VLANS = '/api/v1/vlans';
const ACCESS = { role: 'access', ipv4_cidr: '192.168.10.2/24' };

interface Scenario {
  name: string;
  send: [method: string, target: string, body?: unknown, headers?: Record<string, string>];
  by?: () => Credentials;
  status: number;
  /** What the answer holds at least. */
  holds?: Record<string, unknown>;
  /** Pointers of a 422. */
  pointers?: string[];
  audited?: string[];
}

async function heard(scenario: Scenario): Promise<{ answer: Heard; audited: string[] }> {
  const [method, target, body, headers] = scenario.send;
  const before = await house.lastAudit();
  const send: Send = { token: (scenario.by?.() ?? admin).token, ...(headers && { headers }) };
  if (body !== undefined) send.body = body;
  return { answer: await house.send(method, target, send), audited: await house.audited(before) };
}

const UPDATED = ['network.interface.update'];
const SCENARIOS: Scenario[] = [
  {
    name: 'interfaces are listed by name with desired and observed state',
    send: ['GET', PHYSICAL],
    status: 200,
    holds: {
      items: [
        expect.objectContaining({ name: 'ens192', role: 'management', ipv4_cidr: '10.10.0.5/24', present: true }),
        expect.objectContaining({ name: 'ens224', role: 'unused' }),
        expect.objectContaining({ name: 'ens256', mode: 'trunk' }),
      ],
      next_cursor: null,
    },
  },
  {
    name: 'a list is looked up by its natural keys',
    send: ['GET', `${PHYSICAL}?mac_address=00-50-56-9C-0A-02&role=Unused`],
    status: 200,
    holds: { items: [expect.objectContaining({ name: 'ens224' })] },
  },
  { name: 'an unknown filter is refused', send: ['GET', `${PHYSICAL}?colour=red`], status: 422, pointers: ['?colour'] },
  {
    name: 'a foreign cursor is refused',
    send: ['GET', `${VLANS}?cursor=abc`],
    status: 400,
    holds: { error_code: 'invalid_cursor' },
  },
  {
    name: 'a VLAN is not a physical interface',
    send: ['GET', `${PHYSICAL}/ens256.20`],
    status: 404,
    holds: { error_code: 'resource_not_found' },
  },
  {
    name: 'omitted properties keep their saved value',
    send: ['PATCH', `${PHYSICAL}/ens224`, ACCESS],
    status: 200,
    holds: {
      ...ACCESS,
      mtu: 1500,
      revision: 4,
      impact: {
        changed: [
          { property: 'role', from: 'unused', to: 'access' },
          { property: 'ipv4_cidr', from: '', to: '192.168.10.2/24' },
        ],
        refreshed_units: [],
      },
    },
    audited: UPDATED,
  },
  {
    name: 'an empty body is a no-op that keeps the revision',
    send: ['PATCH', `${PHYSICAL}/ens192`, {}],
    status: 200,
    holds: { revision: 3, impact: { changed: [], refreshed_units: [] } },
    audited: UPDATED,
  },
  {
    name: 'equal values, spelled otherwise, are a no-op',
    send: ['PATCH', `${PHYSICAL}/ens192`, { role: ' MANAGEMENT ', ipv4_cidr: ' 10.10.0.5/24 ' }],
    status: 200,
    holds: { revision: 3 },
    audited: UPDATED,
  },
  {
    name: 'the management flag is ignored on a management interface',
    send: ['PATCH', `${PHYSICAL}/ens192`, { access_management_ui_enabled: true }],
    status: 200,
    holds: { access_management_ui_enabled: false, revision: 3 },
    audited: UPDATED,
  },
  {
    name: 'null clears a CIDR and nothing else',
    send: ['PATCH', `${PHYSICAL}/ens224`, { ipv4_cidr: null, mtu: null }],
    status: 422,
    pointers: ['/mtu'],
  },
  {
    name: 'unsupported properties are rejected',
    send: ['PATCH', `${PHYSICAL}/ens224`, { address: '10.0.0.1' }],
    status: 422,
    pointers: ['/address'],
  },
  {
    name: 'retired roles are rejected',
    send: ['PATCH', `${PHYSICAL}/ens224`, { role: 'services' }],
    status: 422,
    pointers: ['/role'],
  },
  {
    name: 'a gateway off the link is refused at its field',
    send: ['PATCH', `${PHYSICAL}/ens224`, { ...ACCESS, ipv4_gateway: '10.0.0.1' }],
    status: 422,
    pointers: ['/ipv4_gateway'],
  },
  {
    name: 'management to access keeps the management UI',
    send: ['PATCH', `${PHYSICAL}/ens192`, { role: 'access' }],
    status: 200,
    holds: { role: 'access', access_management_ui_enabled: true },
    audited: UPDATED,
  },
  {
    name: 'an edit that leaves no management UI listener is refused',
    send: ['PATCH', `${PHYSICAL}/ens192`, { role: 'unused' }],
    status: 409,
    holds: { error_code: 'no_management_listener' },
  },
  {
    name: 'an interface with VLANs does not leave trunk mode',
    send: ['PATCH', `${PHYSICAL}/ens256`, { mode: 'access' }],
    status: 409,
    holds: {
      error_code: 'still_referenced',
      blockers: [expect.objectContaining({ subject: 'VLAN ens256.20' })],
    },
  },
  {
    name: 'an address belongs to one interface',
    send: ['PATCH', `${PHYSICAL}/ens224`, { role: 'access', ipv4_cidr: '10.10.0.5/24' }],
    status: 409,
    holds: { error_code: 'already_exists' },
  },
  {
    name: 'a stale revision is refused',
    send: ['PATCH', `${PHYSICAL}/ens224`, ACCESS, { 'if-match': '"r2"' }],
    status: 412,
    holds: { error_code: 'revision_stale' },
  },
  {
    name: 'a malformed precondition is refused',
    send: ['PATCH', `${PHYSICAL}/ens224`, ACCESS, { 'if-match': 'W/"r3"' }],
    status: 400,
  },
  {
    name: 'a dry run answers with the impact and saves nothing',
    send: ['PATCH', `${PHYSICAL}/ens224?dry_run=true`, ACCESS],
    status: 200,
    holds: { revision: 4, impact: expect.objectContaining({ changed: expect.arrayContaining([]) }) },
  },
  {
    name: 'the scope is needed',
    send: ['PATCH', `${PHYSICAL}/ens224`, ACCESS],
    by: () => viewer,
    status: 403,
    holds: { scope: 'write:interfaces' },
  },
  { name: 'a service admin has no interfaces', send: ['GET', PHYSICAL], by: () => service, status: 403 },
  {
    name: 'a VLAN is created on a trunk',
    send: ['POST', VLANS, { parent_interface: 'ens256', vlan_id: 30, ipv4_cidr: '172.16.30.2/24' }],
    status: 201,
    holds: { name: 'ens256.30', vlan_id: 30, role: 'access', enabled: true, mtu: 1500, revision: 1 },
    audited: ['network.vlan.create'],
  },
  {
    name: 'the parent of a VLAN is a trunk',
    send: ['POST', VLANS, { parent_interface: 'ens224', vlan_id: 30, ipv4_cidr: '172.16.30.2/24' }],
    status: 409,
    holds: { error_code: 'state_conflict' },
  },
  {
    name: 'a VLAN number is there once on its parent',
    send: ['POST', VLANS, { parent_interface: 'ens256', vlan_id: 20, ipv4_cidr: '172.16.30.2/24' }],
    status: 409,
    holds: { error_code: 'already_exists' },
  },
  {
    name: 'a VLAN needs a CIDR',
    send: ['POST', VLANS, { parent_interface: 'ens256', vlan_id: 30 }],
    status: 422,
    pointers: ['/ipv4_cidr'],
  },
  {
    name: 'a VLAN number lies between 1 and 4094',
    send: ['POST', VLANS, { parent_interface: 'ens256', vlan_id: 4095, ipv4_cidr: '172.16.30.2/24' }],
    status: 422,
    pointers: ['/vlan_id'],
  },
  {
    name: 'VLANs are listed by parent and number',
    send: ['GET', `${VLANS}?parent_interface=ens256&vlan_id=20`],
    status: 200,
    holds: { items: [expect.objectContaining({ id: 'vlan_a', name: 'ens256.20' })], next_cursor: null },
  },
  {
    name: 'a VLAN moves to another network',
    send: ['PATCH', `${VLANS}/vlan_a`, { ipv4_cidr: '172.16.21.2/24' }, { 'if-match': '"r3"' }],
    status: 200,
    holds: { ipv4_cidr: '172.16.21.2/24', revision: 4 },
    audited: ['network.vlan.update'],
  },
  {
    name: 'parent and number of a VLAN are fixed',
    send: ['PATCH', `${VLANS}/vlan_a`, { vlan_id: 21 }],
    status: 422,
    pointers: ['/vlan_id'],
  },
  {
    name: 'a VLAN is deleted',
    send: ['DELETE', `${VLANS}/vlan_a`],
    status: 204,
    audited: ['network.vlan.delete'],
  },
  {
    name: 'a stale VLAN is not deleted',
    send: ['DELETE', `${VLANS}/vlan_a`, undefined, { 'if-match': '"r1"' }],
    status: 412,
  },
  { name: 'an unknown VLAN is not found', send: ['DELETE', `${VLANS}/vlan_zzz`], status: 404 },
  {
    name: 'a refresh of an unchanged host changes nothing',
    send: ['POST', '/api/v1/interfaces/refresh'],
    status: 200,
    holds: { changed: 0, added: [], vanished: [], renamed: [] },
    audited: ['network.interface.refresh'],
  },
];

describe('the API', () => {
  test.each(SCENARIOS)('$name', async (scenario) => {
    if (scenario.name.startsWith('a refresh of an unchanged'))
      await house.send('POST', scenario.send[1], { token: admin.token });
    const { answer, audited } = await heard(scenario);
    expect({ status: answer.status, body: answer.status === scenario.status ? null : answer.body }).toEqual({
      status: scenario.status,
      body: null,
    });
    if (scenario.holds) expect(answer.body).toMatchObject(scenario.holds);
    if (scenario.pointers) {
      expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(scenario.pointers);
    }
    expect(audited).toEqual(scenario.audited ?? []);
  });

  test('the audit event names the changed properties and the refreshed units', async () => {
    await house.send('PATCH', `${PHYSICAL}/ens224`, { token: admin.token, body: { mtu: 9000 } });
    const row = await house.services.store.one<{ detail: string; resource_id: string }>(
      'SELECT detail, resource_id FROM audit_event ORDER BY seq DESC LIMIT 1',
    );
    expect(row?.resource_id).toBe('ens224');
    expect(JSON.parse(row!.detail)).toEqual({
      changed: [{ property: 'mtu', from: 1500, to: 9000 }],
      refreshed_units: [],
    });
  });

  test.each([
    ['GET of one', 'GET', `${PHYSICAL}/ens224`, undefined, 2],
    ['PATCH', 'PATCH', `${PHYSICAL}/ens224`, { mtu: 9001 }, 6],
    ['PATCH of a VLAN', 'PATCH', `${VLANS}/vlan_a`, { mtu: 1400 }, 6],
    ['a no-op', 'PATCH', `${PHYSICAL}/ens224`, {}, 5],
    ['a list', 'GET', PHYSICAL, undefined, 2],
  ] as const)('%s takes few statements', async (_name, method, target, body, most) => {
    await house.send('GET', PHYSICAL, { token: admin.token });
    statements.length = 0;
    const { status } = await house.send(method, target, { token: admin.token, ...(body && { body }) });
    expect(status).toBe(200);
    expect(statements.length).toBeLessThanOrEqual(most);
  });

  test('a list of VLANs is paged', async () => {
    for (const vlan_id of [30, 31, 32]) {
      const body = { parent_interface: 'ens256', vlan_id, ipv4_cidr: `172.16.${vlan_id}.2/24` };
      await house.send('POST', VLANS, { token: admin.token, body });
    }
    const first = await house.send('GET', `${VLANS}?limit=3`, { token: admin.token });
    expect(first.body.items.map((item: { vlan_id: number }) => item.vlan_id)).toEqual([20, 30, 31]);
    const second = await house.send('GET', `${VLANS}?limit=3&cursor=${first.body.next_cursor}`, { token: admin.token });
    expect(second.body.items.map((item: { vlan_id: number }) => item.vlan_id)).toEqual([32]);
  });

  test('a refresh keeps the settings of an adapter under a new name and of one that is gone', async () => {
    const [first, second, third] = LINKS as [ObservedLink, ObservedLink, ObservedLink];
    links = [first, { ...third, name: 'ens300' }];
    const { body } = await house.send('POST', '/api/v1/interfaces/refresh', { token: admin.token });
    expect(body).toMatchObject({ vanished: [second.name], renamed: ['ens256 to ens300'] });
    const { body: list } = await house.send('GET', VLANS, { token: admin.token });
    expect(list.items).toMatchObject([{ id: 'vlan_a', name: 'ens300.20', parent_interface: 'ens300' }]);
    const { body: gone } = await house.send('GET', `${PHYSICAL}/ens224`, { token: admin.token });
    expect(gone).toMatchObject({ present: false, observed: null, revision: 3 });
    links = LINKS;
    await house.send('POST', '/api/v1/interfaces/refresh', { token: admin.token });
  });
});

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
    const { status, text } = await house.send('GET', target, { session: admin });
    expect(status).toBe(200);
    for (const fact of facts) expect(text).toContain(fact);
    expect(text).not.toContain(' style=');
  });

  test.each([`${UI}/interfaces/ens999`, `${UI}/vlans/vlan_zzz`, `${UI}/interfaces/ens256.20`])(
    '%s is not found',
    async (target) => {
      expect((await house.send('GET', target, { session: admin })).status).toBe(404);
    },
  );

  test('a viewer may look, and is told why there is nothing to save', async () => {
    const list = await house.send('GET', `${UI}/interfaces`, { session: viewer });
    expect(list.text).not.toContain('Refresh from host');
    const one = await house.send('GET', `${UI}/interfaces/ens224`, { session: viewer });
    expect(one.text).toContain('your role may look, not save');
    expect((await house.send('GET', `${UI}/vlans/new`, { session: viewer })).status).toBe(403);
  });

  test('the map shows the name service on the interfaces that it listens on', async () => {
    const document = JSON.stringify({ enabled: true, listen_interfaces: ['ens256.20'] });
    await house.services.store.write((tx) =>
      tx.run("INSERT INTO unit_settings (unit, document, updated_at) VALUES ('dns-dhcp', ?, '')", [document]),
    );
    const { text } = await house.send('GET', `${UI}/interfaces`, { session: admin });
    expect(text).toMatch(/ens256\.20<\/code>, <code>172\.16\.20\.2\/24<\/code>, not applied: DNS listener/);
    expect(text).toMatch(/ens192<\/code>, <code>10\.10\.0\.5\/24<\/code>, not applied: Management UI/);
  });

  test('the CSV has every interface and VLAN', async () => {
    const { status, headers, text } = await house.send('GET', `${UI}/interfaces.csv`, { session: admin });
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
    const before = await house.lastAudit();
    const answer = await house.send('POST', `${UI}${to}`, { session: admin, form });
    const said = answer.headers.location ?? answer.text;
    expect([answer.status, says.filter((fact) => !said.includes(fact))]).toEqual([status, []]);
    expect(await house.audited(before)).toEqual(audited ?? []);
  });

  test.each(POSTS.filter(({ status }) => status === 303))('$name: not without the CSRF token', async ({ to, form }) => {
    const before = await house.lastAudit();
    const answer = await house.send('POST', `${UI}${to}`, { session: { ...admin, csrf: 'no' }, form });
    expect(answer.status).toBe(403);
    expect(await house.audited(before)).toEqual([]);
  });

  test('switches that were left alone leave room for what follows', async () => {
    await house.send('POST', `${UI}/interfaces/ens192`, {
      session: admin,
      form: { ...FORM, ipv4_cidr: '10.10.0.5/24' },
    });
    await house.send('POST', `${UI}/interfaces/ens224`, { session: admin, form: { ...FORM, ipv6_cidr: 'fd11::2/64' } });
    const { body } = await house.send('GET', PHYSICAL, { token: admin.token });
    expect(body.items).toMatchObject([
      { name: 'ens192', access_management_ui_enabled: true },
      { name: 'ens224', ipv6_enabled: true, ipv6_cidr: 'fd11::2/64' },
      {},
    ]);
  });
});
