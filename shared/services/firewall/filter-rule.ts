// One rule of the packet filter, as the three who need it see it: the file that nft loads is written from it, the
// kernel's listing is read back into it, and the evaluator (evaluate.ts) decides packets by it.

export type Chain = 'input' | 'forward';
export type Verdict = 'accept' | 'drop' | 'reject';

/** What can be compared, in nft's own words. */
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

/** Who asked for a rule: the filter itself, a service, or an operator. */
export type Origin = 'filter' | 'service' | 'operator';

export interface FilterRule {
  chain: Chain;
  /** Unique in its chain; the comment of the rule in the kernel. At most 128 bytes, no quotation mark. */
  key: string;
  matches: readonly Match[];
  /** Null: the packet goes on to the next rule, which is what a rule that only logs wants. */
  verdict: Verdict | null;
  /** Prefix in the system log, at most LOG_RATE lines a minute. */
  log: string | null;
}

/** A rule with what people want to know of it. */
export interface ExplainedRule extends FilterRule {
  origin: Origin;
  /** Whose it is: `DNS`, `Management UI`, or the name of an operator's rule. */
  label: string;
  /** Why it is there, in one sentence. */
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
