// The appliance's one dnsmasq. The unit DNS and DHCP owns it; other units add a file of their own to a folder that
// dnsmasq reads when it starts.
import type { DaemonSpec, Host } from '../../ground/machine/host.ts';

export const CONF_FILE = '/etc/groundcrew/dnsmasq/dnsmasq.conf';
export const PID_FILE = '/run/groundcrew/dnsmasq.pid';
/** `<unit>.conf` of each unit that adds something. */
export const FRAGMENT_FOLDER = '/etc/groundcrew/dnsmasq.d';

/** dnsmasq goes to the background by itself once its sockets are bound. */
export function dnsmasqDaemon(host: Host): DaemonSpec {
  // On the appliance dnsmasq drops to its own user. A development namespace keeps the files below a data folder that
  // only its owner may enter, and a reload re-reads them after the drop.
  const user = host.kind === 'namespace' ? ['--user=root'] : [];
  // The folder is named here and not in the file, whose validation must not depend on what other units have in force.
  const fragments = `--conf-dir=${host.resolve(FRAGMENT_FOLDER)},*.conf`;
  return {
    name: 'dnsmasq',
    program: 'dnsmasq',
    args: [`--conf-file=${host.resolve(CONF_FILE)}`, fragments, ...user],
    systemd: 'groundcrew-dnsmasq.service',
    pidFile: PID_FILE,
  };
}

const README = `Files named *.conf in this folder belong to dnsmasq's configuration. Groundcrew writes them.\n`;

/** Makes the folder of fragments, without which dnsmasq does not start, and starts it. */
export async function startDnsmasq(host: Host): Promise<void> {
  const path = `${FRAGMENT_FOLDER}/README`;
  if ((await host.read(path)) === null) await host.write({ path, content: README, mode: 0o644 });
  await host.startDaemon(dnsmasqDaemon(host));
}
