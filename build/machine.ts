// What suites need from the machine, how to see whether it is there, and the Debian package that brings it.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

export type Need =
  | 'ip'
  | 'dnsmasq'
  | 'chronyd'
  | 'nft'
  | 'slapd'
  | 'ganesha'
  | 'libnfs'
  | 'networkd'
  | 'systemctl'
  | 'dig'
  | 'curl'
  | 'ping'
  | 'procps'
  | 'kmod'
  | 'openssl'
  | 'certtool'
  | 'certutil'
  | 'pykmip'
  | 'apache'
  | 'age'
  | 'rsyslog'
  | 'aiosmtpd'
  | 'promtool'
  | 'sshd'
  | 'busybox'
  | 'dhclient'
  | 'chromium'
  | 'chromium-shell'
  | 'wrk'
  | 'nginx'
  | 'fastapi'
  | 'ipxe'
  | 'govmomi'
  | 'ovmf'
  | 'installer'
  | 'cpio'
  | 'mke2fs'
  | 'xfs'
  | 'mmdebstrap'
  | 'qemu'
  | 'recording'
  | 'namespaces';

interface Provision {
  /** Packages, separated by blanks. Null: nothing to install, the machine allows it or doesn't. */
  debian: string | null;
  /** What they bring and somebody calls: a test compares it with the calls in the source. */
  programs?: readonly string[];
  /** Files that somebody reads. A star at the end: whatever begins like that. */
  files?: readonly string[];
  allowed?(): boolean;
}

export const NEEDS: Readonly<Record<Need, Provision>> = {
  ip: { debian: 'iproute2', programs: ['ip', 'ss'] },
  dnsmasq: { debian: 'dnsmasq-base', programs: ['dnsmasq'] },
  chronyd: { debian: 'chrony', programs: ['chronyd', 'chronyc'] },
  nft: { debian: 'nftables', programs: ['nft'] },
  slapd: {
    debian: 'slapd ldap-utils',
    programs: ['slapd', 'slapadd', 'slapcat', 'ldapsearch', 'ldapmodify', 'ldapwhoami'],
  },
  // The NFS server of a namespace, with the port mapper that NFS 3 wants.
  // rpcbind looks its own port up by name, which is in a file that its package does not ask for.
  ganesha: {
    debian: 'nfs-ganesha nfs-ganesha-vfs rpcbind netbase',
    programs: ['ganesha.nfsd', 'rpcbind'],
    files: ['/etc/services'],
  },
  libnfs: { debian: 'libnfs-utils', programs: ['nfs-ls', 'nfs-cp'] },
  // Its reload goes over a bus, which each namespace gets for itself.
  networkd: {
    debian: 'systemd dbus-daemon',
    programs: ['networkctl', 'busctl', 'journalctl', 'dbus-daemon'],
    files: ['/lib/systemd/systemd-networkd'],
  },
  systemctl: { debian: 'systemd', programs: ['systemctl', 'systemd-analyze'] },
  busybox: { debian: 'busybox-static', programs: ['busybox'] },
  dhclient: { debian: 'isc-dhcp-client', programs: ['dhclient'] },
  openssl: { debian: 'openssl', programs: ['openssl'] },
  certutil: { debian: 'libnss3-tools', programs: ['certutil'] },
  certtool: { debian: 'gnutls-bin', programs: ['certtool', 'ocsptool'] },
  // PyKMIP's client. It runs under the distribution's Python, whichever else there is.
  pykmip: {
    debian: 'python3-pykmip',
    programs: ['python3'],
    files: ['/usr/lib/python3/dist-packages/kmip/__init__.py'],
  },
  // With its module for signing in by OpenID Connect.
  apache: {
    debian: 'apache2-bin libapache2-mod-auth-openidc',
    programs: ['apache2'],
    files: ['/usr/lib/apache2/modules/mod_auth_openidc.so'],
  },
  age: { debian: 'age', programs: ['age'] },
  // Receivers of alerts: a syslog server with TLS, and a mail server with STARTTLS and a login.
  rsyslog: {
    debian: 'rsyslog rsyslog-gnutls',
    programs: ['rsyslogd'],
    files: ['/var/lib/dpkg/info/rsyslog-gnutls.list'],
  },
  aiosmtpd: {
    debian: 'python3-aiosmtpd',
    programs: ['python3'],
    files: ['/usr/lib/python3/dist-packages/aiosmtpd/__init__.py'],
  },
  promtool: { debian: 'prometheus', programs: ['promtool'] },
  sshd: { debian: 'openssh-server', programs: ['sshd', 'ssh-keygen'] },
  dig: { debian: 'bind9-dnsutils', programs: ['dig'] },
  curl: { debian: 'curl', programs: ['curl'] },
  ping: { debian: 'iputils-ping', programs: ['ping'] },
  procps: { debian: 'procps', programs: ['ps', 'sysctl'] },
  kmod: { debian: 'kmod', programs: ['modprobe'] },
  chromium: { debian: 'chromium', programs: ['chromium'] },
  'chromium-shell': { debian: 'chromium-headless-shell', programs: ['chromium-headless-shell'] },
  nginx: { debian: 'nginx-light', programs: ['nginx'] },
  fastapi: { debian: 'python3-fastapi uvicorn', files: ['/usr/lib/python3/dist-packages/fastapi/__init__.py'] },
  ipxe: { debian: 'ipxe', files: ['/usr/lib/ipxe/snponly.efi'] },
  govmomi: {
    debian: 'golang-go golang-github-vmware-govmomi-dev',
    programs: ['go'],
    files: ['/usr/share/gocode/src/github.com/vmware/govmomi/simulator'],
  },
  ovmf: { debian: 'ovmf', files: ['/usr/share/OVMF/OVMF_CODE_4M.fd'] },
  // In place of an installer: a kernel, and a static busybox packed with cpio.
  installer: {
    debian: 'linux-image-cloud-amd64 busybox-static cpio',
    programs: ['busybox', 'cpio'],
    files: ['/boot/vmlinuz-*'],
  },
  cpio: { debian: 'cpio', programs: ['cpio'] },
  mke2fs: { debian: 'e2fsprogs', programs: ['mke2fs', 'mkfs.ext4', 'resize2fs'] },
  xfs: { debian: 'xfsprogs', programs: ['mkfs.xfs', 'xfs_growfs'] },
  mmdebstrap: { debian: 'mmdebstrap', programs: ['mmdebstrap'] },
  qemu: { debian: 'qemu-system-x86 ipxe-qemu seabios', programs: ['qemu-system-x86_64'] },
  // A disk whose writes are recorded.
  recording: {
    debian: 'qemu-system-common',
    programs: ['qemu-storage-daemon'],
    files: ['/dev/fuse'],
  },
  wrk: { debian: 'wrk', programs: ['wrk'] },
  namespaces: { debian: null, allowed: () => spawnSync('unshare', ['--net', 'true']).status === 0 },
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

function onDisk(file: string): boolean {
  if (!file.endsWith('*')) return existsSync(file);
  const folder = dirname(file);
  return existsSync(folder) && readdirSync(folder).some((name) => join(folder, name).startsWith(file.slice(0, -1)));
}

export const missingOf = (needs: readonly Need[]): Need[] =>
  needs.filter((need) => {
    const { programs = [], files = [], allowed } = NEEDS[need];
    return !(programs.every(onPath) && files.every(onDisk) && (allowed?.() ?? true));
  });

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
  const packages = [...new Set(missing.flatMap((need) => NEEDS[need].debian?.split(' ') ?? []))];
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
