// The ESXi hosts of network boot with the reservations that DHCP keeps for them: one service follows the other here, so that
// neither has to know the other.
import { OWNER } from '../platform/interfaces/refresh/snapshot.ts';
import type { Collection } from '../platform/units/collection.ts';
import { keepReservation } from '../services/dns-dhcp/dhcp/reservation-keeping.ts';
import { type EsxiHost, hosts } from '../services/network-boot/hosts.ts';

export const esxiHosts: Collection<EsxiHost> = {
  ...hosts,
  async saved(tx, after, before, shell) {
    const { hostname, mac_address, ip_address, enabled } = after;
    if (before && sameReservation(after, before)) return;
    if (ip_address === '' && (before === null || before.ip_address === '')) return;
    const kept = ip_address === '' ? null : { hostname, mac_address, ip_address, enabled };
    await keepReservation(tx, shell, ownerOf(after), kept);
  },
  async deleted(tx, host, shell) {
    if (host.ip_address !== '') await keepReservation(tx, shell, ownerOf(host), null);
  },
};

const sameReservation = (one: EsxiHost, other: EsxiHost): boolean =>
  one.hostname === other.hostname &&
  one.mac_address === other.mac_address &&
  one.ip_address === other.ip_address &&
  one.enabled === other.enabled;

const ownerOf = ({ id, hostname }: EsxiHost) => ({ source: OWNER.host, ref: id, component: hostname });
