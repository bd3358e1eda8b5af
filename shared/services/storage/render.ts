// From desired state to the files of the server: the kernel's on the appliance, NFS-Ganesha's in a namespace. No name that
// a person gave is in any of them, only paths, addresses and numbers. exports(5), nfs.conf(5), systemd.mount(5),
// ganesha-export-config(8).
import type { HostKind, RenderedFile } from '../../ground/machine/host.ts';
import {
  addressesOf,
  type DesiredDatastore,
  type DesiredVolume,
  exported,
  folderOf,
  isEverybody,
  limited,
  type StorageDesired,
  speaksVersion3,
} from './desired.ts';
import { diskFile, orderLines } from './disk-order.ts';
import { exportIds, fsidOf, projectIds } from './export-ids.ts';
import {
  EXPORTS_FILE,
  filesystemUnit,
  GANESHA_FILE,
  LIMITS_FILE,
  LOCK_PORT,
  MOUNT_PORT,
  mountFile,
  NFS_FILE,
  NFS_PORT,
  RUN_FOLDER,
  serverOf,
} from './files.ts';

const HEADER = '# Written by Groundcrew from its desired state; edits are lost with the next apply.\n';

const file = (path: string, lines: readonly string[]): RenderedFile => ({
  path,
  content: `${HEADER}${lines.join('\n')}\n`,
  mode: 0o644,
});

/** A host address as a network, which the kernel takes before any wider one. */
const own = (address: string): string => `${address}/${address.includes(':') ? 128 : 32}`;

/**
 * `mountpoint`: nothing is exported while the disk is away, so that no host writes to the appliance's own. The appliance
 * itself may look, for its probe, from any port.
 */
function exportLine(datastore: DesiredDatastore): string {
  const { id, mount_path, addresses, clients } = datastore;
  const options = (root: string) => `sync,no_subtree_check,${root},sec=sys,fsid=${fsidOf(id)},mountpoint=${mount_path}`;
  const may = [
    // Every account of the appliance may ask from there, and reads what everybody may.
    ...addresses.map((address) => `${own(address)}(ro,insecure,${options('all_squash')})`),
    ...clients
      .filter((network) => !addresses.some((address) => own(address) === network))
      .map((network) => `${network}(rw,${options('no_root_squash')})`),
  ];
  return [folderOf(datastore), ...may].join(' ');
}

/** `host` once, with all addresses: of two lines the kernel's server takes the last one alone. */
function nfsConf(datastores: readonly DesiredDatastore[]): string[] {
  return [
    '[nfsd]',
    'threads=16',
    'udp=n',
    'tcp=y',
    `vers3=${speaksVersion3(datastores) ? 'y' : 'n'}`,
    ...['vers4=y', 'vers4.0=n', 'vers4.1=y', 'vers4.2=n'],
    ...['grace-time=15', 'lease-time=30'],
    `host=${addressesOf(datastores).join(',')}`,
    '[mountd]',
    `port=${MOUNT_PORT}`,
    '[lockd]',
    `port=${LOCK_PORT}`,
    `udp-port=${LOCK_PORT}`,
  ];
}

/** `project GiB mount folder`: no path of ours has a blank. */
function limits(desired: StorageDesired): RenderedFile[] {
  const all = limited(desired);
  if (all.length === 0) return [];
  const projects = projectIds(desired.datastores.map(({ id }) => id));
  const lines = all.map((each) =>
    [projects.get(each.id)!, each.size_limit_gib!, each.mount_path, folderOf(each)].join(' '),
  );
  return [file(LIMITS_FILE, lines)];
}

/** A disk that is away must not keep the appliance from starting, nor NFS from serving the others. */
const mount = ({ device, mount_path, filesystem }: DesiredVolume, counts: boolean): RenderedFile =>
  file(mountFile(mount_path), [
    '[Unit]',
    'Before=nfs-server.service',
    // A volume of a change that nobody confirmed is not mounted: its file is gone by then.
    'After=groundcrew-rollback.service',
    // Of both: the disk that is waited for, and that rollback on a machine that starts slowly.
    'JobTimeoutSec=60',
    // At a start of the machine, too, another disk that comes under the same name is not mounted.
    ...(filesystem ? ['Requires', 'After'].map((word) => `${word}=${filesystemUnit(filesystem.uuid)}`) : []),
    '[Mount]',
    // By the name of the whole disk: a UUID may be that of a copy, or of the appliance's own filesystem.
    `What=${device}`,
    `Where=${mount_path}`,
    // Quota by project is of XFS, which begins to count with a mount alone; of other file systems it refuses the mount.
    `Options=nodev,nosuid,noexec,nofail${counts ? ',prjquota' : ''}`,
    'TimeoutSec=30',
    '[Install]',
    'WantedBy=nfs-server.service',
  ]);

/** What root may do with the disk, once it is ordered for the plan. */
const diskOf = ({ device, mount_path, filesystem }: DesiredVolume): RenderedFile[] =>
  filesystem ? [file(diskFile(filesystem.uuid), orderLines({ device, at: mount_path, ...filesystem }))] : [];

/** For Ganesha a network of no bits holds nobody; both halves of it hold everybody. */
const halves = (network: string): string[] =>
  isEverybody(network) ? (network.includes(':') ? ['::/1', '8000::/1'] : ['0.0.0.0/1', '128.0.0.0/1']) : [network];

function ganeshaExport(datastore: DesiredDatastore, number: number, folder: string): string[] {
  const { version, addresses, clients } = datastore;
  const may = (network: string, access: string) => `  CLIENT { Clients = ${network}; Access_Type = ${access}; }`;
  return [
    'EXPORT {',
    `  Export_Id = ${number};`,
    `  Filesystem_Id = ${number}.${number};`,
    `  Path = ${folder};`,
    `  Pseudo = ${folderOf(datastore)};`,
    `  Protocols = ${version === '3' ? '3' : '4'};`,
    '  FSAL { Name = VFS; }',
    // The first that fits counts.
    ...addresses.map((address) => may(own(address), 'RO; Squash = All_Squash')),
    ...clients.flatMap(halves).map((network) => may(network, 'RW')),
    '}',
  ];
}

function ganesha(datastores: readonly DesiredDatastore[], resolve: (path: string) => string): string[] {
  const numbers = exportIds(datastores.map(({ id }) => id));
  return [
    'NFS_CORE_PARAM {',
    `  Protocols = ${speaksVersion3(datastores) ? '3, 4' : '4'};`,
    `  NFS_Port = ${NFS_PORT};`,
    `  MNT_Port = ${MOUNT_PORT};`,
    ...['Enable_NLM = false', 'Enable_RQUOTA = false', 'Enable_UDP = false'].map((line) => `  ${line};`),
    // Hosts mount the same path over either version.
    '  Mount_Path_Pseudo = true;',
    '}',
    'NFSv4 {',
    '  Graceless = true;',
    '  RecoveryBackend = fs;',
    `  RecoveryRoot = ${resolve(RUN_FOLDER)}/recovery;`,
    '  Only_Numeric_Owners = true;',
    '  Minor_Versions = 1;',
    '}',
    'EXPORT_DEFAULTS {',
    '  Access_Type = NONE;',
    '  Squash = No_Root_Squash;',
    '  SecType = sys;',
    '}',
    ...datastores.flatMap((each) => ganeshaExport(each, numbers.get(each.id)!, resolve(folderOf(each)))),
  ];
}

/** Volumes that are mounted: all of them, also one that nothing is exported from yet. */
export const mounted = ({ settings, volumes }: StorageDesired): DesiredVolume[] => (settings.enabled ? volumes : []);

/** Mount paths of volumes with a datastore that has a size limit. */
export const countingVolumes = (desired: StorageDesired): Set<string> =>
  new Set(limited(desired).map(({ mount_path }) => mount_path));

/** The unit's files; those of the server only while something is exported. */
export function render(
  desired: StorageDesired,
  resolve: (path: string) => string,
  kind: HostKind = 'system',
): RenderedFile[] {
  const datastores = exported(desired);
  if (serverOf(kind) === 'ganesha') {
    return datastores.length === 0 ? [] : [file(GANESHA_FILE, ganesha(datastores, resolve))];
  }
  const counting = countingVolumes(desired);
  const mounts = mounted(desired).flatMap((volume) => [
    mount(volume, counting.has(volume.mount_path)),
    ...diskOf(volume),
  ]);
  if (datastores.length === 0) return mounts;
  return [
    ...mounts,
    ...limits(desired),
    file(NFS_FILE, nfsConf(datastores)),
    file(EXPORTS_FILE, datastores.map(exportLine)),
  ];
}
