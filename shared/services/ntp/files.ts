// Paths of the unit's files on the appliance, its daemon, and the daemon's control.
import type { DaemonSpec, ExecResult, Host } from '../../ground/machine/host.ts';

export const CONF_FILE = '/etc/groundcrew/chrony/chrony.conf';
/** The certificate of NTS. Its key is keyPath(KEY_NAME): shared/platform/host/key-files.ts. */
export const CERTIFICATE_FILE = '/etc/groundcrew/chrony/nts.pem';
export const KEY_NAME = 'ntp';
export const NTS_PORT = 4460;
/** Folder of time sources, which chronyd can reload; it reads everything else only when it starts. */
export const SOURCES_FOLDER = '/etc/groundcrew/chrony/sources';
export const SOURCES_FILE = `${SOURCES_FOLDER}/groundcrew.sources`;
export const PID_FILE = '/run/groundcrew/chronyd.pid';
/** chronyd makes the folder of the socket, for itself and its group only, and refuses one that is open to others. */
export const SOCKET = '/run/groundcrew/chrony/chronyd.sock';
export const STATE_FOLDER = '/var/lib/groundcrew/chrony';

/** The one daemon of the unit. It goes to the background by itself once its sockets are bound. */
export function chronyDaemon(host: Host): DaemonSpec {
  // Outside of the appliance the clock is not ours: -x keeps chronyd from setting it. There the files are below a data
  // folder that only its owner may enter, hence the user root.
  const guest = host.kind === 'system' ? [] : ['-x', '-u', 'root'];
  return {
    name: 'chronyd',
    program: 'chronyd',
    args: ['-f', host.resolve(CONF_FILE), ...guest],
    systemd: 'groundcrew-chronyd.service',
    pidFile: PID_FILE,
  };
}

const PATIENCE_MS = 3_000;

/** Runs a command of chronyc(1) at the running chronyd; the output is CSV with names as configured. */
export const chronyc = (host: Host, words: readonly string[]): Promise<ExecResult> =>
  host.exec('chronyc', ['-c', '-N', '-h', host.resolve(SOCKET), ...words], { timeout: PATIENCE_MS });
