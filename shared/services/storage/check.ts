// Validation. Neither server has a dry run: exportfs(8) exports what it reads, and Ganesha drops every export at a line that
// it can't read. So each line has to fit the same grammar as for the root step.
import type { Host } from '../../ground/machine/host.ts';
import { strangeLine } from '../../platform/host/unit-files.ts';
import { answering, NOT_FOUND } from '../../platform/units/checking.ts';
import type { CheckResult } from '../../platform/units/unit.ts';
import { exported, limited, type StorageDesired } from './desired.ts';
import { isWholeDisk } from './disk-names.ts';
import { diskFaults } from './disk-state.ts';
import { deviceFault, SEEN, type Seen } from './disks.ts';
import { mountUnit, NFS_SERVER, serverOf } from './files.ts';
import { hostFiles } from './host-files.ts';
import { limitFaults } from './limits.ts';
import { mounted, render } from './render.ts';

/** Bytes of a file's name. */
const NAME_MOST = 255;
const FAMILY_WORDS = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;

/** Faults of the desired state, one line each. */
export function desiredFaults(desired: StorageDesired): string[] {
  if (!desired.settings.enabled) return [];
  const volumes = desired.volumes.flatMap(({ name, mount_path }) =>
    mountUnit(mount_path).length > NAME_MOST
      ? [`The mount path of the volume ${name} is too long for systemd; a hyphen counts as four.`]
      : [],
  );
  // One that was saved before this was refused.
  const parts = desired.volumes
    .filter(({ device }) => !isWholeDisk(device))
    .map(
      ({ name }) =>
        `The device of the volume ${name} is no whole disk: delete the volume, and add one with a whole disk.`,
    );
  const datastores = desired.datastores.flatMap(({ name, interface: on, usable, clients, unserved }) => {
    if (clients.length + unserved.length === 0) return [];
    if (!usable) return [`Interface ${on} is missing or switched off, but the datastore ${name} is served on it.`];
    return unserved.map(
      (family) => `Interface ${on} has no fixed ${FAMILY_WORDS[family]} address to serve the datastore ${name} at.`,
    );
  });
  return [...volumes, ...parts, ...datastores];
}

/** Lines that no reader of the file should get. */
function strangeLines(host: Host, desired: StorageDesired): string[] {
  return render(desired, host.resolve, host.kind).flatMap(({ path, content }) => {
    const known = hostFiles.files.find((each) => each.path.test(path));
    const strange = known ? strangeLine(known, content) : 1;
    return strange === null ? [] : [`line ${strange} of ${path} is none that storage writes`];
  });
}

/** Disks that are none for a volume: whoever is root on a client would be root on what they carry. */
async function unfitDisks(desired: StorageDesired, seen: Seen): Promise<string[]> {
  const faults: string[] = [];
  for (const { name, device } of mounted(desired)) {
    const fault = await deviceFault(device, seen);
    if (fault !== null) faults.push(`The disk of the volume ${name} ${fault}.`);
  }
  return faults;
}

const MAKERS = {
  xfs: { program: '/usr/sbin/mkfs.xfs', debian: 'xfsprogs' },
  ext4: { program: '/usr/sbin/mkfs.ext4', debian: 'e2fsprogs' },
} as const;

/** Programs that an order needs, one sentence each. */
async function missingTools(host: Host, desired: StorageDesired): Promise<string[]> {
  const faults: string[] = [];
  for (const { name, filesystem, ordered } of mounted(desired)) {
    if (!filesystem || !ordered) continue;
    const { program, debian } = MAKERS[filesystem.kind];
    // Not whether it may be run: the service may run nothing but its own few programs.
    if ((await host.exec('test', ['-f', program])).code === 0) continue;
    faults.push(
      `The disk of the volume ${name} can’t be worked on without ${program}: install Debian’s package ${debian}.`,
    );
  }
  return faults;
}

/** What is not installed here; null: nothing is missing. */
async function missing(host: Host): Promise<string | null> {
  if (serverOf(host.kind) === 'ganesha') {
    return (await host.exec('ganesha.nfsd', ['-v'])).code === NOT_FOUND ? 'nfs-ganesha' : null;
  }
  const shown = await host.exec('systemctl', ['show', '-p', 'LoadState', '--value', NFS_SERVER.systemd]);
  return shown.stdout.trim() === 'loaded' ? null : 'nfs-kernel-server';
}

/** Whether it is there: the service itself may run nothing of it. */
const lacksQuota = async (host: Host): Promise<boolean> =>
  (await host.exec('test', ['-e', '/usr/sbin/xfs_quota'])).code !== 0;

export async function check(
  host: Host,
  desired: StorageDesired,
  seen: Seen = SEEN,
  records?: string,
): Promise<CheckResult> {
  const answer = answering('groundcrew (volumes, datastores and each line)');
  if (exported(desired).length === 0 && mounted(desired).length === 0) {
    return answer(desiredFaults(desired), 'nothing to check: nothing is mounted or exported');
  }
  const own = [...desiredFaults(desired), ...strangeLines(host, desired)];
  if (own.length > 0 || !host.enforces) return answer(own);
  const kernel = serverOf(host.kind) === 'kernel';
  if (kernel) {
    const disks = [...(await unfitDisks(desired, seen)), ...(await diskFaults(desired, seen, records))];
    const faults = [...disks, ...(await limitFaults(desired, seen))];
    if (faults.length > 0) return answer(faults);
  }
  const tools = await missingTools(host, desired);
  if (tools.length > 0) return answer(tools);
  const debian = await missing(host);
  if (debian === null && kernel && limited(desired).length > 0 && (await lacksQuota(host)))
    return answer(['A size limit needs xfs_quota: install Debian’s package xfsprogs.']);
  return answer(debian === null ? [] : [`There is no NFS server here: install Debian’s package ${debian}.`]);
}
