// Interfaces as CSV: a column for each fact.
import type { Cell } from '../../ground/csv.ts';
import type { NetworkInterface } from './interface.ts';

const COLUMNS: readonly (readonly [string, (row: NetworkInterface) => Cell])[] = [
  ['name', (row) => row.name],
  ['kind', (row) => row.kind],
  ['parent_interface', (row) => row.parent_interface],
  ['vlan_id', (row) => row.vlan_id],
  ['mac_address', (row) => row.mac_address],
  ['role', (row) => row.role],
  ['mode', (row) => row.mode],
  ['enabled', (row) => row.enabled],
  ['access_management_ui_enabled', (row) => row.access_management_ui_enabled],
  ['mtu', (row) => row.mtu],
  ['ipv4_method', (row) => row.ipv4_method],
  ['ipv4_cidr', (row) => row.ipv4_cidr],
  ['ipv4_gateway', (row) => row.ipv4_gateway],
  ['ipv6_enabled', (row) => row.ipv6_enabled],
  ['ipv6_cidr', (row) => row.ipv6_cidr],
  ['ipv6_gateway', (row) => row.ipv6_gateway],
  ['present', (row) => row.present],
  ['link', (row) => row.observed?.link ?? null],
  ['speed_mbps', (row) => row.speed_mbps],
  [
    'observed_addresses',
    ({ observed }) => [...(observed?.ipv4_cidrs ?? []), ...(observed?.ipv6_cidrs ?? [])].join(' '),
  ],
];

export const INTERFACE_HEAD: readonly string[] = COLUMNS.map(([name]) => name);
export const interfaceCells = (row: NetworkInterface): Cell[] => COLUMNS.map(([, read]) => read(row));
