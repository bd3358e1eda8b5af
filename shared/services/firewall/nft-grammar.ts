// What the file of nft may contain: one table, its two chains, and rules word by word. nft(8).
import {
  between,
  either,
  type Is,
  isAddress,
  isCidr,
  isLink,
  matching,
  oneOf,
} from '../../platform/host/grammar-words.ts';

/** Bytes of a line. nft itself has no limit; a rule with the IPv6 networks of 4,094 VLANs has a fifth of this. */
export const NFT_MOST = 1 << 20;

const isPorts: Is = (text) => {
  const ends = text.split('-');
  return ends.length <= 2 && ends.every(between(0, 65_535));
};
const isNetwork = either(isAddress, isCidr);
const isQuotedLink: Is = (text) => /^".*"$/.test(text) && isLink(text.slice(1, -1));
const isType = matching(/^[a-z0-9-]{1,40}$/);

/** Field → grammar of its values. */
const SUBJECTS: Readonly<Record<string, Is>> = {
  iifname: isQuotedLink,
  oifname: isQuotedLink,
  'ip saddr': isNetwork,
  'ip daddr': isNetwork,
  'ip6 saddr': isNetwork,
  'ip6 daddr': isNetwork,
  'tcp dport': isPorts,
  'udp dport': isPorts,
  'meta nfproto': oneOf('ipv4', 'ipv6'),
  'meta l4proto': // The last one is in files of earlier versions.
    oneOf('tcp', 'udp', 'icmp', 'icmpv6', 'ipv6-icmp'),
  'ct state': oneOf('established', 'related', 'invalid', 'new', 'untracked'),
  'icmp type': isType,
  'icmpv6 type': isType,
};
const MATCH = new RegExp(`^(${Object.keys(SUBJECTS).join('|')})(?: !=)? (?:\\{ ([^{}]*) \\}|(\\S+)) `);
/** Log prefix and comment: at most 128 bytes each, an id or a fixed word, never a text of a person. */
const REST =
  /^(?:limit rate 10\/minute burst 20 packets )?counter (?:log prefix "groundcrew [\w -]{1,100}: " )?(?:(?:accept|drop|reject with (?:tcp reset|icmpx admin-prohibited)) )?comment "[\w .-]{1,127}"$/;

/** A rule: matches, then log, verdict and comment. It can't include another file. */
function isRule(line: string): boolean {
  let rest = line;
  for (let match = MATCH.exec(rest); match !== null; match = MATCH.exec(rest)) {
    const [whole, subject = '', list, single = ''] = match;
    const values = list === undefined ? [single] : list.split(', ');
    if (!values.every(SUBJECTS[subject]!)) return false;
    rest = rest.slice(whole.length);
  }
  return REST.test(rest);
}

const FRAME = oneOf(
  ...['table inet groundcrew', 'delete table inet groundcrew', 'table inet groundcrew {', '\t}', '}'],
  ...['\tchain input {', '\tchain forward {'],
  ...['input', 'forward'].map((hook) => `\t\ttype filter hook ${hook} priority filter; policy drop;`),
);

export const isNftLine: Is = (line) => FRAME(line) || (line.startsWith('\t\t') && isRule(line.slice(2)));
