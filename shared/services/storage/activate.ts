// Makes the server follow its files in the cheapest way: who may mount what needs no restart.
import { mkdir } from 'node:fs/promises';
import { firstLine } from '../../ground/machine/exec.ts';
import type { ExecResult, Host } from '../../ground/machine/host.ts';
import type { UnitChange } from '../../platform/units/unit.ts';
import { type Action, actionFor } from './cheapest.ts';
import { exported, type StorageDesired, speaksVersion3 } from './desired.ts';
import { type Bench, workOnDisks } from './disk-bench.ts';
import { SEEN, type Seen } from './disks.ts';
import { daemonOf, LIMITS, mountUnit, NFS_SERVER, serverOf } from './files.ts';
import { setsLimits, uncountedVolumes } from './limits.ts';
import { makeFolder } from './make-folder.ts';
import { isMounted, mountVolumes, PATIENT, replacedVolumes, unmount, unmountGone } from './mounts.ts';
import { mounted } from './render.ts';
import { touchedDatastores, touchedMounts, touchesMounts } from './touched.ts';

const SAID: Record<Action, string> = {
  none: 'The NFS server needs nothing.',
  reload: 'The NFS server read its exports anew, without a restart.',
  start: 'The NFS server was started.',
  restart: 'The NFS server was restarted.',
  stop: 'The NFS server was stopped.',
};

function done(result: ExecResult, what: string): void {
  if (result.code !== 0) throw new Error(`${what}: ${firstLine(result)}`);
}

interface Folders {
  /** Mount paths that are not mounted as they should be, and those that were mounted just now. */
  lost: readonly string[];
  fresh: readonly string[];
}

/**
 * Of datastores that the change is about, or whose volume was just mounted. A folder is only made on the volume itself, never on
 * the appliance’s own disk below a place where none is mounted.
 */
async function makeFolders(
  host: Host,
  desired: StorageDesired,
  change: UnitChange,
  { lost, fresh }: Folders,
): Promise<void> {
  const all = exported(desired);
  const touched = new Set(touchedDatastores(all, change));
  // Asked once a volume: hundreds of datastores may be on it.
  const there = new Map<string, Promise<boolean>>();
  for (const datastore of all) {
    const { mount_path, path } = datastore;
    if (!touched.has(datastore) && !fresh.includes(mount_path)) continue;
    const base = host.resolve(mount_path);
    if (serverOf(host.kind) === 'kernel') {
      if (lost.includes(mount_path)) continue;
      const asked = there.get(mount_path) ?? isMounted(host, mount_path);
      there.set(mount_path, asked);
      if (!(await asked)) continue;
    } else {
      // In a namespace, which has no disks, it is a folder.
      await mkdir(base, { recursive: true });
    }
    await makeFolder(base, path);
  }
}

async function reload(host: Host, three: boolean): Promise<void> {
  if (serverOf(host.kind) === 'ganesha') return host.reloadDaemon(daemonOf(host, three));
  // It runs `exportfs -r`, and says nothing of its failure; the probe does.
  done(await host.exec('systemctl', ['reload', NFS_SERVER.systemd], PATIENT), 'systemctl reload');
}

async function follow(host: Host, desired: StorageDesired, action: Action): Promise<void> {
  const three = speaksVersion3(exported(desired));
  const daemon = daemonOf(host, three);
  if (action === 'stop' || action === 'restart') await host.stopDaemon(daemon);
  if (action === 'start' || action === 'restart') await host.startDaemon(daemon);
  if (action === 'reload') await reload(host, three);
}

/** On the appliance. Exports end before their volume is unmounted, and begin after it is mounted. */
async function activateKernel(
  host: Host,
  desired: StorageDesired,
  change: UnitChange,
  { seen, bench }: { seen: Seen; bench: Bench },
): Promise<string> {
  // Before anything stops: a disk that is none to be formatted leaves all as it is.
  const formatted = await workOnDisks(host, desired, 'format', seen, bench);
  const wanted = exported(desired).length > 0;
  let running = await host.daemonRunning(NFS_SERVER);
  if (mounted(desired).length > 0 && touchesMounts(change))
    done(await host.exec('systemctl', ['daemon-reload'], PATIENT), 'systemctl daemon-reload');
  const another = await replacedVolumes(host, desired, change, seen);
  const uncounted = (await uncountedVolumes(desired, seen)).filter((volume) => !another.includes(volume));
  const replaced = [...another, ...uncounted];
  const restarts = replaced.length > 0 && running && wanted;
  if (replaced.length > 0 && running) {
    await host.stopDaemon(NFS_SERVER);
    running = false;
  }
  const inUse: string[] = [];
  for (const { mount_path } of replaced) if (!(await unmount(host, mountUnit(mount_path)))) inUse.push(mount_path);
  const stuck = uncounted.filter(({ mount_path }) => inUse.includes(mount_path)).map(({ name }) => name);
  if (stuck.length > 0) {
    throw new Error(
      `A first size limit takes a new mount of the volume, but something on the appliance has files open on ${stuck.join(', ')}. End that, such as a shell in its folder, and apply again.`,
    );
  }
  const made = await mountVolumes(host, desired, { inUse, touched: touchedMounts(change) }, seen);
  const grown = await workOnDisks(host, desired, 'grow', seen, bench);
  await makeFolders(host, desired, change, made);
  // Before anybody writes.
  if (setsLimits(desired, change, made.fresh)) await host.startDaemon(LIMITS);
  const cheapest = actionFor(wanted, running, change);
  // A disk that is back is exported again.
  const action = cheapest === 'none' && running && made.fresh.length > 0 ? 'reload' : cheapest;
  await follow(host, desired, action);
  const busy = await unmountGone(host, desired, change);
  return [
    ...formatted,
    ...grown,
    SAID[restarts ? 'restart' : action],
    ...(made.said.length > 0 ? [`Not mounted: ${made.said.join('; ')}.`] : []),
    ...(busy.length > 0 ? [`Still mounted, since it is in use: ${busy.join(', ')}. It ends with the next start.`] : []),
  ].join(' ');
}

/** Answers what it did in one sentence, and what it could not do. */
export async function activate(
  host: Host,
  desired: StorageDesired,
  change: UnitChange,
  seen: Seen = SEEN,
  bench: Bench = {},
): Promise<string> {
  if (!host.enforces) return 'Rehearsal: the files are kept, no disk is mounted and nothing is exported.';
  if (serverOf(host.kind) === 'kernel') return activateKernel(host, desired, change, { seen, bench });
  await makeFolders(host, desired, change, { lost: [], fresh: [] });
  const datastores = exported(desired);
  const running = await host.daemonRunning(daemonOf(host, speaksVersion3(datastores)));
  const action = actionFor(datastores.length > 0, running, change);
  await follow(host, desired, action);
  return SAID[action];
}
