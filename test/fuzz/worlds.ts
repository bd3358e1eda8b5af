// Random saved states for the dependent refresh, as rows of the tables: interfaces and VLANs, and all that depends on
// them. They obey the rules that saving would hold them to, but for what a change of hardware can leave behind: stale
// scopes, and hosts that no longer agree with their reservation.
import { parseCidr } from '../../shared/ground/addresses/address.ts';
import type { Row } from '../../shared/ground/store/database.ts';
import { type NetworkInterface, rowFromInterface } from '../../shared/platform/interfaces/interface.ts';
import type { AddressFamily } from '../../shared/platform/interfaces/refresh/snapshot.ts';
import { type Standing, standings } from '../../shared/platform/interfaces/refresh/standing.ts';
import { addDhcp } from './world-dhcp.ts';
import { Dice, hostIn, prefixIn } from './world-dice.ts';
import { addDatastores, addServices } from './world-services.ts';

/** In an order in which rows can be inserted. */
export const TABLES = [
  'interface',
  'unit_settings',
  'dhcp_scope',
  'dhcp_option',
  'dhcp_reservation',
  'storage_volume',
  'storage_datastore',
  'network_boot_host',
  'dns_zone',
  'dns_record',
] as const;
export type Table = (typeof TABLES)[number];
export type World = Record<Table, Row[]>;

/** A world that is being made. */
export interface Making {
  dice: Dice;
  interfaces: NetworkInterface[];
  standing: ReadonlyMap<string, Standing>;
  world: World;
}

/** When every row was last saved. */
export const THEN = '2026-01-01T00:00:00.000Z';

export function randomWorld(seed: number): World {
  const dice = new Dice(seed);
  const interfaces = randomInterfaces(dice);
  const world = Object.fromEntries(TABLES.map((table) => [table, [] as Row[]])) as World;
  const making: Making = { dice, interfaces, standing: standings(interfaces), world };
  world.interface = interfaces.map(rowFromInterface);
  const kept = { created_at: THEN, updated_at: THEN };
  world.dns_zone = ['lab.test', 'sub.lab.test'].map((name, at) => ({ id: `zone_${at}`, name, ...kept }));
  addServices(making);
  addDhcp(making);
  addDatastores(making);
  return world;
}

function randomInterfaces(dice: Dice): NetworkInterface[] {
  const names = Array.from({ length: 2 + dice.below(4) }, (_, at) => `eth${at}`);
  const trunk = names.length > 2 && dice.chance(0.6) ? names.at(-1)! : null;
  const physical = names.map((name, at) => (name === trunk ? trunkOf(dice, name) : physicalOf(dice, name, at)));
  if (trunk === null) return physical;
  const vlans = Array.from({ length: 1 + dice.below(3) }, (_, at) => vlanOf(dice, trunk, at));
  return [...physical, ...vlans];
}

function blank(name: string): NetworkInterface {
  return {
    name,
    kind: 'physical',
    id: name,
    mac_address: `00:50:56:00:00:0${name.at(3)}`,
    driver: null,
    speed_mbps: null,
    observed: null,
    present: true,
    parent_interface: null,
    vlan_id: null,
    role: 'access',
    mode: 'access',
    ipv4_method: 'static',
    ipv4_cidr: '',
    ipv4_gateway: '',
    ipv6_enabled: false,
    ipv6_cidr: '',
    ipv6_gateway: '',
    mtu: 1500,
    enabled: true,
    access_management_ui_enabled: false,
    revision: 1,
    updated_at: THEN,
  };
}

/** Second octet or group: no two interfaces begin in one network. */
function cidrOf(dice: Dice, family: AddressFamily, slot: number): string {
  const prefix = prefixIn(dice, family);
  const base = family === 'ipv4' ? `10.${10 + slot}.0.0` : `fd00:${slot}::`;
  return `${hostIn(dice, parseCidr(`${base}/${prefix}`)!)}/${prefix}`;
}

function physicalOf(dice: Dice, name: string, at: number): NetworkInterface {
  const row = { ...blank(name), present: dice.chance(0.97) };
  const ipv6 = dice.pick(['none', 'none', 'static', 'static', 'slaac'] as const);
  const observed = {
    ipv4_cidrs: at === 0 ? ['10.40.0.7/24'] : [],
    ipv6_cidrs: dice.chance(0.5) ? [`fd40:${at + 1}::7/64`] : [],
    mtu: 1500,
    link: 'up' as const,
  };
  Object.assign(row, {
    observed: dice.chance(0.8) ? observed : null,
    ipv4_cidr: dice.chance(0.9) ? cidrOf(dice, 'ipv4', at) : '',
    ipv6_enabled: ipv6 !== 'none',
    ipv6_cidr: ipv6 === 'static' ? cidrOf(dice, 'ipv6', at) : '',
  });
  if (at > 0) {
    row.role = dice.pick(['access', 'access', 'access', 'route', 'unused'] as const);
    row.enabled = dice.chance(0.9);
    row.access_management_ui_enabled = row.role === 'access' && dice.chance(0.25);
    return row;
  }
  if (dice.chance(0.7)) row.role = 'management';
  else row.access_management_ui_enabled = true;
  if (row.role === 'management' && dice.chance(0.15)) {
    // Half of them without a lease: leaving dhcp is refused there, and that is to be seen often enough.
    Object.assign(row, { ipv4_method: 'dhcp', ipv4_cidr: '', observed: dice.chance(0.5) ? observed : null });
  }
  return row;
}

const trunkOf = (dice: Dice, name: string): NetworkInterface => ({
  ...blank(name),
  role: 'unused',
  mode: 'trunk',
  enabled: dice.chance(0.92),
});

function vlanOf(dice: Dice, parent: string, at: number): NetworkInterface {
  const number = 100 + at;
  const families = dice.pick([['ipv4'], ['ipv4'], ['ipv4', 'ipv6'], ['ipv6']] as AddressFamily[][]);
  const ipv6 = families.includes('ipv6');
  const role = dice.pick(['access', 'access', 'route', 'unused'] as const);
  return {
    ...blank(`${parent}.${number}`),
    kind: 'vlan',
    id: `vlan_${number}`,
    mac_address: `00:50:56:00:00:0${parent.at(3)}`,
    parent_interface: parent,
    vlan_id: number,
    role,
    ipv4_cidr: families.includes('ipv4') ? cidrOf(dice, 'ipv4', 20 + at) : '',
    ipv6_enabled: ipv6,
    ipv6_cidr: ipv6 ? cidrOf(dice, 'ipv6', 20 + at) : '',
    enabled: dice.chance(0.9),
    access_management_ui_enabled: role === 'access' && dice.chance(0.2),
  };
}
