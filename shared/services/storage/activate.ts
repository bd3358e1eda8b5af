// Makes the server follow its files in the cheapest way: who may mount what needs no restart.
import { mkdir } from 'node:fs/promises';
import { firstLine } from '../../ground/machine/exec.ts';
import type { ExecResult, Host } from '../../ground/machine/host.ts';
import type { Facts } from '../../platform/units/facts.ts';
import type { UnitChange } from '../../platform/units/unit.ts';
import { exported, type StorageDesired, speaksVersion3 } from './desired.ts';
import { type Bench, workOnDisks } from './disk-bench.ts';
import { SEEN, type Seen } from './disks.ts';
import { sameExport, storage } from './facts.ts';
import { daemonOf, EXPORTS_FILE, GANESHA_FILE, LIMITS, mountUnit, NFS_FILE, NFS_SERVER, serverOf } from './files.ts';
import { setsLimits, uncountedVolumes } from './limits.ts';
import { makeFolder } from './make-folder.ts';
import { isMounted, mountVolumes, PATIENT, replacedVolumes, unmount, unmountGone } from './mounts.ts';
import { mounted } from './render.ts';

export type Action = 'none' | 'reload' | 'start' | 'restart' | 'stop';

/**
 * Whether Ganesha has to begin anew: it takes its versions only at its start, and an export that it knows keeps its path,
 * whatever the file says.
 */
function changesMore(before: Facts | null, after: Facts): boolean {
  if (before === null) return true;
  const [had, has] = [[...storage.all(before, 'datastore')], [...storage.all(after, 'datastore')]];
  const threes = (all: typeof had) => all.some(([, { version }]) => version === '3');
  const known = new Map(had.map(([, each]) => [each.fsid, each]));
  return threes(had) !== threes(has) || has.some(([, each]) => !sameExport(known.get(each.fsid) ?? each, each));
}

/** Pure: what the server has to do for a change. The files are in place already. */
export function actionFor(wanted: boolean, running: boolean, { before, after, written, removed }: UnitChange): Action {
  if (!wanted) return running ? 'stop' : 'none';
  if (!running) return 'start';
  const touched = new Set([...written, ...removed]);
  if (touched.has(NFS_FILE) || (touched.has(GANESHA_FILE) && changesMore(before, after))) return 'restart';
  return touched.has(EXPORTS_FILE) || touched.has(GANESHA_FILE) ? 'reload' : 'none';
}

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

/** A folder is only made on the volume itself, never on the appliance’s own disk below a place where none is mounted. */
async function makeFolders(host: Host, desired: StorageDesired, lost: readonly string[]): Promise<void> {
  for (const { mount_path, path } of exported(desired)) {
    const base = host.resolve(mount_path);
    if (serverOf(host.kind) === 'kernel') {
      if (lost.includes(mount_path) || !(await isMounted(host, mount_path))) continue;
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
  if (mounted(desired).length > 0)
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
  const made = await mountVolumes(host, desired, inUse, seen);
  const grown = await workOnDisks(host, desired, 'grow', seen, bench);
  await makeFolders(host, desired, made.lost);
  // Before anybody writes.
  if (setsLimits(desired, change)) await host.startDaemon(LIMITS);
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
  await makeFolders(host, desired, []);
  const datastores = exported(desired);
  const running = await host.daemonRunning(daemonOf(host, speaksVersion3(datastores)));
  const action = actionFor(datastores.length > 0, running, change);
  await follow(host, desired, action);
  return SAID[action];
}
