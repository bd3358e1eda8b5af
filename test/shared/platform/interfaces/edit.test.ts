// The rules of interface and VLAN edits, one row each; and that an edit either is refused or leaves no rule broken.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Problem } from '../../../../shared/ground/problems.ts';
import {
  brokenRules,
  createVlan,
  deleteVlan,
  editPhysical,
  editVlan,
} from '../../../../shared/platform/interfaces/edit.ts';
import type { NetworkInterface } from '../../../../shared/platform/interfaces/interface.ts';
import type { PhysicalInterfaceUpdate } from '../../../../shared/platform/interfaces/interface-schema.ts';
import { effectiveManagementListeners } from '../../../../shared/platform/interfaces/management-listener.ts';
import { access, management, row, trunk, vlan } from './rows.ts';

const IDENTITY = { id: 'vlan_new', now: '2026-01-02T00:00:00.000Z' };

function refusal(work: () => unknown): { code: string; pointers: string[]; detail: string } {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const pointers = (error.members.errors ?? []).map(({ pointer }) => pointer);
    return { code: error.code, pointers, detail: error.message };
  }
  return { code: 'accepted', pointers: [], detail: '' };
}

type Accepted = [string, NetworkInterface, PhysicalInterfaceUpdate, Partial<NetworkInterface>];
const ACCEPTED: Accepted[] = [
  ['spelling is forgiven', access(), { role: ' Route ', mode: 'ROUTED' }, { role: 'route', mode: 'access' }],
  ['null clears a CIDR', access(), { ipv4_cidr: null }, { ipv4_cidr: '' }],
  ['an empty string clears a gateway', management(), { ipv4_gateway: '' }, { ipv4_gateway: '' }],
  ['addresses become canonical', access(), { ipv6_cidr: 'FD00:0::1/64' }, { ipv6_cidr: 'fd00::1/64' }],
  ['an IPv6 CIDR turns IPv6 on', access(), { ipv6_cidr: 'fd00::1/64' }, { ipv6_enabled: true }],
  [
    'IPv6 off clears CIDR and gateway',
    access({ ipv6_enabled: true, ipv6_cidr: 'fd00::1/64', ipv6_gateway: 'fe80::1' }),
    { ipv6_enabled: false },
    { ipv6_cidr: '', ipv6_gateway: '' },
  ],
  ['IPv6 without a CIDR is router advertisements', access(), { ipv6_enabled: true }, { ipv6_cidr: '' }],
  [
    'switching to trunk clears role, both families and the management flag',
    access({
      access_management_ui_enabled: true,
      ipv6_enabled: true,
      ipv6_cidr: 'fd00::1/64',
      ipv4_gateway: '10.0.0.9',
    }),
    { mode: 'trunk' },
    {
      mode: 'trunk',
      role: 'unused',
      ipv4_cidr: '',
      ipv4_gateway: '',
      ipv6_enabled: false,
      ipv6_cidr: '',
      access_management_ui_enabled: false,
    },
  ],
  [
    'a whole form may switch to trunk',
    access(),
    { mode: 'trunk', role: 'access', ipv4_cidr: '10.0.0.1/24' },
    { role: 'unused', ipv4_cidr: '' },
  ],
  [
    'dhcp on management clears the IPv4 CIDR and gateway',
    management({ observed: { ipv4_cidrs: ['192.168.10.2/24'], ipv6_cidrs: [], mtu: 1500, link: 'up' } }),
    { ipv4_method: 'DHCP' },
    { ipv4_method: 'dhcp', ipv4_cidr: '', ipv4_gateway: '' },
  ],
  [
    'a cleared CIDR takes its gateway along',
    access({ ipv4_gateway: '10.0.0.9' }),
    { ipv4_cidr: '' },
    { ipv4_gateway: '' },
  ],
  ['management to access turns the flag on', management(), { role: 'access' }, { access_management_ui_enabled: true }],
  [
    'the flag is ignored on management',
    management(),
    { access_management_ui_enabled: true },
    { access_management_ui_enabled: false },
  ],
  [
    'access to route clears the flag',
    access({ access_management_ui_enabled: true }),
    { role: 'route' },
    { access_management_ui_enabled: false },
  ],
  [
    'access to management clears the flag',
    access({ access_management_ui_enabled: true }),
    { role: 'management' },
    { access_management_ui_enabled: false },
  ],
  [
    'a link-local IPv6 gateway',
    access({ ipv6_enabled: true, ipv6_cidr: 'fd00::1/64' }),
    { ipv6_gateway: 'fe80::9' },
    { ipv6_gateway: 'fe80::9' },
  ],
  [
    'a new network with its gateway',
    management(),
    { ipv4_cidr: '172.16.0.2/24', ipv4_gateway: '172.16.0.1' },
    { ipv4_gateway: '172.16.0.1' },
  ],
  ['a stale gateway does not stop an MTU', access({ ipv4_gateway: '1.2.3.4' }), { mtu: 9000 }, { mtu: 9000 }],
  ['a stale CIDR named again does not stop an MTU', access({ ipv4_cidr: '10.0.0.0/24' }), { mtu: 9000 }, { mtu: 9000 }],
  [
    'a stale flag does not stop a role of a whole form',
    row('ens41', { ipv4_gateway: '1.2.3.4' }),
    { role: 'route', ipv4_gateway: '1.2.3.4' },
    { role: 'route' },
  ],
  [
    'an unused interface may keep an address in reserve',
    row('ens40'),
    { ipv4_cidr: '10.0.0.1/24' },
    { ipv4_cidr: '10.0.0.1/24' },
  ],
];

type Refused = [string, NetworkInterface, PhysicalInterfaceUpdate, string, string[]];
const INVALID = 'request_validation_failed';
const REFUSED: Refused[] = [
  ['the retired role services', access(), { role: 'Services' }, INVALID, ['/role']],
  ['the retired role storage', access(), { role: 'storage' }, INVALID, ['/role']],
  ['wan is no role', access(), { role: 'wan' }, INVALID, ['/role']],
  ['an invalid role in spite of trunk', access(), { mode: 'trunk', role: 'wan' }, INVALID, ['/role']],
  ['every fault at once', access(), { mode: 'x', ipv4_cidr: '10.0.0.1', mtu: 1500 }, INVALID, ['/mode', '/ipv4_cidr']],
  ['the wrong family', access(), { ipv4_cidr: 'fd00::1/64' }, INVALID, ['/ipv4_cidr']],
  ['a network address', access(), { ipv4_cidr: '10.0.0.0/24' }, INVALID, ['/ipv4_cidr']],
  ['a broadcast address', access(), { ipv4_cidr: '10.0.0.255/24' }, INVALID, ['/ipv4_cidr']],
  ['the subnet-router anycast address', access(), { ipv6_cidr: 'fd00::/64' }, INVALID, ['/ipv6_cidr']],
  ['a multicast gateway', access(), { ipv4_gateway: '224.0.0.1' }, INVALID, ['/ipv4_gateway']],
  ['dhcp with access', access(), { ipv4_method: 'dhcp' }, INVALID, ['/ipv4_method']],
  [
    'management on dhcp to access',
    management({ ipv4_method: 'dhcp', ipv4_cidr: '', ipv4_gateway: '' }),
    { role: 'access' },
    INVALID,
    ['/role'],
  ],
  [
    'an address under dhcp',
    management({ ipv4_method: 'dhcp', ipv4_cidr: '', ipv4_gateway: '' }),
    { ipv4_cidr: '10.9.0.2/24' },
    INVALID,
    ['/ipv4_cidr'],
  ],
  ['IPv6 values with IPv6 off', access(), { ipv6_enabled: false, ipv6_cidr: 'fd00::1/64' }, INVALID, ['/ipv6_cidr']],
  ['a gateway off-link', access(), { ipv4_gateway: '10.0.1.1' }, INVALID, ['/ipv4_gateway']],
  [
    'a gateway that a new network leaves off-link',
    management(),
    { ipv4_cidr: '172.16.0.2/24' },
    INVALID,
    ['/ipv4_gateway'],
  ],
  ['the own address as gateway', access(), { ipv4_gateway: '10.0.0.1' }, INVALID, ['/ipv4_gateway']],
  [
    'an IPv6 gateway off-link',
    access({ ipv6_enabled: true, ipv6_cidr: 'fd00::1/64' }),
    { ipv6_gateway: 'fd01::1' },
    INVALID,
    ['/ipv6_gateway'],
  ],
  [
    'a gateway without an address',
    row('ens40', { role: 'access' }),
    { ipv4_gateway: '10.0.0.1' },
    INVALID,
    ['/ipv4_gateway'],
  ],
  ['disabling management', management(), { enabled: false }, INVALID, ['/enabled']],
  ['management on a disabled interface', access({ enabled: false }), { role: 'management' }, INVALID, ['/role']],
  [
    'the flag on route',
    row('ens40', { role: 'route' }),
    { access_management_ui_enabled: true },
    INVALID,
    ['/access_management_ui_enabled'],
  ],
  [
    'the flag together with trunk',
    access(),
    { mode: 'trunk', access_management_ui_enabled: true },
    INVALID,
    ['/access_management_ui_enabled'],
  ],
  ['a role on a trunk', trunk(), { role: 'access' }, INVALID, ['/role']],
  ['an address on a trunk', trunk(), { ipv6_cidr: 'fd00::1/64' }, INVALID, ['/ipv6_cidr']],
  ['IPv6 with a small MTU', access({ ipv6_enabled: true, ipv6_cidr: 'fd00::1/64' }), { mtu: 1279 }, INVALID, ['/mtu']],
  ['leaving trunk with VLANs', trunk(), { mode: 'access' }, 'still_referenced', []],
  ["an MTU below the VLANs'", trunk(), { mtu: 1400 }, 'still_referenced', []],
  [
    'the address of another interface',
    row('ens40', { role: 'access' }),
    { ipv4_cidr: '10.0.0.1/16' },
    'already_exists',
    ['/ipv4_cidr'],
  ],
  [
    'a network that overlaps another',
    row('ens40', { role: 'access' }),
    { ipv4_cidr: '10.0.0.7/16' },
    'state_conflict',
    ['/ipv4_cidr'],
  ],
  [
    'a role that makes a reserve overlap',
    row('ens40', { ipv4_cidr: '10.0.0.7/24' }),
    { role: 'access' },
    'state_conflict',
    ['/ipv4_cidr'],
  ],
  ['the last management listener by its role', management(), { role: 'route' }, 'no_management_listener', []],
  [
    'the last management listener by its flag',
    management(),
    { role: 'access', access_management_ui_enabled: false },
    'no_management_listener',
    [],
  ],
  ['the last management listener by its address', management(), { ipv4_cidr: '' }, 'no_management_listener', []],
  [
    'the last management listener by link-local',
    management(),
    { ipv4_cidr: '169.254.3.4/16', ipv4_gateway: '' },
    'no_management_listener',
    [],
  ],
  ['the last management listener by trunk', management(), { mode: 'trunk' }, 'no_management_listener', []],
];

const HOUSE = [management(), access(), trunk(), vlan(7), vlan(8)];
const among = (current: NetworkInterface): NetworkInterface[] => [
  ...HOUSE.filter((other) => other.name !== current.name),
  current,
];

describe('physical interface', () => {
  test.each(ACCEPTED)('accepted: %s', (_name, current, update, expected) => {
    expect(editPhysical(current, update, among(current))).toMatchObject(expected);
  });

  test.each(REFUSED)('refused: %s', (_name, current, update, code, pointers) => {
    expect(refusal(() => editPhysical(current, update, among(current)))).toMatchObject({ code, pointers });
  });

  test('leaving trunk names the VLANs', () => {
    const said = refusal(() => editPhysical(trunk(), { mode: 'access' }, HOUSE)).detail;
    expect(said).toContain('ens30.7, ens30.8');
  });

  test('an edit that leaves no listener is accepted when there was none before', () => {
    const lonely = management({ present: false });
    expect(editPhysical(lonely, { role: 'route' }, [lonely]).role).toBe('route');
  });

  test('{} is identity, whatever stale values the row holds', () => {
    const stale = row('ens50', {
      mode: 'trunk',
      role: 'access',
      ipv4_cidr: '10.0.0.0/24',
      ipv4_gateway: '1.1.1.1',
      mtu: 1,
    });
    expect(editPhysical(stale, {}, [...HOUSE, stale])).toBe(stale);
    for (const current of HOUSE) expect(editPhysical(current, {}, HOUSE)).toBe(current);
  });
});

describe('VLAN', () => {
  test('defaults', () => {
    const made = createVlan({ parent_interface: 'ens30', vlan_id: 9, ipv4_cidr: '10.30.9.1/24' }, HOUSE, IDENTITY);
    expect(made).toMatchObject({
      name: 'ens30.9',
      id: 'vlan_new',
      kind: 'vlan',
      role: 'access',
      enabled: true,
      mtu: 1500,
      ipv6_enabled: false,
      access_management_ui_enabled: false,
    });
    expect(brokenRules(made, HOUSE)).toEqual([]);
  });

  test('an IPv6 CIDR alone is enough, and clearing it with IPv4 in place turns IPv6 off', () => {
    const made = createVlan({ parent_interface: 'ens30', vlan_id: 9, ipv6_cidr: 'fd09::1/64' }, HOUSE, IDENTITY);
    expect(made.ipv6_enabled).toBe(true);
    const both = editVlan(made, { ipv4_cidr: '10.30.9.1/24' }, HOUSE);
    expect(editVlan(both, { ipv6_cidr: null }, HOUSE)).toMatchObject({ ipv6_enabled: false, ipv6_cidr: '' });
  });

  test.each([
    ['a missing parent', { parent_interface: 'ens99', vlan_id: 9 }, 'state_conflict', ['/parent_interface']],
    ['a parent that is no trunk', { parent_interface: 'ens20', vlan_id: 9 }, 'state_conflict', ['/parent_interface']],
    ['a VLAN as parent', { parent_interface: 'ens30.7', vlan_id: 9 }, 'state_conflict', ['/parent_interface']],
    ['the number of another VLAN', { parent_interface: 'ens30', vlan_id: 7 }, 'already_exists', ['/vlan_id']],
    ['no CIDR', { parent_interface: 'ens30', vlan_id: 9, ipv4_cidr: '' }, INVALID, ['/ipv4_cidr']],
    ['a retired role', { parent_interface: 'ens30', vlan_id: 9, role: 'storage' }, INVALID, ['/role']],
    [
      'the flag on route',
      { parent_interface: 'ens30', vlan_id: 9, role: 'route', access_management_ui_enabled: true },
      INVALID,
      ['/access_management_ui_enabled'],
    ],
    ["an MTU above the parent's", { parent_interface: 'ens30', vlan_id: 9, mtu: 9000 }, INVALID, ['/mtu']],
    [
      'an address twice',
      { parent_interface: 'ens30', vlan_id: 9, ipv4_cidr: '10.30.7.1/24' },
      'already_exists',
      ['/ipv4_cidr'],
    ],
    [
      'an overlap',
      { parent_interface: 'ens30', vlan_id: 9, ipv4_cidr: '10.30.7.9/24' },
      'state_conflict',
      ['/ipv4_cidr'],
    ],
  ])('create refused: %s', (_name, input, code, pointers) => {
    const request = { ipv4_cidr: '10.30.9.1/24', ...input };
    expect(refusal(() => createVlan(request, HOUSE, IDENTITY))).toMatchObject({ code, pointers });
  });

  test('a name that Linux has no room for', () => {
    const long = trunk({ name: 'enx001122334455', id: 'enx001122334455' });
    const request = { parent_interface: long.name, vlan_id: 9, ipv4_cidr: '10.30.9.1/24' };
    expect(refusal(() => createVlan(request, [long], IDENTITY)).pointers).toEqual(['/vlan_id']);
  });

  test.each([
    ['clearing the last CIDR', { ipv4_cidr: null }, INVALID, ['/ipv4_cidr']],
    ['disabling a management VLAN', { role: 'management', enabled: false }, INVALID, ['/enabled']],
    [
      'the flag on a management VLAN',
      { role: 'management', access_management_ui_enabled: true },
      INVALID,
      ['/access_management_ui_enabled'],
    ],
  ])('edit refused: %s', (_name, update, code, pointers) => {
    expect(refusal(() => editVlan(vlan(7), update, HOUSE))).toMatchObject({ code, pointers });
  });

  test('a VLAN that holds the last management listener stays, and its parent stays enabled', () => {
    const all = [trunk(), vlan(7, { access_management_ui_enabled: true }), vlan(8)];
    expect(effectiveManagementListeners(all)).toEqual([{ interface: 'ens30.7', address: '10.30.7.1' }]);
    expect(refusal(() => deleteVlan(all[1]!, all)).code).toBe('no_management_listener');
    expect(refusal(() => editPhysical(all[0]!, { enabled: false }, all)).code).toBe('no_management_listener');
    expect(deleteVlan(all[2]!, all)).toEqual(all.slice(0, 2));
  });
});

const some = <T>(...values: T[]) => fc.constantFrom(...values);
const anyUpdate: fc.Arbitrary<PhysicalInterfaceUpdate> = fc.record(
  {
    role: some('management', 'access', 'route', 'unused'),
    mode: some('access', 'trunk', 'routed'),
    ipv4_method: some('static', 'dhcp'),
    ipv4_cidr: some('', '10.0.0.1/24', '10.0.0.2/16', '172.16.9.1/24', '169.254.1.1/16', '192.168.10.9/24'),
    ipv4_gateway: some('', '10.0.0.254', '172.16.9.254', '192.168.10.1'),
    ipv6_enabled: fc.boolean(),
    ipv6_cidr: some('', 'fd00::1/64', 'fe80::5/64', 'fd01::1/64'),
    ipv6_gateway: some('', 'fe80::9', 'fd00::9'),
    mtu: some(576, 1280, 1500, 9000),
    enabled: fc.boolean(),
    access_management_ui_enabled: fc.boolean(),
  },
  { requiredKeys: [] },
);

test('any run of edits is refused with a Problem or leaves no rule broken and a listener in place', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(4), anyUpdate), { maxLength: 8 }), (edits) => {
      let all = HOUSE;
      for (const [index, update] of edits) {
        const current = all[index]!;
        const { mode: _m, ipv4_method: _i, ipv4_gateway: _g, ipv6_enabled: _e, ipv6_gateway: _h, ...forVlan } = update;
        try {
          const next = current.kind === 'vlan' ? editVlan(current, forVlan, all) : editPhysical(current, update, all);
          all = all.map((other) => (other.name === next.name ? next : other));
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
        }
        expect(all.flatMap((other) => brokenRules(other, all))).toEqual([]);
        expect(effectiveManagementListeners(all)).not.toEqual([]);
      }
    }),
    { numRuns: 150 },
  );
});
