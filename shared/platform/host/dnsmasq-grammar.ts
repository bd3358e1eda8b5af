// What the files of dnsmasq may contain: each directive with the kind of each of its values. No directive runs a
// program or a script, and the files that directives name are listed here. dnsmasq(8), option.c of 2.90.
import {
  between,
  either,
  type Is,
  isAddress,
  isAddress4,
  isAddress6,
  isCidr,
  isLink,
  isName,
  matching,
  oneOf,
  row,
} from './grammar-words.ts';

/** Bytes that dnsmasq reads of a line at once (fgets into MAXDNAME, 1025); the rest is read as another line. */
export const DNSMASQ_PIECE = 1_024;

const isPort = between(0, 65_535);
const isTag = matching(/^[\w.@+-]{1,64}$/);
const isSet = matching(/^set:[\w-]{1,64}$/);
/** Printable, in quotes; its parser knows more escapes than these. */
const QUOTED = String.raw`"(?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"`;
const isQuoted = matching(new RegExp(`^${QUOTED}$`));
const isQuotedList = matching(new RegExp(`^${QUOTED}(?:,${QUOTED})*$`));
const isTarget = either(isName, oneOf('.'));
const isDigest = matching(/^"[0-9a-f]{32}"$/);
const isSeconds = between(0, 4_294_967_295);
const nothing: Is = () => false;
const exactly = (text: string): Is => oneOf(text);

/** The first word, and the rest of the text as another kind. */
const then =
  (first: Is, rest: Is): Is =>
  (text) => {
    const comma = text.indexOf(',');
    return comma > 0 && first(text.slice(0, comma)) && rest(text.slice(comma + 1));
  };

/** `option6:` and the code, at the start of options. */
const isCode = matching(/^(?:option6:)?\d{1,5}$/);
const PROBE_TAG = exactly('tag:groundcrew-probe');
const isProbeOption = row(',', PROBE_TAG, isCode, isDigest);
const isMask = either(isAddress4, between(0, 128));
const isSpan = row(',', isSet, isAddress, either(isAddress, exactly('static')), isMask, isSeconds);
const isTaken = row(',', exactly('set:groundcrew-taken'), matching(/^[a-z0-9_-]{1,63}(?:\.\*)?$/));

/** Directive → its value; `nothing` for one that has none. */
const DIRECTIVES: ReadonlyMap<string, Is> = new Map<string, Is>([
  ...['no-resolv', 'no-hosts', 'no-poll', 'bind-dynamic', 'domain-needed', 'bogus-priv', 'no-ident', 'log-queries'].map(
    (flag): [string, Is] => [flag, nothing],
  ),
  ['dhcp-authoritative', nothing],
  ['enable-ra', nothing],
  ['port', exactly('0')],
  ['pid-file', exactly('/run/groundcrew/dnsmasq.pid')],
  ['addn-hosts', exactly('/etc/groundcrew/dnsmasq/hosts/records')],
  ['servers-file', exactly('/etc/groundcrew/dnsmasq/servers')],
  ['dhcp-leasefile', exactly('/var/lib/groundcrew/dnsmasq/leases')],
  ['dhcp-hostsfile', exactly('/etc/groundcrew/dnsmasq/dhcp/reservations')],
  ['dhcp-optsfile', exactly('/etc/groundcrew/dnsmasq/dhcp/options')],
  ['interface', isLink],
  ['except-interface', isLink],
  ['no-dhcp-interface', isLink],
  ['listen-address', isAddress],
  ['local', exactly('/groundcrew.invalid/')],
  ['domain', either(isName, row(',', isName, isCidr), row(',', isName, isAddress, isAddress))],
  ['cache-size', between(0, 100_000)],
  ['local-ttl', between(0, 86_400)],
  ['log-async', between(0, 100)],
  ['cname', row(',', isName, isName)],
  ['txt-record', then(isName, isQuotedList)],
  ['srv-host', row(',', isName, isTarget, isPort, isPort, isPort)],
  ['mx-host', row(',', isName, isTarget, isPort)],
  ['caa-record', then(isName, then(between(0, 255), then(matching(/^[a-z0-9]{1,15}$/), isQuoted)))],
  ['ptr-record', row(',', isName, isName)],
  ['dhcp-range', isSpan],
  ['dhcp-lease-max', between(1, 65_536)],
  ['dhcp-userclass', exactly('set:groundcrew-probe,groundcrew-probe')],
  ['shared-network', row(',', isAddress, isAddress)],
  ['ra-param', row(',', isLink, between(0, 9_000), between(0, 9_000))],
  ['dhcp-option', isProbeOption],
  ['dhcp-name-match', isTaken],
  ['dhcp-ignore-names', (value) => value.startsWith('tag:') && isTag(value.slice(4))],
]);

/** What network boot adds. A first program is a name or a URL that is sent to clients; dnsmasq opens no file by it. */
const KINDS = ['ipxe,175', 'bios,option:client-arch,0', 'efi,option:client-arch,7'];
KINDS.push('efi,option:client-arch,9', 'http,option:client-arch,16');
const BOOT_DIRECTIVES: ReadonlyMap<string, Is> = new Map<string, Is>([
  ['dhcp-match', oneOf(...KINDS.map((kind) => `set:boot-${kind}`))],
  ['dhcp-option-force', exactly('tag:boot-http,60,HTTPClient')],
  ['enable-tftp', isLink],
  ['tftp-root', exactly('/var/lib/groundcrew/tftp')],
  ['dhcp-boot', isBoot],
]);

const isFirstUrl = matching(/^http:\/\/[\x21\x24-\x2b\x2d-\x5b\x5d-\x7e]{1,900}$/);

/** `tag:…,tag:…,<first program>[,,<server>]` */
function isBoot(value: string): boolean {
  const words = value.split(',');
  let at = 0;
  while (/^tag:!?/.test(words[at] ?? '') && isTag(words[at]!.replace(/^tag:!?/, ''))) at += 1;
  const [program = '', name, server, ...more] = words.slice(at);
  if (at === 0 || more.length > 0 || !(oneOf('undionly.kpxe', 'snponly.efi')(program) || isFirstUrl(program)))
    return false;
  return name === undefined || (name === '' && server !== undefined && isAddress4(server));
}

const directive =
  (known: ReadonlyMap<string, Is>) =>
  (line: string): boolean => {
    const equals = line.indexOf('=');
    const is = known.get(equals < 0 ? line : line.slice(0, equals));
    return is !== undefined && (equals < 0 ? is === nothing : is(line.slice(equals + 1)));
  };

export const isDirective = directive(DIRECTIVES);
export const isBootDirective = directive(BOOT_DIRECTIVES);

const isZone: Is = (value) => /^\/.+\/$/.test(value) && isName(value.slice(1, -1));
/** An upstream server, or a zone whose names are never forwarded. */
export const isServer = directive(
  new Map<string, Is>([['server', either(isAddress, row('#', isAddress, isPort), isZone)]]),
);

/** An address with its names. */
export const isHostsLine: Is = (line) => {
  const [address = '', ...names] = line.split(' ');
  return isAddress(address) && names.length > 0 && names.every(isName);
};

const isMac = matching(/^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/);
const isBracketed: Is = (text) => /^\[.*\]$/.test(text) && isAddress6(text.slice(1, -1));
const isReserved = either(isAddress4, isBracketed);
/**
 * A MAC address, an IP address and, where there is one, a name. Not `set:`, `ignore` or `id:`, which dnsmasq takes here
 * too.
 */
export const isReservation = either(row(',', isMac, isReserved), row(',', isMac, isReserved, isName));

/** The code of an option, for one tag or for all, and the operator's text, which is sent to clients. */
export const isOption: Is = matching(/^(?:tag:[\w-]{1,64},)?(?:option6:)?\d{1,5}(?:,[\x20-\x7e]{1,600})?$/);

const HEX = '[0-9a-f]{2}(?:[:-][0-9a-f]{2}){0,254}';
const isExpiry = between(0, 4_294_967_295);
/**
 * A MAC address, with its hardware type in front where it is not Ethernet, and possibly empty; for IPv6 an association
 * id.
 */
const isIdentity = matching(new RegExp(String.raw`^(?:${HEX}|[0-9a-f]{2}-|T?\d{1,10})$`));
const isHolder = matching(/^(?:\*|[\w.-]{1,255})$/);
const isClient = matching(new RegExp(String.raw`^(?:\*|${HEX})$`));
const isServerId = matching(new RegExp(`^duid ${HEX}$`));
/** A lease as dnsmasq writes it (lease.c): until when, whose, which address, by what name, by what identifier. */
export const isLease = either(isServerId, row(' ', isExpiry, isIdentity, isAddress, isHolder, isClient));
