// What a program of the appliance that runs as root may do to the machine, whoever asks for it: files by their paths and
// the shape of each line, programs by their arguments and input. The database that desired state is read from belongs to
// the service; should that be taken over, this is what remains between it and the machine. Pure.
import { normalize } from 'node:path';
import type { ExecOptions, RenderedFile } from './host.ts';
import { isBatch } from './ip-batch.ts';
import { isReader } from './networkd.ts';

type Lines = (line: string, at: { section: string }) => boolean;

/** Printable, and no longer than what dnsmasq reads as one line. */
const PLAIN = /^[\t\x20-\x7e\u{a0}-\u{10ffff}]{0,1023}$/u;
/** The same of any length. */
const WIDE = /^[\t\x20-\x7e\u{a0}-\u{10ffff}]*$/u;
/** JSON leaves these control characters as they are. */
const LONG = /^[\t\x20-\u{10ffff}]*$/u;
const COMMENT = /^\s*(?:#.*)?$/s;

/** Directives of dnsmasq that neither run programs nor name files. */
const DNSMASQ = new Set([
  ...['no-resolv', 'no-hosts', 'no-poll', 'bind-dynamic', 'domain-needed', 'bogus-priv', 'no-ident', 'port'],
  ...['interface', 'except-interface', 'no-dhcp-interface', 'listen-address', 'server', 'local', 'domain'],
  ...['cache-size', 'local-ttl', 'log-queries', 'log-async', 'cname', 'txt-record', 'srv-host', 'mx-host'],
  ...['caa-record', 'ptr-record', 'dhcp-range', 'dhcp-lease-max', 'dhcp-userclass', 'dhcp-authoritative'],
  ...['shared-network', 'enable-ra', 'ra-param', 'dhcp-option', 'dhcp-option-force', 'dhcp-host', 'host-record'],
  ...['dhcp-name-match', 'dhcp-ignore-names'],
]);
/** Directives that name a file, with the one file that each may name. */
const DNSMASQ_FILES = new Set([
  'pid-file=/run/groundcrew/dnsmasq.pid',
  'addn-hosts=/etc/groundcrew/dnsmasq/hosts/records',
  'dhcp-leasefile=/var/lib/groundcrew/dnsmasq/leases',
  'dhcp-hostsfile=/etc/groundcrew/dnsmasq/dhcp/reservations',
  'dhcp-optsfile=/etc/groundcrew/dnsmasq/dhcp/options',
]);
/** What network boot adds. A first program is a name or a URL that clients are told; the server reads none by it. */
const DNSMASQ_BOOT = new Set(['dhcp-match', 'dhcp-boot', 'dhcp-option-force', 'enable-tftp']);
const TFTP_FOLDER = '/var/lib/groundcrew/tftp';
const CHRONY = new Set([
  ...['makestep', 'rtcsync', 'cmdport', 'minsources', 'port', 'bindaddress', 'allow', 'deny', 'local'],
]);
const CHRONY_FILES = new Set([
  'sourcedir /etc/groundcrew/chrony/sources',
  'pidfile /run/groundcrew/chronyd.pid',
  'bindcmdaddress /run/groundcrew/chrony/chronyd.sock',
  'driftfile /var/lib/groundcrew/chrony/drift',
  'ntsdumpdir /var/lib/groundcrew/chrony',
]);
const NETWORK_SECTIONS = new Set([
  ...['Match', 'Link', 'Network', 'Address', 'Route', 'RoutingPolicyRule', 'NetDev', 'VLAN'],
  ...['DHCPv4', 'DHCPv6', 'IPv6AcceptRA'],
]);
/** One value of a match, or several in braces. */
const NFT_VALUE = String.raw`(?:"[\w.@+-]+"|[\w.:/-]+)`;
const NFT_MATCH = String.raw`(?:[io]ifname|ip6? [sd]addr|(?:tcp|udp) [sd]port|meta (?:nfproto|l4proto)|ct state|icmp(?:v6)? type)(?: !=)? (?:${NFT_VALUE}|\{ ${NFT_VALUE}(?:, ${NFT_VALUE})* \})`;
const NFT_VERDICT = 'accept|drop|reject with (?:tcp reset|icmpx (?:type )?[\\w-]+)';
const NFT: readonly RegExp[] = [
  /^table inet groundcrew(?: \{)?$/,
  /^delete table inet groundcrew$/,
  /^\tchain (?:input|forward) \{$/,
  /^\t\ttype filter hook (?:input|forward) priority filter; policy (?:drop|accept);$/,
  // A rule, word by word: nothing else may stand there, least of all the name of another file.
  new RegExp(
    String.raw`^\t\t(?:${NFT_MATCH} )*(?:limit rate 10/minute burst 20 packets )?counter (?:log prefix "[^"]*" )?(?:(?:${NFT_VERDICT}) )?comment "[^"]*"$`,
  ),
  /^\t?\}$/,
];

const word = (line: string, separator: string): string => line.split(separator, 1)[0]!;
const networkd: Lines = (line, at) => {
  // It would go on in the next line, which is judged by itself here.
  if (line.endsWith('\\')) return false;
  const section = /^\[(\w+)\]$/.exec(line)?.[1];
  if (section !== undefined) at.section = section;
  if (section !== undefined) return NETWORK_SECTIONS.has(section);
  // Other kinds of links could belong to a user.
  if (at.section === 'NetDev' && line.startsWith('Kind=')) return line === 'Kind=vlan';
  return /^\w+=/.test(line);
};
const chronySource: Lines = (line) => /^(?:server|pool) [\w.:-]+(?: (?:iburst|nts|prefer))*$/.test(line);

/** Files that a unit may put on the machine → the lines that may stand in them, besides comments. */
const FILES: readonly { path: RegExp; lines: Lines; long?: RegExp }[] = [
  { path: /^\/etc\/systemd\/network\/40-groundcrew-\w[\w.@+-]{0,30}\.(?:network|netdev)$/, lines: networkd },
  {
    path: /^\/etc\/groundcrew\/dnsmasq\/dnsmasq\.conf$/,
    lines: (line) => DNSMASQ.has(word(line, '=')) || DNSMASQ_FILES.has(line),
  },
  { path: /^\/etc\/groundcrew\/dnsmasq\/(?:hosts\/records|dhcp\/reservations|dhcp\/options)$/, lines: () => true },
  { path: /^\/var\/lib\/groundcrew\/dnsmasq\/leases$/, lines: () => true },
  {
    path: /^\/etc\/groundcrew\/dnsmasq\.d\/network-boot\.conf$/,
    lines: (line) => DNSMASQ_BOOT.has(word(line, '=')) || line === `tftp-root=${TFTP_FOLDER}`,
  },
  // Read by nobody: they say to whoever looks what the folders are for.
  { path: /^\/etc\/groundcrew\/dnsmasq\.d\/README$|^\/var\/lib\/groundcrew\/tftp\/README$/, lines: () => true },
  // Read by the service alone, which may then serve nothing that it could not serve anyway.
  {
    path: /^\/etc\/groundcrew\/(?:network-boot|offline-depot)\/manifest\.json$/,
    lines: () => true,
    long: LONG,
  },
  {
    path: /^\/etc\/groundcrew\/chrony\/chrony\.conf$/,
    lines: (line) => CHRONY.has(word(line, ' ')) || CHRONY_FILES.has(line),
  },
  { path: /^\/etc\/groundcrew\/chrony\/sources\/groundcrew\.sources$/, lines: chronySource },
  // A rule names as many interfaces and networks as there are; nft reads lines of any length.
  {
    path: /^\/etc\/groundcrew\/nftables\/groundcrew\.nft$/,
    lines: (line) => NFT.some((shape) => shape.test(line)),
    long: WIDE,
  },
];

/** Why a file may not be written or removed, in one line; null when it may. Without content only the path counts. */
export function fileRefusal({
  path,
  content,
  mode,
}: Pick<RenderedFile, 'path'> & Partial<RenderedFile>): string | null {
  const known = FILES.find((file) => file.path.test(path));
  if (!known || normalize(path) !== path) return `${path} is no file of a unit`;
  if (mode !== undefined && (mode & ~0o644) !== 0) return `${path} would get mode ${mode.toString(8)}`;
  const at = { section: '' };
  const lines = (content ?? '').split('\n');
  const plain = known.long ?? PLAIN;
  const strange = lines.findIndex((line) => !plain.test(line) || !(COMMENT.test(line) || known.lines(line, at)));
  return strange < 0 ? null : `line ${strange + 1} of ${path} is none that the unit writes`;
}

/** systemd units that are started, stopped and told to reload. */
const SYSTEMD_UNITS = new Set([
  ...['groundcrew-dnsmasq.service', 'groundcrew-chronyd.service', 'systemd-networkd.service'],
  'groundcrew-watchdog.service',
]);
export const daemonRefusal = (unit: string): string | null =>
  SYSTEMD_UNITS.has(unit) ? null : `${unit} is no service of a unit`;

const RULES_FILE = '/etc/groundcrew/nftables/groundcrew.nft';
const CHRONY_SOCKET = '/run/groundcrew/chrony/chronyd.sock';
const OWN_PROGRAM = /^\/usr\/lib\/groundcrew\/dist\/(?:boot|depot|dns|dhcp|ntp)-question\.js$/;
const FIRST_PROGRAMS = ['undionly.kpxe', 'snponly.efi'];
const IPXE_FOLDER = '/usr/lib/ipxe';
const FORWARDING = 'for switch; do echo 0 >"$switch"; done';
const SWITCH = /^\/proc\/sys\/net\/ipv[46]\/(?:ip_forward|conf\/all\/forwarding)$/;
/** A rule that let packets of one interface pass: what shared/units/network/forwarding.ts takes away, and no other. */
const FORMER_RULE = /^-[46] rule del pref 32000 iif \w[\w.@+-]{0,30}$/;

type Permitted = (args: readonly string[], input: string) => boolean;
const exactly =
  (...permitted: string[]): Permitted =>
  (args) =>
    permitted.includes(args.join(' '));

const PROGRAMS: ReadonlyMap<string, Permitted> = new Map<string, Permitted>([
  [
    'ip',
    (args, input) => {
      const text = args.join(' ');
      if (/^(?:-force )?-batch -$/.test(text)) return isBatch(input);
      if (/^link delete dev \w[\w.@+-]*$/.test(text) || FORMER_RULE.test(text)) return true;
      return /^(?:-[jd46] )*(?:addr|link|route|rule) show(?: default)?(?: proto \d+)?$/.test(text);
    },
  ],
  [
    'nft',
    (args, input) => {
      const text = args.join(' ');
      if (text === '-f -' || text === '-c -f -') return fileRefusal({ path: RULES_FILE, content: input }) === null;
      return text === `-f ${RULES_FILE}` || text === '-j list table inet groundcrew';
    },
  ],
  ['networkctl', exactly('reload', 'list --json=short')],
  ['journalctl', exactly('--unit=systemd-networkd --lines=200 --output=cat --no-pager')],
  [
    'chronyc',
    exactly(...['tracking', 'sources -a', 'reload sources'].map((words) => `-c -N -h ${CHRONY_SOCKET} ${words}`)),
  ],
  // Programs that Debian ships, to where TFTP reads them.
  ['install', exactly(`-m 0644 -t ${TFTP_FOLDER} ${FIRST_PROGRAMS.map((name) => `${IPXE_FOLDER}/${name}`).join(' ')}`)],
  ['sync', exactly(FIRST_PROGRAMS.map((name) => `${TFTP_FOLDER}/${name}`).join(' '))],
  ['modprobe', exactly('-n -q 8021q')],
  [
    'test',
    exactly(
      '-e /proc/net/vlan/config',
      ...FIRST_PROGRAMS.flatMap((name) => [`-r ${IPXE_FOLDER}/${name}`, `-s ${TFTP_FOLDER}/${name}`]),
    ),
  ],
  ['cat', (args) => args.every((path) => SWITCH.test(path))],
  [
    'sh',
    ([dash, script, , ...paths]) => dash === '-c' && script === FORWARDING && paths.every((path) => SWITCH.test(path)),
  ],
  ['unshare', isReader],
  // The questions of the probes: they send packets and print what comes back.
  [process.execPath, ([script = '']) => OWN_PROGRAM.test(script)],
]);

/** Why a program may not be run like that, in one line; null when it may. */
export function programRefusal(program: string, args: readonly string[], options: ExecOptions = {}): string | null {
  if (PROGRAMS.get(program)?.(args, options.input ?? '')) return null;
  const line = [program, ...args].join(' ').replace(/[^\x20-\x7e]/g, '?');
  return `${line.slice(0, SHOWN)} is not run by a unit like that`;
}

/** Characters of a refused command line that are told. */
const SHOWN = 120;
