// From the base to the disk of a machine: Groundcrew installed by its own script, and what only a test needs (no login on
// the console, and a shell on the second serial port to look from inside).
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const DISK_SIZE = '1500M';
/** Bytes that a program inside may say. */
const MOST_SAID = 64 * 2 ** 20;

export interface Ran {
  code: number | null;
  said: string;
}

export interface Image {
  /** Folder of the extracted system. */
  system: string;
  kernel: string;
  initrd: string;
  /** Folder of the kernel's modules. */
  modules: string;
  /** Runs install.sh inside, with these arguments; throws only where it did not end by itself. */
  install(...args: string[]): Ran;
  /** Runs a program inside; throws only where it did not end by itself. */
  inside(...words: string[]): Ran;
  /** Writes the system as it is now to a new disk; answers its path. */
  disk(name: string): string;
  remove(): void;
}

export function extractImage(archive: string): Image {
  const folder = mkdtempSync(join(tmpdir(), 'groundcrew-appliance-'));
  const system = join(folder, 'system');
  mkdirSync(system);
  run('tar', '-xf', archive, '-C', system);
  forTests(system);
  const [version = ''] = readdirSync(join(system, 'lib/modules'));
  // In a mount namespace of its own: nothing of it is left behind, however this ends. Not at /mnt, where the depot lies.
  const inside = (words: readonly string[]): Ran => {
    const script = `mount --bind "$0" "$1/srv" && mount -t proc proc "$1/proc" && chroot "$@"`;
    const ran = spawnSync('unshare', ['--mount', 'sh', '-c', script, ROOT, system, ...words], {
      encoding: 'utf8',
      timeout: 600_000,
      // A list of every file of the system is longer than the 1 MiB that is read by default; what is longer would be cut.
      maxBuffer: MOST_SAID,
    });
    if (ran.error) throw ran.error;
    return { code: ran.status, said: `${ran.stdout}${ran.stderr}` };
  };
  return {
    system,
    kernel: join(system, 'boot', `vmlinuz-${version}`),
    initrd: join(system, 'boot', `initrd.img-${version}`),
    modules: join(system, 'lib/modules', version, 'kernel'),
    install: (...args) => inside(['/srv/build/appliance/install.sh', ...args]),
    inside: (...words) => inside(words),
    disk(name) {
      const path = join(folder, name);
      run('mke2fs', '-q', '-t', 'ext4', '-d', system, path, DISK_SIZE);
      return path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const SHELL_UNIT = `[Unit]
Description=Shell of the test
DefaultDependencies=no
[Service]
ExecStart=/bin/sh
StandardInput=tty-force
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyS1
Restart=always
[Install]
WantedBy=sysinit.target
`;

/** Nothing that is looked at here needs them, and each costs a second in software emulation. */
const NOT_STARTED = [
  ...['getty.target', 'serial-getty@ttyS0.service', 'systemd-logind.service', 'systemd-user-sessions.service'],
  ...['apt-daily.timer', 'apt-daily-upgrade.timer', 'dpkg-db-backup.timer', 'fstrim.timer', 'e2scrub_all.timer'],
  ...['dev-hugepages.mount', 'dev-mqueue.mount', 'sys-kernel-debug.mount', 'sys-kernel-tracing.mount'],
  ...['configfs', 'dm_mod', 'drm', 'efi_pstore', 'fuse', 'loop'].map((module) => `modprobe@${module}.service`),
  ...['sys-kernel-config.mount', 'sys-fs-fuse-connections.mount'],
  ...['systemd-update-utmp.service', 'systemd-update-utmp-runlevel.service', 'e2scrub_reap.service'],
];

function forTests(system: string): void {
  const write = (path: string, content: string) => {
    mkdirSync(join(system, path, '..'), { recursive: true });
    writeFileSync(join(system, path), content);
  };
  write('etc/fstab', '/dev/vda / ext4 defaults 0 1\n');
  write('etc/hostname', 'gc01\n');
  write('etc/systemd/system/test-shell.service', SHELL_UNIT);
  // What goes wrong is read from the console.
  write('etc/systemd/journald.conf.d/test.conf', '[Journal]\nForwardToConsole=yes\nMaxLevelConsole=info\n');
  run('systemctl', `--root=${system}`, 'enable', '--quiet', 'test-shell.service');
  run('systemctl', `--root=${system}`, 'mask', '--quiet', ...NOT_STARTED);
}

function run(program: string, ...args: string[]): void {
  const ran = spawnSync(program, args, { encoding: 'utf8', timeout: 600_000 });
  if (ran.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${ran.error?.message ?? ran.stderr}`);
}
