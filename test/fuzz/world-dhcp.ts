// DHCP of a random world: scopes of every kind or the legacy binding, options, and reservations with what is kept for
// them.
import {
  addressOf,
  type Cidr,
  formatAddress,
  isUsableHost,
  overlaps,
  parseAddress,
  parseCidr,
} from '../../shared/ground/addresses/address.ts';
import type { Row } from '../../shared/ground/store/database.ts';
import {
  type AddressFamily,
  type AddressRange,
  LEGACY_SCOPE,
  OWNER,
} from '../../shared/platform/interfaces/refresh/snapshot.ts';
import { BITS, type Dice, FAMILIES, hostIn, prefixIn, TARGETS } from './world-dice.ts';
import { addOperatorRecord, addRecord, names, settingsRow } from './world-services.ts';
import { type Making, THEN } from './worlds.ts';

export function addDhcp(making: Making): void {
  const scopes = addScopes(making);
  addOptions(making, scopes);
  addReservations(making, scopes);
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
  return dice.chance(count === 0 ? 0.6 : 0.3) ? addLegacy(making, made) : made;
}

/** The binding of before there were scopes; it counts while there is none. */
function addLegacy(making: Making, made: MadeScope[]): MadeScope[] {
  const legacy = scopeOf(making, [], 9);
  if (legacy?.made.family !== 'ipv4') return made;
  const { created_at: _created, updated_at: _updated, address_family: _family, ...binding } = legacy.row;
  const lists = ['ranges', 'dns_servers', 'ntp_servers'].map((list) => [list, JSON.parse(String(binding[list]))]);
  const document: Record<string, unknown> = {
    ...binding,
    ...Object.fromEntries(lists),
    enabled: binding.enabled === 1,
  };
  // While it is off it may never have been filled in.
  if (!document.enabled && making.dice.chance(0.3))
    Object.assign(document, { subnet_cidr: '', ranges: [], gateway: '' });
  making.world.unit_settings.push(settingsRow('dhcp-legacy-binding', document));
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
    gateway: gatewayOf(dice, subnet, network, enabled),
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

/** Inside of the subnet, or not given; blank where the interface's own would not fit, or while the scope is off. */
function gatewayOf(dice: Dice, subnet: Cidr, network: Cidr | null, enabled: boolean): string {
  const own = network && isUsableHost(subnet, network.address) ? network.address.text : null;
  if (own === null && !enabled) return dice.pick(['none', '', hostIn(dice, subnet)]);
  return dice.pick(['none', own ?? 'none', own ?? 'none', hostIn(dice, subnet), dice.chance(0.3) ? '' : 'none']);
}

function rangesOf(dice: Dice, subnet: Cidr): AddressRange[] {
  const ends = Array.from({ length: dice.pick([0, 2, 2, 2, 4]) }, () => parseAddress(hostIn(dice, subnet))!);
  ends.sort((one, other) => (one.value < other.value ? -1 : 1));
  const range = (at: number) => ({ start: ends[at]!.text, end: ends[at + 1]!.text });
  if (ends.length === 4 && ends[1]!.value < ends[2]!.value) return [range(0), range(2)];
  return ends.length === 0 ? [] : [range(0)];
}

/** Codes that no member of a scope gives. */
const CODES = { ipv4: [66, 72, 138, 150], ipv6: [22, 27, 59] } as const;

function addOptions({ dice, standing, world, interfaces }: Making, scopes: readonly MadeScope[]): void {
  const real = scopes.filter(({ id }) => id !== LEGACY_SCOPE);
  for (const family of FAMILIES) {
    for (const code of dice.some(CODES[family], 0.25)) {
      const { name } = dice.pick(interfaces);
      const own = standing.get(name)!.addresses.filter((text) => text.includes(':') === (family === 'ipv6'));
      const values = [...own, ...dice.some(family === 'ipv4' ? ['10.250.0.70', 'boot'] : ['fd50::70'], 0.5)];
      if (values.length === 0) continue;
      const scope = dice.pick([null, ...real.filter((each) => each.family === family)]);
      world.dhcp_option.push({
        id: `option_${family}_${code}`,
        scope_id: scope?.id ?? null,
        code,
        address_family: family,
        value: values.map((text) => (text.includes(':') ? `[${text}]` : text)).join(','),
        enabled: Number(dice.chance(0.8)),
        created_at: THEN,
        updated_at: THEN,
      });
    }
  }
}

function serversOf(making: Making, name: string, family: AddressFamily, service: string): string[] {
  const { dice, standing, world } = making;
  const own = (which: string) =>
    standing.get(which)!.addresses.filter((text) => text.includes(':') === (family === 'ipv6'));
  const elsewhere = own(dice.pick(names(making)));
  const foreign = family === 'ipv4' ? ['10.250.0.53', '10.250.0.54'] : ['fd50::53'];
  const servers = [...dice.some([...own(name), ...foreign], 0.4), ...dice.some(elsewhere, 0.3)];
  const listens = world.unit_settings.some(({ unit }) => unit === service);
  if (servers.length === 0 && dice.chance(0.3)) return ['none'];
  return [...new Set(servers.length === 0 && listens && dice.chance(0.4) ? own(name) : servers)];
}

function addReservations(making: Making, scopes: readonly MadeScope[]): void {
  const { dice, standing } = making;
  const taken = new Set([...standing.values()].flatMap(({ addresses }) => addresses));
  for (const { gateway } of making.world.dhcp_scope) taken.add(String(gateway));
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
  if (!registered || !enabled) return;
  const record = { fqdn: `${hostname}.lab.test`, type: family === 'ipv4' ? 'A' : 'AAAA', value: ip_address };
  addRecord(world, { ...record, owner_source: OWNER.reservation, owner_ref: id, owner_component: component });
  if (!dice.chance(0.08)) return;
  const target = parseAddress(dice.pick(TARGETS[family]))!;
  const offset = parseAddress(ip_address)!.value - subnet.first;
  addOperatorRecord(world, record.fqdn, addressOf(target.family, target.value + offset)!.text);
}
