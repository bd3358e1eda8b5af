// Where the unit's files lie on the appliance, and its daemon.
import type { DaemonSpec, Host } from '../../host/host.ts';

export const CONF_FILE = '/etc/groundcrew/dnsmasq/dnsmasq.conf';
export const HOSTS_FILE = '/etc/groundcrew/dnsmasq/hosts/records';
export const DHCP_HOSTS_FILE = '/etc/groundcrew/dnsmasq/dhcp/reservations';
export const DHCP_OPTIONS_FILE = '/etc/groundcrew/dnsmasq/dhcp/options';
/** Written by dnsmasq, which keeps it open while it runs. */
export const LEASES_FILE = '/var/lib/groundcrew/dnsmasq/leases';
export const PID_FILE = '/run/groundcrew/dnsmasq.pid';

/** The one daemon of the unit. It goes to the background by itself once its sockets are bound. */
export function dnsmasqDaemon(host: Host): DaemonSpec {
  // On the appliance dnsmasq drops to its own user. A development namespace keeps the files below a data folder that
  // only its owner may enter, and a reload re-reads them after the drop.
  const user = host.kind === 'namespace' ? ['--user=root'] : [];
  return {
    name: 'dnsmasq',
    program: 'dnsmasq',
    args: [`--conf-file=${host.resolve(CONF_FILE)}`, ...user],
    systemd: 'groundcrew-dnsmasq.service',
    pidFile: PID_FILE,
  };
}
