// What the files of the servers may contain: each line with its values. exports(5), nfs.conf(5), systemd.mount(5),
// ganesha-export-config(8).
import {
  between,
  either,
  type Is,
  isAddress,
  isCidr,
  type Line,
  matching,
  oneOf,
  row,
} from '../../platform/host/grammar-words.ts';
import { isWholeDisk } from './disk-names.ts';

/** Twice 64 networks with their options, none of which has 512 bytes: nfs-utils reads no more of one. */
export const EXPORTS_PIECE = 65_536;
/** A network of clients with its options, as nfs-utils holds it (support/nfs/exports.c). */
const CLIENT_MOST = 511;
export const LINE_PIECE = 1_024;

/** A part is neither `.` nor `..`. */
const PART = String.raw`(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]{1,255}`;
const BELOW = String.raw`\/srv\/datastores(?:\/${PART})+`;
const isFolder = matching(new RegExp(`^${BELOW}$`));
/** The name of a mount below the folder of all datastores. */
export const MOUNT_NAME = String.raw`srv-datastores-(?:[A-Za-z0-9._:]|-|\\x2d){1,240}\.mount`;

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
const CLIENT = new RegExp(
  String.raw`^([0-9a-f.:/]+)\((?:rw,sync,no_subtree_check,no_root_squash|ro,insecure,sync,no_subtree_check,all_squash),sec=sys,fsid=${UUID},mountpoint=([^,()]+)\)$`,
);

/** A folder with the networks that may mount it: without one, everybody might. */
export const isExportsLine: Is = (line) => {
  const [folder = '', ...clients] = line.split(' ');
  if (!isFolder(folder) || clients.length === 0) return false;
  return clients.every((client) => {
    const [, network = '', mount = ''] = CLIENT.exec(client) ?? [];
    return client.length <= CLIENT_MOST && isCidr(network) && isFolder(mount) && folder.startsWith(`${mount}/`);
  });
};

const member =
  (name: string, is: Is): Is =>
  (line) =>
    line.startsWith(`${name}=`) && is(line.slice(name.length + 1));

export const isNfsLine = either(
  oneOf('[nfsd]', '[mountd]', '[lockd]', 'udp=n', 'tcp=y', 'vers3=y', 'vers3=n'),
  oneOf('vers4=y', 'vers4.0=n', 'vers4.1=y', 'vers4.2=n', 'port=20048', 'port=32803', 'udp-port=32803'),
  member('threads', between(4, 64)),
  either(member('grace-time', between(10, 90)), member('lease-time', between(10, 90))),
  member('host', (text) => text.split(',').every(isAddress)),
);

const isDisk = matching(/^\/dev\/disk\/by-id\/[A-Za-z0-9_:+=@-][A-Za-z0-9._:+=@-]{0,240}$/);

/** The device of a filesystem by its UUID, as systemd escapes the name. It is waited for, and never what is mounted. */
const isFilesystem = matching(/^dev-disk-by\\x2duuid-[0-9a-f]{8}(?:\\x2d[0-9a-f]{4}){3}\\x2d[0-9a-f]{12}\.device$/);

export const isMountLine: Is = either(
  oneOf('[Unit]', '[Mount]', '[Install]', 'Before=nfs-server.service', 'WantedBy=nfs-server.service'),
  // 30: in files of a former release.
  oneOf(
    'JobTimeoutSec=30',
    'JobTimeoutSec=60',
    'After=groundcrew-rollback.service',
    'TimeoutSec=30',
    'Options=nodev,nosuid,noexec,nofail',
  ),
  oneOf('Options=nodev,nosuid,noexec,nofail,prjquota'),
  member('What', (text) => isDisk(text) && isWholeDisk(text)),
  either(member('Requires', isFilesystem), member('After', isFilesystem)),
  member('Where', isFolder),
);

const isLimit = row(' ', between(1, 0x7fff_ffff), between(1, 1_048_576), isFolder, isFolder);
/** `project GiB mount folder`, the folder on what is mounted there. */
export const isLimitsLine: Is = (line) => {
  const [, , mount = '', folder = ''] = line.split(' ');
  return isLimit(line) && folder.startsWith(`${mount}/`);
};

const isPort = between(1, 65_535);
const TWICE = /^(\d+)\.(\d+)$/;
/** Ganesha has no place where it runs from root: its paths are below a data folder, whatever that is called. */
const isPlace = matching(/^(?:\/[A-Za-z0-9._+@-]{1,255})+$/);

const ganeshaValue =
  (name: string, is: Is): Is =>
  (line) =>
    line.startsWith(`  ${name} = `) && line.endsWith(';') && is(line.slice(name.length + 5, -1));
const CLIENT_BLOCK = /^ {2}CLIENT \{ Clients = ([0-9a-f.:/]+); Access_Type = (?:RO; Squash = All_Squash|RW); \}$/;

export const isGaneshaLine: Line = either(
  oneOf('NFS_CORE_PARAM {', 'NFSv4 {', 'EXPORT_DEFAULTS {', 'EXPORT {', '}', '  FSAL { Name = VFS; }'),
  oneOf('  NFS_Port = 2049;', '  MNT_Port = 20048;', '  Enable_NLM = false;', '  Enable_RQUOTA = false;'),
  oneOf('  Enable_UDP = false;', '  Mount_Path_Pseudo = true;', '  Graceless = true;', '  RecoveryBackend = fs;'),
  oneOf('  Only_Numeric_Owners = true;', '  Minor_Versions = 1;', '  Access_Type = NONE;'),
  oneOf('  Squash = No_Root_Squash;', '  SecType = sys;'),
  ganeshaValue('Protocols', oneOf('3', '4', '3, 4')),
  ganeshaValue('Export_Id', isPort),
  ganeshaValue('Filesystem_Id', (text) => {
    const [, one = '', other = ''] = TWICE.exec(text) ?? [];
    return isPort(one) && one === other;
  }),
  ganeshaValue('Path', isPlace),
  ganeshaValue('RecoveryRoot', isPlace),
  ganeshaValue('Pseudo', isFolder),
  (line) => isCidr(CLIENT_BLOCK.exec(line)?.[1] ?? ''),
);
