// Random saved states for the dependent refresh, as rows of the tables: interfaces and VLANs, services on them, DHCP
// scopes and reservations, datastores, hosts of network boot and records. They obey the rules that saving would hold
// them to, but for what a change of hardware can leave behind: stale scopes and hosts that no longer agree.
import {
  addressOf,
  type Cidr,
  contains,
  formatAddress,
  networkOf,
  overlaps,
  parseAddress,
  parseCidr,
  withOffset,
} from '../../shared/network/address.ts';
import { type NetworkInterface, rowFromInterface } from '../../shared/network/interface.ts';
import { type AddressFamily, type AddressRange, LEGACY_SCOPE, OWNER } from '../../shared/network/refresh/snapshot.ts';
import { addressesOn, carriesService, type Standing, standings } from '../../shared/network/refresh/standing.ts';
import type { Row } from '../../shared/store/database.ts';
import { SERVICE_DEPENDENTS } from '../../shared/units/dependents.ts';

/** In an order in which rows can be inserted. */
export const TABLES = [
  'interface',
  'unit_settings',
  'dhcp_scope',
  'dhcp_reservation',
  'storage_volume',
  'storage_datastore',
  'network_boot_host',
  'dns_zone',
  'dns_record',
] as const;
export type Table = (typeof TABLES)[number];
export type World = Record<Table, Row[]>;

const THEN = '2026-01-01T00:00:00.000Z';
/** Where edits lead: few enough that reservations and records can stand in the way there. */
export const TARGETS = { ipv4: ['10.100.0.0', '10.101.0.0', '10.102.0.0'], ipv6: ['fd01::', 'fd02::', 'fd03::'] };
const FAMILIES: readonly AddressFamily[] = ['ipv4', 'ipv6'];
const PREFIXES = {
  ipv4: [24, 24, 24, 24, 24, 16, 22, 25, 26, 28, 30, 31],
  ipv6: [64, 64, 64, 64, 56, 112, 120, 127],
} as const;
const BITS = { ipv4: 32, ipv6: 128 } as const;

/** Repeatable choices. */
export class Dice {
  #state: number;
  constructor(seed: number) {
    this.#state = seed | 0;
  }
  /** 0 to 1, the upper end left out. */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  below(count: number): number {
    return Math.floor(this.roll() * count);
  }
  chance(share: number): boolean {
    return this.roll() < share;
  }
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
  /** Each with the given chance. */
  some<T>(items: readonly T[], share: number): T[] {
    return items.filter(() => this.chance(share));
  }
}

/** A host address of a network, more often a low one; `offset` is tried first. */
export function hostIn(dice: Dice, network: Cidr, offset?: bigint): string {
  const size = Number(network.last - network.first > 4000n ? 4000n : network.last - network.first) + 1;
  const low = Math.min(size, 256);
  for (let tries = 0; ; tries++) {
    const wanted = tries === 0 && offset !== undefined ? offset : BigInt(dice.below(dice.chance(0.9) ? low : size));
    const found = withOffset(network, wanted);
    if (found) return found.text;
  }
}

export const prefixIn = (dice: Dice, family: AddressFamily): number => dice.pick(PREFIXES[family]);

interface Making {
  dice: Dice;
  interfaces: NetworkInterface[];
  standing: ReadonlyMap<string, Standing>;
  world: World;
}

export function randomWorld(seed: number): World {
  const dice = new Dice(seed);
  const interfaces = randomInterfaces(dice);
  const world = Object.fromEntries(TABLES.map((table) => [table, [] as Row[]])) as World;
  const making: Making = { dice, interfaces, standing: standings(interfaces), world };
  world.interface = interfaces.map(rowFromInterface);
  world.dns_zone = ['lab.test', 'sub.lab.test'].map((name, at) => ({
    id: `zone_${at}`,
    name,
    created_at: THEN,
    updated_at: THEN,
  }));
  addServices(making);
  const scopes = addScopes(making);
  addReservations(making, scopes);
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
  if (row.role === 'management' && dice.chance(0.15)) Object.assign(row, { ipv4_method: 'dhcp', ipv4_cidr: '' });
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

const names = ({ interfaces }: Making): string[] => interfaces.map(({ name }) => name);
const carriers = (making: Making): string[] =>
  names(making).filter((name) => carriesService(making.standing.get(name)!));

const settingsRow = (unit: string, document: object): Row => ({
  unit,
  document: JSON.stringify(document),
  revision: 3,
  updated_at: THEN,
});

function addServices(making: Making): void {
  const { dice, standing, world } = making;
  for (const { key, hostname, urls = [], clients = [], lastBinding } of SERVICE_DEPENDENTS) {
    if (dice.chance(0.25)) continue;
    const able = carriers(making);
    const enabled = able.length > 0 && dice.chance(0.7);
    const chosen = enabled ? dice.some(able, 0.5) : dice.some(names(making), 0.3);
    if (enabled && chosen.length === 0 && lastBinding === 'refuse') chosen.push(dice.pick(able));
    if (enabled && dice.chance(0.05)) chosen.push(...names(making).filter((name) => !able.includes(name)));
    const listen_addresses = addressesOn(chosen, standing);
    const document: Record<string, unknown> = { enabled, listen_interfaces: chosen, listen_addresses };
    if (hostname !== undefined) document[hostname] = hostName(dice, key);
    for (const member of urls) document[member] = urlOf(dice, listen_addresses);
    for (const member of clients) document[member] = clientsOf(making, 'ipv4');
    world.unit_settings.push(settingsRow(key, document));
    if (dice.chance(0.1) && document.hostname) addOperatorRecord(world, String(document.hostname), '10.250.0.1');
  }
  world.unit_settings.push(settingsRow('network', { hostname: 'gc01.lab.test', dns_servers: ['10.10.0.1'] }));
}

const hostName = (dice: Dice, key: string): string =>
  dice.pick([
    '',
    `${key}.lab.test`,
    `${key}.lab.test`,
    `${key}.sub.lab.test`,
    'shared.lab.test',
    `${key}.elsewhere.test`,
  ]);

function urlOf(dice: Dice, own: readonly string[]): string {
  const hosts = ['10.250.0.9', 'boot.lab.test', ...own.map((text) => (text.includes(':') ? `[${text}]` : text))];
  return dice.chance(0.3) ? '' : `https://${dice.pick(hosts)}:8443/${dice.pick(['', 'a', 'a/b?c=d'])}`;
}

function clientsOf({ dice, standing }: Making, family: AddressFamily): string[] {
  const own = [...standing.values()].flatMap(({ networks }) => (networks[family] ? [networkOf(networks[family])] : []));
  return dice.chance(0.3) ? dice.some(own, 0.4) : [];
}

/** False when there is such a record already. */
export function addOperatorRecord(world: World, fqdn: string, value: string): boolean {
  const type = value.includes(':') ? 'AAAA' : 'A';
  return addRecord(world, { fqdn, type, value });
}

function addRecord(world: World, record: Row): boolean {
  const same = (other: Row) => other.fqdn === record.fqdn && other.type === record.type && other.value === record.value;
  const zone = world.dns_zone.findLast(({ name }) => String(record.fqdn).endsWith(`.${name}`));
  if (!zone || world.dns_record.some(same)) return false;
  const id = `rec_${world.dns_record.length}`;
  const nobody = { owner_source: null, owner_ref: null, owner_component: null };
  world.dns_record.push({ id, zone_id: zone.id!, ...nobody, ...record, created_at: THEN, updated_at: THEN });
  return true;
}

export interface MadeScope {
  id: string;
  family: AddressFamily;
  subnet: Cidr;
  enabled: boolean;
}

function addScopes(making: Making): MadeScope[] {
  const { dice, world } = making;
  const made: MadeScope[] = [];
  const count = dice.pick([0, 0, 1, 1, 2, 3, 4, 5]);
  for (let at = 0; at < count; at++) {
    const scope = scopeOf(making, made, at);
    if (!scope) continue;
    made.push(scope.made);
    world.dhcp_scope.push({
      ...scope.row,
      id: scope.made.id,
      name: `scope${at}`,
      lease_time: 3600,
      domain: 'lab.test',
    });
  }
  if (!dice.chance(count === 0 ? 0.6 : 0.3)) return made;
  const legacy = scopeOf(making, [], 9);
  if (legacy?.made.family !== 'ipv4') return made;
  const { created_at: _created, updated_at: _updated, address_family: _family, ...binding } = legacy.row;
  const lists = ['ranges', 'dns_servers', 'ntp_servers'].map((list) => [list, JSON.parse(String(binding[list]))]);
  const document = { ...binding, ...Object.fromEntries(lists), enabled: binding.enabled === 1 };
  world.unit_settings.push(settingsRow('dhcp-legacy-binding', document));
  return made.length > 0 ? made : [{ ...legacy.made, id: LEGACY_SCOPE }];
}

function scopeOf(making: Making, others: readonly MadeScope[], at: number): { made: MadeScope; row: Row } | null {
  const { dice, standing, interfaces } = making;
  const family = dice.pick(['ipv4', 'ipv4', 'ipv6'] as const);
  const based = interfaces.filter(({ name }) => standing.get(name)!.networks[family]);
  const { name } = dice.pick(based.length > 0 && dice.chance(0.9) ? based : interfaces);
  const network = standing.get(name)!.networks[family];
  const subnet = subnetOf(dice, network, family, at);
  if (!subnet) return null;
  const enabled = network ? dice.chance(0.8) : dice.chance(0.3);
  const meets = others.some((other) => other.enabled && overlaps(other.subnet, subnet));
  if (enabled && meets) return null;
  const servers = (service: string): string[] => serversOf(making, name, family, service);
  const row: Row = {
    address_family: family,
    interface: name,
    subnet_cidr: subnet.text,
    ranges: JSON.stringify(rangesOf(dice, subnet)),
    gateway: dice.pick(['none', '', network?.address.text ?? '', network?.address.text ?? '', hostIn(dice, subnet)]),
    dns_servers: JSON.stringify(servers('dns-dhcp')),
    ntp_servers: JSON.stringify(servers('ntp')),
    enabled: Number(enabled),
    created_at: THEN,
    updated_at: THEN,
  };
  return { made: { id: `scope_${at}`, family, subnet, enabled }, row };
}

/** The interface's own network, a part of it, a wider one, or a stale one that lies elsewhere. */
function subnetOf(dice: Dice, network: Cidr | null, family: AddressFamily, at: number): Cidr | null {
  const kind = network ? dice.pick(['same', 'same', 'same', 'nested', 'nested', 'wider', 'stale']) : 'stale';
  const around = (value: bigint, prefix: number): Cidr | null => {
    const host = BigInt(BITS[family] - prefix);
    return parseCidr(`${formatAddress(family === 'ipv4' ? 4 : 6, (value >> host) << host)}/${prefix}`);
  };
  if (kind === 'same') return around(network!.first, network!.prefix);
  if (kind === 'stale') {
    const base = family === 'ipv4' ? `10.${60 + at}.0.0` : `fd60:${at}::`;
    return around(parseAddress(base)!.value, dice.chance(0.4) && network ? network.prefix : prefixIn(dice, family));
  }
  if (kind === 'wider')
    return network!.prefix < 13 ? null : around(network!.first, network!.prefix - 1 - dice.below(4));
  const prefix = network!.prefix + 1 + dice.below(3);
  if (prefix > BITS[family]) return null;
  const span = network!.last - network!.first + 1n;
  return around(network!.first + (span * BigInt(dice.below(8))) / 8n, prefix);
}

function rangesOf(dice: Dice, subnet: Cidr): AddressRange[] {
  return Array.from({ length: dice.pick([0, 1, 1, 1, 2]) }, () => {
    const ends = [hostIn(dice, subnet), hostIn(dice, subnet)].map((text) => parseAddress(text)!);
    const [start, end] = ends[0]!.value <= ends[1]!.value ? ends : [ends[1]!, ends[0]!];
    return { start: start!.text, end: end!.text };
  });
}

function serversOf(making: Making, name: string, family: AddressFamily, service: string): string[] {
  const { dice, standing, world } = making;
  const own = (which: string) =>
    standing.get(which)!.addresses.filter((text) => text.includes(':') === (family === 'ipv6'));
  const elsewhere = own(dice.pick(names(making)));
  const foreign = family === 'ipv4' ? ['10.250.0.53', '10.250.0.54'] : ['fd50::53'];
  const servers = [...dice.some([...own(name), ...foreign], 0.4), ...dice.some(elsewhere, 0.3)];
  const listens = world.unit_settings.some(({ unit }) => unit === service);
  return [...new Set(servers.length === 0 && listens && dice.chance(0.8) ? own(name) : servers)];
}

function addReservations(making: Making, scopes: readonly MadeScope[]): void {
  const { dice, standing } = making;
  const taken = new Set([...standing.values()].flatMap(({ addresses }) => addresses));
  const count = dice.below(13);
  for (let at = 0; at < count; at++) {
    const scope = scopes.length > 0 && dice.chance(0.85) ? dice.pick(scopes) : null;
    const family = scope?.family ?? dice.pick(FAMILIES);
    const subnet = scope?.subnet ?? parseCidr(`${dice.pick(TARGETS[family])}/${prefixIn(dice, family)}`)!;
    const ip_address = hostIn(dice, subnet);
    if (taken.has(ip_address)) continue;
    taken.add(ip_address);
    addReservation(making, { id: `res_${at}`, hostname: `host${at}`, ip_address, family, subnet });
  }
}

interface MadeReservation {
  id: string;
  hostname: string;
  ip_address: string;
  family: AddressFamily;
  subnet: Cidr;
}

function addReservation({ dice, world }: Making, { id, hostname, ip_address, family, subnet }: MadeReservation): void {
  const at = id.slice(4);
  const mac_address = `00:50:56:aa:00:${at.padStart(2, '0')}`;
  const enabled = Number(dice.chance(0.85));
  const host = dice.chance(0.25) ? `host_${at}` : null;
  const component = hostname;
  const kept = { created_at: THEN, updated_at: THEN };
  const registered = dice.chance(0.5);
  world.dhcp_reservation.push({
    id,
    hostname,
    mac_address,
    address_family: family,
    ip_address,
    register_dns: Number(registered),
    owner_source: host && OWNER.host,
    owner_ref: host,
    owner_component: host && component,
    enabled,
    ...kept,
  });
  if (host !== null) {
    const agrees = dice.chance(0.93);
    world.network_boot_host.push({
      id: host,
      hostname,
      mac_address,
      ip_address: agrees ? ip_address : '',
      enabled,
      ...kept,
    });
  }
  if (!registered) return;
  const record = { fqdn: `${hostname}.lab.test`, type: family === 'ipv4' ? 'A' : 'AAAA', value: ip_address };
  addRecord(world, { ...record, owner_source: OWNER.reservation, owner_ref: id, owner_component: component });
  if (!dice.chance(0.08)) return;
  const target = parseAddress(dice.pick(TARGETS[family]))!;
  const offset = parseAddress(ip_address)!.value - subnet.first;
  addOperatorRecord(world, record.fqdn, addressOf(target.family, target.value + offset)!.text);
}

function addDatastores(making: Making): void {
  const { dice, world, standing, interfaces } = making;
  const kept = { created_at: THEN, updated_at: THEN };
  world.storage_volume.push({ id: 'vol_0', name: 'vol', device: 'disk-0', mount_path: '/mnt/vol', ...kept });
  const count = dice.pick([0, 1, 1, 2, 3]);
  for (let at = 0; at < count; at++) {
    const { name } = dice.pick(interfaces);
    const on = standing.get(name)!;
    const able = carriesService(on) ? FAMILIES.filter((family) => on.families.has(family)) : [];
    const enabled = able.length > 0 && dice.chance(0.8);
    const families = dice.some(enabled ? able : FAMILIES, 0.7);
    if (families.length === 0) families.push(enabled ? able[0]! : 'ipv4');
    const addresses = on.addresses.filter((text) => families.includes(text.includes(':') ? 'ipv6' : 'ipv4'));
    world.storage_datastore.push({
      id: `ds_${at}`,
      name: `ds${at}`,
      volume_id: 'vol_0',
      path: `ds${at}`,
      nfs_version: '4.1',
      interface: name,
      address_families: JSON.stringify(families),
      addresses: JSON.stringify(addresses),
      ipv4_clients: JSON.stringify(clientsOf(making, 'ipv4')),
      ipv6_clients: JSON.stringify(clientsOf(making, 'ipv6')),
      enabled: Number(enabled),
      ...kept,
    });
  }
}

/** Whether an address text lies in a network. */
export const within = (network: Cidr, text: string): boolean => {
  const address = parseAddress(text);
  return address !== null && contains(network, address);
};
