// What must hold after an accepted edit, said once more and independently of the code that sees to it.

import { SERVICE_DEPENDENTS } from '../../shared/appliance/dependents.ts';
import { type Cidr, isUsableHost, overlaps, parseAddress, parseCidr } from '../../shared/ground/addresses/address.ts';
import type { Row } from '../../shared/ground/store/database.ts';
import type { NetworkInterface } from '../../shared/platform/interfaces/interface.ts';
import type { InterfaceImpact } from '../../shared/platform/interfaces/interface-resource.ts';
import { effectiveManagementListeners } from '../../shared/platform/interfaces/management-listener.ts';
import type {
  AddressFamily,
  AddressRange,
  ServiceDocument,
} from '../../shared/platform/interfaces/refresh/snapshot.ts';
import { within } from './world-dice.ts';
import { interfacesOf } from './world-edits.ts';
import { TABLES, type Table, type World } from './worlds.ts';

/** An accepted edit: the name of its interface, the worlds around it and what it answered. */
export interface Outcome {
  name: string;
  before: World;
  after: World;
  impact: InterfaceImpact;
}

/** Sentences about what is broken; empty when all is well. */
export function brokenBy(outcome: Outcome): string[] {
  return [listeners, scopes, stale, reservations, kept, datastores, management, touched].flatMap((rule) =>
    rule(outcome),
  );
}

const list = (text: unknown): string[] => JSON.parse(String(text)) as string[];
const familyOf = (text: string): AddressFamily => (text.includes(':') ? 'ipv6' : 'ipv4');
const isOn = (row: Row): boolean => row.enabled === 1;

/** What an interface carries, from its fields alone. */
interface Carried {
  addresses: string[];
  /** Whether a service may answer here. */
  able: boolean;
  networks: Record<AddressFamily, Cidr | null>;
}

function carriedBy(all: readonly NetworkInterface[]): (name: string) => Carried {
  const nothing = { addresses: [], able: false, networks: { ipv4: null, ipv6: null } };
  const carried = new Map(
    all.map((row) => {
      const parent = all.find(({ name }) => name === row.parent_interface);
      const stands = row.kind === 'physical' || (parent?.enabled && parent.mode === 'trunk');
      if (!row.enabled || row.role === 'unused' || row.mode !== 'access' || !stands) return [row.name, nothing];
      const dhcp = row.ipv4_method === 'dhcp';
      const v4 = dhcp ? (row.observed?.ipv4_cidrs ?? []) : [row.ipv4_cidr];
      const v6 = row.ipv6_cidr === '' ? (row.observed?.ipv6_cidrs ?? []) : [row.ipv6_cidr];
      const cidrs = [...v4, ...(row.ipv6_enabled ? v6 : [])].filter((text) => text !== '' && !text.startsWith('fe80:'));
      const addresses = cidrs.map((text) => text.slice(0, text.indexOf('/')));
      const networks = {
        ipv4: dhcp ? null : parseCidr(row.ipv4_cidr),
        ipv6: row.ipv6_enabled ? parseCidr(row.ipv6_cidr) : null,
      };
      return [row.name, { addresses, able: addresses.length > 0 || dhcp, networks }];
    }),
  );
  return (name) => carried.get(name) ?? nothing;
}

const carriedIn = (world: World) => carriedBy(interfacesOf(world));

const servicesOf = (world: World): Map<string, ServiceDocument> =>
  new Map(
    world.unit_settings
      .filter(({ unit }) => SERVICE_DEPENDENTS.some(({ key }) => key === unit))
      .map(({ unit, document }) => [String(unit), JSON.parse(String(document)) as ServiceDocument]),
  );

function listeners({ before, after }: Outcome): string[] {
  const [had, has] = [carriedIn(before), carriedIn(after)];
  const earlier = servicesOf(before);
  return [...servicesOf(after)].flatMap(([key, { enabled, listen_interfaces, listen_addresses }]) => {
    const broken: string[] = [];
    const derived = [...new Set(listen_interfaces.flatMap((name) => has(name).addresses))];
    if (derived.join() !== listen_addresses.join())
      broken.push(`${key} answers on ${listen_addresses}, not ${derived}`);
    const { lastBinding } = SERVICE_DEPENDENTS.find((each) => each.key === key)!;
    const could = earlier.get(key)!.listen_interfaces.some((name) => had(name).able);
    const able = listen_interfaces.some((name) => has(name).able);
    if (enabled && could && !able && lastBinding === 'refuse') broken.push(`${key} lost its last interface`);
    if (enabled && could && !able && listen_interfaces.length > 0) broken.push(`${key} keeps a binding without use`);
    const lost = listen_interfaces.filter((name) => had(name).able && !has(name).able);
    if (enabled && lost.length > 0) broken.push(`${key} still names ${lost}`);
    if (enabled !== earlier.get(key)!.enabled) broken.push(`${key} was switched`);
    return broken;
  });
}

interface Scope {
  id: string;
  family: AddressFamily;
  name: string;
  enabled: boolean;
  subnet: Cidr;
  ranges: AddressRange[];
  gateway: string;
  dns: string[];
  ntp: string[];
}

const listed = (value: unknown): string[] => (Array.isArray(value) ? value : list(value));

/** Scopes, or the legacy binding while there is none. */
function scopesOf(world: World): Scope[] {
  const stored = world.dhcp_scope.map((row) => ({
    ...row,
    ranges: JSON.parse(String(row.ranges)),
    enabled: isOn(row),
  }));
  const legacy = world.unit_settings
    .filter(({ unit }) => unit === 'dhcp-legacy-binding')
    .map(({ document }) => ({ id: 'legacy-binding', address_family: 'ipv4', ...JSON.parse(String(document)) }));
  return (stored.length > 0 ? (stored as Record<string, unknown>[]) : legacy).map((row) => ({
    id: String(row.id),
    family: row.address_family as AddressFamily,
    name: String(row.interface),
    enabled: row.enabled === true,
    subnet: parseCidr(String(row.subnet_cidr) || '127.0.0.0/32')!,
    ranges: row.ranges as AddressRange[],
    gateway: String(row.gateway),
    dns: listed(row.dns_servers),
    ntp: listed(row.ntp_servers),
  }));
}

function gatewayFits({ gateway, subnet }: Scope): boolean {
  const address = parseAddress(gateway);
  return address === null || isUsableHost(subnet, address);
}

function scopes({ before, after }: Outcome): string[] {
  const [had, has] = [carriedIn(before), carriedIn(after)];
  const now = scopesOf(after).filter(({ enabled }) => enabled);
  const apart = now.flatMap((scope, at) => now.slice(at + 1).map((other) => [scope, other] as const));
  const own = now.flatMap((scope) => {
    const { id, name, family, subnet, ranges } = scope;
    const broken: string[] = [];
    const ends = ranges.flatMap(({ start, end }) => [start, end]);
    if (!ends.every((text) => within(subnet, text))) broken.push(`a range of ${id} lies outside ${subnet.text}`);
    const [network, earlier] = [has(name).networks[family], had(name).networks[family]];
    if (earlier && !network) broken.push(`${id} lost the network of ${name}`);
    const earlierScope = scopesOf(before).find((each) => each.id === id)!;
    if (gatewayFits(earlierScope) && !gatewayFits(scope)) broken.push(`the gateway of ${id} is no host of it`);
    const moved = network && network.text !== earlier?.text;
    if (moved && !overlaps(network, subnet)) broken.push(`${id} is not where ${name} is`);
    return broken;
  });
  const meeting = apart.filter(([one, other]) => overlaps(one.subnet, other.subnet));
  return [...own, ...meeting.map(([one, other]) => `${one.id} and ${other.id} overlap`)];
}

/** Nobody is told to ask an address that was the appliance's own and is no more. */
function stale({ before, after }: Outcome): string[] {
  const addresses = (world: World) => {
    const carried = carriedIn(world);
    return world.interface.flatMap(({ name }) => carried(String(name)).addresses);
  };
  const standing = new Set(addresses(after));
  const gone = addresses(before).filter((text) => !standing.has(text));
  const told = [
    ...scopesOf(after).map(({ id, enabled, dns, ntp }) => ({ id, on: enabled, values: [...dns, ...ntp] })),
    ...after.dhcp_option.map((row) => ({ id: row.id, on: isOn(row), values: String(row.value).split(/[[\],]+/) })),
  ];
  return told.flatMap(({ id, on, values }) =>
    gone.filter((text) => on && values.includes(text)).map((text) => `${id} still names ${text}`),
  );
}

const scopesAround = (all: readonly Scope[], ip: unknown): number => {
  const address = parseAddress(String(ip));
  return all.filter(({ enabled, subnet }) => enabled && address !== null && isUsableHost(subnet, address)).length;
};

function reservations({ before, after }: Outcome): string[] {
  const [was, is] = [scopesOf(before), scopesOf(after)];
  const [had, has] = [carriedIn(before), carriedIn(after)];
  const addresses = (carried: typeof had) =>
    new Set(after.interface.flatMap(({ name }) => carried(String(name)).addresses));
  const [ownBefore, ownAfter] = [addresses(had), addresses(has)];
  const earlier = new Map(before.dhcp_reservation.map((row) => [row.id, row]));
  return after.dhcp_reservation.filter(isOn).flatMap(({ id, ip_address }) => {
    const from = earlier.get(id!)!.ip_address;
    const broken: string[] = [];
    const [first, then] = [scopesAround(was, from), scopesAround(is, ip_address)];
    if (first === 1 && then !== 1)
      broken.push(`${id} ${ip_address} lies in ${then} enabled scopes, not in one as before`);
    const gateways = (all: Scope[]) => all.filter(({ enabled }) => enabled).map(({ gateway }) => gateway);
    if (gateways(is).includes(String(ip_address)) && !gateways(was).includes(String(from)))
      broken.push(`${id} has the address of a gateway`);
    if (ownAfter.has(String(ip_address)) && !ownBefore.has(String(from)))
      broken.push(`${id} has an interface's address`);
    return broken;
  });
}

/** Records and hosts say what their reservation says, unless they did not before. */
function kept({ before, after }: Outcome): string[] {
  const ipIn = (world: World, id: unknown) => world.dhcp_reservation.find((row) => row.id === id)?.ip_address;
  const agree = (world: World, id: unknown, ip: unknown) => ipIn(world, id) === ip;
  const records = after.dns_record.filter(({ owner_source }) => owner_source === 'dhcp_reservation');
  const hosts = after.network_boot_host.filter(({ ip_address }) => ip_address !== '');
  const reservationOf = (world: World, host: Row) =>
    world.dhcp_reservation.find(({ owner_ref }) => owner_ref === host.id)?.id;
  return [
    ...records.filter(({ owner_ref, value }) => !agree(after, owner_ref, value)).map(({ fqdn }) => `record ${fqdn}`),
    ...hosts
      .filter((host) => !agree(after, reservationOf(after, host), host.ip_address))
      .filter((host) => before.network_boot_host.some(({ id, ip_address }) => id === host.id && ip_address !== ''))
      .map(({ hostname }) => `host ${hostname}`),
  ].map((what) => `${what} is not at the address of its reservation`);
}

function datastores({ before, after }: Outcome): string[] {
  const [had, has] = [carriedIn(before), carriedIn(after)];
  return after.storage_datastore.flatMap((row) => {
    const name = String(row.interface);
    const families = list(row.address_families);
    const derived = has(name).addresses.filter((text) => families.includes(familyOf(text)));
    const broken: string[] = [];
    if (derived.join() !== list(row.addresses).join())
      broken.push(`${row.id} is mounted at ${row.addresses}, not ${derived}`);
    if (isOn(row) && had(name).able && !has(name).able) broken.push(`${row.id} lost ${name}`);
    const known = (world: World) => world.interface.some((each) => each.name === name);
    if (known(before) && !known(after)) broken.push(`${row.id} still names ${name}`);
    const served = (carried: typeof had) =>
      families.filter((family) => carried(name).addresses.some((text) => familyOf(text) === family));
    const gone = served(had).filter((family) => !served(has).includes(family));
    const hoped = interfacesOf(after).find((each) => each.name === name);
    const given = (family: string) => family === 'ipv4' && hoped?.ipv4_method === 'dhcp';
    if (isOn(row) && gone.some((family) => !given(family))) broken.push(`${row.id} lost ${gone} on ${name}`);
    return broken;
  });
}

function management({ before, after }: Outcome): string[] {
  const [had, has] = [before, after].map((world) => effectiveManagementListeners(interfacesOf(world)).length > 0);
  return had && !has ? ['nobody reaches the management UI'] : [];
}

const PAGES: Partial<Record<Table, string>> = {
  dhcp_scope: '/ui/management/dhcp/scopes/',
  dhcp_option: '/ui/management/dhcp/options/',
  dhcp_reservation: '/ui/management/dhcp/reservations/',
  storage_datastore: '/ui/management/storage/datastores/',
  network_boot_host: '/ui/management/network-boot/hosts/',
  dns_record: '/ui/management/dns/records/',
};
const KEYS: Partial<Record<Table, string>> = { interface: 'name', unit_settings: 'unit' };

const follows = ({ gateway, dns, ntp }: Scope): boolean => gateway === '' || dns.length === 0 || ntp.length === 0;
const scopePageOf = (id: string): string | null =>
  id === 'legacy-binding' ? pageOf('unit_settings', 'dhcp-legacy-binding') : pageOf('dhcp_scope', id);

/** Rows that differ are named in the impact and grew by one revision, and the other way round. */
function touched({ name, before, after, impact }: Outcome): string[] {
  const pages = new Set([...impact.moves, ...impact.deselected].map(({ page }) => page));
  const seen = new Set<string>();
  const broken: string[] = [];
  const differences = TABLES.flatMap((table) => differing(table, before, after).map((pair) => ({ table, ...pair })));
  for (const { table, key, was, is } of differences) {
    const page = pageOf(table, key);
    if (page !== null) seen.add(page);
    if (was && is && Number(is.revision) !== Number(was.revision) + 1) broken.push(`revision of ${table} ${key}`);
    if (was && is && is.updated_at === was.updated_at) broken.push(`time of ${table} ${key}`);
    const known =
      table === 'interface' ? key === name : was && is ? pages.has(page ?? '') : cameOrWent(impact, was ?? is!);
    if (!known) broken.push(`${table} ${key} changed and nobody says so`);
  }
  // What follows the appliance is told anew, and nothing of it is written.
  const follow = new Set(
    scopesOf(after)
      .filter(follows)
      .map(({ id }) => scopePageOf(id)),
  );
  const silent = [...pages].filter((page) => page !== '/ui/management/dns' && !seen.has(page) && !follow.has(page));
  if (impact.moves_total !== impact.moves.length) broken.push('not all moves are listed');
  if (impact.moves.some(({ from, to }) => from === to)) broken.push('a move that does not move');
  return [...broken, ...silent.map((page) => `${page} is said to change and does not`)];
}

function differing(table: Table, before: World, after: World): { key: string; was?: Row; is?: Row }[] {
  const column = KEYS[table] ?? 'id';
  const was = new Map(before[table].map((row) => [String(row[column]), row]));
  const is = new Map(after[table].map((row) => [String(row[column]), row]));
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((key) => ({ key, was: was.get(key)!, is: is.get(key)! }))
    .filter((pair) => JSON.stringify(pair.was) !== JSON.stringify(pair.is));
}

function pageOf(table: Table, key: string): string | null {
  if (table !== 'unit_settings') return PAGES[table] ? PAGES[table] + key : null;
  if (key === 'network') return '/ui/management/settings';
  if (key === 'dhcp-legacy-binding') return '/ui/management/dhcp/legacy-binding';
  return SERVICE_DEPENDENTS.find((each) => each.key === key)?.page ?? null;
}

/** A record that the appliance keeps for a service came or went. */
function cameOrWent({ moves }: InterfaceImpact, { fqdn, type, value, owner_source }: Row): boolean {
  return (
    owner_source === 'service' &&
    moves.some(
      ({ subject, property, from, to }) =>
        subject === `DNS record ${fqdn}` && property === type && (from || to) === value,
    )
  );
}
