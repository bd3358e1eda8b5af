// The lines of `ip -batch` that the network unit writes, as a grammar: other words of `ip` run programs (`netns exec`), load
// some into the kernel or send packets elsewhere. Pure.

const NAME = String.raw`\w[\w.@+-]{0,30}`;
const IP = '[0-9a-fA-F:.]{2,45}';
const CIDR = String.raw`${IP}\/\d{1,3}`;
const NUMBER = String.raw`\d{1,10}`;
const WORD = String.raw`\w{1,32}`;
const LABEL = '[\\w.:@+-]{1,15}';

/** What `ip addr show` tells of an address, as arguments: shared/units/network/found.ts. */
const ADDRESS = `${CIDR}(?: brd ${IP})?(?: scope ${WORD})?(?: label ${LABEL})?`;

/** What `ip route show` tells of a route of the main table: no other table, no encapsulation. */
const ROUTE_FACT = `(?:${[
  `via (?:inet6 )?${IP}`,
  `dev ${NAME}`,
  String.raw`(?:proto|scope|src|pref) [\w.:]{1,45}`,
  `(?:metric|nhid|tos|(?:mtu|advmss|hoplimit|initcwnd|initrwnd|window|rtt|rttvar|rto_min|ssthresh|cwnd)(?: lock)?) \\w{1,10}`,
  'onlink',
].join('|')})`;
const NEXT_HOP = `nexthop(?: via (?:inet6 )?${IP})?(?: dev ${NAME})?(?: weight ${NUMBER})?(?: onlink)?`;
const WITHOUT_HOP = '(?:blackhole|unreachable|prohibit|throw)';
const DESTINATION = `(?:default|${IP}(?:\\/\\d{1,3})?)`;
const ROUTE = [
  `${WITHOUT_HOP} ${DESTINATION}(?: ${ROUTE_FACT})*`,
  // A route leads somewhere.
  `${DESTINATION}(?= .*(?:via|dev) )(?: ${ROUTE_FACT})*(?: ${NEXT_HOP})*`,
].join('|');

const LINES: readonly RegExp[] = [
  // Taking addresses over: shared/units/network/adoption.ts.
  `addr del ${CIDR} dev ${NAME}`,
  String.raw`addr add ${CIDR} dev ${NAME} (?:brd \+ )?scope global`,
  `addr change ${CIDR} dev ${NAME} valid_lft forever preferred_lft forever`,
  // The way back from the first apply: shared/units/network/found.ts.
  `addr replace ${ADDRESS} dev ${NAME}(?: nodad)?`,
  `link set dev ${NAME} (?:up|down|mtu ${NUMBER})`,
  `link delete dev ${NAME}`,
  `route (?:replace|del) (?:${ROUTE})`,
].map((line) => new RegExp(`^(?:${line})$`));

export const isBatchLine = (line: string): boolean => LINES.some((shape) => shape.test(line));

/** Whether all lines are such; an empty last one ends the text. */
export const isBatch = (text: string): boolean =>
  text.split('\n').every((line, at, all) => isBatchLine(line) || (line === '' && at === all.length - 1));

export const isLabel = (text: string): boolean => new RegExp(`^${LABEL}$`).test(text);
