// The table as the kernel has it: `nft -j list table`, read back into rules. libnftables-json(5).

import { formatAddress, parseAddress, parseCidr } from '../../ground/addresses/address.ts';
import { firstLine } from '../../ground/machine/exec.ts';
import type { Host } from '../../ground/machine/host.ts';
import { type Chain, type FilterRule, type Match, ruleText, type Subject, TABLE, type Verdict } from './filter-rule.ts';

export interface KernelRule extends FilterRule {
  packets: number;
  bytes: number;
}

export interface KernelTable {
  rules: KernelRule[];
  /** `input drop`: the hook of a chain, and its policy for packets that no rule decides. */
  chains: string[];
}

/** A list of 500 rules with 32 ports each; more than other programs write. */
const OUTPUT = 8 << 20;

/** Null when there is no such table. @throws Error when nft can't list it. */
export async function readTable(host: Host): Promise<KernelTable | null> {
  const result = await host.exec('nft', ['-j', 'list', 'table', 'inet', TABLE], { output: OUTPUT });
  if (result.code === 0) return parseTable(result.stdout);
  if (/No such file or directory/.test(result.stderr)) return null;
  throw new Error(`nft list table inet ${TABLE}: ${firstLine(result)}`);
}

type Json = Record<string, unknown>;
interface ListedRule {
  chain: string;
  comment?: string;
  expr: Json[];
}
interface ListedChain {
  name: string;
  hook?: string;
  policy?: string;
}

/** Pure. Unknown parts stay in the text of the rule, so that they show as a difference. */
export function parseTable(json: string): KernelTable {
  const { nftables = [] } = JSON.parse(json || '{}') as { nftables?: { rule?: ListedRule; chain?: ListedChain }[] };
  return {
    rules: nftables.flatMap(({ rule }) => (rule ? [kernelRule(rule)] : [])),
    chains: nftables.flatMap(({ chain }) => (chain ? [`${chain.hook ?? chain.name} ${chain.policy ?? 'none'}`] : [])),
  };
}

function kernelRule({ chain, comment = '', expr }: ListedRule): KernelRule {
  const rule: KernelRule = {
    chain: chain as Chain,
    key: comment,
    matches: expr.flatMap((part) => (part.match ? [matchOf(part.match as ListedMatch)] : [])),
    verdict: null,
    log: null,
    packets: 0,
    bytes: 0,
  };
  for (const part of expr) {
    const verdict = VERDICTS.find((known) => known in part);
    if (verdict) rule.verdict = verdict;
    if (part.counter) Object.assign(rule, part.counter);
    if (part.log) rule.log = (part.log as { prefix?: string }).prefix ?? '';
  }
  return rule;
}

const VERDICTS: readonly Verdict[] = ['accept', 'drop', 'reject'];

interface ListedMatch {
  op: string;
  left: { meta?: { key: string }; ct?: { key: string }; payload?: { protocol: string; field: string } };
  right: unknown;
}

/**
 * nft lists a protocol by its name in /etc/protocols, else by its number; rules have the names that nft itself knows.
 */
const PROTOCOLS: Readonly<Record<string, string>> = {
  1: 'icmp',
  6: 'tcp',
  17: 'udp',
  58: 'icmpv6',
  'ipv6-icmp': 'icmpv6',
};

function matchOf({ op, left, right }: ListedMatch): Match {
  const list = (right as { set?: unknown[] }).set ?? [right];
  const subject = subjectOf(left);
  const values = list.map(textOf).map((text) => (subject === 'meta l4proto' ? (PROTOCOLS[text] ?? text) : text));
  return { subject, values, ...(op === '!=' && { not: true }) };
}

function subjectOf({ meta, ct, payload }: ListedMatch['left']): Subject {
  const text = payload ? `${payload.protocol} ${payload.field}` : ct ? `ct ${ct.key}` : (meta?.key ?? 'something else');
  return (text === 'nfproto' || text === 'l4proto' ? `meta ${text}` : text) as Subject;
}

function textOf(value: unknown): string {
  const { prefix, range } = value as { prefix?: { addr: string; len: number }; range?: unknown[] };
  if (prefix) return `${prefix.addr}/${prefix.len}`;
  return range ? range.join('-') : String(value);
}

/**
 * One line a rule, the same for a rendered rule and the kernel's listing of it: nft joins neighbouring networks and
 * sorts sets.
 */
export function comparable(rule: FilterRule): string {
  const matches = rule.matches.map((match) => ({ ...match, values: ordered(match) }));
  return `${rule.chain} ${rule.key}: ${ruleText({ ...rule, matches })}`;
}

function ordered({ subject, values }: Match): string[] {
  return /addr$/.test(subject) ? joined(values) : [...values].sort();
}

function joined(values: readonly string[]): string[] {
  const spans = values.flatMap((value) => span(value) ?? []).sort((one, other) => (one.first < other.first ? -1 : 1));
  const merged: Span[] = [];
  for (const next of spans) {
    const last = merged.at(-1);
    if (last && next.first <= last.last + 1n) last.last = next.last > last.last ? next.last : last.last;
    else merged.push({ ...next });
  }
  return merged.map(({ family, first, last }) => `${formatAddress(family, first)}-${formatAddress(family, last)}`);
}

interface Span {
  family: 4 | 6;
  first: bigint;
  last: bigint;
}

function span(text: string): Span | null {
  const [low = '', high = low] = text.split('-');
  const [address = '', prefix] = low.split('/');
  // nft lists two halves of the address space as one network.
  const whole = prefix === '0' ? parseAddress(address) : null;
  if (whole) return { family: whole.family, first: 0n, last: (1n << (whole.family === 4 ? 32n : 128n)) - 1n };
  const cidr = parseCidr(low);
  if (cidr) return { family: cidr.family, first: cidr.first, last: cidr.last };
  const [first, last] = [parseAddress(low), parseAddress(high)];
  return first && last ? { family: first.family, first: first.value, last: last.value } : null;
}
