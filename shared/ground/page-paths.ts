// The paths of the pages, and the one place that writes them. Who leads to a page names what it shows and says the ids:
// `pagePath('dns-zone', zone.id)`. They are part of what is published, since refusals and previews say where to go.

/**
 * Below `/ui/management`; those of `/public`, below `/ui`. Each operation brings the table along, so it says
 * nothing twice. What is done on a page (`/new`, `/delete`) follows its path and has no name of its own.
 */
const PAGES = {
  public: '/public',
  'public-root': '/public/ca',
  'public-requests': '/public/ca/requests',
  'public-status': '/public/status',
  'public-sign-in': '/public/sign-in',
  'public-problem': '/public/problem',
  overview: '',
  interfaces: '/interfaces',
  interface: '/interfaces/{name}',
  vlans: '/vlans',
  vlan: '/vlans/{vlan_id}',
  firewall: '/firewall',
  'firewall-rules': '/firewall/rules',
  'firewall-rule': '/firewall/rules/{rule_id}',
  'firewall-settings': '/firewall/settings',
  dns: '/dns',
  'dns-zones': '/dns/zones',
  'dns-zone': '/dns/zones/{zone_id}',
  'dns-records': '/dns/records',
  'dns-record': '/dns/records/{record_id}',
  'dns-settings': '/dns/settings',
  dhcp: '/dhcp',
  'dhcp-scopes': '/dhcp/scopes',
  'dhcp-scope': '/dhcp/scopes/{scope_id}',
  'dhcp-options': '/dhcp/options',
  'dhcp-option': '/dhcp/options/{option_id}',
  'dhcp-reservations': '/dhcp/reservations',
  'dhcp-reservation': '/dhcp/reservations/{reservation_id}',
  'dhcp-legacy-binding': '/dhcp/legacy-binding',
  'dhcp-settings': '/dhcp/settings',
  ntp: '/ntp',
  'ntp-sources': '/ntp/sources',
  'ntp-source': '/ntp/sources/{source_id}',
  'ntp-settings': '/ntp/settings',
  'certificate-authority': '/certificate-authority',
  certificates: '/certificate-authority/certificates',
  certificate: '/certificate-authority/certificates/{certificate_id}',
  'certificate-requests': '/certificate-authority/requests',
  'certificate-request': '/certificate-authority/requests/{request_id}',
  'certificate-profiles': '/certificate-authority/profiles',
  'certificate-profile': '/certificate-authority/profiles/{profile_name}',
  'certificate-authority-settings': '/certificate-authority/settings',
  kms: '/kms',
  'kms-providers': '/kms/providers',
  'kms-provider': '/kms/providers/{provider_id}',
  'kms-clients': '/kms/clients',
  'kms-client': '/kms/clients/{client_id}',
  'kms-keys': '/kms/keys',
  'kms-key': '/kms/keys/{key_id}',
  'kms-settings': '/kms/settings',
  'register-key-provider': '/kms/vcenter',
  'management-tls': '/management-tls',
  'management-tls-settings': '/management-tls/settings',
  'management-tls-remove': '/management-tls/remove',
  'management-tls-upload': '/management-tls/upload',
  ldap: '/ldap',
  'ldap-settings': '/ldap/settings',
  'ldap-clients': '/ldap/clients',
  'automation-ldap': '/ldap/automation',
  'ldap-organizations': '/ldap/organizations',
  'ldap-organization': '/ldap/organizations/{organization_id}',
  'ldap-users': '/ldap/users',
  'ldap-user': '/ldap/users/{directory_user_id}',
  'ldap-groups': '/ldap/groups',
  'ldap-group': '/ldap/groups/{group_id}',
  'ldap-bind-accounts': '/ldap/bind-accounts',
  'ldap-bind-account': '/ldap/bind-accounts/{bind_account_id}',
  oidc: '/oidc',
  'oidc-clients': '/oidc/clients',
  'oidc-client': '/oidc/clients/{oidc_client_id}',
  'oidc-signing-keys': '/oidc/signing-keys',
  storage: '/storage',
  'storage-volumes': '/storage/volumes',
  'storage-volume': '/storage/volumes/{volume_id}',
  datastores: '/storage/datastores',
  datastore: '/storage/datastores/{datastore_id}',
  'storage-settings': '/storage/settings',
  'vcf-helper': '/vcf-helper',
  'generated-fqdns': '/vcf-helper/generated-fqdns',
  'configure-depot': '/vcf-helper/offline-depot',
  'deploy-sddc-manager': '/vcf-helper/sddc-manager',
  'trust-certificate': '/vcf-helper/certificate-trust',
  'offline-depot': '/offline-depot',
  'offline-depot-users': '/offline-depot/users',
  'offline-depot-user': '/offline-depot/users/{http_user_id}',
  'offline-depot-settings': '/offline-depot/settings',
  'software-depot-id': '/offline-depot/software-depot-id',
  'network-boot': '/network-boot',
  'boot-hosts': '/network-boot/hosts',
  'boot-host': '/network-boot/hosts/{host_id}',
  kickstarts: '/network-boot/kickstarts',
  kickstart: '/network-boot/kickstarts/{kickstart_id}',
  'boot-media': '/network-boot/media',
  'boot-medium': '/network-boot/media/{medium_id}',
  'boot-waiting': '/network-boot/waiting',
  'network-boot-settings': '/network-boot/settings',
  vaults: '/vaults',
  'vault-key': '/vaults/key',
  'rotate-vault-key': '/vaults/key/rotate',
  'import-passwords': '/vaults/import',
  vault: '/vaults/{vault_id}',
  'vault-entries': '/vaults/{vault_id}/entries',
  'vault-entry': '/vaults/{vault_id}/entries/{entry_id}',
  apply: '/appliance-apply',
  'apply-drift': '/appliance-apply/drift/{unit}',
  plan: '/appliance-apply/{plan_id}',
  jobs: '/jobs',
  job: '/jobs/{job_id}',
  'audit-log': '/audit-log',
  archives: '/archives',
  'archive-schedule': '/archives/schedule',
  'archive-targets': '/archives/schedule/targets',
  'archive-target': '/archives/schedule/targets/{target_id}',
  archive: '/archives/{archive_id}',
  'first-start': '/first-start',
  'factory-reset': '/factory-reset',
  'web-terminal': '/web-terminal',
  users: '/users',
  user: '/users/{user_id}',
  'api-tokens': '/api-tokens',
  'api-token': '/api-tokens/{token_id}',
  settings: '/settings',
  'remote-settings': '/settings/remote',
  'public-settings': '/settings/public-pages',
  account: '/account',
  'second-factors': '/account/second-factors',
  'second-factor': '/account/second-factors/{factor_id}',
  search: '/search',
  help: '/help',
  'help-subject': '/help/{subject}',
  events: '/events',
  theme: '/theme',
  'sign-in': '/sign-in',
  'sign-out': '/sign-out',
  problem: '/problem',
  refusal: '/refusal',
} as const;

export type PageName = keyof typeof PAGES;
type Ids<Path extends string> = Path extends `${string}{${string}}${infer Rest}` ? [id: string, ...Ids<Rest>] : [];

/** `/ui/management/dns/zones/zon_1` */
export function pagePath<Name extends PageName>(name: Name, ...ids: Ids<(typeof PAGES)[Name]>): string {
  const left: string[] = [...ids];
  return pageRoute(name).replaceAll(/\{\w+\}/g, () => encodeURIComponent(left.shift()!));
}

/** `/ui/management/dns/zones/{zone_id}`: for the operation that answers there, and for the page of a form. */
export const pageRoute = (name: PageName): string =>
  `/ui${PAGES[name].startsWith('/public') ? '' : '/management'}${PAGES[name]}`;

/** The page of one of many things, whose path has one id. */
export const itemPath = (name: PageName, id: string): string =>
  pageRoute(name).replace(/\{\w+\}/, encodeURIComponent(id));

/** Where a form leads back to. Only to a page of the management UI: an address from outside could be a trap. */
export function returnPath(wanted: string): string {
  const home = pagePath('overview');
  const own = wanted === home || [`${home}/`, `${home}?`].some((start) => wanted.startsWith(start));
  return own && /^[\w\-./?=&%~:+,@]+$/.test(wanted) && !wanted.includes('//') ? wanted : home;
}
