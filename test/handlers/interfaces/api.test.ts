// Interfaces and VLANs over the API: requests, answers and audit events. The rules themselves are tested in
// test/shared/platform/interfaces/edit.test.ts; here they have to arrive as answers.
import { describe, expect, test } from '@jest/globals';
import type { ObservedLink } from '../../../shared/ground/machine/host.ts';
import { type Credentials, type Heard, LINKS, type Send } from '../../setup/house.ts';
import { ACCESS, PHYSICAL, setScene, VLANS } from './scene.ts';

const scene = setScene();

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
  const before = await scene.house.lastAudit();
  const send: Send = { token: (scenario.by?.() ?? scene.admin).token, ...(headers && { headers }) };
  if (body !== undefined) send.body = body;
  return { answer: await scene.house.send(method, target, send), audited: await scene.house.audited(before) };
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
    send: ['PATCH', `${PHYSICAL}/ens224`, ACCESS, { 'if-match': 'r3' }],
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
    by: () => scene.viewer,
    status: 403,
    holds: { scope: 'write:interfaces' },
  },
  { name: 'a service admin has no interfaces', send: ['GET', PHYSICAL], by: () => scene.service, status: 403 },
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
      await scene.house.send('POST', scenario.send[1], { token: scene.admin.token });
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
    await scene.house.send('PATCH', `${PHYSICAL}/ens224`, { token: scene.admin.token, body: { mtu: 9000 } });
    const row = await scene.house.services.store.one<{ detail: string; resource_id: string }>(
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
    ['PATCH', 'PATCH', `${PHYSICAL}/ens224`, { mtu: 9001 }, 7],
    ['PATCH of a VLAN', 'PATCH', `${VLANS}/vlan_a`, { mtu: 1400 }, 7],
    ['a no-op', 'PATCH', `${PHYSICAL}/ens224`, {}, 6],
    ['a list', 'GET', PHYSICAL, undefined, 2],
  ] as const)('%s takes few statements', async (_name, method, target, body, most) => {
    await scene.house.send('GET', PHYSICAL, { token: scene.admin.token });
    scene.statements.length = 0;
    const { status } = await scene.house.send(method, target, { token: scene.admin.token, ...(body && { body }) });
    expect(status).toBe(200);
    expect(scene.statements.length).toBeLessThanOrEqual(most);
  });

  test('a list of VLANs is paged', async () => {
    for (const vlan_id of [30, 31, 32]) {
      const body = { parent_interface: 'ens256', vlan_id, ipv4_cidr: `172.16.${vlan_id}.2/24` };
      await scene.house.send('POST', VLANS, { token: scene.admin.token, body });
    }
    const first = await scene.house.send('GET', `${VLANS}?limit=3`, { token: scene.admin.token });
    expect(first.body.items.map((item: { vlan_id: number }) => item.vlan_id)).toEqual([20, 30, 31]);
    const second = await scene.house.send('GET', `${VLANS}?limit=3&cursor=${first.body.next_cursor}`, {
      token: scene.admin.token,
    });
    expect(second.body.items.map((item: { vlan_id: number }) => item.vlan_id)).toEqual([32]);
  });

  test('a refresh keeps the settings of an adapter under a new name and of one that is gone', async () => {
    const [first, second, third] = LINKS as [ObservedLink, ObservedLink, ObservedLink];
    scene.links = [first, { ...third, name: 'ens300' }];
    const { body } = await scene.house.send('POST', '/api/v1/interfaces/refresh', { token: scene.admin.token });
    expect(body).toMatchObject({ vanished: [second.name], renamed: ['ens256 to ens300', 'ens256.20 to ens300.20'] });
    const { body: list } = await scene.house.send('GET', VLANS, { token: scene.admin.token });
    expect(list.items).toMatchObject([{ id: 'vlan_a', name: 'ens300.20', parent_interface: 'ens300' }]);
    const { body: gone } = await scene.house.send('GET', `${PHYSICAL}/ens224`, { token: scene.admin.token });
    expect(gone).toMatchObject({ present: false, observed: null, revision: 3 });
    scene.links = LINKS;
    await scene.house.send('POST', '/api/v1/interfaces/refresh', { token: scene.admin.token });
  });
});
