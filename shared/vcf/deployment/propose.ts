// Proposed values for the properties of an OVF: the name and address that this appliance has saved for the machine, and
// the services of its network. Each proposal has its source. Values that the OVF presets stay, and no secret is
// proposed. Pure.
import {
  type Address,
  addressOf,
  contains,
  type Family,
  networkOf,
  parseAddress,
} from '../../ground/addresses/address.ts';
import { canonicalName, nameFault } from '../../ground/addresses/domain-name.ts';
import { defaultOf } from '../../ground/ova/property-values.ts';
import type { OvfProperty } from '../../ground/ova/types.ts';
import { NO_GATEWAY } from '../../platform/interfaces/refresh/snapshot.ts';
import { has, PARTS } from './addressing.ts';
import type { Known, OwnNetwork, ServedScope, Serving } from './known-network.ts';
import { sameName } from './request.ts';

export interface Proposal {
  value: string;
  /** Where it is from, after `from`: `the record sddcm.lab.example`. */
  from: string;
}

interface Asking {
  properties: readonly OvfProperty[];
  /** Deployment option. */
  option: string;
  /** Name of the virtual machine. */
  machine: string;
  /** Name of the network of the target that its first interface gets. */
  port_group: string;
}

type Part = Exclude<keyof typeof PARTS, 'local_password' | 'address_version'>;

const USUAL = 'sddc-manager';

/** `sddc-manager`, and where machines have that name `sddc-manager-2` and so on. */
export function freeMachineName(taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? USUAL : `${USUAL}-${number}`;
    if (!taken.some((other) => sameName(other, name))) return name;
  }
}

/**
 * Without the records of the service manager where the target has one already: they are the first one's, and another
 * machine of its kind has a name of its own.
 */
export function knownFor(machine: string, taken: readonly string[], known: Known): Known {
  const others = taken.filter((name) => !sameName(name, machine));
  const isSecond = (fqdn: string) => others.some((name) => sameName(name, first(fqdn)) || sameName(name, USUAL));
  return { ...known, records: known.records.filter(({ named, fqdn }) => named || !isSecond(fqdn)) };
}

/** Full key → proposed value, for properties that an operator may set and the OVF leaves empty. */
export function proposalsOf({ properties, option, machine, port_group }: Asking, known: Known): Map<string, Proposal> {
  const open = (property: OvfProperty) =>
    property.user_configurable && !property.password && defaultOf(property, option) === '';
  const version = properties.find(has(PARTS.address_version));
  const family = version && /6/.test(defaultOf(version, option)) ? 6 : 4;
  const values = valuesFor(machine, port_group, family, known);
  return new Map(
    (Object.keys(values) as Part[]).flatMap((part): [string, Proposal][] => {
      // Of several interfaces, the first.
      const property = properties.find((one) => has(PARTS[part])(one));
      const proposal = values[part];
      return property && proposal && open(property) && fits(property, proposal.value) ? [[property.key, proposal]] : [];
    }),
  );
}

const fits = ({ choices, kind, max_length }: OvfProperty, value: string): boolean =>
  (choices === null || choices.includes(value)) &&
  (kind !== 'ip' || parseAddress(value) !== null) &&
  value.length <= (max_length ?? value.length);

function valuesFor(
  machine: string,
  port_group: string,
  family: Family,
  known: Known,
): Partial<Record<Part, Proposal | null>> {
  const saved = savedName(machine, known);
  const address = savedAddress(saved?.value ?? null, machine, family, known);
  const placed = placeOf(address && parseAddress(address.value), port_group, family, known);
  const domain = domainFor(saved?.value ?? null, placed, known);
  const name = saved ?? wholeName(machine, domain);
  const gateway = placed && gatewayOf(placed);
  return {
    hostname: name,
    address,
    netmask: placed && { value: maskOf(placed), from: wordsOf(placed) },
    gateway: gateway && gateway.value !== address?.value ? gateway : null,
    domain,
    search_path: domain,
    name_servers: serverOf('dns', placed, family, known),
    ntp_servers: serverOf('ntp', placed, family, known),
  };
}

const first = (fqdn: string): string => fqdn.split('.')[0]!;

/** By the machine's name, else by its kind; none where there are several. */
function savedName(machine: string, { records, reservations }: Known): Proposal | null {
  for (const named of [true, false]) {
    const names = new Set(records.filter((record) => record.named === named).map(({ fqdn }) => fqdn));
    const [fqdn, ...others] = names;
    if (fqdn !== undefined) return others.length > 0 ? null : { value: fqdn, from: `the record ${fqdn}` };
  }
  const whole = reservations.filter(
    ({ hostname }) => hostname.includes('.') && first(hostname) === canonicalName(machine),
  );
  return whole.length === 1 ? { value: whole[0]!.hostname, from: `the reservation of ${whole[0]!.hostname}` } : null;
}

function savedAddress(
  fqdn: string | null,
  machine: string,
  family: Family,
  { records, reservations }: Known,
): Proposal | null {
  const label = fqdn === null ? canonicalName(machine) : first(fqdn);
  const found = new Map([
    ...reservations
      .filter(({ hostname }) =>
        hostname.includes('.') && fqdn !== null ? hostname === fqdn : first(hostname) === label,
      )
      .map(({ hostname, ip_address }) => [ip_address, `the reservation of ${hostname}`] as const),
    ...records.filter((one) => one.fqdn === fqdn).map(({ value }) => [value, `the record ${fqdn}`] as const),
  ]);
  const fitting = [...found].filter(([value]) => parseAddress(value)?.family === family);
  const [only] = fitting;
  return only && fitting.length === 1 ? { value: only[0], from: only[1] } : null;
}

/** The network that the machine goes to, as far as it is one of ours. */
interface Placed {
  network: OwnNetwork;
  own: OwnNetwork['cidrs'][number];
  scope: ServedScope | null;
}

/** The network of its address; without an address, that of the VLAN or scope in the name of the port group. */
function placeOf(address: Address | null, port_group: string, family: Family, known: Known): Placed | null {
  const { networks, scopes } = known;
  const placed = networks.flatMap((network) =>
    network.cidrs
      .filter(({ cidr }) => cidr.family === family)
      .map((own): Placed => ({ network, own, scope: scopeIn(own, network, scopes) })),
  );
  const [lies] = address ? placed.filter(({ own }) => contains(own.cidr, address)) : [];
  if (address) return lies ?? null;
  const said = port_group.trim().toLowerCase();
  const numbers = said.match(/\d+/g) ?? [];
  const told = placed.filter(
    ({ network: { name, vlan_id }, scope }) =>
      said === name.toLowerCase() ||
      said === scope?.name.toLowerCase() ||
      (vlan_id !== null && numbers.length === 1 && Number(numbers[0]) === vlan_id),
  );
  return told.length === 1 ? told[0]! : null;
}

const scopeIn = ({ cidr }: OwnNetwork['cidrs'][number], { name }: OwnNetwork, scopes: readonly ServedScope[]) =>
  scopes.find((scope) => scope.interface === name && contains(cidr, scope.subnet.address)) ?? null;

const wordsOf = ({ network: { name }, own: { cidr } }: Placed): string => `${networkOf(cidr)}, the network of ${name}`;

/** `255.255.255.0`; over IPv6 the length of the prefix. */
function maskOf({ own: { cidr } }: Placed): string {
  if (cidr.family === 6) return String(cidr.prefix);
  return addressOf(4, (0xffffffffn << BigInt(32 - cidr.prefix)) & 0xffffffffn)!.text;
}

function gatewayOf({ network, own, scope }: Placed): Proposal | null {
  if (scope?.gateway === NO_GATEWAY) return null;
  if (scope && scope.gateway !== '') return { value: scope.gateway, from: `the DHCP scope ${scope.name}` };
  if (own.gateway !== '') return { value: own.gateway, from: `the gateway of ${network.name}` };
  if (network.role !== 'route') return null;
  return { value: own.cidr.address.text, from: `this appliance, which routes at ${network.name}` };
}

function domainFor(fqdn: string | null, placed: Placed | null, { zones, dns }: Known): Proposal | null {
  if (fqdn !== null) return { value: fqdn.slice(fqdn.indexOf('.') + 1), from: `the name ${fqdn}` };
  const scope = placed?.scope;
  if (scope && scope.domain !== '') return { value: scope.domain, from: `the DHCP scope ${scope.name}` };
  if (dns.domain !== '') return { value: dns.domain, from: 'the search domain of the name service' };
  return zones.length === 1 ? { value: zones[0]!, from: `the only managed zone, ${zones[0]}` } : null;
}

function wholeName(machine: string, domain: Proposal | null): Proposal | null {
  const label = canonicalName(machine);
  if (!domain || label.includes('.') || nameFault(label, 'host') !== null) return null;
  return { value: `${label}.${domain.value}`, from: `the name of the machine, in ${domain.value}` };
}

const SERVICES = {
  dns: { servers: 'dns_servers', words: 'the name service of this appliance' },
  ntp: { servers: 'ntp_servers', words: 'the time service of this appliance' },
} as const;

/**
 * What the scope hands out, or that it does not, is the operator's word for this network; else our own service, where
 * it listens there.
 */
function serverOf(service: 'dns' | 'ntp', placed: Placed | null, family: Family, known: Known): Proposal | null {
  const { servers, words } = SERVICES[service];
  const scope = placed?.scope;
  if (scope) {
    const handed = scope[servers];
    return handed.length > 0 ? { value: handed.join(','), from: `the DHCP scope ${scope.name}` } : null;
  }
  const { enabled, listen_interfaces }: Serving = known[service];
  if (!enabled) return null;
  const heard = known.networks
    .filter(({ name }) => listen_interfaces.includes(name) && (placed === null || placed.network.name === name))
    .flatMap(({ cidrs }) => cidrs.filter(({ cidr }) => cidr.family === family).map(({ cidr }) => cidr.address.text));
  return heard.length === 1 ? { value: heard[0]!, from: words } : null;
}
