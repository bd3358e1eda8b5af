// Paths of the unit's files on the appliance, and its daemon.
export { CONF_FILE, dnsmasqDaemon, PID_FILE, startDnsmasq } from '../../platform/host/dnsmasq-daemon.ts';

/** Upstream servers and managed zones. */
export const SERVERS_FILE = '/etc/groundcrew/dnsmasq/servers';
export const HOSTS_FILE = '/etc/groundcrew/dnsmasq/hosts/records';
export const DHCP_HOSTS_FILE = '/etc/groundcrew/dnsmasq/dhcp/reservations';
export const DHCP_OPTIONS_FILE = '/etc/groundcrew/dnsmasq/dhcp/options';
/** Written by dnsmasq, which keeps it open while it runs. */
export const LEASES_FILE = '/var/lib/groundcrew/dnsmasq/leases';
