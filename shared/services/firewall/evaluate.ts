// Decides about a packet by the rules alone: for tests, and for the check that people can still sign in.
import { type Address, contains, parseAddress, parseCidr } from '../../ground/addresses/address.ts';
import type { Chain, FilterRule, Match, Subject, Verdict } from './filter-rule.ts';

export interface Packet {
  chain: Chain;
  iifname: string;
  /** Only for forwarded packets. */
  oifname?: string;
  state: 'new' | 'established' | 'related' | 'invalid';
  source: Address;
  destination: Address;
  protocol: 'tcp' | 'udp' | 'icmp' | 'icmpv6' | 'esp';
  /** Destination port of TCP and UDP. */
  port?: number;
  icmp_type?: string;
}

/** The first rule that decides, and its verdict. Each chain ends with a rule that refuses everything. */
export function evaluate<Rule extends FilterRule>(
  rules: readonly Rule[],
  packet: Packet,
): { verdict: Verdict; rule: Rule | null } {
  const rule = rules.find(
    ({ chain, verdict, matches }) =>
      chain === packet.chain && verdict !== null && matches.every((match) => holds(match, packet)),
  );
  return rule ? { verdict: rule.verdict!, rule } : { verdict: 'drop', rule: null };
}

function holds({ subject, values, not = false }: Match, packet: Packet): boolean {
  // A field that the packet does not have never matches, negated or not.
  const reads = READS[subject];
  const has = reads(packet, values);
  return has !== null && has !== not;
}

type Read = (packet: Packet, values: readonly string[]) => boolean | null;

const equal =
  (of: (packet: Packet) => string | undefined): Read =>
  (packet, values) => {
    const value = of(packet);
    return value === undefined ? null : values.includes(value);
  };
const within =
  (family: 4 | 6, of: (packet: Packet) => Address): Read =>
  (packet, values) => {
    const address = of(packet);
    return address.family === family ? values.some((value) => covers(value, address)) : null;
  };
const port =
  (protocol: 'tcp' | 'udp'): Read =>
  (packet, values) =>
    packet.protocol === protocol && packet.port !== undefined
      ? values.some((value) => inRange(value, packet.port!))
      : null;

const READS: Readonly<Record<Subject, Read>> = {
  iifname: equal(({ iifname }) => iifname),
  oifname: equal(({ oifname }) => oifname ?? ''),
  'ct state': equal(({ state }) => state),
  'meta nfproto': equal(({ source }) => `ipv${source.family}`),
  'meta l4proto': equal(({ protocol }) => protocol),
  'ip saddr': within(4, ({ source }) => source),
  'ip daddr': within(4, ({ destination }) => destination),
  'ip6 saddr': within(6, ({ source }) => source),
  'ip6 daddr': within(6, ({ destination }) => destination),
  'tcp dport': port('tcp'),
  'udp dport': port('udp'),
  'icmp type': equal(({ protocol, icmp_type }) => (protocol === 'icmp' ? icmp_type : undefined)),
  'icmpv6 type': equal(({ protocol, icmp_type }) => (protocol === 'icmpv6' ? icmp_type : undefined)),
};

function covers(network: string, address: Address): boolean {
  const cidr = parseCidr(network);
  return cidr ? contains(cidr, address) : parseAddress(network)?.value === address.value;
}

function inRange(range: string, value: number): boolean {
  const [first, last = first] = range.split('-').map(Number);
  return value >= first! && value <= last!;
}
