// Interfaces as CSV (RFC 4180).
import type { NetworkInterface } from './interface.ts';

type Cell = string | number | boolean | null;
const COLUMNS: readonly (readonly [string, (row: NetworkInterface) => Cell])[] = [
  ['name', (row) => row.name],
  ['kind', (row) => row.kind],
  ['parent_interface', (row) => row.parent_interface],
  ['vlan_id', (row) => row.vlan_id],
  ['mac_address', (row) => row.mac_address],
  ['role', (row) => row.role],
  ['mode', (row) => row.mode],
  ['enabled', (row) => row.enabled],
  ['mtu', (row) => row.mtu],
  ['ipv4_method', (row) => row.ipv4_method],
  ['ipv4_cidr', (row) => row.ipv4_cidr],
  ['ipv4_gateway', (row) => row.ipv4_gateway],
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

export function interfacesCsv(rows: readonly NetworkInterface[]): string {
  const lines = [COLUMNS.map(([name]) => name), ...rows.map((row) => COLUMNS.map(([, read]) => read(row)))];
  return lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}

/** A text that a spreadsheet would take for a formula gets an apostrophe before it. */
function cell(value: Cell): string {
  const plain = String(value ?? '');
  const text = /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
