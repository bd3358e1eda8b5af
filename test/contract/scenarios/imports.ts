// Rows that are read from CSV: one new row each, as operation, as form with a preview before it, and the page.
import type { Given, Scenarios, Scene } from './scenario.ts';

type Lines = (n: number, scene: Scene) => string | Promise<string>;

/** Statements besides those of the row itself: savepoint and its release, the search for the row, names that stand for ids. */
const BESIDE = 7;

function imports(component: string, action: string, lines: Lines, verb = 'create'): Scenarios {
  const given = async (scene: Scene): Promise<Given> => ({ csv: await lines(scene.next(), scene) });
  const previewed = async (scene: Scene): Promise<Given> => {
    const { csv } = await given(scene);
    const { body } = await scene.api('POST', `${PATHS[component]}/import?dry_run=true`, { csv });
    return { csv: csv!, previewed: body.previewed };
  };
  return {
    [`import${component}`]: { given, audit: [`${action}.${verb}`], statements: BESIDE + 7 },
    [`import${component}Form`]: {
      given: previewed,
      send: ({ csv, previewed }) => ({ form: { csv: csv!, previewed: previewed!, mode: 'add_and_change' } }),
      audit: [`${action}.${verb}`],
      statements: BESIDE + 7,
    },
    [`import${component}Page`]: {},
  };
}

const PATHS: Readonly<Record<string, string>> = {
  Vlans: '/api/v1/vlans',
  Interfaces: '/api/v1/interfaces',
  LdapOrganizations: '/api/v1/ldap/organizations',
  LdapUsers: '/api/v1/ldap/users',
  LdapGroups: '/api/v1/ldap/groups',
  LdapBindAccounts: '/api/v1/ldap/bind-accounts',
  DnsZones: '/api/v1/dns/zones',
  DhcpScopes: '/api/v1/dhcp/scopes',
  DhcpOptions: '/api/v1/dhcp/options',
  DhcpReservations: '/api/v1/dhcp/reservations',
  EsxiHosts: '/api/v1/network-boot/esxi-hosts',
  NtpSources: '/api/v1/ntp/sources',
  FirewallRules: '/api/v1/firewall/rules',
  StorageDatastores: '/api/v1/storage/datastores',
};

const csvOf = (head: string, row: string): string => `${head}\n${row}\n`;

async function organization(n: number, scene: Scene): Promise<string> {
  const slug = `im${n}`;
  await scene.api('POST', PATHS.LdapOrganizations!, { slug, suffix: `dc=${slug},dc=test` });
  return slug;
}

async function volume(n: number, scene: Scene): Promise<string> {
  const name = `imported-${n}`;
  await scene.api('POST', '/api/v1/storage/volumes', { name, device: `/dev/disk/by-id/imported-${n}`, enabled: false });
  return name;
}

const mac = (n: number): string =>
  `00:50:56:66:${(n >> 8).toString(16).padStart(2, '0')}:${(n & 255).toString(16).padStart(2, '0')}`;

export const IMPORTS: Scenarios = {
  ...imports('Vlans', 'network.vlan', async (n, scene) => {
    await scene.api('PATCH', '/api/v1/interfaces/physical/ens224', { mode: 'trunk', enabled: true });
    return csvOf('parent_interface,vlan_id,ipv4_cidr', `ens224,${2000 + n},10.73.${n % 250}.2/24`);
  }),
  // No VLAN of others is on it, which a smaller MTU would be refused for.
  ...imports('Interfaces', 'network.interface', (n) => csvOf('name,mtu', `ens256,${1700 + (n % 200)}`), 'update'),
  ...imports('LdapOrganizations', 'ldap.organization', (n) => csvOf('slug,suffix', `in${n},"dc=in${n},dc=test"`)),
  ...imports('LdapUsers', 'ldap.user', async (n, scene) =>
    csvOf('organization,uid,surname', `${await organization(n, scene)},ada${n},Lovelace`),
  ),
  ...imports('LdapGroups', 'ldap.group', async (n, scene) =>
    csvOf('organization,name', `${await organization(n, scene)},Team ${n}`),
  ),
  ...imports('LdapBindAccounts', 'ldap.bind_account', async (n, scene) =>
    csvOf('organization,name', `${await organization(n, scene)},reader${n}`),
  ),
  ...imports('DnsZones', 'dns.zone', (n) => csvOf('name', `in${n}.imported.test`)),
  ...imports('DhcpScopes', 'dhcp.scope', (n) =>
    csvOf('name,subnet_cidr,enabled', `imported ${n},10.76.${n % 250}.0/24,false`),
  ),
  ...imports('DhcpOptions', 'dhcp.option', async (n, scene) => {
    const name = `optional ${n}`;
    await scene.api('POST', PATHS.DhcpScopes!, { name, subnet_cidr: `10.75.${n % 250}.0/24`, enabled: false });
    return csvOf('scope,address_family,code,value', `${name},ipv4,66,tftp.lab.test`);
  }),
  ...imports('DhcpReservations', 'dhcp.reservation', (n) =>
    csvOf('hostname,mac_address,ip_address,enabled', `in${n},${mac(n)},10.74.${n >> 8}.${n & 255},false`),
  ),
  ...imports('EsxiHosts', 'network-boot.host', (n) => csvOf('hostname,mac_address', `in${n}.lab.test,${mac(n)}`)),
  ...imports('NtpSources', 'ntp.source', (n) => csvOf('address', `in${n}.lab.test`)),
  ...imports('FirewallRules', 'firewall.rule', (n) => csvOf('name,action', `Imported ${n},accept`)),
  ...imports('StorageDatastores', 'storage.datastore', async (n, scene) =>
    csvOf('name,volume,interface,address_families,enabled', `in-${n},${await volume(n, scene)},ens224,ipv4,false`),
  ),
};
