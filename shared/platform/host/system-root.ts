// The system driver of programs that run as root on the appliance (the root step, the watchdog): it changes the machine
// as far as a guard permits.
import { execProgram, firstLine } from '../../ground/machine/exec.ts';
import type { DaemonSpec, Host } from '../../ground/machine/host.ts';
import { hostFiles } from './files.ts';
import { realKeys } from './key-driver.ts';
import { observeLinks } from './links.ts';
import type { Guard } from './system-guard.ts';

/** systemd gives a unit up to 90 seconds to start by default. */
const SYSTEMD_TIMEOUT = 100_000;

/** What the root step refuses. One line, which goes to the service. */
export class Refused extends Error {}

/** @throws Refused when there is a refusal. */
export const permit = (refusal: string | null): void => {
  if (refusal !== null) throw new Refused(refusal);
};

/**
 * Writing, removing, running and starting throw Refused for what no unit does. `data`: the data folder of the service, where
 * the keys are that private keys are sealed under; whoever only goes back needs none.
 */
export function rootHost({ daemonRefusal, fileRefusal, programRefusal }: Guard, data: string): Host {
  const files = hostFiles('', realKeys(data));
  const systemctl = async ({ systemd }: Pick<DaemonSpec, 'systemd'>, ...verb: string[]): Promise<void> => {
    permit(daemonRefusal(systemd));
    const result = await execProgram('systemctl', [...verb, systemd], { timeout: SYSTEMD_TIMEOUT });
    if (result.code !== 0) throw new Error(`systemctl ${verb.join(' ')} ${systemd}: ${firstLine(result)}`);
  };
  return {
    kind: 'system',
    name: 'system',
    label: 'System',
    enforces: true,
    resolve: files.resolve,
    read: files.read,
    async write(file) {
      permit(fileRefusal(file));
      await files.write(file);
    },
    async putBack(file) {
      // Only path and mode are checked: the content was in force before, and only root writes the folder of its copy.
      permit(fileRefusal({ path: file.path, mode: file.mode }));
      await files.write(file);
    },
    async remove(path) {
      permit(fileRefusal({ path }));
      await files.remove(path);
    },
    async exec(program, args, options) {
      permit(programRefusal(program, args, options));
      return execProgram(program, args, options);
    },
    ...(files.keys && { keys: files.keys }),
    links: () => observeLinks(execProgram),
    daemonRunning: isRunning,
    startDaemon: (daemon) => systemctl(daemon, 'start'),
    stopDaemon: (daemon) => systemctl(daemon, 'stop'),
    reloadDaemon: (daemon) => systemctl(daemon, 'kill', '--kill-whom=main', '--signal=HUP'),
  };
}

/** Needs no root. */
export async function isRunning({ systemd }: Pick<DaemonSpec, 'systemd'>): Promise<boolean> {
  return (await execProgram('systemctl', ['is-active', '--quiet', systemd])).code === 0;
}
