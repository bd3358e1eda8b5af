// Paths of the unit's files on the appliance, and its daemons. On the appliance it is the kernel's own server. A namespace has
// no server of its own in the kernel, nor disks: there it is NFS-Ganesha, and volumes are folders.
import type { DaemonSpec, Host, HostKind } from '../../ground/machine/host.ts';

export const FOLDER = '/etc/groundcrew/storage';
/** Linked from /etc/exports.d. exports(5). */
export const EXPORTS_FILE = `${FOLDER}/groundcrew.exports`;
/** Linked from /etc/nfs.conf.d. nfs.conf(5). */
export const NFS_FILE = `${FOLDER}/nfs.conf`;
/** Size limits of datastores, which a service of Groundcrew’s own puts in force: the root step may set no quota. */
export const LIMITS_FILE = `${FOLDER}/limits`;
/** Linked by systemctl(1), which knows a mount by the name of its file. */
export const MOUNT_FOLDER = `${FOLDER}/mounts`;
export const GANESHA_FILE = `${FOLDER}/ganesha.conf`;
export const RUN_FOLDER = '/run/groundcrew/ganesha';
export const PID_FILE = `${RUN_FOLDER}/ganesha.pid`;

export const NFS_PORT = 2_049;
export const MOUNT_PORT = 20_048;
/** Of locks over NFS 3: the kernel would choose others at each start. */
export const LOCK_PORT = 32_803;

export type Server = 'kernel' | 'ganesha';
export const serverOf = (kind: HostKind): Server => (kind === 'namespace' ? 'ganesha' : 'kernel');

/** The name that systemd has for a path (systemd.unit(5)). The parts of ours are ASCII. */
const unitName = (path: string): string =>
  path
    .slice(1)
    .replaceAll(/[^A-Za-z0-9:_./]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replaceAll('/', '-');
export const mountUnit = (path: string): string => `${unitName(path)}.mount`;
/** Is there while a filesystem of this UUID is seen. systemd.device(5) */
export const filesystemUnit = (uuid: string): string => `${unitName(`/dev/disk/by-uuid/${uuid}`)}.device`;
export const mountFile = (path: string): string => `${MOUNT_FOLDER}/${mountUnit(path)}`;

/**
 * Ganesha registers NFS 3 with a port mapper, over a socket that all namespaces of a machine would share: so each has
 * folders of its own for what runs, and a port mapper that ends with Ganesha. Arguments: file, folder of the run, whether
 * NFS 3 is spoken.
 */
export const START = `set -eu
conf=$1 run=$2 three=$3
mkdir -p "$run/recovery"
former=0
[ ! -e "$run/rpcbind.pid" ] || former=$(cat "$run/rpcbind.pid")
if grep -qx rpcbind "/proc/$former/comm" 2>/dev/null; then
  kill "$former" || :
  while grep -qx rpcbind "/proc/$former/comm" 2>/dev/null; do sleep 0.02; done
fi
mount -t tmpfs -o mode=755 none /run
mkdir /run/rpcbind
(
  exec </dev/null >/dev/null 2>&1
  mapper=
  if [ "$three" = 3 ]; then
    rpcbind -f -w &
    mapper=$!
    echo "$mapper" >"$run/rpcbind.pid"
    tries=0
    until [ -S /run/rpcbind.sock ]; do
      tries=$((tries + 1))
      [ "$tries" -lt 500 ] && kill -0 "$mapper" || exit 1
      sleep 0.02
    done
  fi
  ganesha.nfsd -F -f "$conf" -p "$run/ganesha.pid" -L "$run/ganesha.log" -N EVENT || :
  [ -z "$mapper" ] || kill "$mapper" || :
) &
`;

export function ganeshaDaemon(host: Pick<Host, 'resolve'>, three: boolean): DaemonSpec {
  const args = [host.resolve(GANESHA_FILE), host.resolve(RUN_FOLDER), three ? '3' : '4'];
  return {
    name: 'NFS-Ganesha',
    program: 'ganesha.nfsd',
    args: [],
    systemd: 'nfs-server.service',
    pidFile: PID_FILE,
    launcher: { program: 'unshare', args: ['--mount', 'sh', '-c', START, 'nfs-start', ...args] },
  };
}

/** The kernel's server: Debian's own unit, which is there with the package nfs-kernel-server. */
export const NFS_SERVER: DaemonSpec = {
  name: 'NFS',
  program: 'rpc.nfsd',
  args: [],
  systemd: 'nfs-server.service',
  pidFile: '/run/groundcrew/nfsd.pid',
};

/** Runs once at each start: reads the file of limits, and ends. build/appliance/limit-datastores. */
export const LIMITS: DaemonSpec = {
  name: 'Datastore limits',
  program: 'sh',
  args: [],
  systemd: 'groundcrew-datastore-limits.service',
  pidFile: '/run/groundcrew/datastore-limits.pid',
};

export const daemonOf = (host: Pick<Host, 'kind' | 'resolve'>, three: boolean): DaemonSpec =>
  serverOf(host.kind) === 'ganesha' ? ganeshaDaemon(host, three) : NFS_SERVER;
