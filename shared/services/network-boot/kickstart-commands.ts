// The commands and sections of an ESXi Kickstart: which there are, and which of their words may be shown. Nobody can know
// where a text holds a secret, so only words of these shapes are ever shown again; all others are hidden.

/** Words that show of a command: options with values of these shapes, and bare words. */
export interface KnownCommand {
  /** Option → what its value has to look like to be shown; null: it has none. */
  options: Readonly<Record<string, RegExp | null>>;
  /** Words without dashes that show. */
  words?: RegExp;
}

const DISK = /^(?:local|remote|usb|esx|nvme|ssd)(?:,(?:local|remote|usb|esx|nvme|ssd))*$/;
const DISK_NAME = /^(?:mpx|vmhba\d+):[A-Z0-9:]{1,24}$/;
const ADDRESS = /^[0-9a-f.:]{2,39}$/i;
const ADDRESSES = /^"?[0-9a-f.:]{2,39}(?:,[0-9a-f.:]{2,39})*"?$/i;
const NUMBER = /^\d{1,6}$/;
const DEVICE = /^(?:vmnic\d{1,3}|(?:[0-9a-f]{2}:){5}[0-9a-f]{2})$/i;

/** Shown where a marker stands for it. */
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

/** One of them has to be there, and only one. */
export const INSTALLS: readonly string[] = ['install', 'upgrade', 'installorupgrade'];

/** Scripts that follow the commands. */
export const SECTIONS: readonly string[] = ['%pre', '%post', '%firstboot'];
const SECTION_OPTIONS: Readonly<Record<string, RegExp>> = {
  '--interpreter': /^(?:busybox|python)$/,
  '--timeout': NUMBER,
  '--ignorefailure': /^(?:true|false)$/,
};

const HIDDEN = '[hidden]';

/** A line of commands with everything hidden that is not of a known shape. `line` has its markers masked already. */
export function shownLine(line: string): string {
  const [command = '', ...words] = line.trim().split(/\s+/);
  const section = SECTIONS.includes(command);
  const known = Object.hasOwn(COMMANDS, command.toLowerCase()) ? COMMANDS[command.toLowerCase()] : undefined;
  if (!known && !section) return HIDDEN;
  const options = section ? SECTION_OPTIONS : known!.options;
  return [command, ...words.map((word) => shownWord(word, options, known?.words))].join(' ');
}

/** What stands for a marker: `[host-hostname]`, `[variable-root_password]`, `[vault-lab.esx01.root]`. */
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
