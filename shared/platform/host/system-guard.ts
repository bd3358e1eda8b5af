// What a program of the appliance that runs as root may do to the machine, whoever asks for it: files by their paths and
// the shape of each line, programs by their arguments and input. The database that desired state is read from belongs to
// the service; should that be taken over, this is what remains between it and the machine. Pure.

import type { ExecOptions, RenderedFile } from '../../ground/machine/host.ts';
import type { UnitId } from '../unit-names.ts';
import { isBatch } from './ip-batch.ts';
import { isReader } from './networkd.ts';
import { strangeLine, unitFile } from './unit-files.ts';

/** Why a file may not be written or removed, in one line; null when it may. Without content only the path counts. */
export function fileRefusal({
  path,
  content,
  mode,
}: Pick<RenderedFile, 'path'> & Partial<RenderedFile>): string | null {
  const known = unitFile(path);
  if (!known) return `${shown(path)} is no file of a unit`;
  if (mode !== undefined && (!Number.isInteger(mode) || (mode & ~0o644) !== 0))
    return `${path} would get mode ${mode.toString(8)}`;
  const strange = strangeLine(known, content ?? '');
  return strange === null ? null : `line ${strange} of ${path} is none that the unit writes`;
}

/** Why a file is none that this unit renders, in one line; null when it is one. The content is another question. */
export function pathRefusal(unit: UnitId, path: string): string | null {
  const known = unitFile(path);
  return known?.unit === unit && known.rendered ? null : `${shown(path)} is no file of a unit`;
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
const TFTP_FOLDER = '/var/lib/groundcrew/tftp';
const IPXE_FOLDER = '/usr/lib/ipxe';
const SWITCH = /^\/proc\/sys\/net\/ipv[46]\/(?:ip_forward|conf\/all\/forwarding)$/;
/** A rule that let packets of one interface pass: what shared/platform/network/forwarding.ts takes away, and no other. */
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
  ['tee', (args, input) => input === '0\n' && args.every((path) => SWITCH.test(path))],
  ['unshare', isReader],
  // The questions of the probes: they send packets and print what comes back.
  [process.execPath, ([script = '']) => OWN_PROGRAM.test(script)],
]);

/** Why a program may not be run like that, in one line; null when it may. */
export function programRefusal(program: string, args: readonly string[], options: ExecOptions = {}): string | null {
  if (PROGRAMS.get(program)?.(args, options.input ?? '')) return null;
  return `${shown([program, ...args].join(' '))} is not run by a unit like that`;
}

/** Characters of a refused path or command line that are told. */
const SHOWN = 120;
const shown = (text: string): string =>
  String(text)
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, SHOWN);
