// The iPXE scripts of the console of a booting host. Pure. They use only commands of Debian's iPXE of 2019, and every
// path through them ends at the menu or at the local disk.

export const FIRMWARES = ['efi', 'pcbios'] as const;
/** Values of iPXE's variable `platform`. */
export type Firmware = (typeof FIRMWARES)[number];

/** Seconds without a key after which a console starts the local disk: from the menu, and from the prompt before it. */
const UNTOUCHED = 10;
const POLL_EVERY = 5;
const READ_FOR = 8;

/** Keeps characters without a meaning in iPXE scripts; all others become spaces. */
const say = (text: string): string => text.replaceAll(/[^A-Za-z0-9 .,:()/_-]/g, ' ').slice(0, 72);

const script = (...lines: (string | string[])[]): string => `${['#!ipxe', ...lines.flat()].join('\n')}\n`;

/**
 * BIOS boots its own disk. UEFI goes on with the next entry of its boot order only when this one fails: after a success
 * the boot manager shows its menu (UEFI 2.10, 3.1.1).
 */
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: iPXE's own variables
const DISK = [
  ':disk',
  'echo Starting from the local disk.',
  'iseq ${platform} pcbios && sanboot --no-describe --drive 0x80 ||',
  'exit 1',
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: iPXE's own variables

/** One line on what happened, one on what to do, and back to the menu. */
const messageLines = (label: string, menu: string, ...lines: string[]): string[] => [
  `:${label}`,
  'echo',
  ...lines.map((line) => `echo ${say(line)}`),
  `prompt --timeout ${READ_FOR * 1000} The menu comes back. Press any key to go on. ||`,
  `chain --replace --autofree ${menu} || goto disk`,
];

/** For a first request without the machine's data: iPXE sends it again with the data. */
export function identifyScript(menu: string): string {
  return script(`chain --replace --autofree ${menu}?mac=\${netX/mac:hexhyp}&firmware=\${platform} || goto disk`, DISK);
}

/** For a machine whose data network boot can't use: another request would have the same data again. */
export function unidentifiedScript(): string {
  return script(
    'echo',
    'echo Network boot needs a MAC address, and a firmware that is efi or pcbios.',
    'echo This machine sent something else.',
    DISK,
  );
}

export interface Menu {
  /** `Install esx01.lab.example with ESXi 9.0`; null: only the disk can be chosen. */
  entry: string | null;
  reason?: ConsoleRefusal;
  title: string;
  /** URLs with the machine's own query. */
  start: string;
  menu: string;
  /** The host was installed from here: it boots from its disk, and shows the menu only after a key. */
  installed: boolean;
}

export function menuScript({ entry, reason, title, start, menu, installed }: Menu): string {
  return script(
    installed
      ? [
          `echo ${say(title)} was installed from here.`,
          `prompt --key m --timeout ${UNTOUCHED * 1000} Press m for the menu. && goto menu || goto disk`,
          ':menu',
        ]
      : [],
    `menu Groundcrew network boot - ${say(title)}`,
    entry === null
      ? CONSOLE_REFUSALS[reason ?? 'unknown'].map((line) => `item --gap -- ${say(line)}`)
      : ['item --gap -- Assigned to this host', `item --key i install ${say(entry)}`],
    'item --gap -- Exit',
    `item --key d disk Start from the local disk (in ${UNTOUCHED} seconds)`,
    `choose --default disk --timeout ${UNTOUCHED * 1000} chosen || goto disk`,
    `goto \${chosen}`,
    ':install',
    `chain --replace --autofree ${start} || goto refused`,
    messageLines(
      'refused',
      menu,
      'Network boot refused this choice.',
      'Look at the page Waiting to boot, then choose again.',
    ),
    DISK,
  );
}

export interface Waiting {
  /** `ABCD-EFGH` */
  code: string;
  hostname: string;
  /** Seconds. */
  left: number;
  poll: string;
  menu: string;
}

/** Printed again at every poll, so that the code does not scroll away. */
export function waitingScript({ code, hostname, left, poll, menu }: Waiting): string {
  const minutes = Math.max(1, Math.ceil(left / 60));
  return script(
    'echo',
    `echo Host:      ${say(hostname)}`,
    `echo Boot code: ${code}`,
    `echo Time left: ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
    'echo Authorize this boot with the code on the page Waiting to boot.',
    `prompt --key c --timeout ${POLL_EVERY * 1000} Press c to cancel. && goto cancelled ||`,
    `chain --replace --autofree ${poll} || goto lost`,
    messageLines(
      'lost',
      menu,
      'Network boot does not answer, or does not know this attempt any more.',
      'Choose again.',
    ),
    messageLines('cancelled', menu, 'Cancelled. The code is of no use any more once you choose again.'),
    DISK,
  );
}

export interface Issued {
  hostname: string;
  firmware: Firmware;
  /** URL of the attempt's folder, with a slash at the end. */
  folder: string;
  /** File of the medium for this firmware. */
  loader: string;
  config: string;
  menu: string;
}

/**
 * Starts the loader of the firmware after the authorization. A loader that is an iPXE script finds its boot.cfg in
 * `config`.
 */
export function issuedScript({ hostname, firmware, folder, loader, config, menu }: Issued): string {
  return script(
    'echo',
    `echo Authorized. Starting the installer of ${say(hostname)}.`,
    `set config ${folder}${config}`,
    // Options of pxelinux: its configuration, and the folder of all that it names.
    firmware === 'pcbios' ? ['set 209:string pxelinux.cfg', `set 210:string ${folder}`] : [],
    `chain ${folder}${loader} -c ${folder}${config} ||`,
    messageLines('failed', menu, 'The loader did not start.', 'Choose again to get a new code.'),
    DISK,
  );
}

/** Refusals, in words for the console. */
export const CONSOLE_REFUSALS = {
  'not-applied': ['Network boot is not applied on this appliance.', 'Apply it, then choose again.'],
  unknown: ['This machine is not known here.', 'Add its MAC address to the hosts and apply network boot.'],
  incomplete: ['This host has no Kickstart or no installer medium.', 'Give it both and apply network boot.'],
  firmware: ['The installer medium has no loader for this firmware.', 'Use the other boot mode.'],
  drift: ['The saved settings of this host differ from the applied ones.', 'Apply network boot, then choose again.'],
  'too-often': ['Too many attempts of this host in a short time.', 'Wait ten minutes, then choose again.'],
  authorized: [
    'A boot of this host was authorized for another address just now.',
    'Wait until it ends, or have it revoked, then choose again.',
  ],
  'time-over': ['Ten minutes are over.', 'Choose again to get a new code.'],
  superseded: ['A later attempt of this host took the place of this one.', 'Choose again to get a new code.'],
  'wrong-codes': ['Five wrong codes were entered.', 'Choose again to get a new code.'],
  revoked: ['An operator revoked this attempt.', 'Ask them, then choose again.'],
  mismatch: ['This attempt was ended, because its authorization was shown by something else.', 'Tell an operator.'],
  'applied-changed': ['Network boot was applied anew with other settings of this host.', 'Choose again.'],
  unrenderable: ['The Kickstart of this host could not be made.', 'Tell an operator.'],
  'vault-value': ['The Kickstart of this host could not be made.', 'Tell an operator.'],
  retrieved: ['This attempt was used already.', 'Choose again to install once more.'],
} as const satisfies Record<string, readonly [string, string]>;
export type ConsoleRefusal = keyof typeof CONSOLE_REFUSALS;

/** One line on what happened, one on what to do, and back to the menu. */
export function refusalScript(reason: ConsoleRefusal, menu: string): string {
  return script(messageLines('told', menu, ...CONSOLE_REFUSALS[reason]), DISK);
}
