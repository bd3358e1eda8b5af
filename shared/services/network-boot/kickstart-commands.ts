// The commands and sections of an ESXi Kickstart, and their words that may be shown. A secret could be anywhere in a
// text, so only words that match these patterns are shown; all others are hidden.

/** Words of a command that are shown: options with values that match, and words without dashes. */
export interface KnownCommand {
  /** Option → pattern of values that are shown; null: the option has no value. */
  options: Readonly<Record<string, RegExp | null>>;
  /** Pattern of words without dashes that are shown. */
  words?: RegExp;
}

const DISK = /^(?:local|remote|usb|esx|nvme|ssd)(?:,(?:local|remote|usb|esx|nvme|ssd))*$/;
const DISK_NAME = /^(?:mpx|vmhba\d+):[A-Z0-9:]{1,24}$/;
const ADDRESS = /^[0-9a-f.:]{2,39}$/i;
const ADDRESSES = /^"?[0-9a-f.:]{2,39}(?:,[0-9a-f.:]{2,39})*"?$/i;
const NUMBER = /^\d{1,6}$/;
const DEVICE = /^(?:vmnic\d{1,3}|(?:[0-9a-f]{2}:){5}[0-9a-f]{2})$/i;

/** Matches nothing: only a marker in its place is shown. */
const ONLY_MARKED = /^(?!)/;

const DISKS = { '--firstdisk': DISK, '--disk': DISK_NAME, '--drive': DISK_NAME };
const INSTALLING: KnownCommand = {
  options: {
    ...DISKS,
    '--ignoressd': null,
    '--overwritevmfs': null,
    '--preservevmfs': null,
    '--novmfsondisk': null,
    '--forceunsupportedinstall': null,
  },
};
const BARE: KnownCommand = { options: {} };

export const COMMANDS: Readonly<Record<string, KnownCommand>> = {
  vmaccepteula: BARE,
  accepteula: BARE,
  install: INSTALLING,
  upgrade: INSTALLING,
  installorupgrade: INSTALLING,
  clearpart: {
    options: { '--alldrives': null, '--overwritevmfs': null, '--firstdisk': DISK, '--drives': DISK_NAME },
  },
  part: { options: { '--onfirstdisk': DISK, '--ondisk': DISK_NAME } },
  partition: { options: { '--onfirstdisk': DISK, '--ondisk': DISK_NAME } },
  rootpw: { options: { '--iscrypted': null } },
  network: {
    options: {
      '--bootproto': /^(?:dhcp|static)$/,
      '--device': DEVICE,
      '--hostname': ONLY_MARKED,
      '--ip': ADDRESS,
      '--netmask': ADDRESS,
      '--gateway': ADDRESS,
      '--nameserver': ADDRESSES,
      '--vlanid': NUMBER,
      '--addvmportgroup': /^(?:[01]|true|false)$/,
    },
  },
  keyboard: { options: {}, words: /^'?(?:US Default|US|German|French|UK|Japanese)'?$/ },
  serialnum: BARE,
  vmserialnum: BARE,
  reboot: { options: { '--noeject': null } },
  dryrun: BARE,
  paranoid: BARE,
  include: BARE,
  '%include': BARE,
};

/** Exactly one of them is required. */
export const INSTALLS: readonly string[] = ['install', 'upgrade', 'installorupgrade'];

/** Scripts that follow the commands. */
export const SECTIONS: readonly string[] = ['%pre', '%post', '%firstboot'];
const SECTION_OPTIONS: Readonly<Record<string, RegExp>> = {
  '--interpreter': /^(?:busybox|python)$/,
  '--timeout': NUMBER,
  '--ignorefailure': /^(?:true|false)$/,
};

const HIDDEN = '[hidden]';

/** A command line without the words that match no pattern. Markers in `line` are masked already. */
export function shownLine(line: string): string {
  const [command = '', ...words] = line.trim().split(/\s+/);
  const section = SECTIONS.includes(command);
  const known = Object.hasOwn(COMMANDS, command.toLowerCase()) ? COMMANDS[command.toLowerCase()] : undefined;
  if (!known && !section) return HIDDEN;
  const options = section ? SECTION_OPTIONS : known!.options;
  return [command, ...words.map((word) => shownWord(word, options, known?.words))].join(' ');
}

/** A masked marker: `[host-hostname]`, `[variable-root_password]`, `[vault-lab.esx01.root]`. */
const MARKED = /^"?\[(?:(?:host|variable)-[a-z0-9_]+|vault-[a-z0-9_.-]+)\]"?$/;

function shownWord(word: string, options: KnownCommand['options'], words: RegExp | undefined): string {
  if (MARKED.test(word)) return word;
  const cut = word.indexOf('=');
  const name = cut < 0 ? word : word.slice(0, cut);
  if (!Object.hasOwn(options, name)) return words?.test(word) ? word : HIDDEN;
  if (cut < 0) return name;
  const value = word.slice(cut + 1);
  return MARKED.test(value) || options[name]?.test(value) ? word : `${name}=${HIDDEN}`;
}
