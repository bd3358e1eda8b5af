// When an edit can be undone by its opposite, and what "as it was" means then: values, not revisions.
import { networkOf, parseCidr } from '../../shared/ground/addresses/address.ts';
import type { Row } from '../../shared/ground/store/database.ts';
import type { NetworkInterface } from '../../shared/platform/interfaces/interface.ts';
import type { InterfaceImpact } from '../../shared/platform/interfaces/interface-resource.ts';
import { within } from './world-dice.ts';
import { interfacesOf, type WorldEdit } from './world-edits.ts';
import { TABLES, type World } from './worlds.ts';

/** Everything that an operator reads, without revisions, times and the ids of rows that came and went. */
export function valuesOf(world: World): string {
  return JSON.stringify(
    TABLES.map((table) =>
      world[table]
        .map(({ revision: _revision, updated_at: _updated, created_at: _created, ...row }) => {
          const { id: _id, ...named } = row;
          return JSON.stringify(table === 'interface' || table === 'dns_record' ? named : row);
        })
        .sort(),
    ),
  );
}

/**
 * Whether nothing was lost on the way there or back: the edit gives addresses of the same prefix length for those that it takes,
 * deselects, drops and fills nothing, and what it reaches was not there before.
 */
export function comesBack(
  edit: WorldEdit,
  before: World,
  after: World,
  ways: [InterfaceImpact, InterfaceImpact],
): boolean {
  if (edit.kind === 'create' || edit.kind === 'delete' || ways.some(({ deselected }) => deselected.length > 0))
    return false;
  const [was, is] = [before, after].map((world) => interfacesOf(world).find(({ name }) => name === edit.name)!);
  if (ways[0].changed.length === 0 || !alike(was!, is!)) return false;
  // A URL whose address goes leads to another of the service's own, and stays there.
  const off = ways[0].changed.some(({ property }) => ['role', 'mode', 'enabled'].includes(property));
  if (off && ways[0].moves.some(({ from }) => from.startsWith('https:'))) return false;
  const filled = ways
    .flatMap(({ moves }) => moves)
    .some(({ subject, from }) => from === '' && !subject.startsWith('DNS record'));
  if (filled || serversIn(before) !== serversIn(after)) return false;
  return !meetsOthers(was!, is!, before, after) && inPlace(was!, before);
}

/** Families stay static and as wide as they are. */
function alike(was: NetworkInterface, is: NetworkInterface): boolean {
  if (was.ipv4_method !== is.ipv4_method || was.ipv6_enabled !== is.ipv6_enabled) return false;
  const prefix = (text: string) => text.slice(text.indexOf('/'));
  return prefix(was.ipv4_cidr) === prefix(is.ipv4_cidr) && prefix(was.ipv6_cidr) === prefix(is.ipv6_cidr);
}

const servers = (row: Row): string[] =>
  [row.dns_servers, row.ntp_servers].flatMap((text) => JSON.parse(String(text)) as string[]);

/** How many servers there are; two that become one can't be told apart again. */
const serversIn = (world: World): string =>
  [
    ...[...world.dhcp_scope, ...legacyOf(world)].map((row) => servers(row).length),
    ...world.dhcp_option.map(({ value }) => String(value).split(',').length),
    ...world.unit_settings
      .filter(({ unit }) => unit === 'network')
      .map(({ document }) => (JSON.parse(String(document)) as { dns_servers: string[] }).dns_servers.length),
  ].join();

function legacyOf(world: World): Row[] {
  return world.unit_settings
    .filter(({ unit }) => unit === 'dhcp-legacy-binding')
    .map(({ document }) => {
      const { dns_servers, ntp_servers, ...rest } = JSON.parse(String(document)) as Record<string, unknown>;
      const lists = { dns_servers: JSON.stringify(dns_servers), ntp_servers: JSON.stringify(ntp_servers) };
      return { address_family: 'ipv4', ...rest, ...lists } as Row;
    });
}

/** What could be an address. */
const NAMED = /[0-9a-f.:]*[.:][0-9a-f.:]*[0-9a-f]/g;

/** Values that were the operator's own, and on the way back would be taken for the interface's. */
function meetsOthers(was: NetworkInterface, is: NetworkInterface, before: World, after: World): boolean {
  const got = [is.ipv4_cidr, is.ipv6_cidr].filter((text) => text !== was.ipv4_cidr && text !== was.ipv6_cidr);
  const addresses = got.flatMap((text) => parseCidr(text)?.address.text ?? []);
  const text = JSON.stringify([before.dhcp_scope, before.unit_settings, before.dhcp_option]);
  const found = new Set([...text.matchAll(NAMED)].flatMap(([each]) => [each, each.replace(/:\d+$/, '')]));
  if (addresses.some((address) => found.has(address))) return true;
  // An operator's gateway whose place the interface takes is the interface's from then on.
  if (ownGateways(after, is) !== ownGateways(before, was)) return true;
  // A reservation that no scope held is held by one now, and would follow it back.
  return held(after) !== held(before);
}

const ownGateways = (world: World, { ipv4_cidr, ipv6_cidr }: NetworkInterface): number =>
  scopesOf(world).filter(({ gateway }) => [ipv4_cidr, ipv6_cidr].some((text) => text.startsWith(`${gateway}/`))).length;

const scopesOf = (world: World): Row[] => (world.dhcp_scope.length > 0 ? world.dhcp_scope : legacyOf(world));

function held(world: World): string {
  const rows = scopesOf(world);
  const subnets = rows.flatMap(({ enabled, subnet_cidr }) => (enabled ? (parseCidr(String(subnet_cidr)) ?? []) : []));
  return world.dhcp_reservation
    .filter(({ enabled, ip_address }) => enabled && subnets.some((subnet) => within(subnet, String(ip_address))))
    .map(({ id }) => id)
    .join();
}

/** The scopes of the interface lie where it lies, with gateways of their own. */
function inPlace(row: NetworkInterface, world: World): boolean {
  const rows = scopesOf(world);
  const networks = [row.ipv4_cidr, row.ipv6_cidr].flatMap((text) => parseCidr(text) ?? []);
  return rows
    .filter((scope) => scope.interface === row.name)
    .every(({ subnet_cidr, gateway }) => {
      const subnet = parseCidr(String(subnet_cidr));
      if (!subnet) return true;
      const own = networks.find(({ family }) => family === subnet.family);
      if (!own || !(within(subnet, own.address.text) || within(parseCidr(networkOf(own))!, subnet.address.text)))
        return false;
      return gateway === 'none' || within(subnet, String(gateway)) || gateway === own.address.text;
    });
}
