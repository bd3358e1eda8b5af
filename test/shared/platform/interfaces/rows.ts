// Rows and links to test with.
import type { ObservedLink } from '../../../../shared/ground/machine/host.ts';
import type { NetworkInterface } from '../../../../shared/platform/interfaces/interface.ts';

export function row(name: string, fields: Partial<NetworkInterface> = {}): NetworkInterface {
  return {
    name,
    kind: 'physical',
    id: name,
    mac_address: `00:50:56:00:00:${name.slice(-2).padStart(2, '0')}`,
    driver: 'vmxnet3',
    speed_mbps: 10_000,
    observed: { ipv4_cidrs: [], ipv6_cidrs: [], mtu: 1500, link: 'up' },
    present: true,
    parent_interface: null,
    vlan_id: null,
    role: 'unused',
    mode: 'access',
    ipv4_method: 'static',
    ipv4_cidr: '',
    ipv4_gateway: '',
    ipv6_enabled: false,
    ipv6_cidr: '',
    ipv6_gateway: '',
    mtu: 1500,
    enabled: true,
    access_management_ui_enabled: false,
    revision: 1,
    updated_at: '2026-01-01T00:00:00.000Z',
    ...fields,
  };
}

export const management = (fields: Partial<NetworkInterface> = {}): NetworkInterface =>
  row('ens10', { role: 'management', ipv4_cidr: '192.168.10.2/24', ipv4_gateway: '192.168.10.1', ...fields });

export const access = (fields: Partial<NetworkInterface> = {}): NetworkInterface =>
  row('ens20', { role: 'access', ipv4_cidr: '10.0.0.1/24', ...fields });

export const trunk = (fields: Partial<NetworkInterface> = {}): NetworkInterface =>
  row('ens30', { mode: 'trunk', ...fields });

export const vlan = (id: number, fields: Partial<NetworkInterface> = {}): NetworkInterface =>
  row(`ens30.${id}`, {
    kind: 'vlan',
    id: `vlan_${id}`,
    parent_interface: 'ens30',
    vlan_id: id,
    role: 'access',
    ipv4_cidr: `10.30.${id}.1/24`,
    mac_address: '00:50:56:00:00:30',
    ...fields,
  });

export function link(name: string, fields: Partial<ObservedLink> = {}): ObservedLink {
  return {
    name,
    mac_address: `00:50:56:00:00:${name.slice(-2).padStart(2, '0')}`,
    driver: 'vmxnet3',
    speed_mbps: 10_000,
    mtu: 1500,
    link: 'up',
    ipv4_cidrs: [],
    ipv6_cidrs: [],
    vlan: null,
    ...fields,
  };
}
