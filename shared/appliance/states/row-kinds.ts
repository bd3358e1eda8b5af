// The kinds of rows that lists have, and the facts that each makes: by these its state is found, on pages and in files.
import type { UnitId } from '../../platform/unit-names.ts';
import { type RowFacts, type RowState, rowState } from './row-state.ts';
import type { Standing } from './standing.ts';

type Standings = ReadonlyMap<UnitId, Standing>;

const SCOPE = ['scope', 'scope_ranges', 'scope_gateway', 'scope_dns', 'scope_ntp', 'scope_lease', 'scope_domain'];

/** What of a row of each kind its facts are named by. */
interface Rows {
  zone: { name: string };
  record: { fqdn: string; type: string; value: string };
  scope: { name: string };
  /** `scope`: name of the only scope that it is for; null: every one. */
  option: { code: number; address_family: string; scope: string | null };
  reservation: { ip_address: string };
  rule: { name: string };
  source: { address: string };
  bootHost: { hostname: string };
  kickstart: { name: string };
  medium: { name: string };
  depotUser: { name: string };
  organization: { slug: string };
  directoryUser: { organization: string; uid: string };
  directoryGroup: { organization: string; name: string };
  bindAccount: { organization: string; name: string };
  datastore: { name: string };
  volume: { name: string };
}
export type RowKind = keyof Rows;

/** A kind of row: its unit, the kinds of fact that it makes, and their name. */
interface Declared<Row> {
  unit: UnitId;
  kinds: readonly string[];
  name(row: Row): string;
  within?(row: Row): NonNullable<RowFacts['within']>;
}

export const ROWS: Readonly<{ [Kind in RowKind]: Declared<Rows[Kind]> }> = {
  zone: { unit: 'dns-dhcp', kinds: ['zone'], name: ({ name }) => name },
  record: {
    unit: 'dns-dhcp',
    kinds: ['record'],
    name: ({ fqdn, type }) => `${fqdn} ${type}`,
    within:
      ({ value }) =>
      (values) =>
        String(values).split('\n').includes(value),
  },
  scope: { unit: 'dns-dhcp', kinds: SCOPE, name: ({ name }) => name },
  option: {
    unit: 'dns-dhcp',
    kinds: ['option'],
    name: ({ code, address_family, scope }) => [code, address_family, ...(scope === null ? [] : [scope])].join(' '),
  },
  reservation: { unit: 'dns-dhcp', kinds: ['reservation'], name: ({ ip_address }) => ip_address },
  rule: { unit: 'firewall', kinds: ['rule'], name: ({ name }) => name },
  source: { unit: 'ntp', kinds: ['source'], name: ({ address }) => address },
  bootHost: { unit: 'network-boot', kinds: ['host'], name: ({ hostname }) => hostname },
  kickstart: { unit: 'network-boot', kinds: ['kickstart'], name: ({ name }) => name },
  medium: { unit: 'network-boot', kinds: ['medium'], name: ({ name }) => name },
  // The depot has one fact for the one user that it lets in.
  depotUser: {
    unit: 'private-cloud-services',
    kinds: ['access'],
    name: () => '',
    within:
      ({ name }) =>
      (access) =>
        typeof access === 'object' && access !== null && 'user' in access && access.user === name,
  },
  organization: { unit: 'ldap', kinds: ['organization'], name: ({ slug }) => slug },
  directoryUser: {
    unit: 'ldap',
    kinds: ['user', 'user_password'],
    name: ({ organization, uid }) => `${organization}/${uid}`,
  },
  directoryGroup: { unit: 'ldap', kinds: ['group'], name: ({ organization, name }) => `${organization}/${name}` },
  bindAccount: {
    unit: 'ldap',
    kinds: ['bind_account', 'bind_password'],
    name: ({ organization, name }) => `${organization}/${name}`,
  },
  datastore: { unit: 'storage', kinds: ['datastore'], name: ({ name }) => name },
  volume: { unit: 'storage', kinds: ['volume'], name: ({ name }) => name },
};

export type RowOf<Kind extends RowKind> = Rows[Kind] & { enabled: boolean };

export function stateOfRow<Kind extends RowKind>(standings: Standings, of: Kind, row: RowOf<Kind>): RowState {
  const declared: Declared<Rows[Kind]> = ROWS[of];
  const { unit, kinds } = declared;
  const within = declared.within?.(row);
  return rowState(standings, { unit, kinds, name: declared.name(row), ...(within && { within }) }, row.enabled);
}
