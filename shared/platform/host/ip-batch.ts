// The grammar of the lines of `ip -batch` that the network unit writes: one command a line, its words in order, each
// with the kind of its argument. Other words of `ip` can run programs (`netns exec`), load programs into the kernel or
// redirect packets. Pure.
import { between, either, type Is, isAddress, isCidr, isLink, matching, oneOf } from './grammar-words.ts';

/** Words of one line, at most (MAX_ARGS of iproute2 6.1 is 512): `ip` stops at a longer line. */
const WORDS_MOST = 500;

const isNumber = between(0, 4_294_967_295);
/** A name of the tables below /etc/iproute2, or a number of them. */
const isNamed = either(matching(/^[a-z][a-z0-9_-]{0,31}$/), between(0, 255));
/** The label of an IPv4 address. */
export const isLabel = matching(/^[\w.:@+-]{1,15}$/);
const isScope = either(oneOf('global', 'link', 'host', 'site', 'nowhere'), between(0, 255));
const isDestination = either(oneOf('default'), isAddress, isCidr);
/** Milliseconds where no unit follows. */
const isTime = either(matching(/^\d{1,9}(?:ms|s)$/), isNumber);
const isTos = matching(/^\w{1,32}$/);
const word = (text: string): Is => oneOf(text);

/** The words of a line that are left to read; null where the line does not fit. */
type Rest = readonly string[] | null;
type Part = (words: readonly string[]) => Rest;

/** These words, one after the other. */
const inOrder =
  (...kinds: readonly Is[]): Part =>
  (words) =>
    kinds.every((is, at) => at < words.length && is(words[at]!)) ? words.slice(kinds.length) : null;

const all =
  (...parts: readonly Part[]): Part =>
  (words) =>
    parts.reduce<Rest>((rest, part) => rest && part(rest), words);

const maybe =
  (part: Part): Part =>
  (words) =>
    part(words) ?? words;

const anyOf =
  (...parts: readonly Part[]): Part =>
  (words) => {
    for (const part of parts) {
      const rest = part(words);
      if (rest) return rest;
    }
    return null;
  };

const many =
  (part: Part): Part =>
  (words) => {
    let rest = words;
    for (let next = part(rest); next; next = part(rest)) rest = next;
    return rest;
  };

const dev = inOrder(word('dev'), isLink);
const via = anyOf(inOrder(word('via'), isAddress), inOrder(word('via'), word('inet6'), isAddress));

/** An address as `ip addr show` prints it, as arguments: shared/platform/network/found.ts. */
const address = all(
  inOrder(isCidr),
  maybe(inOrder(word('brd'), isAddress)),
  maybe(inOrder(word('scope'), isScope)),
  maybe(inOrder(word('label'), isLabel)),
);

/** A route of the main table as `ip route show` prints it: no other table, no encapsulation. */
const routeFact = anyOf(
  via,
  dev,
  inOrder(word('proto'), isNamed),
  inOrder(word('scope'), isScope),
  inOrder(word('src'), isAddress),
  inOrder(word('pref'), oneOf('low', 'medium', 'high')),
  inOrder(oneOf('metric', 'nhid'), isNumber),
  inOrder(word('tos'), isTos),
  all(
    inOrder(oneOf('mtu', 'advmss', 'hoplimit', 'initcwnd', 'initrwnd', 'window', 'ssthresh', 'cwnd')),
    maybe(inOrder(word('lock'))),
    inOrder(isNumber),
  ),
  all(inOrder(oneOf('rtt', 'rttvar', 'rto_min')), maybe(inOrder(word('lock'))), inOrder(isTime)),
  inOrder(word('onlink')),
);
const nextHop = all(
  inOrder(word('nexthop')),
  maybe(via),
  maybe(dev),
  maybe(inOrder(word('weight'), between(1, 256))),
  maybe(inOrder(word('onlink'))),
);
const withoutHop = inOrder(oneOf('blackhole', 'unreachable', 'prohibit', 'throw'), isDestination);
/** A route has a gateway or a link. */
const leads: Part = (words) => (words.some((each) => each === 'via' || each === 'dev') ? words : null);
const route = anyOf(
  all(withoutHop, many(routeFact)),
  all(inOrder(isDestination), leads, many(routeFact), many(nextHop)),
);

const COMMANDS: readonly Part[] = [
  // Taking addresses over: shared/platform/network/adoption.ts.
  all(inOrder(word('addr'), word('del'), isCidr), dev),
  all(
    inOrder(word('addr'), word('add'), isCidr),
    dev,
    maybe(inOrder(word('brd'), word('+'))),
    inOrder(word('scope'), word('global')),
  ),
  all(
    inOrder(word('addr'), word('change'), isCidr),
    dev,
    inOrder(...['valid_lft', 'forever', 'preferred_lft', 'forever'].map(word)),
  ),
  // The way back from the first apply: shared/platform/network/found.ts.
  all(inOrder(word('addr'), word('replace')), address, dev, maybe(inOrder(word('nodad')))),
  all(
    inOrder(word('link'), word('set')),
    dev,
    anyOf(inOrder(oneOf('up', 'down')), inOrder(word('mtu'), between(68, 65_536))),
  ),
  all(inOrder(word('link'), word('delete')), dev),
  all(inOrder(word('route'), oneOf('replace', 'del')), route),
];

export const isBatchLine = (line: string): boolean => {
  const words = line.split(' ');
  return words.length <= WORDS_MOST && COMMANDS.some((command) => command(words)?.length === 0);
};

/** Whether all lines fit the grammar; an empty last one ends the text. */
export const isBatch = (text: string): boolean =>
  text.split('\n').every((line, at, lines) => isBatchLine(line) || (line === '' && at === lines.length - 1));
