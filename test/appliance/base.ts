// The Debian base of the appliance image, and of clients: made once by mmdebstrap and kept outside of the repository, named by
// the digest of what it is made from.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const RELEASE = 'bookworm';
const PACKAGES = [
  ...['systemd', 'systemd-sysv', 'udev', 'dbus', 'kmod', 'iproute2', 'linux-image-cloud-amd64'],
  ...['dnsmasq-base', 'chrony', 'slapd', 'ldap-utils', 'nftables', 'openssl', 'ipxe'],
];
/** Of an appliance with a web terminal. */
export const WITH_SSHD: readonly string[] = [...PACKAGES, 'openssh-server'];
export const APPLIANCE_PACKAGES: readonly string[] = PACKAGES;
const OPTIONS = [
  '--variant=apt',
  '--aptopt=Apt::Install-Recommends "false"',
  ...['doc', 'locale', 'man'].map((folder) => `--dpkgopt=path-exclude=/usr/share/${folder}/*`),
  // The kernel's own choice of modules would be taken from the machine that makes the image.
  '--essential-hook=mkdir -p "$1/etc/initramfs-tools/conf.d"',
  '--essential-hook=printf "MODULES=list\\n" > "$1/etc/initramfs-tools/conf.d/appliance"',
  '--essential-hook=printf "virtio_pci\\nvirtio_blk\\next4\\n" > "$1/etc/initramfs-tools/modules"',
];
/** Milliseconds after which it is taken to hang: on a busy machine that never made one it took more than four minutes. */
const LIMIT = 1_200_000;

export interface Base {
  /** Path of the tar archive. */
  archive: string;
  /** Seconds that making it took; 0 when it was there. */
  seconds: number;
}

/** `packages`: of another machine than the appliance. @throws Error with the end of mmdebstrap's log. */
export function debianBase(packages: readonly string[] = PACKAGES): Base {
  const digest = createHash('sha256')
    .update(JSON.stringify([RELEASE, packages, OPTIONS]))
    .digest('hex')
    .slice(0, 16);
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'groundcrew');
  const archive = join(folder, `appliance-base-${digest}.tar`);
  mkdirSync(folder, { recursive: true });
  const began = performance.now();
  if (!claimed(`${archive}.making`, archive)) return { archive, seconds: 0 };
  try {
    makeBase(archive, folder, packages);
  } finally {
    rmSync(`${archive}.making`, { recursive: true, force: true });
  }
  return { archive, seconds: Math.round((performance.now() - began) / 1000) };
}

/** One process makes it, and the other ones wait. False: it is there. */
function claimed(claim: string, archive: string): boolean {
  for (;;) {
    if (existsSync(archive)) return false;
    try {
      mkdirSync(claim);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    // Whoever claimed it may have been killed.
    const since = statSync(claim, { throwIfNoEntry: false })?.mtimeMs;
    if (since !== undefined && Date.now() - since > LIMIT) rmSync(claim, { recursive: true, force: true });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  }
}

function makeBase(archive: string, folder: string, packages: readonly string[]): void {
  const unfinished = join(folder, `.${process.pid}.tar`);
  const include = `--include=${packages.join(',')}`;
  const made = spawnSync('mmdebstrap', ['--mode=root', ...OPTIONS, include, RELEASE, unfinished], {
    encoding: 'utf8',
    timeout: LIMIT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (made.status !== 0) {
    rmSync(unfinished, { force: true });
    throw new Error(`mmdebstrap made no base: ${(made.stderr || String(made.error)).slice(-1_000)}`);
  }
  renameSync(unfinished, archive);
}
