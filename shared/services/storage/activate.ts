// Makes the server follow its files in the cheapest way: who may mount what needs no restart.
import { firstLine } from '../../ground/machine/exec.ts';
import type { ExecResult, Host } from '../../ground/machine/host.ts';
import type { Facts } from '../../platform/units/facts.ts';
import type { UnitChange } from '../../platform/units/unit.ts';
import { exported, folderOf, type StorageDesired, speaksVersion3 } from './desired.ts';
import { sameExport, storage } from './facts.ts';
import {
  daemonOf,
  EXPORTS_FILE,
  GANESHA_FILE,
  MOUNT_FOLDER,
  mountFile,
  mountUnit,
  NFS_FILE,
  NFS_SERVER,
  serverOf,
} from './files.ts';
import { mounted } from './render.ts';

/** systemd reads all of its units anew, and waits 30 s for a disk. */
const PATIENT = { timeout: 60_000 };

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

/** Mounts that go end last, when nothing is exported from them any more. */
async function mountVolumes(host: Host, desired: StorageDesired): Promise<string[]> {
  const lost: string[] = [];
  done(await host.exec('systemctl', ['daemon-reload'], PATIENT), 'systemctl daemon-reload');
  for (const { name, mount_path } of mounted(desired)) {
    const file = host.resolve(mountFile(mount_path));
    // A disk that is away takes its own datastores along and nothing else.
    if ((await host.exec('systemctl', ['enable', '--now', file], PATIENT)).code !== 0) lost.push(name);
  }
  return lost;
}

/** On the way back, what had been written is what goes. */
async function unmount(host: Host, desired: StorageDesired, { written, removed }: UnitChange): Promise<void> {
  const kept = new Set(mounted(desired).map(({ mount_path }) => mountFile(mount_path)));
  const gone = [...written, ...removed].filter((path) => path.startsWith(`${MOUNT_FOLDER}/`) && !kept.has(path));
  for (const path of gone) {
    const unit = path.slice(MOUNT_FOLDER.length + 1);
    done(await host.exec('systemctl', ['stop', unit], PATIENT), `systemctl stop ${unit}`);
    // Its file is gone already, so that it may have nothing to say to this.
    await host.exec('systemctl', ['disable', unit], PATIENT);
  }
}

/** A folder is only made on the volume itself, never on the appliance’s own disk below a place where none is mounted. */
async function makeFolders(host: Host, desired: StorageDesired): Promise<void> {
  for (const datastore of exported(desired)) {
    if (serverOf(host.kind) === 'kernel') {
      const there = await host.exec('systemctl', ['is-active', '--quiet', mountUnit(datastore.mount_path)]);
      if (there.code !== 0) continue;
    }
    const folder = folderOf(datastore);
    done(
      await host.exec('install', ['-d', '-m', '0755', host.resolve(folder)]),
      `The folder ${folder} could not be made`,
    );
  }
}

async function reload(host: Host, three: boolean): Promise<void> {
  if (serverOf(host.kind) === 'ganesha') return host.reloadDaemon(daemonOf(host, three));
  // It runs `exportfs -r`, and says nothing of its failure; the probe does.
  done(await host.exec('systemctl', ['reload', NFS_SERVER.systemd], PATIENT), 'systemctl reload');
}

/** Answers what it did in one sentence. */
export async function activate(host: Host, desired: StorageDesired, change: UnitChange): Promise<string> {
  if (!host.enforces) return 'Rehearsal: the files are kept, no disk is mounted and nothing is exported.';
  const datastores = exported(desired);
  const kernel = serverOf(host.kind) === 'kernel';
  const daemon = daemonOf(host, speaksVersion3(datastores));
  const lost = kernel && mounted(desired).length > 0 ? await mountVolumes(host, desired) : [];
  await makeFolders(host, desired);
  const action = actionFor(datastores.length > 0, await host.daemonRunning(daemon), change);
  if (action === 'stop' || action === 'restart') await host.stopDaemon(daemon);
  if (action === 'start' || action === 'restart') await host.startDaemon(daemon);
  if (action === 'reload') await reload(host, speaksVersion3(datastores));
  if (kernel) await unmount(host, desired, change);
  return lost.length === 0 ? SAID[action] : `${SAID[action]} Not mounted, since the disk is away: ${lost.join(', ')}.`;
}
