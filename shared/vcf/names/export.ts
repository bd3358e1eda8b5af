// Generated names as files: lines of a hosts file, a table, and members of the installer's specification. Pure.
import { csv } from '../../ground/csv.ts';
import type { Preview, PreviewRow } from './schemas.ts';

export const FORMATS = {
  hosts: { label: 'hosts file', type: 'text/plain; charset=utf-8', file: 'hosts', write: hostsFile },
  csv: { label: 'CSV', type: 'text/csv; charset=utf-8; header=present', file: 'names.csv', write: table },
  installer: { label: 'installer JSON', type: 'application/json', file: 'installer.json', write: installerJson },
} as const;
export type Format = keyof typeof FORMATS;

/** A line for each saved address; names without one are comments. */
function hostsFile({ rows }: Preview): string {
  const lines = rows.flatMap(({ state, fqdn, label, addresses }) => {
    if (state !== 'existing') return [`# no address yet: ${fqdn}  ${label}`];
    return addresses.map(({ address }) => `${address} ${fqdn} ${shortName(fqdn)}`);
  });
  return lines.map((line) => `${line}\n`).join('');
}

const HEAD = ['component', 'label', 'fqdn', 'state', 'type', 'address', 'reverse_name', 'reverse'];

function table({ rows }: Preview): string {
  const cells = rows.flatMap(({ component, label, fqdn, state, addresses }) => {
    const name = [component, label, fqdn, state];
    if (addresses.length === 0) return [[...name, '', '', '', '']];
    return addresses.map(({ type, address, reverse_name, reverse }) => [...name, type, address, reverse_name, reverse]);
  });
  return csv([HEAD, ...cells]);
}

const shortName = (fqdn: string): string => fqdn.slice(0, fqdn.indexOf('.'));

/** The installer wants short names beside the subdomain, and full names for its services runtime. */
type Member = (names: ReadonlyMap<string, PreviewRow>) => Record<string, unknown>;

const MEMBERS: readonly [string, Member][] = [
  ['sddcManagerSpec', (names) => hostname(names, 'sddcm')],
  ['vcenterSpec', (names) => renamed(names, { vcenterHostname: 'vc01' })],
  [
    'nsxtSpec',
    (names) => ({
      ...full(names, { vipFqdn: 'nsx01' }),
      ...list('nsxtManagers', ['nsx02', 'nsx03', 'nsx04'], (host) => hostname(names, host)),
    }),
  ],
  [
    'vcfOperationsSpec',
    (names) =>
      list('nodes', ['ops01', 'ops02', 'ops03'], (host, at) => {
        const node = hostname(names, host);
        return Object.keys(node).length === 0 ? node : { ...node, type: ['master', 'replica', 'data'][at] };
      }),
  ],
  ['vcfOperationsCollectorSpec', (names) => hostname(names, 'collector')],
  ['vcfAutomationSpec', (names) => hostname(names, 'auto-vip')],
  [
    'vspClusterSpec',
    (names) => full(names, { platformFqdn: 'vsp01', instanceFqdn: 'shared01', fleetFqdn: 'fleetlcm' }),
  ],
];

function renamed(names: ReadonlyMap<string, PreviewRow>, members: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(full(names, members)).map(([key, fqdn]) => [key, shortName(fqdn)]));
}

const hostname = (names: ReadonlyMap<string, PreviewRow>, host: string) => renamed(names, { hostname: host });

function full(names: ReadonlyMap<string, PreviewRow>, members: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([key, host]) => {
      const row = names.get(host);
      return row ? [[key, row.fqdn]] : [];
    }),
  );
}

function list(
  key: string,
  hosts: readonly string[],
  item: (host: string, at: number) => object,
): Record<string, unknown> {
  const items = hosts.map(item).filter((each) => Object.keys(each).length > 0);
  return items.length === 0 ? {} : { [key]: items };
}

/** Only what the names decide: to be merged into a specification. Names that it has no member for are left out. */
function installerJson({ rows, domain }: Preview): string {
  const names = new Map(rows.map((row) => [row.component, row]));
  const members = MEMBERS.flatMap(([key, make]) => {
    const made = make(names);
    return Object.keys(made).length === 0 ? [] : [[key, made]];
  });
  return `${JSON.stringify({ dnsSpec: { subdomain: domain }, ...Object.fromEntries(members) }, null, 2)}\n`;
}
