// From the state of the kernel to edits that would make it the desired state, or to the reasons why no edit can. Only
// links that differ from what was applied count, but all of their settings: the next apply would remove what an edit
// left out.

import { isLinkLocal, parseCidr } from '../../ground/addresses/address.ts';
import type { ObservedLink } from '../../ground/machine/host.ts';
import type { Blocker } from '../../ground/problems.ts';
import type { CanonicalUpdate } from '../interfaces/canonical.ts';
import { follow } from '../interfaces/edit.ts';
import { interfacePage, type NamedEdit, subjectOf } from '../interfaces/edit-together.ts';
import type { NetworkInterface } from '../interfaces/interface.ts';
import type { Adoption } from '../units/unit.ts';
import { configured, type NetworkDesired } from './desired.ts';
import { differences, type Kernel } from './kernel.ts';

export interface DefaultRoute {
  dev: string;
  family: 'ipv4' | 'ipv6';
  /** Null: on the link itself, or shared by several. */
  gateway: string | null;
  /** Made by DHCP or a router advertisement. */
  learned: boolean;
}

export interface Seen {
  kernel: Kernel;
  /** `ens192 10.0.0.9/24` for each address that ends by itself. */
  lent: ReadonlySet<string>;
  defaults: readonly DefaultRoute[];
}

type Values = CanonicalUpdate;
type Read = { values: Values } | { faults: string[] };

/** Pure. Edits name the values that differ from what is in force, and no others. */
export function editsOf(inForce: NetworkDesired, seen: Seen): Adoption {
  const differing = differences(inForce, seen.kernel);
  const edits: NamedEdit[] = [];
  const refusals: Blocker[] = [];
  for (const row of configured(inForce).filter(({ name }) => differing.has(name))) {
    const read = readBack(row, seen);
    if ('faults' in read) refusals.push(...read.faults.map((fault) => refusal(row, fault)));
    else if (Object.keys(read.values).length > 0) edits.push({ name: row.name, values: read.values });
  }
  if (refusals.length === 0) refusals.push(...remaining(inForce, edits, seen.kernel));
  return { edits, refusals };
}

/** Differences that would remain if the edits were in force. */
function remaining(inForce: NetworkDesired, edits: readonly NamedEdit[], kernel: Kernel): Blocker[] {
  const values = new Map(edits.map((edit) => [edit.name, edit.values]));
  const interfaces = inForce.interfaces.map((row) => follow(row, values.get(row.name) ?? {}, []).next);
  const rows = new Map(interfaces.map((row) => [row.name, row]));
  return [...differences({ interfaces }, kernel)].flatMap(([name, clauses]) =>
    clauses.map((clause) => refusal(rows.get(name)!, `No edit can express this: ${clause}.`)),
  );
}

const refusal = (row: NetworkInterface, reason: string): Blocker => ({
  subject: subjectOf(row),
  reason,
  page: interfacePage(row),
  unblock: `Edit ${row.name}, or change it on the host`,
});

function readBack(row: NetworkInterface, seen: Seen): Read {
  const { links, up } = seen.kernel;
  const link = links.find(({ name }) => name === row.name);
  if (!link) return { faults: ['Its link is not on the host any more.'] };
  if (link.vlan?.id !== (row.vlan_id ?? undefined) || (link.vlan?.parent ?? null) !== row.parent_interface) {
    const runs = link.vlan ? `VLAN ${link.vlan.id} on ${link.vlan.parent}` : 'no VLAN';
    return { faults: [`Its link is ${runs} on the host; parent and number are fixed.`] };
  }
  // A VLAN goes down and up with its trunk.
  if (!up.has(row.name))
    return { values: row.parent_interface && !up.has(row.parent_interface) ? {} : { enabled: false } };
  const values: Values = {
    ...(!row.enabled && { enabled: true }),
    ...(link.mtu !== row.mtu && { mtu: link.mtu }),
  };
  const parts = FAMILIES.flatMap((family) => [addressOn(row, link, family, seen), gatewayOn(row, family, seen)]);
  const faults = parts.flatMap((part) => ('faults' in part ? part.faults : []));
  if (faults.length > 0) return { faults };
  return { values: Object.assign(values, ...parts.map((part) => ('values' in part ? part.values : {}))) as Values };
}

interface FamilyOf {
  family: 'ipv4' | 'ipv6';
  label: string;
  cidr: 'ipv4_cidr' | 'ipv6_cidr';
  gateway: 'ipv4_gateway' | 'ipv6_gateway';
  addresses: 'ipv4_cidrs' | 'ipv6_cidrs';
  /** Whether the network gives the addresses. */
  given(row: NetworkInterface): boolean;
  giver: string;
  /** How many addresses without a lifetime the network may have given: a lease can be infinite. */
  endless: number;
}

const FAMILIES: readonly FamilyOf[] = [
  {
    family: 'ipv4',
    label: 'IPv4',
    cidr: 'ipv4_cidr',
    gateway: 'ipv4_gateway',
    addresses: 'ipv4_cidrs',
    given: ({ ipv4_method }) => ipv4_method === 'dhcp',
    giver: 'DHCP',
    endless: 1,
  },
  {
    family: 'ipv6',
    label: 'IPv6',
    cidr: 'ipv6_cidr',
    gateway: 'ipv6_gateway',
    addresses: 'ipv6_cidrs',
    given: ({ ipv6_enabled, ipv6_cidr }) => ipv6_enabled && ipv6_cidr === '',
    giver: 'a router advertisement',
    endless: 0,
  },
];

function addressOn(row: NetworkInterface, link: ObservedLink, of: FamilyOf, { lent }: Seen): Read {
  const all = link[of.addresses];
  const own = all.filter((cidr) => !lent.has(`${row.name} ${cidr}`));
  if (row.mode === 'trunk') {
    return all.length === 0 ? NOTHING : { faults: [`It has ${all.join(', ')}, and a trunk carries no addresses.`] };
  }
  if (of.given(row)) {
    const besides = own.length > of.endless || (own.length > 0 && all.length > own.length);
    return besides ? { faults: [`It has ${own.join(', ')} besides what ${of.giver} gives.`] } : NOTHING;
  }
  if (own.length < all.length) {
    const borrowed = all.filter((cidr) => !own.includes(cidr));
    return { faults: [`${borrowed.join(', ')} ends by itself, as what DHCP or a router advertisement gives.`] };
  }
  if (own.length > 1)
    return { faults: [`It has ${own.length} ${of.label} addresses, ${own.join(', ')}, and can keep one.`] };
  const [cidr = ''] = own;
  if (cidr === row[of.cidr] || (cidr === '' && isUnseen(row[of.cidr]))) return NOTHING;
  // Without an address IPv6 would mean router advertisements.
  const off = of.family === 'ipv6' && cidr === '' && row.kind === 'physical';
  return { values: { [of.cidr]: cidr, ...(off && { ipv6_enabled: false }) } };
}

/** Links are observed without their link-local addresses. */
function isUnseen(saved: string): boolean {
  const cidr = parseCidr(saved);
  return cidr !== null && isLinkLocal(cidr.address);
}

function gatewayOn(row: NetworkInterface, of: FamilyOf, { defaults }: Seen): Read {
  const all = defaults.filter(({ dev, family }) => dev === row.name && family === of.family);
  const given = of.given(row);
  const routes = all.filter(({ learned }) => !(given && learned));
  const ways = [...new Set(routes.map(({ gateway }) => (gateway === null ? 'without a gateway' : `via ${gateway}`)))];
  const named = ways.join(' and ');
  if (ways.length === 0) return row[of.gateway] === '' ? NOTHING : { values: { [of.gateway]: '' } };
  if (row.kind === 'vlan' || row.mode === 'trunk')
    return { faults: [`It has a default route ${named}, which only an interface in access mode can keep.`] };
  if (given && of.family === 'ipv4') return { faults: [`It has a default route ${named} besides what DHCP gives.`] };
  if (routes.some(({ learned }) => learned)) return { faults: [`Its default route ${named} was learned, not set.`] };
  const gateway = routes[0]!.gateway;
  if (ways.length > 1 || gateway === null)
    return { faults: [`It has an ${of.label} default route ${named}, and can keep one via one gateway.`] };
  return gateway === row[of.gateway] ? NOTHING : { values: { [of.gateway]: gateway } };
}

const NOTHING: Read = { values: {} };
