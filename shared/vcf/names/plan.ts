// The preview of a deployment's names: what each has or gets, which addresses are skipped and why, and warnings for an
// installer or the network. Pure; creating uses the same rows.
import { createHash } from 'node:crypto';
import { type Cidr, networkOf, parseAddress, parseCidr, reverseName } from '../../ground/addresses/address.ts';
import type { NamedRecord } from '../../services/dns-dhcp/dns/record-lookups.ts';
import { type Allocation, freeRun, type Given, type Seen } from './allocation.ts';
import type { Around, Facts } from './facts.ts';
import { isAddress, ownershipOf } from './ownership.ts';
import type { GenerateRequest, WantedName } from './request.ts';
import type { Preview, PreviewNetwork, PreviewRow } from './schemas.ts';

export interface Numbered {
  start: Cidr;
  allocation: Allocation;
  seen: Seen;
}

/** Names that are no record's yet, of any type: only these get addresses. */
export function missingNames({ names }: GenerateRequest, { records }: Facts): WantedName[] {
  const taken = new Set(records.map(({ fqdn }) => fqdn));
  return names.filter(({ fqdn }) => !taken.has(fqdn));
}

/**
 * Addresses of the rows, planned and saved, and those passed over that are named: what the preview has to know about.
 */
export function addressesOf(numbered: readonly Numbered[], { records }: Facts): string[] {
  const given = numbered.flatMap(({ allocation }) => allocation.given);
  return [
    ...records.filter(isAddress).map(({ value }) => value),
    ...given.flatMap(({ address, passed }) => [address, ...passed.first.map((one) => one.address)]),
  ];
}

export const typeOf = (start: Pick<Cidr, 'family'>): 'A' | 'AAAA' => (start.family === 4 ? 'A' : 'AAAA');

/** All or nothing: whether every network has an address for every missing name. */
const isPlanned = (numbered: readonly Numbered[], wanted: number): boolean =>
  numbered.length > 0 && numbered.every(({ allocation }) => allocation.given.length >= wanted);

export function previewOf(
  request: GenerateRequest,
  facts: Facts,
  numbered: readonly Numbered[],
  around: Around,
): Preview {
  const missing = missingNames(request, facts);
  const planned = isPlanned(numbered, missing.length);
  const place = new Map(missing.map(({ fqdn }, at) => [fqdn, at]));
  const rows = request.names.map((name): PreviewRow => {
    const at = place.get(name.fqdn);
    const records = facts.records.filter(({ fqdn }) => fqdn === name.fqdn);
    if (at === undefined) return savedRow(name, records, around);
    if (!planned) return { ...named(name), state: 'missing', ...NOTHING };
    const given = numbered.map(({ start, allocation }) => ({ start, one: allocation.given[at]! }));
    return plannedRow(name, given, facts, around);
  });
  const networks = numbered.map((one) => networkView(one, missing.length, request, facts));
  const lacking = numbered.flatMap(({ allocation }, at) => rangeWarnings(networks[at]!, allocation, request));
  return {
    catalog: request.catalog.id,
    prefix: request.prefix,
    suffix: request.suffix,
    domain: request.domain,
    rows,
    networks,
    to_create: planned ? missing.length : 0,
    deletable: rows.flatMap(({ state, addresses }) => (state === 'existing' ? addresses : [])).filter(isGenerated)
      .length,
    complete: rows.every(({ state }) => state === 'existing'),
    warnings: [...generalWarnings(request, facts), ...familyWarnings(request, rows), ...lacking],
    digest: digestOf(request, rows),
  };
}

const isGenerated = ({ generated }: { generated: boolean }): boolean => generated;
const NOTHING = { addresses: [], reason: '', passed_over: [], warnings: [] };
const named = ({ host, label, fqdn }: WantedName) => ({ component: host, label, fqdn });

/** A digest of what a person looks at before he confirms: names, types and addresses, in order. */
export function digestOf({ catalog }: GenerateRequest, rows: readonly PreviewRow[]): string {
  const planned = rows
    .filter(({ state }) => state === 'planned')
    .map(({ fqdn, addresses }) => [fqdn, ...addresses.flatMap(({ type, address }) => [type, address])]);
  return createHash('sha256')
    .update(JSON.stringify([catalog.id, planned]))
    .digest('hex')
    .slice(0, 32);
}

function savedRow(name: WantedName, records: readonly NamedRecord[], around: Around): PreviewRow {
  const others = records.filter((record) => !isAddress(record));
  const owned = records.filter(isAddress).map((record) => ({ record, ...ownershipOf(record, name) }));
  const addresses = owned.map(({ record, generated }) => {
    const reverse_name = reverseOf(record.value);
    const reverse = around.reverses.get(reverse_name) ?? around.served.get(record.value) ?? name.fqdn;
    return { type: record.type as 'A' | 'AAAA', address: record.value, reverse_name, reverse, generated };
  });
  const types = [...new Set(others.map(({ type }) => type))].join(', ');
  const words = [...new Set(owned.map((one) => one.words))].join('; ');
  return {
    ...named(name),
    state: owned.length > 0 ? 'existing' : 'occupied',
    addresses,
    reason:
      owned.length > 0 ? words : `name has ${/^[MS]/.test(types) ? 'an' : 'a'} ${types} record; never overwritten`,
    passed_over: [],
    warnings: [
      ...told(addresses.map((one) => ({ address: one.address, words: reverseWarnings(one, name) }))),
      ...owned
        .filter(({ record }) => !record.enabled)
        .map(({ record }) => `${record.type} record disabled: not served`),
    ],
  };
}

const reverseOf = (address: string): string => {
  const parsed = parseAddress(address);
  return parsed ? reverseName(parsed) : '';
};

/** An installer compares the answer with the name, character by character, and takes one answer only. */
const reverseWarnings = ({ reverse }: { reverse: string }, { fqdn }: WantedName): string[] =>
  reverse === fqdn ? [] : [`reverse record names ${reverse}: an installer refuses that`];

/** Names the address only where there are several. */
const told = (all: readonly { address: string; words: readonly string[] }[]): string[] =>
  all.flatMap(({ address, words }) => words.map((each) => (all.length > 1 ? `${address}: ${each}` : each)));

function plannedRow(
  name: WantedName,
  given: readonly { start: Cidr; one: Given }[],
  facts: Facts,
  around: Around,
): PreviewRow {
  const addresses = given.map(({ start, one: { address } }) => {
    const reverse_name = reverseOf(address);
    const reverse = around.reverses.get(reverse_name) ?? name.fqdn;
    return { type: typeOf(start), address, reverse_name, reverse, generated: true };
  });
  return {
    ...named(name),
    state: 'planned',
    addresses,
    reason: '',
    passed_over: given.flatMap(({ one: { passed } }) => passedOver(passed, around)),
    warnings: told(
      addresses.map((one) => ({
        address: one.address,
        words: [...addressWarnings(one.address, facts, around), ...reverseWarnings(one, name)],
      })),
    ),
  };
}

const BY = { record: 'used', reservation: 'reserved', network: 'network address' } as const;

/** Each address while they are few; a long run by its length. */
function passedOver({ count, first }: Given['passed'], { names, reservations }: Around): PreviewRow['passed_over'] {
  const worded = first.map(({ address, by }) => {
    const name = (by === 'reservation' ? reservations : names).get(address);
    return { address, count: 1, reason: name === undefined || by === 'network' ? BY[by] : `${BY[by]}, ${name}` };
  });
  if (count <= first.length) return worded;
  return [{ address: first[0]!.address, count, reason: 'used or reserved' }];
}

function addressWarnings(address: string, { interfaces, subnets }: Facts, { reservations }: Around): string[] {
  const { family, value } = parseAddress(address)!;
  const pool = subnets.find(({ ranges }) =>
    ranges.some((range) => {
      const [start, end] = [parseAddress(range.start), parseAddress(range.end)];
      return start?.family === family && end !== null && start.value <= value && value <= end.value;
    }),
  );
  const own = interfaces.find(({ ipv4_cidr, ipv6_cidr }) =>
    [ipv4_cidr, ipv6_cidr].some((cidr) => parseCidr(cidr)?.address.text === address),
  );
  const gateway =
    subnets.some((subnet) => subnet.gateway === address) ||
    interfaces.some(({ ipv4_gateway, ipv6_gateway }) => ipv4_gateway === address || ipv6_gateway === address);
  const reserved = reservations.get(address);
  return [
    ...(own ? [`the address of ${own.name} of this appliance`] : []),
    ...(gateway ? ['a gateway'] : []),
    ...(pool ? [`in the dynamic pool of ${pool.name}`] : []),
    ...(reserved === undefined ? [] : [`reserved for ${reserved}`]),
  ];
}

function generalWarnings({ domain }: GenerateRequest, { zone, serves }: Facts): string[] {
  return [
    ...(zone && !zone.enabled ? [`The zone ${domain} is disabled: its names are not served.`] : []),
    ...(serves ? [] : ['The name service is switched off: nobody answers for these names.']),
    ...(/(?:^|\.)local$/.test(domain)
      ? ['Names below .local belong to multicast DNS: parts of an installation do not resolve them.']
      : []),
  ];
}

/** A name with an address of one family is skipped in a run of the other: that does not make it a name of both. */
function familyWarnings({ starts }: GenerateRequest, rows: readonly PreviewRow[]): string[] {
  return starts.map(typeOf).flatMap((type) => {
    const lacking = rows.filter(
      ({ state, addresses }) => state === 'existing' && !addresses.some((address) => address.type === type),
    ).length;
    if (lacking === 0) return [];
    const names = lacking === 1 ? '1 existing name has' : `${lacking} existing names have`;
    return [`${names} no ${type} record and will get none: existing names are never changed.`];
  });
}

/** Contiguous addresses without names that a deployment needs; the installer takes them as ranges. */
const NODES: readonly { host: string; purpose: string; count: number }[] = [
  { host: 'vsp01', purpose: 'VCF services runtime nodes', count: 30 },
  { host: 'auto-platform', purpose: 'VCF Automation nodes', count: 5 },
];

const nodesOf = (names: readonly WantedName[]) => NODES.filter(({ host }) => names.some((name) => name.host === host));

/** Only where all of the network was read: otherwise there may be such a range further on. */
function rangeWarnings(
  { network, wanted, shortfall, node_ranges }: PreviewNetwork,
  { whole }: Allocation,
  { names }: GenerateRequest,
): string[] {
  if (!whole || wanted === 0 || shortfall > 0) return [];
  const lacking = nodesOf(names).filter(({ purpose }) => node_ranges.every((range) => range.purpose !== purpose));
  return lacking.map(
    ({ purpose, count }) =>
      `${network} has no ${count} free addresses in one piece behind the planned ones; ${purpose} need them there or in another network.`,
  );
}

function networkView(
  { start, allocation, seen }: Numbered,
  wanted: number,
  { names }: GenerateRequest,
  facts: Facts,
): PreviewNetwork {
  const { given, free, whole, next } = allocation;
  return {
    family: start.family === 4 ? 'ipv4' : 'ipv6',
    network: networkOf(start),
    start: start.address.text,
    wanted,
    shortfall: Math.max(0, wanted - given.length),
    free,
    free_is_exact: whole,
    next_free: next,
    node_ranges: wanted === 0 || wanted > given.length ? [] : nodeRanges(start, given, seen, names, facts),
  };
}

function nodeRanges(
  start: Cidr,
  given: readonly Given[],
  seen: Seen,
  names: readonly WantedName[],
  facts: Facts,
): PreviewNetwork['node_ranges'] {
  const closed = closedSpans(start, facts);
  const needed = nodesOf(names);
  let after = parseAddress(given.at(-1)!.address)!.value;
  return needed.flatMap(({ purpose, count }) => {
    const run = freeRun(start, seen, count, after, closed);
    if (!run) return [];
    after = parseAddress(run.last)!.value;
    return [{ purpose, count, ...run }];
  });
}

/** Pools, gateways and addresses of this appliance: nothing to promise to others. */
function closedSpans({ family }: Cidr, { interfaces, subnets }: Facts): [bigint, bigint][] {
  const single = [
    ...subnets.map(({ gateway }) => gateway),
    ...interfaces.flatMap(({ ipv4_cidr, ipv4_gateway, ipv6_cidr, ipv6_gateway }) => [
      ipv4_cidr.split('/')[0] ?? '',
      ipv4_gateway,
      ipv6_cidr.split('/')[0] ?? '',
      ipv6_gateway,
    ]),
  ].map((text) => ({ start: text, end: text }));
  return [...subnets.flatMap(({ ranges }) => ranges), ...single].flatMap(({ start, end }) => {
    const [first, last] = [parseAddress(start), parseAddress(end)];
    return first?.family === family && last ? [[first.value, last.value] as [bigint, bigint]] : [];
  });
}
