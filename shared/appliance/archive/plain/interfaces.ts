// Adapters and VLANs of an archive of schema 2. Retired roles and modes are read as what they became.
import {
  MODES,
  type Mode,
  RETIRED_ROLES,
  ROLES,
  type Role,
  readMode,
  readRole,
} from '../../../platform/interfaces/interface.ts';
import type { Json } from '../rows.ts';
import { idOf, type SourceRow } from './source-row.ts';
import type { Translation } from './translation.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;

export function bringInterfaces(translation: Translation): void {
  const section = ['physical_interfaces', 'interfaces'].find((name) => translation.has(name));
  // VLANs alone would stand on nothing.
  if (section === undefined) return;
  const adapters = translation.rows(section).map(physical);
  const macs = new Map(adapters.map(({ name, mac_address }) => [name, mac_address]));
  translation.carry('interface', adapters);
  translation.carry(
    'interface',
    translation.rows('vlans').map((row) => {
      const own = vlan(row);
      // A VLAN has the address of its adapter.
      return { ...own, mac_address: macs.get(own.parent_interface!) ?? '' };
    }),
  );
}

function physical(row: SourceRow): Record<string, Json> {
  const name = nameIn(row, 'name');
  const mode = modeIn(row);
  const role = mode === 'trunk' ? 'unused' : roleIn(row);
  const addressed = mode === 'access' && role !== 'unused';
  const ipv4_method = role === 'management' ? row.word('ipv4_method', 'static') : 'static';
  const ipv6_enabled = addressed && row.flag('ipv6_enabled', false);
  const gateways = role === 'management';
  return {
    id: name,
    name,
    kind: 'physical',
    mac_address: row.has('mac_address') ? row.mac('mac_address') : '',
    parent_interface: null,
    vlan_id: null,
    role,
    mode,
    ipv4_method,
    ipv4_cidr: addressed && ipv4_method === 'static' ? row.cidr('ip_cidr', 4) : '',
    ipv4_gateway: gateways && ipv4_method === 'static' ? row.address('gateway', '') : '',
    ipv6_enabled,
    ipv6_cidr: ipv6_enabled ? row.cidr('ipv6_cidr', 6) : '',
    ipv6_gateway: gateways && ipv6_enabled ? row.address('ipv6_gateway', '') : '',
    mtu: row.whole('mtu', 1500),
    enabled: row.word('admin_state', 'up') === 'up',
    access_management_ui_enabled: role === 'access' && row.flag('access_management_ui_enabled', false),
  };
}

function vlan(row: SourceRow): Record<string, Json> {
  const parent_interface = nameIn(row, 'parent_interface');
  const vlan_id = row.whole('vlan_id');
  const role = roleIn(row);
  const name = `${parent_interface}.${vlan_id}`;
  const ipv6_cidr = row.cidr('ipv6_cidr', 6);
  return {
    id: idOf('vlan', name),
    name,
    kind: 'vlan',
    parent_interface,
    vlan_id,
    role,
    mode: 'access',
    ipv4_method: 'static',
    ipv4_cidr: row.cidr('ip_cidr', 4),
    ipv4_gateway: '',
    ipv6_enabled: ipv6_cidr !== '',
    ipv6_cidr,
    ipv6_gateway: '',
    mtu: row.whole('mtu', 1500),
    enabled: row.flag('enabled', true),
    access_management_ui_enabled: role === 'access' && row.flag('access_management_ui_enabled', false),
  };
}

function nameIn(row: SourceRow, member: string): string {
  const name = row.text(member);
  if (!NAME.test(name)) throw row.refused(member, 'is no name of an interface');
  return name;
}

/** One that is missing is refused: nobody knows what it was for. */
function roleIn(row: SourceRow): Role {
  const role = row.word('role');
  if (!(ROLES as readonly string[]).includes(role) && !RETIRED_ROLES.has(role))
    throw row.refused('role', 'is a role that no release knew');
  return readRole(role);
}

function modeIn(row: SourceRow): Mode {
  const mode = row.word('mode', 'access');
  if (mode === 'unused') return 'access';
  if (mode !== 'routed' && !(MODES as readonly string[]).includes(mode))
    throw row.refused('mode', 'is a mode that no release knew');
  return readMode(mode);
}
