// Paths of the unit's files on the appliance, its daemon, and the daemon's control.
import type { DaemonSpec, ExecResult, Host } from '../../ground/machine/host.ts';
import { keyPath } from '../../platform/host/key-files.ts';

export const CONF_FILE = '/etc/groundcrew/chrony/chrony.conf';
/** Folder of what a running chronyd can be told by a command as well, one file a subject. */
export const CONF_FOLDER = '/etc/groundcrew/chrony/conf.d';
/** Who is answered. */
export const CLIENTS_FILE = `${CONF_FOLDER}/clients.conf`;
/** Whether it answers by its own clock. */
export const LOCAL_FILE = `${CONF_FOLDER}/local.conf`;
/** The certificate of NTS. Its key is keyPath(KEY_NAME): shared/platform/host/key-files.ts. */
export const CERTIFICATE_FILE = '/etc/groundcrew/chrony/nts.pem';
export const KEY_NAME = 'ntp';
/** Folder of time sources, which chronyd can reload. It reads everything else only when it starts. */
export const SOURCES_FOLDER = '/etc/groundcrew/chrony/sources';
export const SOURCES_FILE = `${SOURCES_FOLDER}/groundcrew.sources`;
export const PID_FILE = '/run/groundcrew/chronyd.pid';
/** chronyd makes the folder of the socket, for itself and its group only, and refuses one that is open to others. */
export const SOCKET = '/run/groundcrew/chrony/chronyd.sock';
export const STATE_FOLDER = '/var/lib/groundcrew/chrony';

/** chronyd reads them only when it starts, and no command has the same effect. */
export const RESTARTING: ReadonlySet<string> = new Set([CONF_FILE, CERTIFICATE_FILE, keyPath(KEY_NAME)]);

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
