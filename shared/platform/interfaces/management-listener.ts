// Where the management UI can be reached: the rule that keeps operators from locking themselves out.
import { isLinkLocal, isUnicast, parseCidr } from '../../ground/addresses/address.ts';
import type { NetworkInterface } from './interface.ts';

/** An address at which the management UI answers. */
export interface ManagementListener {
  interface: string;
  address: string;
}

function isUp(row: NetworkInterface, all: readonly NetworkInterface[]): boolean {
  if (!row.enabled) return false;
  if (row.kind === 'physical') return row.present && row.mode === 'access';
  // A VLAN is as present as its parent: the kernel makes it when the network unit is applied.
  const parent = all.find((other) => other.name === row.parent_interface);
  return parent?.present === true && parent.enabled && parent.mode === 'trunk';
}

/** Whether the interface exposes the management UI, by its role or by its switch. */
export const exposesManagement = (row: NetworkInterface): boolean =>
  row.role === 'management' || (row.role === 'access' && row.access_management_ui_enabled);

/**
 * The addresses that an interface will have: the desired ones, and for DHCP and SLAAC the observed ones, since those
 * are known only after the network has answered. Link-local addresses are left out.
 */
export function usableAddresses(row: NetworkInterface): string[] {
  const v4 = row.ipv4_method === 'dhcp' ? (row.observed?.ipv4_cidrs ?? []) : [row.ipv4_cidr];
  const slaac = row.ipv6_cidr === '' ? (row.observed?.ipv6_cidrs ?? []) : [row.ipv6_cidr];
  return [...v4, ...(row.ipv6_enabled ? slaac : [])].flatMap((text) => {
    const cidr = parseCidr(text);
    return cidr && isUnicast(cidr.address) && !isLinkLocal(cidr.address) ? [cidr.address.text] : [];
  });
}

/** The effective management UI listeners of a set of interfaces; empty means that nobody could reach the UI. */
export function effectiveManagementListeners(all: readonly NetworkInterface[]): ManagementListener[] {
  return all
    .filter((row) => exposesManagement(row) && isUp(row, all))
    .flatMap((row) => usableAddresses(row).map((address) => ({ interface: row.name, address })));
}
