// One rule of the packet filter. The file for nft is written from such rules, the kernel's listing is read back into
// them, and the evaluator (evaluate.ts) decides about packets by them.

export type Chain = 'input' | 'forward';
export type Verdict = 'accept' | 'drop' | 'reject';

/** Fields that can be matched, in nft's own words. */
export type Subject =
  | 'iifname'
  | 'oifname'
  | 'ct state'
  | 'meta nfproto'
  | 'meta l4proto'
  | 'ip saddr'
  | 'ip daddr'
  | 'ip6 saddr'
  | 'ip6 daddr'
  | 'tcp dport'
  | 'udp dport'
  | 'icmp type'
  | 'icmpv6 type';

export interface Match {
  subject: Subject;
  /** One of these, or none of them where `not` is set. Ports and ranges of ports as text: `22`, `8000-8100`. */
  values: readonly string[];
  not?: boolean;
}

/** The origin of a rule: the filter itself, a service, or an operator. */
export type Origin = 'filter' | 'service' | 'operator';

export interface FilterRule {
  chain: Chain;
  /** Unique in its chain; the comment of the rule in the kernel. At most 128 bytes, no quotation mark. */
  key: string;
  matches: readonly Match[];
  /** Null: the packet goes on to the next rule, for rules that only log. */
  verdict: Verdict | null;
  /** Prefix in the system log, at most LOG_RATE lines a minute. */
  log: string | null;
}

/** A rule with words for people. */
export interface ExplainedRule extends FilterRule {
  origin: Origin;
  /** Name of its origin: `DNS`, `Management UI`, or the name of an operator's rule. */
  label: string;
  /** The reason for the rule, in one sentence. */
  why: string;
}

export const TABLE = 'groundcrew';
/** Lines of the system log a minute, and how many may come at once. */
export const LOG_RATE = { minute: 10, burst: 20 } as const;
/** Both chains refuse what no rule accepts. */
export const CHAINS: readonly Chain[] = ['input', 'forward'];

const NAMED: ReadonlySet<Subject> = new Set(['iifname', 'oifname']);

/** `tcp dport { 80, 443 }` */
export function matchText({ subject, values, not }: Match): string {
  const quoted = values.map((value) => (NAMED.has(subject) ? `"${value}"` : value));
  const right = quoted.length === 1 ? quoted[0] : `{ ${quoted.join(', ')} }`;
  return `${subject} ${not ? '!= ' : ''}${right}`;
}

/** The rule as nft takes it, without its comment. */
export function ruleText({ matches, verdict, log }: FilterRule): string {
  const tcp = matches.some(
    ({ subject, values }) => subject === 'tcp dport' || (subject === 'meta l4proto' && values.join() === 'tcp'),
  );
  const limit = `limit rate ${LOG_RATE.minute}/minute burst ${LOG_RATE.burst} packets`;
  return [
    ...matches.map(matchText),
    ...(log === null ? [] : [limit]),
    'counter',
    ...(log === null ? [] : [`log prefix "${log}"`]),
    ...(verdict === null ? [] : [verdict === 'reject' ? rejectText(tcp) : verdict]),
  ].join(' ');
}

/** A TCP client understands a reset; everybody else understands ICMP (RFC 1812 5.2.7.1, RFC 4443 3.1). */
const rejectText = (tcp: boolean): string => `reject with ${tcp ? 'tcp reset' : 'icmpx admin-prohibited'}`;
