// A machine that boots over the network for real: qemu in software, with Debian's iPXE in its network card, a local disk,
// and its console on a serial line that the test reads and types on. And what stands for an ESXi installer: a Linux
// kernel whose only program reads boot.cfg as mboot would and fetches its Kickstart as the installer would.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type MachineFirmware = 'bios' | 'uefi';

const PAUSE = 100;
const OVMF = '/usr/share/OVMF';

/** Firmware tries PXE over each family in turn before it goes on; one is enough here. */
const ONLY_IPV4 = ['-fw_cfg', 'name=opt/org.tianocore/IPv6PXESupport,string=no'];

/** What a disk says when it is started: by its boot record, or by the script that the firmware's shell runs. */
export const DISK_STARTED = 'LOCAL DISK STARTED';

/** A boot record that prints a line by the firmware's own call (INT 10h, 0Eh) and halts. */
function bootRecord(): Buffer {
  const sector = Buffer.alloc(512);
  // xor ax,ax; mov ds,ax; mov si,7C15h; lodsb; or al,al; jz halt; mov ah,0Eh; int 10h; jmp lodsb; hlt; jmp hlt
  Buffer.from('31c08ed8be157cac08c07406b40ecd10ebf5f4ebfd', 'hex').copy(sector);
  sector.write(`\r\n${DISK_STARTED}\r\n\0`, 21, 'latin1');
  sector.writeUInt16LE(0xaa55, 510);
  return sector;
}

export interface MachineOptions {
  firmware: MachineFirmware;
  namespace: string;
  tap: string;
  mac: string;
  /** Where its disk and its firmware's variables are kept from one boot to the next, and what its console showed. */
  folder: string;
}

export class BootMachine {
  readonly #qemu: ChildProcess;
  readonly #firmware: MachineFirmware;
  #screen = '';
  /** What was read already: waiting goes on behind it. */
  #seen = 0;

  constructor({ firmware, namespace, tap, mac, folder }: MachineOptions) {
    this.#firmware = firmware;
    mkdirSync(folder, { recursive: true });
    const disk = firmware === 'bios' ? biosDisk(folder) : uefiDisk(folder);
    const variables = join(folder, 'vars.fd');
    if (firmware === 'uefi' && !existsSync(variables)) copyFileSync(`${OVMF}/OVMF_VARS_4M.fd`, variables);
    const flash = (file: string, more = '') => ['-drive', `if=pflash,format=raw,file=${file}${more}`];
    // What a newer processor has besides is slow in software.
    this.#qemu = spawn(
      'ip',
      [
        ...['netns', 'exec', namespace, 'qemu-system-x86_64', '-M', 'q35,accel=tcg', '-cpu', 'Nehalem', '-m', '512'],
        ...['-display', 'none', '-serial', 'stdio', '-monitor', 'none', '-no-reboot'],
        ...['-netdev', `tap,id=n0,ifname=${tap},script=no,downscript=no`],
        ...['-device', `virtio-net-pci,netdev=n0,mac=${mac},bootindex=1`],
        ...['-drive', `${disk},if=none,id=d0`, '-device', 'virtio-blk-pci,drive=d0,bootindex=2'],
        ...(firmware === 'bios'
          ? ['-machine', 'graphics=off']
          : [...ONLY_IPV4, ...flash(`${OVMF}/OVMF_CODE_4M.fd`, ',readonly=on'), ...flash(variables)]),
      ],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    );
    for (const stream of [this.#qemu.stdout!, this.#qemu.stderr!]) {
      stream.on('data', (data: Buffer) => {
        this.#screen += data.toString('latin1');
        appendFileSync(join(folder, 'console.txt'), data);
      });
    }
  }

  get #ended(): boolean {
    return this.#qemu.exitCode !== null || this.#qemu.signalCode !== null;
  }

  /** All that the console showed, without its cursor's movements. */
  get text(): string {
    // biome-ignore-start lint/suspicious/noControlCharactersInRegex: terminal sequences begin with one.
    // SeaBIOS at times sends a letter twice, and takes the second one back by a movement.
    const once = this.#firmware === 'bios' ? this.#screen.replaceAll(/(.)\1\x1b\[\d+;(?!1H)\d+H/g, '$1') : this.#screen;
    return once.replaceAll(/\x1b\[[0-9;?=]*[A-Za-z]/g, '').replaceAll(/\x1bc|\r|\x00/g, '');
    // biome-ignore-end lint/suspicious/noControlCharactersInRegex: terminal sequences begin with one.
  }

  /** Waits for a text that was not waited for before. @throws Error with the end of the screen when it does not come. */
  async see(wanted: RegExp, limit: number): Promise<RegExpExecArray> {
    for (let waited = 0; waited < limit; waited += PAUSE) {
      const { text } = this;
      const found = wanted.exec(text.slice(this.#seen));
      if (found) {
        this.#seen += found.index + found[0].length;
        return found;
      }
      if (this.#ended) break;
      await new Promise((done) => setTimeout(done, PAUSE));
    }
    throw new Error(`the console did not show ${wanted} in ${limit} ms: …${this.text.slice(-6_000)}`);
  }

  type(keys: string): void {
    this.#qemu.stdin!.write(keys);
  }

  async end(): Promise<void> {
    if (this.#ended) return;
    const ended = new Promise((done) => this.#qemu.once('exit', done));
    this.#qemu.kill('SIGKILL');
    await ended;
  }
}

function biosDisk(folder: string): string {
  const file = join(folder, 'disk.img');
  if (!existsSync(file)) writeFileSync(file, Buffer.concat([bootRecord(), Buffer.alloc((1 << 20) - 512)]));
  return `file=${file},format=raw`;
}

/** A FAT file system made of a folder; without a loader of its own, the firmware's shell runs its script. */
function uefiDisk(folder: string): string {
  const files = join(folder, 'disk');
  mkdirSync(files, { recursive: true });
  writeFileSync(join(files, 'startup.nsh'), `@echo -off\r\necho ${DISK_STARTED}\r\n`);
  return `file=fat:rw:${files},format=raw`;
}

const APPLETS = [
  'sh',
  'mount',
  'insmod',
  'ip',
  'udhcpc',
  'wget',
  'echo',
  'cat',
  'sleep',
  'poweroff',
  'sed',
  'tr',
  'wc',
  'grep',
  'stty',
];
/** In the order in which they are loaded. */
const DRIVERS = [
  ...[
    'virtio/virtio_ring',
    'virtio/virtio',
    'virtio/virtio_pci_modern_dev',
    'virtio/virtio_pci_legacy_dev',
    'virtio/virtio_pci',
  ],
];
const NET_DRIVERS = ['net/core/failover', 'drivers/net/net_failover', 'drivers/net/virtio_net'];

/**
 * The installer's one program. It reads boot.cfg twice, as mboot may, fetches what boot.cfg names from where it says, and
 * then the Kickstart, once and once more. `ks=` is only ever in boot.cfg.
 */
const INSTALLER = `#!/bin/sh
export PATH=/bin; mount -t proc p /proc; mount -t sysfs s /sys; mount -t devtmpfs d /dev
for m in virtio_ring virtio virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci failover net_failover virtio_net; do [ -f /m/$m.ko ] && insmod /m/$m.ko; done
ip link set eth0 up; udhcpc -i eth0 -q -n -f -s /etc/udhcpc.sh -t 10 -T 1
CONFIG=$(sed -n 's/.* config=\\([^ ]*\\).*/\\1/p' /proc/cmdline)
wget -q -O /tmp/boot.cfg "$CONFIG" && wget -q -O /tmp/again.cfg "$CONFIG" && echo "INSTALLER: CONFIG READ"
PREFIX=$(sed -n 's/^prefix=//p' /tmp/boot.cfg)
for f in $(sed -n 's/^modules=//p; s/^kernel=//p' /tmp/boot.cfg | tr -d '-'); do wget -q -O /tmp/module "$PREFIX/$f" && echo "INSTALLER: MODULE $f $(wc -c < /tmp/module)"; done
KS=$(sed -n 's/.*ks=\\([^ ]*\\).*/\\1/p' /tmp/boot.cfg)
wget -q -O /tmp/ks "$KS" && { echo "INSTALLER: KS OK"; cat /tmp/ks; echo "INSTALLER: KS END"; } || echo "INSTALLER: KS FAILED"
wget -q -O /tmp/ks2 "$KS" && echo "INSTALLER: SECOND FETCH TAKEN" || echo "INSTALLER: SECOND FETCH REFUSED"
# The kernel's last words would be mixed with its own: a change of the terminal waits until all of them have left.
stty -echo; sleep 1; poweroff -f
`;
const LEASE = `#!/bin/sh
[ "$1" = bound ] && { ip addr add $ip/$mask dev $interface; [ -n "$router" ] && ip route add default via $router; }
exit 0
`;

/**
 * Stands for mboot on both firmwares: a script that iPXE starts in its place. It tells the kernel where boot.cfg is.
 */
const LOADER = `#!ipxe
kernel b.b00 initrd=k.b00 console=ttyS0 quiet mitigations=off config=\${config}
initrd k.b00
boot
`;

/** Writes a folder like an unpacked installer's image. */
export function makeInstaller(folder: string): void {
  const root = mkdtempSync(join(tmpdir(), 'groundcrew-installer-'));
  const [version = ''] = readdirSync('/lib/modules').sort().reverse();
  const modules = `/lib/modules/${version}/kernel`;
  for (const name of ['bin', 'dev', 'proc', 'sys', 'etc', 'tmp', 'm']) mkdirSync(join(root, name));
  copyFileSync('/bin/busybox', join(root, 'bin/busybox'));
  for (const applet of APPLETS) symlinkSync('busybox', join(root, 'bin', applet));
  for (const driver of [...DRIVERS.map((name) => `drivers/${name}`), ...NET_DRIVERS]) {
    const file = `${modules}/${driver}.ko`;
    if (existsSync(file)) cpSync(file, join(root, 'm', `${driver.split('/').at(-1)}.ko`));
  }
  writeFileSync(join(root, 'init'), INSTALLER);
  writeFileSync(join(root, 'etc/udhcpc.sh'), LEASE);
  for (const program of ['init', 'etc/udhcpc.sh']) chmodSync(join(root, program), 0o755);
  mkdirSync(folder, { recursive: true });
  execFileSync('sh', ['-c', 'find . | cpio -o -H newc --quiet | gzip -1 > "$1"', 'sh', join(folder, 'k.b00')], {
    cwd: root,
  });
  copyFileSync(`/boot/vmlinuz-${version}`, join(folder, 'b.b00'));
  for (const loader of ['mboot.efi', 'pxelinux.0']) writeFileSync(join(folder, loader), LOADER);
  const config =
    'title=Loading Synthetic ESXi installer\ntimeout=1\nprefix=\nkernel=/b.b00\nkernelopt=cdromBoot\nmodules=/k.b00\n';
  writeFileSync(join(folder, 'boot.cfg'), config);
  rmSync(root, { recursive: true });
}
