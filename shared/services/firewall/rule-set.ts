// The whole rule set of the desired state: first what must always pass, then the operator's rules, then the openings of
// services; at the end everything else is refused. Pure; evaluate.ts decides about a packet.
import type { FirewallDesired, OperatorRule } from './desired.ts';
import type { Chain, ExplainedRule, Match, Subject, Verdict } from './filter-rule.ts';
import { networksOf } from './networks.ts';
import type { Opening } from './openings.ts';
import { parsePorts, rangeText } from './port-ranges.ts';

/** Neighbour discovery, multicast listeners and errors: IPv6 does not work without them (RFC 4890 4.4.1). */
const NEEDED_ICMPV6 = [
  'destination-unreachable',
  'packet-too-big',
  'time-exceeded',
  'parameter-problem',
  'mld-listener-query',
  'mld-listener-report',
  'mld-listener-done',
  'nd-router-solicit',
  'nd-router-advert',
  'nd-neighbor-solicit',
  'nd-neighbor-advert',
  'mld2-listener-report',
];
/** Errors, among them "fragmentation needed", without which path MTU discovery fails (RFC 1191). */
const NEEDED_ICMP = ['destination-unreachable', 'time-exceeded', 'parameter-problem'];

const is = (subject: Subject, ...values: string[]): Match => ({ subject, values });
const isNot = (subject: Subject, ...values: string[]): Match => ({ subject, values, not: true });

/** Rules in the order of matching. */
export function ruleSet(desired: FirewallDesired): ExplainedRule[] {
  const { settings, openings, rules } = desired;
  return [
    ...alwaysIn(),
    ...rules.flatMap((rule) => (rule.direction === 'input' ? operatorRules(rule) : [])),
    ...openings.map(openingRule),
    ...(settings.allow_ping ? pings() : []),
    ...refused('input', settings.log_denied),
    ...alwaysForward(desired.routes),
    ...rules.flatMap((rule) => (rule.direction === 'forward' ? operatorRules(rule) : [])),
    ...between(desired.routes),
    ...refused('forward', settings.log_denied),
  ];
}

function own(chain: Chain, key: string, why: string, verdict: Verdict | null, ...matches: Match[]): ExplainedRule {
  return { chain, key, matches, verdict, log: null, origin: 'filter', label: 'Firewall', why };
}

function alwaysIn(): ExplainedRule[] {
  const established = 'Connections that exist go on, whatever rules come: an apply never cuts its own session.';
  return [
    own('input', 'established', established, 'accept', is('ct state', 'established', 'related')),
    own('input', 'loopback', 'The appliance talks to itself.', 'accept', is('iifname', 'lo')),
    own('input', 'needed icmpv6', 'What IPv6 itself needs.', 'accept', is('icmpv6 type', ...NEEDED_ICMPV6)),
    own('input', 'needed icmp', 'Errors on the way of a packet.', 'accept', is('icmp type', ...NEEDED_ICMP)),
    own('input', 'invalid', 'Packets of no connection that could exist.', 'drop', is('ct state', 'invalid')),
  ];
}

const PING = 'Echo requests are answered.';
const pings = (): ExplainedRule[] => [
  own('input', 'ping icmp', PING, 'accept', is('icmp type', 'echo-request')),
  own('input', 'ping icmpv6', PING, 'accept', is('icmpv6 type', 'echo-request')),
];

function alwaysForward(routes: readonly string[]): ExplainedRule[] {
  const why = 'Only interfaces with the role route pass packets on.';
  if (routes.length === 0) return [own('forward', 'not routed', why, 'drop')];
  return [
    own('forward', 'not routed in', why, 'drop', isNot('iifname', ...routes)),
    own('forward', 'not routed out', why, 'drop', isNot('oifname', ...routes)),
    own('forward', 'established', 'Connections that exist go on.', 'accept', is('ct state', 'established', 'related')),
    own('forward', 'invalid', 'Packets of no connection that could exist.', 'drop', is('ct state', 'invalid')),
  ];
}

function between(routes: readonly string[]): ExplainedRule[] {
  if (routes.length === 0) return [];
  const matches = [is('iifname', ...routes), is('oifname', ...routes)];
  return [own('forward', 'routed', 'Packets pass between interfaces with the role route.', 'accept', ...matches)];
}

function refused(chain: Chain, log: boolean): ExplainedRule[] {
  const line = own(chain, 'denied log', 'Refused packets are written to the system log.', null);
  const drop = own(chain, 'denied', 'Nothing asked for it.', 'drop');
  return log ? [{ ...line, log: `groundcrew ${chain} denied: ` }, drop] : [drop];
}

function openingRule({ key, label, why, interfaces, protocol, ports, family, sources }: Opening): ExplainedRule {
  const from =
    sources.length > 0
      ? [is(family === 6 ? 'ip6 saddr' : 'ip saddr', ...sources)]
      : family === null
        ? []
        : [is('meta nfproto', `ipv${family}`)];
  const to = is(`${protocol} dport`, ...ports.map(String));
  return {
    chain: 'input',
    key: `${key} ${protocol}${family ?? ''}`,
    matches: [is('iifname', ...interfaces), ...from, to],
    verdict: 'accept',
    log: null,
    origin: 'service',
    label,
    why,
  };
}

/** One rule, and before it one that writes to the log: a rate limit must not decide about the packet. */
function operatorRules(rule: OperatorRule): ExplainedRule[] {
  const made: ExplainedRule = {
    chain: rule.direction,
    key: rule.id,
    matches: operatorMatches(rule),
    verdict: rule.action,
    log: null,
    origin: 'operator',
    label: rule.name,
    why: 'A rule of the operator.',
  };
  if (!rule.log) return [made];
  return [{ ...made, key: `${rule.id} log`, verdict: null, log: `groundcrew ${rule.id} ${rule.action}: ` }, made];
}

function operatorMatches({ interface: on, source_cidr, destination_cidr, protocol, ports }: OperatorRule): Match[] {
  const address = (cidr: string, end: 'saddr' | 'daddr'): Match[] => {
    if (cidr === '') return [];
    const v6 = cidr.includes(':');
    return [is(`${v6 ? 'ip6' : 'ip'} ${end}`, ...networksOf([cidr], v6 ? 6 : 4))];
  };
  return [
    ...(on === '' ? [] : [is('iifname', on)]),
    ...address(source_cidr, 'saddr'),
    ...address(destination_cidr, 'daddr'),
    ...PROTOCOLS[protocol]((parsePorts(ports) ?? []).map(rangeText)),
  ];
}

const withPorts =
  (protocol: 'tcp' | 'udp') =>
  (ports: string[]): Match[] => [ports.length > 0 ? is(`${protocol} dport`, ...ports) : is('meta l4proto', protocol)];

const PROTOCOLS: Readonly<Record<OperatorRule['protocol'], (ports: string[]) => Match[]>> = {
  any: () => [],
  tcp: withPorts('tcp'),
  udp: withPorts('udp'),
  // nft knows this name by itself; `ipv6-icmp` it looks up in /etc/protocols, which not every machine has.
  icmp: () => [is('meta l4proto', 'icmp', 'icmpv6')],
};
