// Values of a served subnet: from the request to what is stored, and the faults of each. Pure.
import {
  type Address,
  type Cidr,
  compareAddresses,
  contains,
  isUnicast,
  isUsableHost,
  networkOf,
  parseAddress,
  parseCidr,
} from '../../../ground/addresses/address.ts';
import type { FieldError } from '../../../ground/problems.ts';
import {
  type AddressFamily,
  type AddressRange,
  NO_GATEWAY,
  NO_SERVER,
  type ScopeRow,
} from '../../../platform/interfaces/refresh/snapshot.ts';

export type SubnetValues = Pick<
  ScopeRow,
  'address_family' | 'subnet_cidr' | 'ranges' | 'gateway' | 'dns_servers' | 'ntp_servers'
>;

export const FAMILY_NUMBER = { ipv4: 4, ipv6: 6 } as const satisfies Record<AddressFamily, 4 | 6>;
export const FAMILY_NAME = { ipv4: 'IPv4', ipv6: 'IPv6' } as const satisfies Record<AddressFamily, string>;
/** Shortest prefix of a subnet that dnsmasq serves over IPv6. */
export const IPV6_PREFIX_LEAST = 64;
const EXAMPLE = { ipv4: '192.168.10.0/24', ipv6: 'fd00:10::/64' } as const;

/** Whether dnsmasq would silently serve nobody: over IPv6 it serves only subnets inside its own network. */
export const outgrows = (subnet: Cidr, network: Cidr): boolean => subnet.family === 6 && subnet.prefix < network.prefix;

type Fault = (pointer: string, detail: string) => void;

/**
 * The values in canonical form; a value that can't be read stays as written, with its fault. Without a family, that of
 * the subnet counts. `mayLackSubnet`: an empty subnet is no fault while there are no ranges.
 */
export function canonicalSubnet<V extends SubnetValues>(
  values: V,
  { mayLackSubnet = false } = {},
): { values: V; faults: FieldError[] } {
  const faults: FieldError[] = [];
  const fault: Fault = (pointer, detail) => void faults.push({ pointer, detail });
  const text = values.subnet_cidr.trim();
  const cidr = parseCidr(text);
  const address_family = values.address_family ?? (cidr?.family === 6 ? 'ipv6' : 'ipv4');
  const subnet = mayLackSubnet && text === '' ? null : readSubnet(cidr, address_family, fault);
  if (text === '' && mayLackSubnet && values.ranges.length > 0) fault('/ranges', 'Name the subnet of these ranges.');
  return {
    values: {
      ...values,
      address_family,
      subnet_cidr: subnet?.text ?? text,
      ranges: subnet ? readRanges(values.ranges, subnet, fault) : unplaced(values.ranges, fault),
      gateway: readGateway(values.gateway, address_family, subnet, fault),
      dns_servers: readServers('dns_servers', values.dns_servers, address_family, fault),
      ntp_servers: readServers('ntp_servers', values.ntp_servers, address_family, fault),
    },
    faults,
  };
}

function readSubnet(cidr: Cidr | null, family: AddressFamily, fault: Fault): Cidr | null {
  if (cidr?.family !== FAMILY_NUMBER[family]) {
    fault('/subnet_cidr', `Must be an ${FAMILY_NAME[family]} network such as ${EXAMPLE[family]}.`);
    return null;
  }
  if (networkOf(cidr) !== cidr.text) {
    fault('/subnet_cidr', `Has host bits: the network is ${networkOf(cidr)}.`);
    return null;
  }
  if (cidr.family === 6 && cidr.prefix < IPV6_PREFIX_LEAST) {
    fault('/subnet_cidr', `Must be at most a /${IPV6_PREFIX_LEAST}: larger networks are not served over IPv6.`);
    return null;
  }
  if (isUnicast(cidr.address)) return cidr;
  fault('/subnet_cidr', 'Must be a network whose addresses hosts can have.');
  return null;
}

/** Without a subnet, only texts that are no addresses are faults. */
function unplaced(ranges: AddressRange[], fault: Fault): AddressRange[] {
  for (const [at, range] of ranges.entries()) {
    for (const end of ['start', 'end'] as const) {
      if (!parseAddress(range[end].trim())) fault(`/ranges/${at}/${end}`, 'Must be an IP address.');
    }
  }
  return ranges;
}

/** Sorted by start. An overlap is a fault of the range that comes later in the request. */
function readRanges(ranges: readonly AddressRange[], subnet: Cidr, fault: Fault): AddressRange[] {
  const read = ranges.flatMap((range, at) => {
    const start = readHost(range.start, subnet, `/ranges/${at}/start`, fault);
    const end = readHost(range.end, subnet, `/ranges/${at}/end`, fault);
    if (!start || !end) return [];
    if (start.value > end.value) fault(`/ranges/${at}/end`, 'A range must not end before it starts.');
    return [{ at, start, end }];
  });
  if (read.length < ranges.length) return [...ranges];
  read.sort((one, other) => compareAddresses(one.start, other.start));
  for (const [place, range] of read.entries()) {
    const previous = read[place - 1];
    if (previous && range.start.value <= previous.end.value) {
      fault(`/ranges/${Math.max(range.at, previous.at)}`, 'Ranges must not overlap.');
    }
  }
  return read.map(({ start, end }) => ({ start: start.text, end: end.text }));
}

function readHost(text: string, subnet: Cidr, pointer: string, fault: Fault): Address | null {
  const address = parseAddress(text.trim());
  const detail =
    address?.family !== subnet.family
      ? `Must be an IPv${subnet.family} address.`
      : !contains(subnet, address)
        ? `Must be inside ${subnet.text}.`
        : isUsableHost(subnet, address)
          ? null
          : 'Must be an address that a host can have in the subnet.';
  if (detail === null) return address;
  fault(pointer, detail);
  return null;
}

function readGateway(text: string, family: AddressFamily, subnet: Cidr | null, fault: Fault): string {
  const written = text.trim().toLowerCase();
  if (written === '' || written === NO_GATEWAY) return written;
  if (subnet) return readHost(written, subnet, '/gateway', fault)?.text ?? written;
  const address = parseAddress(written);
  if (address?.family === FAMILY_NUMBER[family]) return address.text;
  fault('/gateway', `Must be an ${FAMILY_NAME[family]} address, none, or empty.`);
  return written;
}

const isNone = (text: string): boolean => text.trim().toLowerCase() === NO_SERVER;

function readServers(member: string, texts: readonly string[], family: AddressFamily, fault: Fault): string[] {
  if (texts.length === 1 && isNone(texts[0]!)) return [NO_SERVER];
  const seen = new Set<string>();
  return texts.map((text, at) => {
    const address = parseAddress(text.trim());
    const pointer = `/${member}/${at}`;
    if (isNone(text)) {
      fault(pointer, 'none must be the only item.');
      return text;
    }
    if (address?.family !== FAMILY_NUMBER[family] || !isUnicast(address)) {
      fault(pointer, `Must be an ${FAMILY_NAME[family]} address of a server, or none alone.`);
      return text;
    }
    if (seen.has(address.text)) fault(pointer, 'Names a server twice.');
    seen.add(address.text);
    return address.text;
  });
}
