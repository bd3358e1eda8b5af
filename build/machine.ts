// What suites need from the machine, how to see whether it is there, and the Debian package that brings it.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export type Need =
  | 'ip'
  | 'dnsmasq'
  | 'chronyd'
  | 'nft'
  | 'networkd'
  | 'dig'
  | 'curl'
  | 'ping'
  | 'procps'
  | 'kmod'
  | 'openssl'
  | 'busybox'
  | 'dhclient'
  | 'chromium'
  | 'chromium-shell'
  | 'wrk'
  | 'nginx'
  | 'ipxe'
  | 'govmomi'
  | 'ovmf'
  | 'installer'
  | 'cpio'
  | 'mke2fs'
  | 'mmdebstrap'
  | 'qemu'
  | 'namespaces';

interface Provision {
  /** Packages, separated by blanks. Null: nothing to install, the machine allows it or doesn't. */
  debian: string | null;
  present(): boolean;
}

const NEEDS: Readonly<Record<Need, Provision>> = {
  ip: { debian: 'iproute2', present: () => onPath('ip') },
  dnsmasq: { debian: 'dnsmasq-base', present: () => onPath('dnsmasq') },
  chronyd: { debian: 'chrony', present: () => onPath('chronyd') && onPath('chronyc') },
  nft: { debian: 'nftables', present: () => onPath('nft') },
  // Its reload goes over a bus, which each namespace gets for itself.
  networkd: { debian: 'systemd dbus-daemon', present: () => onPath('networkctl') && onPath('dbus-daemon') },
  busybox: { debian: 'busybox-static', present: () => onPath('busybox') },
  dhclient: { debian: 'isc-dhcp-client', present: () => onPath('dhclient') },
  openssl: { debian: 'openssl', present: () => onPath('openssl') },
  dig: { debian: 'bind9-dnsutils', present: () => onPath('dig') },
  curl: { debian: 'curl', present: () => onPath('curl') },
  ping: { debian: 'iputils-ping', present: () => onPath('ping') },
  procps: { debian: 'procps', present: () => onPath('ps') && onPath('sysctl') },
  kmod: { debian: 'kmod', present: () => onPath('modprobe') },
  chromium: { debian: 'chromium', present: () => onPath('chromium') },
  'chromium-shell': { debian: 'chromium-headless-shell', present: () => onPath('chromium-headless-shell') },
  nginx: { debian: 'nginx-light', present: () => onPath('nginx') },
  ipxe: { debian: 'ipxe', present: () => existsSync('/usr/lib/ipxe/snponly.efi') },
  govmomi: {
    debian: 'golang-go golang-github-vmware-govmomi-dev',
    present: () => onPath('go') && existsSync('/usr/share/gocode/src/github.com/vmware/govmomi/simulator'),
  },
  ovmf: { debian: 'ovmf', present: () => existsSync('/usr/share/OVMF/OVMF_CODE_4M.fd') },
  // What stands for an installer: a kernel, and a static busybox packed with cpio.
  installer: {
    debian: 'linux-image-cloud-amd64 busybox-static cpio',
    present: () => onPath('cpio') && readdirSync('/boot').some((name) => name.startsWith('vmlinuz-')),
  },
  cpio: { debian: 'cpio', present: () => onPath('cpio') },
  mke2fs: { debian: 'e2fsprogs', present: () => onPath('mke2fs') },
  mmdebstrap: { debian: 'mmdebstrap', present: () => onPath('mmdebstrap') },
  qemu: { debian: 'qemu-system-x86 ipxe-qemu seabios', present: () => onPath('qemu-system-x86_64') },
  wrk: { debian: 'wrk', present: () => onPath('wrk') },
  namespaces: { debian: null, present: () => spawnSync('unshare', ['--net', 'true']).status === 0 },
};

/** Daemons live in sbin, which an ordinary user's PATH often lacks. */
function onPath(program: string): boolean {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin'];
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false; // not there or not executable: look on
    }
  });
}

export const missingOf = (needs: readonly Need[]): Need[] => needs.filter((need) => !NEEDS[need].present());

/** `dnsmasq (Debian package dnsmasq-base)`. */
export function describeNeed(need: Need): string {
  const { debian } = NEEDS[need];
  return debian ? `${need} (Debian package ${debian})` : `${need} (the right to make them)`;
}

/**
 * Installs the packages of missing needs when this is root on Debian; answers what is missing afterwards.
 * Prints what it does; a failing installation isn't an error here, what it should have brought stays missing.
 */
export function install(missing: readonly Need[]): Need[] {
  const packages = missing.flatMap((need) => NEEDS[need].debian?.split(' ') ?? []);
  if (packages.length === 0 || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return [...missing];
  console.log(`installing ${packages.join(', ')}`);
  const wait = ['-o', 'DPkg::Lock::Timeout=500'];
  for (const args of [
    [...wait, 'update'],
    [...wait, 'install', '-y', '--no-install-recommends', ...packages],
  ]) {
    const { status, stderr, error } = spawnSync('apt-get', args, {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      maxBuffer: 64 * 1024 * 1024,
    });
    if (status !== 0) console.log(`apt-get ${args.join(' ')} failed:\n${error?.message ?? stderr}`);
  }
  return missingOf(missing);
}
