// The system driver: the appliance itself. Real paths below the allowed roots, daemons through systemd.
import { execProgram, firstLine } from './exec.ts';
import { hostFiles } from './files.ts';
import type { DaemonSpec, Host } from './host.ts';
import { observeLinks } from './links.ts';

/** systemd gives a unit up to 90 seconds to start by default. */
const SYSTEMD_TIMEOUT = 100_000;

export function systemHost(): Host {
  const systemctl = async (daemon: DaemonSpec, ...verb: string[]): Promise<void> => {
    const result = await execProgram('systemctl', [...verb, daemon.systemd], { timeout: SYSTEMD_TIMEOUT });
    if (result.code !== 0) throw new Error(`systemctl ${verb.join(' ')} ${daemon.systemd}: ${firstLine(result)}`);
  };
  return {
    kind: 'system',
    label: 'System',
    enforces: true,
    ...hostFiles(''),
    exec: execProgram,
    links: () => observeLinks(execProgram),
    daemonRunning: async (daemon) => {
      const result = await execProgram('systemctl', ['is-active', '--quiet', daemon.systemd]);
      return result.code === 0;
    },
    startDaemon: (daemon) => systemctl(daemon, 'start'),
    stopDaemon: (daemon) => systemctl(daemon, 'stop'),
    reloadDaemon: (daemon) => systemctl(daemon, 'kill', '--kill-whom=main', '--signal=HUP'),
  };
}
