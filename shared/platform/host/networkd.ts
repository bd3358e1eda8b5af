// systemd-networkd outside of a booted system: how it reads files as a check, without a trace, and how it runs inside a
// network namespace, where there is neither systemd nor a system bus.
import type { DaemonSpec } from '../../ground/machine/host.ts';

/** Folder of the appliance that networkd reads. */
export const NETWORK_FOLDER = '/etc/systemd/network';
/** Not on PATH: it is a program that systemd starts. */
const NETWORKD =
  'for networkd in /usr/lib/systemd/systemd-networkd /lib/systemd/systemd-networkd; do [ -x "$networkd" ] && break; done';
export const READER_MISSING = 'systemd-networkd is not installed here';
export const READER_DONE = 'Enumeration completed';

/**
 * networkd reads the files of a folder, logs their faults, and ends. It has a network with only a loopback link, an
 * empty /run without any bus, and none of the machine's own files where the folder is mounted over them. When the first
 * process ends, the kernel ends all others of its process namespace. `$1`: the folder.
 */
const READ = `
set -e
${NETWORKD}
[ -x "$networkd" ] || { echo '${READER_MISSING}' >&2; exit 127; }
mount -t tmpfs -o mode=755 none /run
mkdir -p /run/systemd/network /run/systemd/netif
[ "$(id -u)" != 0 ] || chown systemd-network: /run/systemd/netif
find "$1" -maxdepth 1 -type f -exec cp -t /run/systemd/network {} +
chmod -f 644 /run/systemd/network/* || :
[ ! -d ${NETWORK_FOLDER} ] || mount -t tmpfs -o mode=755 none ${NETWORK_FOLDER}
mount -o remount,ro,bind /sys
mkfifo /run/said
SYSTEMD_LOG_LEVEL=info SYSTEMD_LOG_TARGET=console "$networkd" >/run/said 2>&1 &
exec sed -u '/${READER_DONE}/q' /run/said
`;
const APART = ['--mount', '--net', '--pid', '--fork', '--kill-child'];
/** Without root: the user owns the new namespaces and nothing else. */
const AS_USER = ['--user', '--map-current-user', '--keep-caps'];

/** The arguments of unshare(1) with which networkd reads the files of a folder, an absolute path. */
export function readerArguments(folder: string, root = process.getuid?.() === 0): string[] {
  return [...(root ? [] : AS_USER), ...APART, 'sh', '-c', READ, 'sh', folder];
}

/** Milliseconds, at most, for reading the files: it takes about 60, and a hundred times that in software emulation. */
export const READER_PATIENCE = 20_000;
/** Bytes of its log, at most. */
export const READER_OUTPUT = 4 << 20;

/**
 * Whether arguments of unshare(1) are exactly those of readerArguments, which change nothing outside of the new
 * namespaces.
 */
export function isReader(args: readonly string[]): boolean {
  const folder = args.at(-1) ?? '';
  // Anything else could be an option to the programs of the script.
  if (!folder.startsWith('/')) return false;
  return [true, false].some((root) => readerArguments(folder, root).join('\0') === args.join('\0'));
}

/**
 * networkd's own settings, read when it starts: it leaves rules of policy routing alone that are not in its files.
 * Without this it removes all of them, whatever link they are for.
 */
export const NETWORKD_CONF = '[Network]\nManageForeignRoutingPolicyRules=no\n';

/** A socket of this kind belongs to the network namespace, so each namespace has a bus of its own by the same name. */
export const NAMESPACE_BUS = 'unix:abstract=groundcrew-networkd';
const BUS_CONFIG = `<busconfig><type>system</type><listen>${NAMESPACE_BUS}</listen><auth>EXTERNAL</auth>
<policy context="mandatory"><deny user="*"/><allow user="root"/><allow user="systemd-network"/></policy>
<policy context="default"><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/></policy></busconfig>`;

/**
 * Starts networkd with its bus inside the namespace that the script runs in. It starts without files, so that all links
 * are unmanaged, and reads the files at the first reload: with files from the start it would configure a link before it
 * has seen the link's addresses, and fail on them. `$1`: folder, `$2`: pid file.
 */
const LAUNCH = `
set -e
${NETWORKD}
[ -x "$networkd" ] || { echo '${READER_MISSING}' >&2; exit 127; }
mkdir -p "$1" /run/systemd
log="$2.log"
mount -t tmpfs -o mode=755 none ${NETWORK_FOLDER}
mount -t tmpfs -o mode=755 none /run/systemd
mkdir -p /run/systemd/netif /run/systemd/networkd.conf.d
chown systemd-network: /run/systemd/netif
printf '%s' '${NETWORKD_CONF}' >/run/systemd/networkd.conf.d/40-groundcrew.conf
mount -o remount,ro,bind /sys
export DBUS_SYSTEM_BUS_ADDRESS=${NAMESPACE_BUS}
if busctl --address="$DBUS_SYSTEM_BUS_ADDRESS" list >/dev/null 2>&1; then
  former=$(busctl --address="$DBUS_SYSTEM_BUS_ADDRESS" status org.freedesktop.network1 2>/dev/null | sed -n 's/^PID=//p')
  [ -z "$former" ] || kill "$former"
  while [ -n "$former" ] && kill -0 "$former" 2>/dev/null; do sleep 0.02; done
else
  printf '%s' '${BUS_CONFIG}' >/run/systemd/bus.conf
  dbus-daemon --config-file=/run/systemd/bus.conf --nopidfile --fork </dev/null
fi
SYSTEMD_LOG_TARGET=console "$networkd" </dev/null >"$log" 2>&1 &
pid=$!
tries=0
until networkctl reload 2>/dev/null; do
  tries=$((tries + 1))
  [ $tries -lt 100 ] && kill -0 $pid 2>/dev/null || { tail -n 1 "$log" >&2; kill $pid 2>/dev/null || :; exit 1; }
  sleep 0.05
done
umount ${NETWORK_FOLDER}
mount --bind "$1" ${NETWORK_FOLDER}
echo $pid >"$2"
`;

/** The command that starts networkd inside a namespace; both paths as the driver resolves them. */
export function launcher(folder: string, pidFile: string): NonNullable<DaemonSpec['launcher']> {
  return { program: 'unshare', args: ['--mount', 'sh', '-c', LAUNCH, 'sh', folder, pidFile] };
}
