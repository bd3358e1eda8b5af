// Paths of the unit's files on the appliance, and its daemon: a socket whose every connection is one `sshd -i`.
import type { DaemonSpec, Host } from '../../ground/machine/host.ts';

export const MANIFEST_PATH = '/etc/groundcrew/terminal/manifest.json';
export const CONF_FILE = '/etc/groundcrew/terminal/sshd_config';
/** Made on the appliance with the first start; only its public half is read by the service, which compares it. */
export const HOST_KEY = '/var/lib/groundcrew/terminal/host_key';
export const HOST_KEY_PUBLIC = `${HOST_KEY}.pub`;
export const SOCKET = '/run/groundcrew/terminal.sock';
const PID_FILE = '/run/groundcrew/terminal.pid';
/** Members may sign in at the terminal, and nobody else. Made by the installation; the operator says who is in it. */
export const GROUP = 'groundcrew-terminal';
/** sshd names its PAM service after the program: /etc/pam.d/groundcrew-terminal. */
export const PAM_NAME = '/usr/sbin/groundcrew-terminal';

/**
 * The socket in a namespace, where systemd starts none: whoever ends it ends every shell with it. sshd asks PAM by the name that
 * it is started with.
 */
const START = `set -eu
conf=$1 key=$2 sock=$3 pid=$4
mkdir -p "$(dirname "$key")" "$(dirname "$sock")" /run/sshd
[ -f "$key" ] || ssh-keygen -q -t ed25519 -N '' -C '' -f "$key"
rm -f "$sock"
setsid bash -c 'trap "trap - TERM; kill 0" TERM
systemd-socket-activate --accept --inetd -l "$2" -- bash -c "exec -a ${PAM_NAME} /usr/sbin/sshd -i -f \\"\\$0\\"" "$1" &
wait' terminal-accept "$conf" "$sock" </dev/null >/dev/null 2>&1 &
echo $! >"$pid"
for i in $(seq 100); do [ -S "$sock" ] && exit 0; sleep 0.05; done
echo 'the socket did not appear' >&2
exit 1`;

export function terminalDaemon(host: Host): DaemonSpec {
  const places = [CONF_FILE, HOST_KEY, SOCKET, PID_FILE].map((path) => host.resolve(path));
  return {
    name: 'the socket of the terminal',
    program: 'bash',
    args: [],
    systemd: 'groundcrew-terminal.socket',
    pidFile: PID_FILE,
    launcher: { program: 'sh', args: ['-c', START, 'terminal-start', ...places] },
  };
}
