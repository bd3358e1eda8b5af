// Interfaces, edits of them and saved state to test the dependent refresh with.
import type { NetworkInterface } from '../../../../../shared/platform/interfaces/interface.ts';
import { changeBetween } from '../../../../../shared/platform/interfaces/refresh/change.ts';
import { refresh } from '../../../../../shared/platform/interfaces/refresh/refresh.ts';
import type {
  DatastoreRow,
  RecordRow,
  Refresh,
  ReservationRow,
  ScopeRow,
  ServiceDependents,
  ServiceRow,
  Snapshot,
} from '../../../../../shared/platform/interfaces/refresh/snapshot.ts';
import { addressesOn, standings } from '../../../../../shared/platform/interfaces/refresh/standing.ts';
import { access, management, trunk, vlan } from '../rows.ts';

export const DECLARED: readonly ServiceDependents[] = [
  { key: 'dns-dhcp', unit: 'dns-dhcp', label: 'DNS', page: '/dns', lastBinding: 'refuse' },
  {
    key: 'ntp',
    unit: 'ntp',
    label: 'NTP',
    page: '/ntp',
    lastBinding: 'refuse',
    hostname: 'hostname',
    clients: ['allowed'],
  },
  {
    key: 'certificate-authority',
    unit: 'certificate-authority',
    label: 'CA',
    page: '/ca',
    lastBinding: 'clear',
    hostname: 'portal_hostname',
  },
  {
    key: 'oidc',
    unit: 'oidc',
    label: 'OIDC',
    page: '/oidc',
    lastBinding: 'refuse',
    hostname: 'hostname',
    urls: ['issuer'],
  },
];

/** Management on ens10, a lab on ens20 with both families, a trunk on ens30 with VLAN 7. */
export const LAB = access({ ipv6_enabled: true, ipv6_cidr: 'fd20::1/64' });
export const ROWS: readonly NetworkInterface[] = [management(), LAB, trunk(), vlan(7)];
export const BEFORE = standings(ROWS);

/** The rows after an edit of one of them; null takes it away. */
export const edited = (name: string, fields: Partial<NetworkInterface> | null): NetworkInterface[] =>
  ROWS.flatMap((each) => (each.name !== name ? each : fields === null ? [] : { ...each, ...fields }));

export const RENUMBER = edited('ens20', { ipv4_cidr: '10.9.0.7/24' });
export const NO_IPV4 = edited('ens20', { ipv4_cidr: '' });
export const NO_IPV6 = edited('ens20', { ipv6_enabled: false, ipv6_cidr: '' });
export const OFF = edited('ens20', { enabled: false });
export const TRUNK = edited('ens20', {
  mode: 'trunk',
  role: 'unused',
  ipv4_cidr: '',
  ipv6_cidr: '',
  ipv6_enabled: false,
});
export const UNUSED = edited('ens20', { role: 'unused' });
export const PARENT_OFF = edited('ens30', { enabled: false });
export const NO_VLAN = edited('ens30.7', null);

export const service = (key: string, names: string[], fields: Record<string, unknown> = {}): ServiceRow => ({
  key,
  document: { enabled: true, listen_interfaces: names, listen_addresses: addressesOn(names, BEFORE), ...fields },
});

export const scope = (fields: Partial<ScopeRow> = {}): ScopeRow => ({
  id: 'scope_a',
  name: 'lab',
  address_family: 'ipv4',
  interface: 'ens20',
  subnet_cidr: '10.0.0.0/24',
  ranges: [{ start: '10.0.0.100', end: '10.0.0.200' }],
  gateway: '10.0.0.1',
  dns_servers: ['10.0.0.1', '8.8.8.8'],
  ntp_servers: [],
  enabled: true,
  ...fields,
});

export const reservation = (ip_address: string, fields: Partial<ReservationRow> = {}): ReservationRow => ({
  id: `res_${ip_address}`,
  hostname: 'vc01',
  mac_address: '00:50:56:01:02:03',
  ip_address,
  enabled: true,
  owner: null,
  ...fields,
});

export const record = (fqdn: string, value: string, owner: RecordRow['owner'] = null, type = 'A'): RecordRow => ({
  id: `rec_${fqdn}_${value}`,
  fqdn,
  type,
  value,
  owner,
});

export const datastore = (fields: Partial<DatastoreRow> = {}): DatastoreRow => ({
  id: 'ds_a',
  name: 'iso',
  interface: 'ens20',
  address_families: ['ipv4'],
  addresses: ['10.0.0.1'],
  nfs_version: '4.1',
  clients: [],
  enabled: true,
  ...fields,
});

export const snapshot = (fields: Partial<Snapshot>): Snapshot => ({
  appliance: { dns_servers: [], management_networks: [] },
  services: [],
  scopes: [],
  legacy: null,
  options: [],
  reservations: [],
  datastores: [],
  boot_hosts: [],
  records: [],
  operators: [],
  zones: new Map([['lab.test', 'zone_a']]),
  ...fields,
});

export const follow = (after: readonly NetworkInterface[], fields: Partial<Snapshot>): Refresh =>
  refresh(snapshot(fields), changeBetween(ROWS, after)!, DECLARED);

export const refusals = ({ blockers }: Refresh): string[] =>
  blockers.map(({ subject, reason }) => `${subject}: ${reason}`);
export const movesOf = ({ moves }: Refresh): string[] =>
  moves.map(({ property, from, to }) => `${property} ${from} → ${to}`);
